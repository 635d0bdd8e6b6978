/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_settings.c - files of settings, and what is wrong in others, line by line. */
#include "base/settings.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"

static void note(size_t line, const char *what, void *context)
{
	ctd_strbuf_addf(context, "%zu: %s\n", line, what);
}

static void settings_are_taken_with_their_lines(void **state)
{
	static const char text[] = "# of ours\n"
				   "listen: \"[::]:9753\"\n"
				   "level: 2   # deep\n"
				   "\n"
				   "pod-label:\n"
				   "- app\n"
				   "- 'a: b'\n"
				   "otlp-header: [A=b, C=d]\n"
				   "empty: []\n"
				   "nothing:\n"
				   "long: |\n"
				   "  two\n"
				   "  lines\n";
	auto_ctd_strbuf struct ctd_strbuf complaints = {0}, got = {0};
	struct ctd_settings settings;

	(void)state;
	assert_int_equal(ctd_settings_parse(text, strlen(text), note, &complaints, &settings), 0);
	assert_null(complaints.text);
	for (size_t i = 0; i < settings.count; i++) {
		const struct ctd_setting *setting = &settings.settings[i];

		ctd_strbuf_addf(&got, "%zu %s%s", setting->line, setting->name,
				setting->list ? " list" : "");
		for (size_t j = 0; j < setting->values_count; j++)
			ctd_strbuf_addf(&got, " <%s>", setting->values[j]);
		ctd_strbuf_add(&got, "\n");
	}
	assert_string_equal(got.text, "2 listen <[::]:9753>\n"
				      "3 level <2>\n"
				      "5 pod-label list <app> <a: b>\n"
				      "8 otlp-header list <A=b> <C=d>\n"
				      "9 empty list\n"
				      "10 nothing <>\n"
				      "11 long <two\nlines\n>\n");
	ctd_settings_free(&settings);
}

static void a_file_without_settings_is_fine(void **state)
{
	static const char *const texts[] = {"", "\n", "# nothing yet\n", "---\n", "--- {}\n"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		auto_ctd_strbuf struct ctd_strbuf complaints = {0};
		struct ctd_settings settings;

		if (ctd_settings_parse(texts[i], strlen(texts[i]), note, &complaints, &settings))
			fail_msg("'%s': %s", texts[i], complaints.text);
		assert_int_equal(settings.count, 0);
		ctd_settings_free(&settings);
	}
}

static void what_is_wrong_is_told_with_its_line(void **state)
{
	static const struct {
		int line;
		const char *text, *wanted;
	} cases[] = {
		{__LINE__, "interval 5\n", "1: lines 'name: value' are expected\n"},
		{__LINE__, "- a\n", "1: lines 'name: value' are expected\n"},
		{__LINE__, "a: 1\nb: 2\na: 3\n", "3: key 'a' comes twice: it is in line 1, too\n"},
		{__LINE__, "a: &x 1\nb: *x\nc: !!str 5\n",
		 "1: key 'a': anchors and tags (& and !) are not taken\n"
		 "2: key 'b': aliases (*) are not taken\n"
		 "3: key 'c': anchors and tags (& and !) are not taken\n"},
		{__LINE__, "a: &x [1]\nb: &y {c: 1}\n",
		 "1: key 'a': anchors and tags (& and !) are not taken\n"
		 "2: key 'b' has keys below it, where a value or a list of values is expected\n"},
		{__LINE__, "&x {a: 1}\n", "1: anchors and tags (& and !) are not taken\n"},
		{__LINE__, "a:\n  b: 1\n  c: [{d: e}]\nf: [1, [2], {g: 3}]\nh: 1\nh: 2\n",
		 "2: key 'a' has keys below it, where a value or a list of values is expected\n"
		 "4: key 'f': its list is to have values only\n"
		 "4: key 'f': its list is to have values only\n"
		 "6: key 'h' comes twice: it is in line 5, too\n"},
		{__LINE__, "[a]: 1\n{b: c}: 2\nd: 1\nd: 1\n",
		 "1: a key is to be a name\n2: a key is to be a name\n"
		 "4: key 'd' comes twice: it is in line 3, too\n"},
		{__LINE__, "a: 1\n\tb: 2\n \tc: 3\nd: 1\t\n",
		 "2: a tab is in front of it; YAML takes blanks only\n"
		 "3: a tab is in front of it; YAML takes blanks only\n"},
		{__LINE__, "a: 1\n---\nb: 2\n", "2: a second document begins; one is taken\n"},
		{__LINE__, "a: \"x\\0y\"\n", "1: key 'a': a zero byte is in its value\n"},
		{__LINE__, "a: 1\nb: [1\nc: 2\n", "while parsing a flow sequence"},
		{__LINE__, "a: 1\n  b: 2\n", "mapping values are not allowed"},
		{__LINE__, "a: \"x\n", "while scanning a quoted scalar"},
		{__LINE__, "a: \xff\n", "invalid leading UTF-8 octet"},
		{__LINE__, "%YAML 3.0\n---\na: 1\n", "incompatible YAML document"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_ctd_strbuf struct ctd_strbuf complaints = {0};
		struct ctd_settings settings = {.count = 77};
		int error = ctd_settings_parse(cases[i].text, strlen(cases[i].text), note,
					       &complaints, &settings);
		bool whole = cases[i].wanted[strlen(cases[i].wanted) - 1] == '\n';

		if (error != -EBADMSG || settings.count != 77 || !complaints.text)
			fail_msg("line %d: %d", cases[i].line, error);
		else if (whole ? strcmp(complaints.text, cases[i].wanted) != 0
			       : !strstr(complaints.text, cases[i].wanted))
			fail_msg("line %d: %s", cases[i].line, complaints.text);
	}
}

static void there_is_an_end_to_keys_and_values(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf keys = {0}, values = {0}, complaints = {0};
	struct ctd_settings settings;

	(void)state;
	ctd_strbuf_add(&values, "a: [1");
	for (int i = 0; i < 1001; i++) {
		ctd_strbuf_addf(&keys, "k%d: 1\n", i);
		ctd_strbuf_add(&values, ", 1");
	}
	ctd_strbuf_add(&values, "]\n");
	assert_int_equal(ctd_settings_parse(keys.text, keys.bytes, note, &complaints, &settings),
			 -EBADMSG);
	assert_string_equal(complaints.text, "1001: there are more than 1000 keys\n");
	assert_int_equal(ctd_settings_parse(values.text, values.bytes, note, &complaints,
					    &settings),
			 -EBADMSG);
	assert_non_null(strstr(complaints.text, "1: key 'a' has more than 1000 values\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(settings_are_taken_with_their_lines),
		cmocka_unit_test(a_file_without_settings_is_fine),
		cmocka_unit_test(what_is_wrong_is_told_with_its_line),
		cmocka_unit_test(there_is_an_end_to_keys_and_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
