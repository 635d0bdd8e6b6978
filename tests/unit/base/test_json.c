/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_json.c - what is written can be read again, by a reader that is not ours. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"

static void nested_values_have_commas_where_they_belong(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_json json = {.out = &text};

	(void)state;
	ctd_json_begin_object(&json, NULL);
	ctd_json_begin_array(&json, "empty");
	ctd_json_end_array(&json);
	ctd_json_begin_array(&json, "some");
	ctd_json_integer(&json, NULL, 1);
	ctd_json_begin_object(&json, NULL);
	ctd_json_end_object(&json);
	ctd_json_signed(&json, NULL, -3);
	ctd_json_end_array(&json);
	ctd_json_bool(&json, "yes", true);
	ctd_json_bool(&json, "no", false);
	ctd_json_string(&json, "text", "a");
	ctd_json_string(&json, "none", NULL);
	ctd_json_null(&json, "absent");
	ctd_json_count(&json, "unknown", 7, false);
	ctd_json_count(&json, "known", 7, true);
	ctd_json_end_object(&json);
	assert_string_equal(text.text,
			    "{\"empty\":[],\"some\":[1,{},-3],\"yes\":true,\"no\":false,"
			    "\"text\":\"a\",\"none\":null,\"absent\":null,\"unknown\":null,"
			    "\"known\":7}");
}

static void members_written_before_stand_among_others(void **state)
{
	struct ctd_strbuf text = {0};
	struct ctd_json json = {.out = &text};
	static const char members[] = "\"pod\":\"a\",\"qos\":null";

	(void)state;
	ctd_json_begin_object(&json, NULL);
	ctd_json_members(&json, members, sizeof(members) - 1);
	ctd_json_integer(&json, "slots", 4);
	ctd_json_members(&json, members, sizeof(members) - 1);
	ctd_json_begin_object(&json, "more");
	ctd_json_members(&json, members, 9);
	ctd_json_end_object(&json);
	ctd_json_end_object(&json);
	assert_false(text.failed);
	assert_string_equal(text.text, "{\"pod\":\"a\",\"qos\":null,\"slots\":4,\"pod\":\"a\","
				       "\"qos\":null,\"more\":{\"pod\":\"a\"}}");
	ctd_strbuf_free(&text);
}

static void integers_keep_all_their_digits(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_json json = {.out = &text};

	(void)state;
	ctd_json_integer(&json, NULL, 0);
	ctd_json_integer(&json, NULL, UINT64_MAX);
	ctd_json_signed(&json, NULL, INT64_MIN);
	assert_string_equal(text.text, "0,18446744073709551615,-9223372036854775808");
}

static void a_real_is_rounded_and_one_without_a_value_is_null(void **state)
{
	static const struct {
		double value, parts;
		const char *wanted;
	} cases[] = {
		{0, 1e6, "0.0"},
		{1, 1e6, "1.0"},
		{1.0 / 3, 1e6, "0.333333"},
		{211.44, 10, "211.4"},
		{-2.5, 1, "-3.0"},
		{NAN, 1e6, "null"},
		{-INFINITY, 1e6, "null"},
		{1e305, 1e6, "null"},
		{1e-6, 1e6, "1e-6"},
		{1e300, 1e-6, "1e300"},
		{123456.789012, 1e6, "123456.789012"},
		{-0.25, 1e6, "-0.25"},
		{-0.0, 1e6, "0.0"},
		{0.1, 1e6, "0.1"},
		{0.0001, 1e6, "0.0001"},
		{0.000099, 1e6, "9.9e-5"},
		{1e12, 10, "1000000000000.0"},
		{12.05, 10, "12.1"},
		{7, 1, "7.0"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};
		struct ctd_json json = {.out = &text};

		ctd_json_real(&json, NULL, cases[i].value, cases[i].parts);
		assert_string_equal(text.text, cases[i].wanted);
	}
}

static void a_figure_has_its_digits_whatever_its_size(void **state)
{
	static const struct {
		double value;
		const char *wanted;
	} cases[] = {
		{4.2e-7, "4.2e-7"},
		{1.0 / 3, "0.3333333333"},
		{1234567.25, "1234567.25"},
		{50, "50.0"},
		{-0.0, "0.0"},
		{1.0 / 3e9, "3.333333333e-10"},
		{1e300 / 3, "3.333333333e299"},
		{NAN, "null"},
		{-INFINITY, "null"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};
		struct ctd_json json = {.out = &text};

		ctd_json_figure(&json, NULL, cases[i].value, 10);
		assert_string_equal(text.text, cases[i].wanted);
	}
}

/* Whatever way it is written: what jsonl always had, whose exponents have no zeros in front. */
static void a_real_is_written_as_printf_would(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		auto_ctd_strbuf struct ctd_strbuf text = {0};
		struct ctd_json json = {.out = &text};
		static const double parts[] = {1, 10, 1e4, 1e6};
		double value, part = parts[i % 4];
		char wanted[40];

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		value = ldexp((double)(int64_t)seed, -63 + (int)(seed % 60) - 15);
		snprintf(wanted, sizeof(wanted), "%.15g", round(value * part) / part);
		if (strstr(wanted, "e-0"))
			memmove(strstr(wanted, "e-0") + 2, strstr(wanted, "e-0") + 3,
				strlen(strstr(wanted, "e-0") + 3) + 1);
		if (strcmp(wanted, "-0") == 0)
			strcpy(wanted, "0");
		if (!strpbrk(wanted, ".e"))
			strcat(wanted, ".0");
		ctd_json_real(&json, NULL, value, part);
		assert_string_equal(text.text, wanted);
	}
}

static void any_name_is_ascii_and_is_read_as_it_was(void **state)
{
	static const struct {
		const char *text, *wanted; /* NULL: as it was */
	} cases[] = {
		{"", NULL},
		{"plain", NULL},
		{"\"}],\\\"", NULL},
		{"\x01\x1f\b\f\n\r\t\x1b[31m", NULL},
		{"\x7f", NULL},
		{"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7", NULL},
		{"a\xff\xc3(", "a\xef\xbf\xbd\xef\xbf\xbd("},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xf4\x8f\xbf\xbf", NULL},
		{"</script><!--", NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *wanted = cases[i].wanted ? cases[i].wanted : cases[i].text;
		auto_ctd_strbuf struct ctd_strbuf text = {0};
		struct ctd_json json = {.out = &text};
		json_error_t error;
		json_t *read;

		/* As a name and as a text. */
		ctd_json_begin_object(&json, NULL);
		ctd_json_name(&json, cases[i].text);
		ctd_json_string(&json, NULL, cases[i].text);
		ctd_json_end_object(&json);
		for (size_t at = 0; at < text.bytes; at++)
			assert_in_range((unsigned char)text.text[at], ' ', 0x7e);
		read = json_loads(text.text, 0, &error);
		if (!read)
			fail_msg("%s: %s", error.text, text.text);
		assert_string_equal(json_object_iter_key(json_object_iter(read)), wanted);
		assert_string_equal(json_string_value(json_object_get(read, wanted)), wanted);
		json_decref(read);
	}
}

/* As text and as name: texts are looked at eight bytes at a time. */
static void a_byte_is_escaped_wherever_it_stands(void **state)
{
	static char name[32];

	(void)state;
	for (size_t bytes = 1; bytes <= 20; bytes++)
		for (size_t at = 0; at < bytes; at++)
			for (int code = 1; code < 256; code++) {
				auto_ctd_strbuf struct ctd_strbuf text = {0};
				struct ctd_json json = {.out = &text};
				bool plain =
					code >= ' ' && code < 0x7f && code != '"' && code != '\\';

				memset(name, 'a', bytes);
				name[at] = (char)code;
				name[bytes] = '\0';
				ctd_json_begin_object(&json, NULL);
				ctd_json_name(&json, name);
				ctd_json_string(&json, NULL, name);
				ctd_json_end_object(&json);
				if (plain)
					assert_int_equal(text.bytes, 2 * bytes + 7);
				else
					assert_true(text.bytes >= 2 * bytes + 9);
				for (size_t i = 0; i < text.bytes; i++)
					assert_in_range(text.text[i], ' ', '~');
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nested_values_have_commas_where_they_belong),
		cmocka_unit_test(members_written_before_stand_among_others),
		cmocka_unit_test(integers_keep_all_their_digits),
		cmocka_unit_test(a_real_is_rounded_and_one_without_a_value_is_null),
		cmocka_unit_test(a_figure_has_its_digits_whatever_its_size),
		cmocka_unit_test(a_real_is_written_as_printf_would),
		cmocka_unit_test(a_byte_is_escaped_wherever_it_stands),
		cmocka_unit_test(any_name_is_ascii_and_is_read_as_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
