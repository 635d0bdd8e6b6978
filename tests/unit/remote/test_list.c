/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_list.c - lists of machines come in pieces, and the newest counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "remote/list.h"

/* What @p text comes to: "NAME URL SOCKET WHY;" of each; "-": no list, else what is wrong with it. */
static const char *read_in_pieces(const char *text, size_t piece)
{
	static char got[4096];
	struct ctd_remote_list_reader reader = {0};
	struct ctd_remote_list list = {0}, newer;
	char why[CTD_REMOTE_WHY_BYTES] = "";
	size_t bytes = strlen(text);
	int result = 0;

	strcpy(got, "-");
	for (size_t at = 0; at < bytes && result >= 0; at += piece) {
		size_t part = bytes - at < piece ? bytes - at : piece;

		result = ctd_remote_list_take(&reader, text + at, part, &newer, why);
		if (result == 1) {
			ctd_remote_list_free(&list);
			list = newer;
			got[0] = '\0';
		}
	}
	for (size_t i = 0; i < list.count; i++) {
		const struct ctd_remote_listed *listed = &list.items[i];
		size_t at = strlen(got);

		snprintf(got + at, sizeof(got) - at, "%s %s %s %s;", listed->name,
			 listed->url ? listed->url : "-", listed->socket ? listed->socket : "-",
			 listed->why ? listed->why : "-");
	}
	if (result < 0) {
		assert_int_equal(result, -EBADMSG);
		strcpy(got, why);
	}
	ctd_remote_list_free(&list);
	ctd_remote_list_reader_free(&reader);
	return got;
}

static void lists_are_read_however_they_come(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted;
	} cases[] = {
		{__LINE__, "", "-"},
		{__LINE__, "a\thttp://a:9753\n", "-"},
		{__LINE__, "a\thttp://a:9753\n\n", "a http://a:9753 - -;"},
		{__LINE__, "a b\thttps://h/p\t/run/s\nc\thttp://c\n\n",
		 "a b https://h/p /run/s -;c http://c - -;"},
		{__LINE__, "a\t-\tits pod is\tnot ready\nb\t-\n\n",
		 "a - - its pod is\tnot ready;b - - it has no URL;"},
		{__LINE__, "a\thttp://a\n\nb\thttp://b\n\n", "b http://b - -;"},
		{__LINE__, "a\thttp://a\n\n\n", ""},
		{__LINE__, "\n", ""},
		{__LINE__, "a\n\n", "a line has no name, or nothing behind it"},
		{__LINE__, "\thttp://a\n\n", "a line has no name, or nothing behind it"},
		{__LINE__, "a\tftp://a\n\n", "what follows a name is no URL"},
		{__LINE__, "a\thttp://a b\n\n", "what follows a name is no URL"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (size_t piece = 1; piece < 64; piece += 7) {
			const char *got = read_in_pieces(cases[i].text, piece);

			if (strcmp(got, cases[i].wanted) != 0)
				fail_msg("line %d, by %zu: '%s'", cases[i].line, piece, got);
		}
	}
}

static void what_is_no_text_is_no_list(void **state)
{
	struct ctd_remote_list_reader reader = {0};
	struct ctd_remote_list list;
	char why[CTD_REMOTE_WHY_BYTES] = "";

	(void)state;
	assert_int_equal(ctd_remote_list_take(&reader, "a\0b\n\n", 5, &list, why), -EBADMSG);
	assert_int_equal(ctd_remote_list_take(&reader, "", 0, &list, why), 0);
	assert_int_equal(ctd_remote_list_take(&reader, "a\thttp://a\n\n", 12, &list, why), 1);
	assert_int_equal(list.count, 1);
	ctd_remote_list_free(&list);
	ctd_remote_list_reader_free(&reader);
}

static void one_that_is_none_is_passed_over(void **state)
{
	static const char text[] = "a\thttp://a\n\nbad\nb\thttp://b\n\nc\thttp://c\n\n";
	struct ctd_remote_list_reader reader = {0};
	struct ctd_remote_list list;
	char why[CTD_REMOTE_WHY_BYTES] = "";

	(void)state;
	assert_int_equal(ctd_remote_list_take(&reader, text, strlen(text), &list, why), 1);
	assert_string_equal(list.items[0].name, "a");
	ctd_remote_list_free(&list);
	assert_int_equal(ctd_remote_list_take(&reader, "", 0, &list, why), -EBADMSG);
	assert_string_equal(why, "a line has no name, or nothing behind it");
	assert_int_equal(ctd_remote_list_take(&reader, "", 0, &list, why), 1);
	assert_int_equal(list.count, 1);
	assert_string_equal(list.items[0].name, "c");
	ctd_remote_list_free(&list);
	assert_int_equal(ctd_remote_list_take(&reader, "", 0, &list, why), 0);
	ctd_remote_list_reader_free(&reader);
}

/* Its rest is no list, and neither is the one of no nodes that its end could be taken for. */
static void one_that_is_too_long_is_passed_over(void **state)
{
	struct ctd_remote_list_reader reader = {0};
	struct ctd_remote_list list;
	static char line[1 << 16];
	char why[CTD_REMOTE_WHY_BYTES] = "";

	(void)state;
	memset(line, 'x', sizeof(line));
	line[sizeof(line) - 1] = '\n';
	for (int i = 0; i < 125; i++)
		assert_int_equal(ctd_remote_list_take(&reader, line, sizeof(line), &list, why), 0);
	assert_true(reader.text.bytes <= 4 << 20);
	assert_int_equal(ctd_remote_list_take(&reader, "\n", 1, &list, why), -EBADMSG);
	assert_int_equal(ctd_remote_list_take(&reader, "a\thttp://a\n\n", 12, &list, why), 1);
	assert_int_equal(list.count, 1);
	ctd_remote_list_free(&list);
	ctd_remote_list_reader_free(&reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_are_read_however_they_come),
		cmocka_unit_test(what_is_no_text_is_no_list),
		cmocka_unit_test(one_that_is_none_is_passed_over),
		cmocka_unit_test(one_that_is_too_long_is_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
