/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_sim_profiles.c - profiles are exact to three decimals, and a wrong line is named. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PARTS 9

static void a_line_becomes_the_parts_of_one_profile(void **state)
{
	static const struct {
		int line;
		const char *text, *comm;
		__u32 parts[PARTS];
	} cases[] = {
		{__LINE__, "gcc 20 10 30 40", "gcc", {100000, 20000, 10000, 30000, 40000}},
		{__LINE__,
		 "gcc 20 10 30 40 / 5 9 21 33\n",
		 "gcc",
		 {100000, 20000, 10000, 30000, 40000, 5000, 9000, 21000, 33000}},
		{__LINE__,
		 "\tgcc\t20.125 9.875 30.5 39.5/0.001 9.875 0 39.499# done\r\n",
		 "gcc",
		 {100000, 20125, 9875, 30500, 39500, 1, 9875, 0, 39499}},
		{__LINE__, "a 100 0 0 0", "a", {100000, 100000, 0, 0, 0}},
		{__LINE__, "a 0033.333 33.333 33.333 0.001", "a", {100000, 33333, 33333, 33333, 1}},
		{__LINE__,
		 "123456789012345 25 25 25 25#x",
		 "123456789012345",
		 {100000, 25000, 25000, 25000, 25000}},
		{__LINE__,
		 "\"a b # c\" 25 25 25 25",
		 "a b # c",
		 {100000, 25000, 25000, 25000, 25000}},
		{__LINE__,
		 "kworker/0:1#x 25 25 25 25",
		 "kworker/0:1#x",
		 {100000, 25000, 25000, 25000, 25000}},
		{__LINE__,
		 "# first\n\n  <idle> 25 25 25 25\n#last",
		 "<idle>",
		 {100000, 25000, 25000, 25000, 25000}},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_sim_profiles profiles;
		char why[128] = "";
		int line = 0;
		int err = ctd_sim_profiles_parse(cases[i].text, strlen(cases[i].text), &profiles,
						 &line, why);

		if (err || profiles.count != 1)
			fail_msg("line %d: %d, '%s'", cases[i].line, err, why);
		assert_string_equal(profiles.entries[0].comm, cases[i].comm);
		for (int j = 0; j < CTD_COUNTERS_MAX; j++) {
			__u32 want = j < PARTS ? cases[i].parts[j] : 0;

			if (profiles.entries[0].profile.parts[j] != want)
				fail_msg("line %d: part %d is %u", cases[i].line, j,
					 profiles.entries[0].profile.parts[j]);
		}
		ctd_sim_profiles_free(&profiles);
	}
}

static void a_wrong_line_is_named_with_what_is_wrong(void **state)
{
	static const struct {
		int line;
		const char *text;
		int want_line;
		const char *want_why;
	} cases[] = {
		{__LINE__, "a", 1, "expected for retiring"},
		{__LINE__, "\n\na 25 25 25\n", 3, "expected for backend"},
		{__LINE__, "a 25 25 25 # 25\n", 1, "expected for backend"},
		{__LINE__, "a 25 25 25 24.999", 1, "add up to 99.999, not 100"},
		{__LINE__, "a 25 25 25 25.5", 1, "add up to 100.500, not 100"},
		{__LINE__, "a 100.5 0 0 0", 1, "add up to 100.500, not 100"},
		{__LINE__, "a 101 0 0 0", 1, "retiring is more than 100"},
		{__LINE__, "a 4294967396 0 0 0", 1, "retiring is more than 100"},
		{__LINE__, "a 25.0000 25 25 25", 1, "retiring has more than three decimals"},
		{__LINE__, "a 25 25. 25 25", 1, "a digit must follow the point of bad_spec"},
		{__LINE__, "a 25 .5 25 25", 1, "expected for bad_spec"},
		{__LINE__, "a -25 25 25 25", 1, "expected for retiring"},
		{__LINE__, "a 25% 25 25 25", 1, "retiring is not a plain number"},
		{__LINE__, "a 2e1 25 25 25", 1, "retiring is not a plain number"},
		{__LINE__, "a 25 25 25 25 1", 1, "more than the numbers"},
		{__LINE__, "a 25 25 25 25 /", 1, "expected for heavy_ops"},
		{__LINE__, "a 25 25 25 25 / 1 1 1", 1, "expected for mem_bound"},
		{__LINE__, "a 25 25 25 25 / 1 1 1 1 1", 1, "more than the numbers"},
		{__LINE__, "a 25 25 25 25 / 26 1 1 1", 1,
		 "heavy_ops is more than its parent "
		 "retiring"},
		{__LINE__, "a 25 25 25 25 / 1 1 1 25.001", 1,
		 "mem_bound is more than its parent "
		 "backend"},
		{__LINE__, "1234567890123456 25 25 25 25", 1, "1 to 15 bytes"},
		{__LINE__, "\"\" 25 25 25 25", 1, "1 to 15 bytes"},
		{__LINE__, "\"a 25 25 25 25\nb\" 25 25 25 25", 1, "closing quote"},
		{__LINE__, "\"a\"25 25 25 25", 1, "a blank must follow"},
		{__LINE__, "a\001 25 25 25 25", 1, "control characters"},
		{__LINE__, "a 25 25 25 25\nb 25 25 25 25\n\"a\" 20 30 25 25\n", 3,
		 "a profile for 'a' already"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_sim_profiles profiles = {.count = 77};
		char why[128] = "";
		int line = 0;
		int err = ctd_sim_profiles_parse(cases[i].text, strlen(cases[i].text), &profiles,
						 &line, why);

		if (err != -EINVAL || line != cases[i].want_line ||
		    !strstr(why, cases[i].want_why) || profiles.count != 77)
			fail_msg("line %d: %d, line %d, '%s'", cases[i].line, err, line, why);
	}
}

static void the_text_ends_where_its_length_says(void **state)
{
	static const char text[] = "a 25 25 25 255";
	struct ctd_sim_profiles profiles;
	char why[128];
	int line;

	(void)state;
	assert_int_equal(ctd_sim_profiles_parse(text, sizeof(text) - 2, &profiles, &line, why), 0);
	assert_int_equal(profiles.entries[0].profile.parts[4], 25000);
	ctd_sim_profiles_free(&profiles);
	assert_int_equal(ctd_sim_profiles_parse(text, 0, &profiles, &line, why), 0);
	assert_int_equal(profiles.count, 0);
	ctd_sim_profiles_free(&profiles);
	ctd_sim_profiles_free(NULL);
}

static const struct ctd_sim_profile *find(const struct ctd_sim_profiles *profiles, const char *comm)
{
	for (size_t i = 0; i < profiles->count; i++) {
		if (strcmp(profiles->entries[i].comm, comm) == 0)
			return &profiles->entries[i].profile;
	}
	fail_msg("no profile for '%s'", comm);
	return NULL;
}

static void the_built_in_table_is_valid_and_its_demos_differ(void **state)
{
	const char *text = ctd_sim_default_text();
	struct ctd_sim_profiles profiles;
	char why[128] = "";
	int line = 0;

	(void)state;
	if (ctd_sim_profiles_parse(text, strlen(text), &profiles, &line, why))
		fail_msg("line %d: %s", line, why);
	find(&profiles, "<idle>");
	find(&profiles, "<other>");
	assert_true(find(&profiles, "demo-compute")->parts[1] > 50000);
	assert_true(find(&profiles, "demo-branch")->parts[6] > 40000);
	assert_true(find(&profiles, "demo-frontend")->parts[3] > 50000);
	assert_true(find(&profiles, "demo-memory")->parts[8] > 70000);
	ctd_sim_profiles_free(&profiles);
}

static void the_table_has_an_end(void **state)
{
	static char text[5000 * 24];
	struct ctd_sim_profiles profiles;
	char why[128] = "";
	size_t bytes = 0;
	int line = 0;

	(void)state;
	for (int i = 0; i < 5000; i++)
		bytes += (size_t)snprintf(text + bytes, sizeof(text) - bytes, "c%d 25 25 25 25\n",
					  i);
	assert_int_equal(ctd_sim_profiles_parse(text, bytes, &profiles, &line, why), -EINVAL);
	assert_int_equal(line, 4097);
	assert_non_null(strstr(why, "more than 4096"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_becomes_the_parts_of_one_profile),
		cmocka_unit_test(a_wrong_line_is_named_with_what_is_wrong),
		cmocka_unit_test(the_text_ends_where_its_length_says),
		cmocka_unit_test(the_built_in_table_is_valid_and_its_demos_differ),
		cmocka_unit_test(the_table_has_an_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
