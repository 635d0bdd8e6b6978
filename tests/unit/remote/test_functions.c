/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_functions.c - the top functions of a profile are those of its stacks, and what is no profile
 * is refused. */
#include "remote/functions.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/profile_sink/sample_profile.h"

static int parse(const char *text, struct ctd_remote_functions *ret_functions)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	int error = ctd_remote_functions_parse(text, strlen(text), ret_functions, why);

	assert_int_equal(!error, !*why);
	return error;
}

static const struct ctd_remote_function *find(const struct ctd_remote_functions *functions,
					      const char *name)
{
	for (int i = 0; i < functions->items_count; i++)
		if (strcmp(functions->items[i].name, name) == 0)
			return &functions->items[i];
	fail_msg("no function '%s'", name);
	return NULL;
}

static int find_node(const struct ctd_remote_functions *functions, const char *name)
{
	for (int i = 0; i < functions->nodes_count; i++)
		if (strcmp(functions->nodes[i], name) == 0)
			return i;
	fail_msg("no node '%s'", name);
	return -1;
}

/* Of the first row: container 4 of the sample, whose samples are 80 in all. */
static void what_a_serve_writes_is_read(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_remote_functions functions;
	struct sample sample;
	const struct ctd_profile_row *row;
	double sum = 0;
	int node;

	(void)state;
	sample_make(&sample);
	sample.profile.rows_count = 1;
	row = &sample.profile.rows[0];
	assert_int_equal(ctd_profile_json(&sample.options, &sample.profile, &text), 0);
	assert_int_equal(parse(text.text, &functions), 0);
	assert_true(functions.by_slots);
	assert_true(functions.samples == (double)row->samples);
	/* "main" and "lookup" have callees only. */
	assert_int_equal(functions.items_count, 5);
	assert_int_equal(functions.others, 0);
	assert_string_equal(functions.items[0].name, "walk<int>");
	for (int i = 0; i < functions.items_count; i++) {
		sum += functions.items[i].share;
		assert_true(!i || functions.items[i].share <= functions.items[i - 1].share);
	}
	assert_true(sum > .999 && sum < 1.001);
	assert_true(functions.others_share < .001);
	/* It is 40 of 80 samples, and of the row's CPU time. */
	assert_true(find(&functions, "walk<int>")->cpus * functions.seconds * 1e9 >
		    (double)row->cpu_ns * .49);
	assert_true(find(&functions, "walk<int>")->cpus * functions.seconds * 1e9 <
		    (double)row->cpu_ns * .51);
	node = find_node(&functions, "memory_bound");
	assert_true(find(&functions, "walk<int>")->nodes[node] >
		    2 * find(&functions, "hash")->nodes[node]);
	ctd_remote_functions_free(&functions);
	sample_end(&sample);
}

/* What callees do is not their caller's, even where each is too small for a frame of its own. */
static void callees_without_a_frame_are_not_their_callers(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_remote_functions functions;
	struct sample sample;
	char name[40];

	(void)state;
	sample_make(&sample);
	ctd_profile_free(&sample.profile);
	sample_add(sample.stacks, 4, "walk<int>|lookup|main", 100000, 0, 0);
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof(name), "small%d|dispatch|main", i);
		sample_add(sample.stacks, 4, name, 2, 0, 0);
	}
	sample.profile = sample_profile(&sample.scene, sample.stacks, &sample.rollup);
	sample.profile.rows_count = 1;
	assert_int_equal(ctd_profile_json(&sample.options, &sample.profile, &text), 0);
	/* "dispatch" has a frame, and they have none, so that they are in `top` alone. */
	assert_non_null(strstr(text.text, "\"dispatch\""));
	assert_non_null(strstr(text.text, "\"small0\""));
	assert_null(strstr(strstr(text.text, "\"small0\"") + 1, "\"small0\""));
	assert_int_equal(parse(text.text, &functions), 0);
	/* Those of the sample, and these: "dispatch" has nothing by itself. */
	assert_int_equal(functions.items_count, CTD_REMOTE_FUNCTIONS_MAX);
	assert_int_equal(functions.others, 5 + 30 - CTD_REMOTE_FUNCTIONS_MAX);
	for (int i = 0; i < functions.items_count; i++)
		assert_string_not_equal(functions.items[i].name, "dispatch");
	assert_true(functions.items[9].share < .001);
	ctd_remote_functions_free(&functions);
	sample_end(&sample);
}

static void a_profile_without_frames_has_the_same_functions(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0}, with_frames = {0};
	struct ctd_remote_functions functions;
	struct sample sample;

	(void)state;
	sample_make(&sample);
	assert_int_equal(ctd_profile_json(&sample.options, &sample.profile, &with_frames), 0);
	sample.options.no_frames = true;
	assert_int_equal(ctd_profile_json(&sample.options, &sample.profile, &text), 0);
	assert_non_null(strstr(text.text, "\"functions\":[],"));
	assert_non_null(strstr(text.text, "\"parents\":[],\"frames\":[],"));
	/* Up to where functions of frames begin. */
	assert_memory_equal(text.text, with_frames.text,
			    strstr(text.text, "\"functions\":[],") - text.text);
	assert_int_equal(parse(text.text, &functions), 0);
	assert_true(functions.items_count > 5);
	ctd_remote_functions_free(&functions);
	sample_end(&sample);
}

/* Of the first two rows of the sample: 800 and 300 ms. */
static void parse_two_rows(bool of_two_core_types, struct ctd_remote_functions *ret_functions)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct sample sample;

	sample_make(&sample);
	sample.profile.rows_count = 2;
	sample.profile.rows[1].core_type = of_two_core_types;
	assert_int_equal(ctd_profile_json(&sample.options, &sample.profile, &text), 0);
	assert_int_equal(parse(text.text, ret_functions), 0);
	sample_end(&sample);
}

/* A unit has a row for each of its cgroups. */
static void rows_of_one_core_type_are_added_up_by_slots(void **state)
{
	struct ctd_remote_functions functions;
	const struct ctd_remote_function *count;

	(void)state;
	parse_two_rows(false, &functions);
	assert_true(functions.by_slots);
	assert_true(functions.samples == 110);
	/* All of the second row. */
	count = find(&functions, "count");
	assert_true(count->share > 300 / 1100. - .001 && count->share < 300 / 1100. + .001);
	assert_true(count->cpus * functions.seconds > .299);
	assert_true(count->nodes[find_node(&functions, "memory_bound")] > .04);
	assert_true(count->nodes[find_node(&functions, "memory_bound")] < .06);
	ctd_remote_functions_free(&functions);
}

/* Their slots are not alike, and have no sum. */
static void rows_of_several_core_types_are_added_up_by_time(void **state)
{
	struct ctd_remote_functions functions;
	const struct ctd_remote_function *count;

	(void)state;
	parse_two_rows(true, &functions);
	assert_false(functions.by_slots);
	assert_int_equal(functions.nodes_count, 0);
	count = find(&functions, "count");
	assert_true(count->share > 300 / 1100. - .001 && count->share < 300 / 1100. + .001);
	ctd_remote_functions_free(&functions);
}

/* One of a unit's cgroups: what is told of the others is still told. */
static void a_row_that_was_not_counted_has_functions_without_slots(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_remote_functions functions;
	struct sample sample;
	int node;

	(void)state;
	sample_make(&sample);
	sample.profile.rows_count = 2;
	sample.profile.rows[1].slots_known = false;
	sample.profile.rows[1].node_slots_known = 0;
	assert_int_equal(ctd_profile_json(&sample.options, &sample.profile, &text), 0);
	assert_int_equal(parse(text.text, &functions), 0);
	assert_false(functions.by_slots);
	node = find_node(&functions, "memory_bound");
	assert_true(isnan(find(&functions, "count")->nodes[node]));
	assert_true(find(&functions, "count")->share > 300 / 1100. - .001);
	assert_true(find(&functions, "walk<int>")->nodes[node] > .1);
	ctd_remote_functions_free(&functions);
	sample_end(&sample);
}

#define WEIGHTS                                                                         \
	"\"weights\":[{\"name\":\"cpu\",\"level\":0},{\"name\":\"slots\",\"level\":0}," \
	"{\"name\":\"retiring\",\"level\":1},{\"name\":\"memory_bound\",\"level\":2}]"
#define PROFILE(top) \
	"{\"seconds\":2," WEIGHTS ",\"rows\":[{\"samples\":3},{\"samples\":4}],\"top\":{" top "}}"
#define FUNCTION(name, values) "{\"name\":\"" name "\",\"file\":\"/bin/m\",\"values\":[" values "]}"

static void what_is_not_known_is_left_out(void **state)
{
	struct ctd_remote_functions functions;

	(void)state;
	assert_int_equal(
		parse(PROFILE("\"weight\":1,\"functions\":[" FUNCTION(
			      "f",
			      "3e9,6,null,3") ",{\"values\":[1e9,3,2,0]}],\"more\":7,\"more_values\":[1,1,0,0]"),
		      &functions),
		0);
	assert_true(functions.by_slots && functions.samples == 7);
	assert_int_equal(functions.items_count, 2);
	assert_string_equal(functions.items[0].name, "f");
	assert_string_equal(functions.items[0].file, "/bin/m");
	assert_true(functions.items[0].share == .6 && functions.items[0].cpus == 1.5);
	assert_string_equal(functions.items[1].name, "");
	assert_string_equal(functions.items[1].file, "");
	/* Of one of the two, and of both. */
	assert_int_equal(functions.nodes_count, 2);
	assert_string_equal(functions.nodes[0], "retiring");
	assert_true(isnan(functions.items[0].nodes[0]));
	assert_true(functions.items[1].nodes[0] > .66 && functions.items[1].nodes[0] < .67);
	assert_string_equal(functions.nodes[1], "memory_bound");
	assert_true(functions.items[0].nodes[1] == .5);
	assert_int_equal(functions.others, 7);
	assert_true(functions.others_share > .099 && functions.others_share < .101);
	ctd_remote_functions_free(&functions);
}

static void only_so_many_are_told_and_the_rest_is_counted(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_remote_functions functions;

	(void)state;
	ctd_strbuf_add(&text, "{\"seconds\":1," WEIGHTS ",\"top\":{\"weight\":0,\"functions\":[");
	/* 12, 11, ... 1, and 22 of others: 100. */
	for (int i = 12; i; i--)
		ctd_strbuf_addf(&text, FUNCTION("f%d", "%d,null,null,null") "%s", i, i,
				i > 1 ? "," : "");
	ctd_strbuf_add(&text, "],\"more\":5,\"more_values\":[22,null,null,null]}}");
	assert_int_equal(parse(text.text, &functions), 0);
	assert_false(functions.by_slots);
	assert_int_equal(functions.nodes_count, 0);
	assert_int_equal(functions.items_count, CTD_REMOTE_FUNCTIONS_MAX);
	assert_string_equal(functions.items[0].name, "f12");
	assert_string_equal(functions.items[9].name, "f3");
	assert_int_equal(functions.others, 7);
	assert_true(functions.others_share > .249 && functions.others_share < .251);
	ctd_remote_functions_free(&functions);
}

static void what_is_no_profile_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"[]",
		"{}",
		"{\"seconds\":2," WEIGHTS "}",
		"{\"weights\":[{\"name\":\"slots\"}],\"top\":{\"weight\":0,\"functions\":[]}}",
		PROFILE(""),
		PROFILE("\"weight\":1,\"functions\":{}"),
		PROFILE("\"functions\":[]"),
		PROFILE("\"weight\":2,\"functions\":[]"),
		PROFILE("\"weight\":-1,\"functions\":[]"),
		PROFILE("\"weight\":\"cpu\",\"functions\":[]"),
	};
	struct ctd_remote_functions functions;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (parse(texts[i], &functions) != -EBADMSG)
			fail_msg("taken: %s", texts[i]);
}

/* And not one that samples no stacks. */
static void who_is_too_old_to_tell_is_told_so(void **state)
{
	static const char flames[] = "{\"schema\":\"cgtopdown/profile/1\"," WEIGHTS ",\"rows\":[]}";
	static const struct {
		long status;
		const char *text, *why;
		int error;
	} cases[] = {
		{404, "/                    the page\n/metrics             for Prometheus\n",
		 "this serve is of an older version, which does not tell of them", -ENOENT},
		{404, "No stacks are sampled: start it with --profile.\n",
		 "No stacks are sampled: start it with --profile.", -ENOENT},
		{403, "Not for everybody.\r\n", "Not for everybody.", -EACCES},
		{503, "Eight others wait.\n", "Eight others wait.", -EAGAIN},
		{404, "", "it answers with HTTP status 404", -ENOENT},
	};
	struct ctd_remote_functions functions;
	char why[CTD_REMOTE_WHY_BYTES];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(ctd_remote_functions_refused(cases[i].text, cases[i].status, why),
				 cases[i].error);
		assert_string_equal(why, cases[i].why);
	}
	assert_int_equal(ctd_remote_functions_parse(flames, sizeof(flames) - 1, &functions, why),
			 -EBADMSG);
	assert_string_equal(why, cases[0].why);
}

static void nothing_that_ran_is_no_function(void **state)
{
	struct ctd_remote_functions functions;

	(void)state;
	assert_int_equal(
		parse("{\"seconds\":60," WEIGHTS
		      ",\"rows\":[],\"top\":{\"weight\":0,\"functions\":[],\"more\":0,\"more_values\":[0,null,null,null]}}",
		      &functions),
		0);
	assert_int_equal(functions.items_count, 0);
	assert_true(functions.others_share == 0);
	ctd_remote_functions_free(&functions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_serve_writes_is_read),
		cmocka_unit_test(callees_without_a_frame_are_not_their_callers),
		cmocka_unit_test(a_profile_without_frames_has_the_same_functions),
		cmocka_unit_test(rows_of_one_core_type_are_added_up_by_slots),
		cmocka_unit_test(rows_of_several_core_types_are_added_up_by_time),
		cmocka_unit_test(a_row_that_was_not_counted_has_functions_without_slots),
		cmocka_unit_test(what_is_not_known_is_left_out),
		cmocka_unit_test(only_so_many_are_told_and_the_rest_is_counted),
		cmocka_unit_test(what_is_no_profile_is_refused),
		cmocka_unit_test(who_is_too_old_to_tell_is_told_so),
		cmocka_unit_test(nothing_that_ran_is_no_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
