/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_code.c - lines come out of bytes as they went in, and damaged ones do not. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/varint.h"
#include "profile/lines/lines.h"

static uint32_t text(struct ctd_lines *lines, const char *name)
{
	uint32_t at;

	assert_int_equal(ctd_lines_find_text(lines, name, &at), 0);
	return at;
}

static void make(struct ctd_lines *lines)
{
	struct ctd_line_frame frames[] = {
		{text(lines, "square"), text(lines, "/src/walk.c"), 7, 5},
		{0, text(lines, "/src/walk.c"), 42, 40},
	};

	assert_int_equal(ctd_lines_add(lines, 3, frames, 2), 0);
	frames[1] = (struct ctd_line_frame){0};
	assert_int_equal(ctd_lines_add(lines, UINT64_MAX, &frames[1], 1), 0);
}

static void lines_come_back(void **state)
{
	auto_ctd_lines struct ctd_lines lines = {0}, read = {0};
	auto_ctd_strbuf struct ctd_strbuf payload = {0};

	(void)state;
	make(&lines);
	assert_int_equal(lines.texts_count, 3);
	ctd_lines_write(&lines, &payload);
	assert_int_equal(ctd_lines_read(payload.text, payload.bytes, &read), 0);
	assert_int_equal(read.chains_count, 2);
	assert_int_equal(read.chains[0].key, 3);
	assert_int_equal(read.chains[0].count, 2);
	assert_int_equal(read.chains[1].key, UINT64_MAX);
	assert_string_equal(read.texts[read.frames[0].name], "square");
	assert_string_equal(read.texts[read.frames[1].source], "/src/walk.c");
	assert_int_equal(read.frames[0].line, 7);
	assert_int_equal(read.frames[1].start_line, 40);
}

static void what_is_cut_is_refused(void **state)
{
	auto_ctd_lines struct ctd_lines lines = {0}, read = {0};
	auto_ctd_strbuf struct ctd_strbuf payload = {0};

	(void)state;
	make(&lines);
	ctd_lines_write(&lines, &payload);
	for (size_t bytes = 0; bytes < payload.bytes; bytes++) {
		autofree char *cut = malloc(bytes + 1);

		memcpy(cut, payload.text, bytes);
		assert_int_equal(ctd_lines_read(cut, bytes, &read), -EBADMSG);
	}
	ctd_varint_add(&payload, 0);
	assert_int_equal(ctd_lines_read(payload.text, payload.bytes, &read), -EBADMSG);
	assert_null(read.texts);
}

#define END UINT64_MAX

static void impossible_lines_are_refused(void **state)
{
	static const struct {
		uint64_t numbers[16];
		int result;
	} cases[] = {
		{{0, 0, END}, 0},
		{{0, 1, 5, 1, 0, 0, 0, 0, END}, 0},
		{{0, 1, 5, 0, END}, -EBADMSG}, /* no frame */
		{{0, 1, 5, CTD_LINE_FRAMES_MAX + 1, 0, 0, 0, 0, END}, -EBADMSG},
		{{0, 1, 5, 1, 1, 0, 0, 0, END}, -EBADMSG}, /* no such name */
		{{1, 1, 'a', 1, 5, 1, 1, 0, 0, 0, END}, -EBADMSG}, /* the last one inlined */
		{{1, 1, 'a', 1, 5, 1, 0, 2, 9, 0, END}, -EBADMSG}, /* no such source */
		{{1, 1, 'a', 1, 5, 1, 0, 1, 9, 0, END}, 0},
		{{1, 1, 'a', 1, 5, 1, 0, 0, 9, 0, END}, -EBADMSG}, /* a line of nothing */
		{{1, 1, 'a', 1, 5, 1, 0, 1, 1ULL << 32, 0, END}, -EBADMSG},
		{{1, CTD_LINE_TEXT_MAX + 1, 'a', END}, -EBADMSG},
		{{1, 1, 0, 0, END}, -EBADMSG}, /* a NUL in a text */
		{{CTD_LINE_TEXTS_MAX, END}, -EBADMSG},
		{{0, CTD_LINE_CHAINS_MAX + 1, END}, -EBADMSG},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_ctd_strbuf struct ctd_strbuf payload = {0};
		auto_ctd_lines struct ctd_lines read = {0};

		for (size_t k = 0; cases[i].numbers[k] != END; k++)
			ctd_varint_add(&payload, cases[i].numbers[k]);
		if (ctd_lines_read(payload.text, payload.bytes, &read) != cases[i].result)
			fail_msg("case %zu is not %d", i, cases[i].result);
	}
}

/* What a process says that one file may have taken over. */
static void lines_of_one_file_are_no_more_than_one_has(void **state)
{
	static const struct {
		uint64_t numbers[20];
		int result;
	} cases[] = {
		{{0, 2, 3, 1, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0, END}, 0},
		{{0, 2, 3, 1, 0, 0, 0, 0, 9, 1, 0, 0, 0, 0, END}, -EBADMSG}, /* no such key */
		{{0, 2, 3, 1, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, END}, -EBADMSG}, /* one key twice */
		{{0, 2, 5, 1, 0, 0, 0, 0, 3, 1, 0, 0, 0, 0, END}, -EBADMSG},
		{{1, 0, 0, END}, -EBADMSG}, /* an empty text */
		{{1, 1, 'a', 0, END}, 0},
	};
	auto_ctd_strbuf struct ctd_strbuf many = {0};
	auto_ctd_lines struct ctd_lines all = {0}, own = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_ctd_strbuf struct ctd_strbuf payload = {0};
		auto_ctd_lines struct ctd_lines read = {0};

		for (size_t k = 0; cases[i].numbers[k] != END; k++)
			ctd_varint_add(&payload, cases[i].numbers[k]);
		if (ctd_lines_read_of_file(payload.text, payload.bytes, 9, &read) !=
		    cases[i].result)
			fail_msg("case %zu is not %d", i, cases[i].result);
	}
	ctd_varint_add(&many, CTD_LINE_OWN_TEXTS_MAX);
	for (uint32_t i = 0; i < CTD_LINE_OWN_TEXTS_MAX; i++)
		ctd_strbuf_add_bytes(&many, "\1a", 2);
	ctd_varint_add(&many, 0);
	assert_int_equal(ctd_lines_read(many.text, many.bytes, &all), 0);
	assert_int_equal(ctd_lines_read_of_file(many.text, many.bytes, 9, &own), -EBADMSG);
}

static void long_texts_are_cut_and_many_are_refused(void **state)
{
	auto_ctd_lines struct ctd_lines lines = {0};
	autofree char *path = malloc(1 << 20);
	char name[16];
	uint32_t at;

	(void)state;
	memset(path, '/', 1 << 20);
	path[(1 << 20) - 1] = '\0';
	at = text(&lines, path);
	assert_int_equal(strlen(lines.texts[at]), CTD_LINE_TEXT_MAX);
	for (uint32_t i = 2; i < CTD_LINE_OWN_TEXTS_MAX; i++) {
		snprintf(name, sizeof(name), "%u", i);
		text(&lines, name);
	}
	assert_int_equal(ctd_lines_find_text(&lines, "one more", &at), -E2BIG);
	assert_int_equal(ctd_lines_find_text(&lines, "5", &at), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_come_back),
		cmocka_unit_test(what_is_cut_is_refused),
		cmocka_unit_test(impossible_lines_are_refused),
		cmocka_unit_test(lines_of_one_file_are_no_more_than_one_has),
		cmocka_unit_test(long_texts_are_cut_and_many_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
