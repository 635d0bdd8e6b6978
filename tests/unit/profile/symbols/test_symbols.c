/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_symbols.c - the function at an address is the one that covers it, by its best name. */
#include "profile/symbols/symbols.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add(struct ctd_symbols_reader *reader, uint64_t start, uint32_t bytes, uint32_t rank,
		const char *name)
{
	assert_int_equal(
		ctd_symbols_reader_add(
			reader,
			(struct ctd_read_symbol){.start = start,
						 .bytes = bytes,
						 .rank = rank,
						 .name = name,
						 .name_bytes = name ? (uint32_t)strlen(name) : 0}),
		0);
}

static const char *name_at(const struct ctd_symbols *symbols, uint64_t address)
{
	static struct ctd_symbol_text text;
	const struct ctd_symbol *symbol = ctd_symbols_find(symbols, address);

	return symbol ? ctd_symbols_name(symbols, symbol, &text) : "(none)";
}

static void an_address_is_of_the_function_that_covers_it(void **state)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	add(&reader, 300, 0, 0, "last");
	add(&reader, 100, 50, 0, "sized");
	add(&reader, 200, 0, 0, "open");
	assert_int_equal(ctd_symbols_make(&reader, 400, &symbols), 0);
	assert_string_equal(name_at(&symbols, 99), "(none)");
	assert_string_equal(name_at(&symbols, 100), "sized");
	assert_string_equal(name_at(&symbols, 149), "sized");
	assert_string_equal(name_at(&symbols, 150), "(none)");
	assert_string_equal(name_at(&symbols, 299), "open");
	assert_string_equal(name_at(&symbols, 399), "last");
	assert_string_equal(name_at(&symbols, 400), "(none)");
	assert_int_equal(ctd_symbols_find(&symbols, 140)->start, 100);
}

static void of_several_names_the_best_is_taken(void **state)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	add(&reader, 100, 0, 9, "best");
	add(&reader, 100, 50, 1, "worse");
	add(&reader, 100, 60, 0, NULL);
	add(&reader, 200, 10, 1, "b");
	add(&reader, 200, 10, 1, "a");
	assert_int_equal(ctd_symbols_make(&reader, 400, &symbols), 0);
	assert_int_equal(symbols.symbols_count, 2);
	/* Its length is what another says. */
	assert_string_equal(name_at(&symbols, 149), "best");
	assert_string_equal(name_at(&symbols, 150), "(none)");
	assert_string_equal(name_at(&symbols, 205), "a");
}

static void functions_without_a_name_fill_the_gaps(void **state)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	add(&reader, 100, 50, 0, "named");
	add(&reader, 120, 10, 0, NULL); /* in it */
	add(&reader, 160, 20, 0, NULL);
	assert_int_equal(ctd_symbols_make(&reader, 400, &symbols), 0);
	assert_string_equal(name_at(&symbols, 125), "named");
	assert_string_equal(name_at(&symbols, 170), "");
	assert_int_equal(ctd_symbols_find(&symbols, 170)->start, 160);
}

static void a_function_in_another_does_not_hide_the_rest_of_it(void **state)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	add(&reader, 100, 100, 0, "outer");
	add(&reader, 120, 10, 0, "inner");
	assert_int_equal(ctd_symbols_make(&reader, 400, &symbols), 0);
	assert_string_equal(name_at(&symbols, 125), "inner");
	assert_string_equal(name_at(&symbols, 180), "outer");
}

static void symbols_are_bounded_and_long_names_are_cut(void **state)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	auto_ctd_symbols struct ctd_symbols symbols = {0};
	static char name[3000];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	for (uint64_t i = 0; i < CTD_SYMBOLS_MAX + 5; i++)
		add(&reader, i, 1, 0, i % 16 ? NULL : name);
	assert_int_equal(ctd_symbols_make(&reader, CTD_SYMBOLS_MAX, &symbols), 0);
	assert_true(symbols.dropped > 5);
	assert_int_equal(symbols.symbols_count, CTD_SYMBOLS_MAX);
	assert_true(symbols.names.blocks[symbols.names.blocks_count].text <= CTD_SYMBOL_NAMES_MAX);
	assert_int_equal(strlen(name_at(&symbols, 0)), CTD_SYMBOL_NAME_MAX);
	assert_string_equal(name_at(&symbols, CTD_SYMBOLS_MAX - 16), "");
}

static void no_symbols_are_symbols_too(void **state)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	auto_ctd_symbols struct ctd_symbols symbols = {0};

	(void)state;
	assert_string_equal(name_at(&symbols, 0), "(none)");
	assert_int_equal(ctd_symbols_make(&reader, 0, &symbols), 0);
	assert_string_equal(name_at(&symbols, 0), "(none)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_of_the_function_that_covers_it),
		cmocka_unit_test(of_several_names_the_best_is_taken),
		cmocka_unit_test(functions_without_a_name_fill_the_gaps),
		cmocka_unit_test(a_function_in_another_does_not_hide_the_rest_of_it),
		cmocka_unit_test(symbols_are_bounded_and_long_names_are_cut),
		cmocka_unit_test(no_symbols_are_symbols_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
