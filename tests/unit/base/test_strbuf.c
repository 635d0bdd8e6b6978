/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_strbuf.c - a text grows piece by piece and remembers that it could not. */
#include "base/strbuf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void an_empty_buffer_has_no_text(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};

	(void)state;
	assert_null(buffer.text);
	assert_int_equal(buffer.bytes, 0);
}

static void pieces_follow_each_other(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};

	(void)state;
	ctd_strbuf_add(&buffer, "cpu");
	ctd_strbuf_addf(&buffer, " %d of %s", 3, "eight");
	ctd_strbuf_add_bytes(&buffer, "!!!", 1);
	assert_string_equal(buffer.text, "cpu 3 of eight!");
	assert_int_equal(buffer.bytes, strlen("cpu 3 of eight!"));
	assert_false(buffer.failed);
}

static void adding_nothing_still_makes_a_text(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};

	(void)state;
	ctd_strbuf_add(&buffer, "");
	assert_string_equal(buffer.text, "");
}

static void bytes_may_contain_nul(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};

	(void)state;
	ctd_strbuf_add_bytes(&buffer, "a\0b", 3);
	ctd_strbuf_add(&buffer, "c");
	assert_int_equal(buffer.bytes, 4);
	assert_memory_equal(buffer.text, "a\0bc", 5);
}

static void text_survives_growth_at_every_length(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf one_by_one = {0};
	auto_ctd_strbuf struct ctd_strbuf formatted = {0};

	(void)state;
	for (size_t i = 0; i < 1000; i++) {
		char letter[2] = {(char)('a' + i % 26), '\0'};

		ctd_strbuf_add(&one_by_one, letter);
		ctd_strbuf_addf(&formatted, "%s", letter);
		assert_int_equal(one_by_one.bytes, i + 1);
		assert_int_equal(strlen(one_by_one.text), i + 1);
		assert_string_equal(one_by_one.text, formatted.text);
	}
	for (size_t i = 0; i < 1000; i++)
		assert_int_equal(one_by_one.text[i], 'a' + i % 26);
}

static void a_piece_larger_than_twice_the_buffer_fits(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};

	(void)state;
	ctd_strbuf_add(&buffer, "x");
	ctd_strbuf_addf(&buffer, "%*s", 5000, "y");
	assert_int_equal(buffer.bytes, 5001);
	assert_int_equal(buffer.text[5000], 'y');
}

static void failure_is_remembered_and_keeps_what_was_there(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf buffer = {0};

	(void)state;
	ctd_strbuf_add(&buffer, "before");
	/* No memory has this size, and the bytes are never looked at. */
	ctd_strbuf_add_bytes(&buffer, "", SIZE_MAX - 100);
	assert_true(buffer.failed);
	ctd_strbuf_add(&buffer, "after");
	assert_true(buffer.failed);
	assert_string_equal(buffer.text, "before");
}

static void freeing_twice_or_nothing_is_harmless(void **state)
{
	struct ctd_strbuf buffer = {0};

	(void)state;
	ctd_strbuf_free(NULL);
	ctd_strbuf_add(&buffer, "text");
	ctd_strbuf_free(&buffer);
	assert_null(buffer.text);
	ctd_strbuf_free(&buffer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_empty_buffer_has_no_text),
		cmocka_unit_test(pieces_follow_each_other),
		cmocka_unit_test(adding_nothing_still_makes_a_text),
		cmocka_unit_test(bytes_may_contain_nul),
		cmocka_unit_test(text_survives_growth_at_every_length),
		cmocka_unit_test(a_piece_larger_than_twice_the_buffer_fits),
		cmocka_unit_test(failure_is_remembered_and_keeps_what_was_there),
		cmocka_unit_test(freeing_twice_or_nothing_is_harmless),
	};

	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
