/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_text_lines.c - functions of the kernel and of JITs are read, and rubbish is left out. */
#include "profile/symbols/text_lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *name_at(const struct ctd_symbols *symbols, uint64_t address)
{
	static struct ctd_symbol_text text;
	const struct ctd_symbol *symbol = ctd_symbols_find(symbols, address);

	return symbol ? ctd_symbols_name(symbols, symbol, &text) : "(none)";
}

static void the_kernels_functions_end_where_the_next_begins(void **state)
{
	static const char text[] = "0000000000001000 A fixed_percpu_data\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000100 t do_one_initcall\n"
				   "ffffffff81000180 d some_data\n"
				   "ffffffffc0000000 t nf_hook\t[nf_tables]\n"
				   "rubbish\n"
				   "ffffffff81000200 T";
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	assert_int_equal(ctd_kallsyms_parse(text, strlen(text), &symbols), 0);
	assert_string_equal(name_at(&symbols, 0x1000), "(none)");
	assert_string_equal(name_at(&symbols, 0xffffffff810000ff), "_stext");
	assert_string_equal(name_at(&symbols, 0xffffffff8100017f), "do_one_initcall");
	assert_string_equal(name_at(&symbols, 0xffffffff81000190), "(none)");
	assert_string_equal(name_at(&symbols, 0xffffffffc0000010), "nf_hook");
	/* What was loaded behind it later is none of it. */
	assert_string_equal(name_at(&symbols, 0xffffffffc0100000), "(none)");
	assert_int_equal(symbols.symbols_count, 3);
}

static void hidden_addresses_are_no_symbols(void **state)
{
	static const char text[] = "0000000000000000 T _stext\n0000000000000000 T schedule\n";
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	assert_int_equal(ctd_kallsyms_parse(text, strlen(text), &symbols), 0);
	assert_int_equal(symbols.symbols_count, 0);
}

static void a_perf_map_names_what_a_jit_made(void **state)
{
	static const char text[] = "7f0000001000 40 LazyCompile:~main /app/server.js:1\n"
				   "0x00007f0000002000 0x0000000000000040 int Main.run()\n"
				   "0x 40 no digits\n"
				   "7f0000003000 20 py::old:/app/x.py\n"
				   "7f0000003000 30 py::new:/app/x.py\n"
				   "7f0000004000 0 empty\n"
				   "ffffffffffffffff 10 beyond the end\n"
				   "7f0000005000 10\n"
				   "7f0000005000\n"
				   "\n"
				   "10000000000000000 10 too large\n"
				   "7F0000006000 A no newline";
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	assert_int_equal(ctd_perf_map_parse(text, strlen(text), &symbols), 0);
	assert_string_equal(name_at(&symbols, 0x7f000000103f),
			    "LazyCompile:~main /app/server.js:1");
	assert_string_equal(name_at(&symbols, 0x7f0000001040), "(none)");
	assert_string_equal(name_at(&symbols, 0x7f0000002000), "int Main.run()");
	assert_string_equal(name_at(&symbols, 0x7f0000003010), "py::new:/app/x.py");
	assert_string_equal(name_at(&symbols, 0x7f0000006009), "no newline");
	assert_int_equal(symbols.symbols_count, 4);
}

static void a_nul_ends_a_name(void **state)
{
	static const char text[] = "1000 10 a\0b\n2000 10 \0\n3000 10 c\n";
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	assert_int_equal(ctd_perf_map_parse(text, sizeof(text) - 1, &symbols), 0);
	assert_string_equal(name_at(&symbols, 0x1000), "a");
	assert_string_equal(name_at(&symbols, 0x2000), "(none)");
	assert_string_equal(name_at(&symbols, 0x3000), "c");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kernels_functions_end_where_the_next_begins),
		cmocka_unit_test(hidden_addresses_are_no_symbols),
		cmocka_unit_test(a_perf_map_names_what_a_jit_made),
		cmocka_unit_test(a_nul_ends_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
