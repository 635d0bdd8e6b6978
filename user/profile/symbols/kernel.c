/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kernel.c - the kernel's functions, read again when modules come and go. */
#include "profile/symbols/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/root.h"
#include "profile/symbols/text_lines.h"

/* Of 120,000 functions: 6 MB. */
#define KALLSYMS_BYTES_MAX (64 << 20)
#define MODULES_BYTES_MAX (4 << 20)
#define READ_BYTES (1 << 20)
#define LOOK_NS 10000000000ull
/* FNV-1a. */
#define HASH_BEGIN 0xcbf29ce484222325ull
#define HASH_FACTOR 0x100000001b3ull

/* "name bytes uses users state address ...": who uses a module changes often, and means nothing. */
static bool is_hashed(int word)
{
	return word != 2 && word != 3;
}

/* @return 0 if there are none, or they cannot be read. */
static uint64_t hash_modules(void)
{
	autofree char *text = NULL;
	uint64_t hash = HASH_BEGIN;
	char path[CTD_PATH_MAX];
	size_t bytes;
	int word = 0;

	if (ctd_root_path(path, "/proc/modules") ||
	    ctd_read_file(path, MODULES_BYTES_MAX, &text, &bytes) || !bytes)
		return 0;
	for (size_t i = 0; i < bytes; i++) {
		word = text[i] == '\n' ? 0 : word + (text[i] == ' ');
		if (is_hashed(word))
			hash = (hash ^ (unsigned char)text[i]) * HASH_FACTOR;
	}
	return hash;
}

static void open_once(struct ctd_kernel_symbols *kernel)
{
	char path[CTD_PATH_MAX];

	if (kernel->is_open || ctd_root_path(path, "/proc/kallsyms"))
		return;
	kernel->fd = open(path, O_RDONLY | O_CLOEXEC);
	kernel->is_open = kernel->fd >= 0;
}

/* From its begin, whatever was read before. *ret_text is the caller's. @return 0 or -ENOMEM; what
 * cannot be read is empty. */
static int read_text(const struct ctd_kernel_symbols *kernel, char **ret_text, size_t *ret_bytes)
{
	autofree char *text = malloc(READ_BYTES);
	size_t bytes = 0, capacity = READ_BYTES;
	ssize_t got = 0;

	while (text && kernel->is_open && bytes < KALLSYMS_BYTES_MAX &&
	       (got = pread(kernel->fd, text + bytes, capacity - bytes, (off_t)bytes)) > 0) {
		bytes += (size_t)got;
		if (capacity - bytes < READ_BYTES / 2) {
			char *larger = realloc(text, 2 * capacity);

			if (!larger)
				return -ENOMEM;
			text = larger;
			capacity *= 2;
		}
	}
	if (!text)
		return -ENOMEM;
	*ret_bytes = got < 0 ? 0 : bytes;
	*ret_text = take_ptr(text);
	return 0;
}

static int read_all(struct ctd_kernel_symbols *kernel)
{
	struct ctd_symbols symbols = {0};
	autofree char *text = NULL;
	size_t bytes;
	int error;

	open_once(kernel);
	error = read_text(kernel, &text, &bytes);
	if (!error)
		error = ctd_kallsyms_parse(text, bytes, &symbols);
	if (error)
		return error;
	ctd_symbols_free(&kernel->symbols);
	kernel->symbols = symbols;
	return 0;
}

int ctd_kernel_symbols_follow(struct ctd_kernel_symbols *kernel, uint64_t now_ns)
{
	uint64_t modules;
	int error;

	if (kernel->is_read && now_ns < kernel->look_ns)
		return 0;
	kernel->look_ns = now_ns + LOOK_NS;
	modules = hash_modules();
	if (kernel->is_read && modules == kernel->modules)
		return 0;
	error = read_all(kernel);
	if (error)
		return error;
	kernel->is_read = true;
	kernel->modules = modules;
	return 0;
}

void ctd_kernel_symbols_free(struct ctd_kernel_symbols *kernel)
{
	if (kernel->is_open)
		close(kernel->fd);
	ctd_symbols_free(&kernel->symbols);
}
