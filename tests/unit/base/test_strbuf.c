/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_strbuf.c - a text grows piece by piece and remembers that it could not. */
#include "base/strbuf.h"

#include <errno.h>
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

struct taken {
	struct ctd_strbuf all;
	int pieces, fail_at; /* fail_at 0: never */
	size_t largest;
	uint64_t known; /* version of a part that it has */
	size_t part; /* where the part begins in `all` */
	int parts, error; /* error: of parts */
};

static int take(void *context, const char *data, size_t bytes)
{
	struct taken *taken = context;

	if (++taken->pieces == taken->fail_at)
		return -ENOMEM;
	if (bytes > taken->largest)
		taken->largest = bytes;
	ctd_strbuf_add_bytes(&taken->all, data, bytes);
	return 0;
}

static int begin_part(void *context, uint64_t version)
{
	struct taken *taken = context;

	taken->part = taken->all.bytes;
	return taken->error ? taken->error : version == taken->known;
}

static int end_part(void *context)
{
	struct taken *taken = context;

	assert_string_equal(taken->all.text + taken->part, "part");
	taken->parts++;
	return taken->error;
}

static const struct ctd_drain drain = {take, begin_part, end_part};

static void add_lines(struct ctd_strbuf *text)
{
	static char large[700000];

	memset(large, 'x', sizeof(large));
	for (uint64_t i = 0; i < 100000; i++) {
		ctd_strbuf_add(text, "line ");
		ctd_strbuf_add_count(text, i * i);
		ctd_strbuf_add(text, "\n");
		/* More than the room that there is. */
		if (i % 40000 == 20000)
			ctd_strbuf_add_bytes(text, large, sizeof(large));
	}
}

static void pieces_add_up_to_the_text(void **state)
{
	struct ctd_strbuf whole = {0}, drained = {.drain = &drain};
	struct taken taken = {0};

	(void)state;
	drained.drain_context = &taken;
	add_lines(&whole);
	add_lines(&drained);
	assert_int_equal(ctd_strbuf_drain(&drained), 0);
	assert_int_equal(drained.bytes, 0);
	assert_int_equal(taken.all.bytes, whole.bytes);
	assert_memory_equal(taken.all.text, whole.text, whole.bytes);
	assert_in_range(taken.pieces, 4, 100);
	assert_in_range(taken.largest, 700000, 2000000);
	ctd_strbuf_free(&whole);
	ctd_strbuf_free(&drained);
	ctd_strbuf_free(&taken.all);
}

static void a_piece_that_fails_fails_the_text(void **state)
{
	(void)state;
	for (int fail_at = 1; fail_at <= 3; fail_at++) {
		struct taken taken = {.fail_at = fail_at};
		struct ctd_strbuf text = {.drain = &drain, .drain_context = &taken};

		add_lines(&text);
		assert_true(text.failed);
		assert_int_equal(ctd_strbuf_drain(&text), -ENOMEM);
		assert_int_equal(taken.pieces, fail_at);
		ctd_strbuf_free(&text);
		ctd_strbuf_free(&taken.all);
	}
}

static void a_text_of_nothing_is_no_piece(void **state)
{
	struct taken taken = {0};
	struct ctd_strbuf text = {.drain = &drain, .drain_context = &taken};

	(void)state;
	assert_int_equal(ctd_strbuf_drain(&text), 0);
	assert_int_equal(taken.pieces, 0);
}

static bool add_part(struct ctd_strbuf *text, uint64_t version)
{
	bool wanted = ctd_strbuf_begin_part(text, version);

	if (wanted) {
		ctd_strbuf_add(text, "part");
		ctd_strbuf_end_part(text);
	}
	return wanted;
}

static void a_part_that_is_known_is_not_written(void **state)
{
	struct taken taken = {.known = 7};
	struct ctd_strbuf drained = {.drain = &drain, .drain_context = &taken}, whole = {0};

	(void)state;
	ctd_strbuf_add(&drained, "before ");
	assert_true(add_part(&drained, 6));
	assert_false(add_part(&drained, 7));
	ctd_strbuf_add(&drained, " behind");
	assert_int_equal(ctd_strbuf_drain(&drained), 0);
	assert_string_equal(taken.all.text, "before part behind");
	assert_int_equal(taken.parts, 1);
	/* A text that grows has all its parts. */
	assert_true(add_part(&whole, 7));
	assert_string_equal(whole.text, "part");
	ctd_strbuf_free(&taken.all);
	ctd_strbuf_free(&drained);
	ctd_strbuf_free(&whole);
}

static void a_part_that_fails_fails_the_text(void **state)
{
	struct taken taken = {0};
	struct ctd_strbuf text = {.drain = &drain, .drain_context = &taken};

	(void)state;
	assert_true(ctd_strbuf_begin_part(&text, 1));
	ctd_strbuf_add(&text, "part");
	taken.error = -ENOMEM;
	ctd_strbuf_end_part(&text);
	assert_int_equal(ctd_strbuf_drain(&text), -ENOMEM);
	assert_false(ctd_strbuf_begin_part(&text, 2));
	ctd_strbuf_end_part(&text);
	assert_int_equal(taken.parts, 1);
	text.failed = false;
	assert_false(ctd_strbuf_begin_part(&text, 2));
	assert_int_equal(ctd_strbuf_drain(&text), -ENOMEM);
	ctd_strbuf_free(&taken.all);
	ctd_strbuf_free(&text);
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
		cmocka_unit_test(pieces_add_up_to_the_text),
		cmocka_unit_test(a_piece_that_fails_fails_the_text),
		cmocka_unit_test(a_text_of_nothing_is_no_piece),
		cmocka_unit_test(a_part_that_is_known_is_not_written),
		cmocka_unit_test(a_part_that_fails_fails_the_text),
	};

	return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
