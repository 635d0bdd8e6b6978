/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_symbol_names.c - compressed names are read as they were, block by block. */
#include "profile/symbols/symbol_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NAMES 5000

static struct ctd_symbol_text text;

static void names_are_read_in_any_order(void **state)
{
	static char written[NAMES * 64];
	static uint32_t at[NAMES];
	struct ctd_symbol_names names;
	size_t bytes = 1;
	char want[64];

	(void)state;
	for (int i = 0; i < NAMES; i++) {
		at[i] = (uint32_t)bytes;
		bytes += (size_t)sprintf(written + bytes, "_ZN4name5spaceIiE%dfunctionEv", i) + 1;
	}
	assert_int_equal(ctd_symbol_names_pack(written, bytes, &names), 0);
	assert_true(names.blocks_count > 10);
	assert_true(ctd_symbol_names_bytes(&names) < bytes / 4);
	for (int i = 0; i < NAMES; i++) {
		int k = i * 1237 % NAMES;

		snprintf(want, sizeof(want), "_ZN4name5spaceIiE%dfunctionEv", k);
		assert_string_equal(ctd_symbol_names_at(&names, at[k], &text), want);
	}
	assert_string_equal(ctd_symbol_names_at(&names, 0, &text), "");
	assert_string_equal(ctd_symbol_names_at(&names, (uint32_t)bytes, &text), "");
	ctd_symbol_names_free(&names);
	assert_string_equal(ctd_symbol_names_at(&names, 1, &text), "");
	assert_int_equal(ctd_symbol_names_bytes(&names), 0);
}

static void the_longest_names_fit_into_a_block(void **state)
{
	struct ctd_symbol_names names;
	/* The last one begins with the last byte that still is of the first block. */
	size_t last = CTD_SYMBOL_BLOCK_BYTES - 1, bytes = last + CTD_SYMBOL_NAME_MAX + 1;
	char *written = malloc(bytes + 2);

	(void)state;
	assert_non_null(written);
	memset(written, 'n', bytes);
	for (size_t at = CTD_SYMBOL_NAME_MAX; at < last; at += CTD_SYMBOL_NAME_MAX + 1)
		written[at] = '\0';
	written[last - 1] = '\0';
	/* What cannot be made smaller, either. */
	for (size_t i = last, seed = 1; i < bytes; i++)
		written[i] = (char)((seed = seed * 1103515245 + 12345) >> 16 | 1);
	written[bytes - 1] = '\0';
	memcpy(written + bytes, "z", 2);
	assert_int_equal(ctd_symbol_names_pack(written, bytes + 2, &names), 0);
	assert_int_equal(names.blocks_count, 2);
	assert_string_equal(ctd_symbol_names_at(&names, (uint32_t)last, &text), written + last);
	assert_int_equal(strlen(text.text + last), CTD_SYMBOL_NAME_MAX);
	assert_string_equal(ctd_symbol_names_at(&names, (uint32_t)bytes, &text), "z");
	ctd_symbol_names_free(&names);
	free(written);
}

static void a_block_of_others_is_none_of_theirs(void **state)
{
	struct ctd_symbol_names one, other;

	(void)state;
	assert_int_equal(ctd_symbol_names_pack("\0one", 5, &one), 0);
	assert_int_equal(ctd_symbol_names_pack("\0two", 5, &other), 0);
	assert_true(one.serial && other.serial && one.serial != other.serial);
	assert_string_equal(ctd_symbol_names_at(&one, 1, &text), "one");
	assert_string_equal(ctd_symbol_names_at(&other, 1, &text), "two");
	assert_string_equal(ctd_symbol_names_at(&one, 1, &text), "one");
	ctd_symbol_names_free(&one);
	ctd_symbol_names_free(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_read_in_any_order),
		cmocka_unit_test(the_longest_names_fit_into_a_block),
		cmocka_unit_test(a_block_of_others_is_none_of_theirs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
