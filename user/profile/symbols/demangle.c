/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* demangle.c - names of C++ and Rust as people write them. */
#include "profile/symbols/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

/* Longer ones are left as they are: the work grows with them. */
#define MANGLED_MAX 1024

struct demangled {
	char text[CTD_DEMANGLED_MAX + 1];
	size_t bytes;
	jmp_buf full;
};

/* Libiberty goes on for as long as the text gets, and cannot be told to stop. What it needs is on
 * the stack, but for one identifier of Rust that is not ASCII, which is then lost. */
static void take(const char *text, size_t bytes, void *context)
{
	struct demangled *demangled = context;

	/* Of nothing it gives no text. */
	if (!bytes)
		return;
	if (bytes > CTD_DEMANGLED_MAX - demangled->bytes)
		longjmp(demangled->full, 1);
	memcpy(demangled->text + demangled->bytes, text, bytes);
	demangled->bytes += bytes;
}

static bool demangle(const char *name, struct demangled *demangled)
{
	if (setjmp(demangled->full))
		return false;
	/* C++ and what Rust wrote like C++ begin with _Z, Rust's own names with _R. */
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') || strlen(name) > MANGLED_MAX)
		return false;
	if (rust_demangle_callback(name, DMGL_NO_OPTS, take, demangled))
		return true;
	/* What it gave before it failed. */
	demangled->bytes = 0;
	return cplus_demangle_v3_callback(name, DMGL_NO_OPTS, take, demangled);
}

void ctd_demangle(struct ctd_strbuf *buffer, const char *name)
{
	struct demangled demangled;

	demangled.bytes = 0;
	if (demangle(name, &demangled)) {
		demangled.text[demangled.bytes] = '\0';
		name = demangled.text;
	}
	ctd_utf8_add(buffer, name, CTD_DEMANGLED_MAX);
}
