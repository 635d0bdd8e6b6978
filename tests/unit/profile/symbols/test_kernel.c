/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_kernel.c - functions of modules have their names when these were loaded later. */
#include "profile/symbols/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/root.h"

#define S 1000000000ull
#define LATE 0xffffffffc0200010

static char folder[] = "/tmp/test_kernel.XXXXXX";

static void put(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/%s", folder, name);
	file = fopen(path, "we");
	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static int begin(void **state)
{
	char path[128];

	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "mkdir %s/proc", folder);
	ctd_root_set(folder);
	return system(path);
}

static int end(void **state)
{
	char command[128];

	(void)state;
	ctd_root_set(NULL);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	return system(command);
}

static const char *name_at(struct ctd_kernel_symbols *kernel, uint64_t now_ns)
{
	static struct ctd_symbol_text text;
	const struct ctd_symbol *symbol;

	assert_int_equal(ctd_kernel_symbols_follow(kernel, now_ns), 0);
	symbol = ctd_symbols_find(&kernel->symbols, LATE);
	return symbol ? ctd_symbols_name(&kernel->symbols, symbol, &text) : "(none)";
}

static void they_are_read_again_when_there_is_another_module(void **state)
{
	struct ctd_kernel_symbols kernel = {0};

	(void)state;
	put("modules", "nf 4096 1 - Live 0xffffffffc0000000\n");
	put("kallsyms", "ffffffff81000000 T _stext\nffffffffc0000000 t nf_hook\t[nf]\n");
	assert_string_equal(name_at(&kernel, 100 * S), "(none)");
	put("modules", "late 4096 0 - Live 0xffffffffc0200000\n"
		       "nf 4096 1 - Live 0xffffffffc0000000\n");
	put("kallsyms", "ffffffff81000000 T _stext\nffffffffc0000000 t nf_hook\t[nf]\n"
			"ffffffffc0200000 t late_hook\t[late]\n");
	/* It looks every ten seconds. */
	assert_string_equal(name_at(&kernel, 109 * S), "(none)");
	assert_string_equal(name_at(&kernel, 110 * S), "late_hook");
	/* Who uses a module is no other module: that changes all the time. */
	put("modules", "late 4096 9 nf, Live 0xffffffffc0200000\n"
		       "nf 4096 7 - Live 0xffffffffc0000000\n");
	put("kallsyms", "ffffffff81000000 T _stext\n");
	assert_string_equal(name_at(&kernel, 120 * S), "late_hook");
	ctd_kernel_symbols_free(&kernel);
}

static void without_the_files_there_are_none(void **state)
{
	struct ctd_kernel_symbols kernel = {0};

	(void)state;
	ctd_root_set("/nowhere");
	assert_string_equal(name_at(&kernel, S), "(none)");
	assert_string_equal(name_at(&kernel, 100 * S), "(none)");
	ctd_kernel_symbols_free(&kernel);
	ctd_root_set(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(they_are_read_again_when_there_is_another_module),
		cmocka_unit_test(without_the_files_there_are_none),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
