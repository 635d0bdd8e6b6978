/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_functions.c - the top functions of a profile are those of its stacks, and what is no profile
 * is refused. */
#include "remote/functions.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

/* A tree of calls: a [f0 10 [f1 6, f0 1]], and a second row if @p rows says so. */
#define PROFILE(rows, parents, frames, cpu, slots)                                                         \
	"{\"seconds\":2,\"weights\":[{\"name\":\"cpu\",\"level\":0},{\"name\":\"slots\",\"level\":0},"     \
	"{\"name\":\"memory_bound\",\"level\":2}],\"rows\":[" rows                                         \
	"],\"functions\":[\"f\",\"g\"],\"module_of\":[0,7],\"modules\":[\"/bin/m\"],\"parents\":[" parents \
	"],\"frames\":[" frames "],\"values\":[[" cpu "],[" slots "],[0,0,5,3,0]]}"
#define ROW "{\"name\":\"a\",\"samples\":3}"

static void what_a_function_calls_is_not_its_own(void **state)
{
	struct ctd_remote_functions functions;

	(void)state;
	assert_int_equal(
		parse(PROFILE(ROW, "0,0,1,2,2", "0,0,0,1,0", "4e9,4e9,4e9,3e9,0", "20,20,10,6,1"),
		      &functions),
		0);
	assert_int_equal(functions.items_count, 2);
	assert_string_equal(functions.items[0].name, "g");
	assert_string_equal(functions.items[0].file, "");
	assert_true(functions.items[0].share == .3 && functions.items[0].cpus == 1.5);
	assert_true(functions.items[0].nodes[0] == .5);
	/* 10 - 6 - 1 of the call outside, 1 of that within. */
	assert_string_equal(functions.items[1].name, "f");
	assert_string_equal(functions.items[1].file, "/bin/m");
	assert_true(functions.items[1].share == .2);
	/* What is too small for a frame of its own. */
	assert_true(functions.others_share > .49 && functions.others_share < .51);
	ctd_remote_functions_free(&functions);
}

static void several_core_types_are_told_by_time(void **state)
{
	struct ctd_remote_functions functions;

	(void)state;
	assert_int_equal(parse(PROFILE(ROW "," ROW, "0,0,1,0,3", "0,0,0,1,0", "4e9,3e9,3e9,1e9,1e9",
				       "20,10,6,10,10"),
			       &functions),
			 0);
	assert_false(functions.by_slots);
	assert_true(functions.samples == 6);
	assert_int_equal(functions.items_count, 1);
	assert_true(functions.items[0].share == 1 && functions.items[0].cpus == 2);
	assert_int_equal(functions.nodes_count, 0);
	ctd_remote_functions_free(&functions);
}

static void only_so_many_are_told_and_the_rest_is_counted(void **state)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_remote_functions functions;

	(void)state;
	ctd_strbuf_add(
		&text,
		"{\"seconds\":1,\"weights\":[{\"name\":\"cpu\"}],\"rows\":[{}],\"functions\":[");
	for (int i = 0; i < 12; i++)
		ctd_strbuf_addf(&text, "%s\"f%d\"", i ? "," : "", i);
	ctd_strbuf_add(&text, "],\"parents\":[0,0");
	for (int i = 0; i < 12; i++)
		ctd_strbuf_add(&text, ",1");
	ctd_strbuf_add(&text, "],\"frames\":[0,0");
	for (int i = 0; i < 12; i++)
		ctd_strbuf_addf(&text, ",%d", i);
	/* 1, 2, ... 12, whose sum is 78. */
	ctd_strbuf_add(&text, "],\"values\":[[78,78");
	for (int i = 0; i < 12; i++)
		ctd_strbuf_addf(&text, ",%d", i + 1);
	ctd_strbuf_add(&text, "]]}");
	assert_int_equal(parse(text.text, &functions), 0);
	assert_int_equal(functions.items_count, CTD_REMOTE_FUNCTIONS_MAX);
	assert_string_equal(functions.items[0].name, "f11");
	assert_string_equal(functions.items[9].name, "f2");
	assert_int_equal(functions.others, 2);
	assert_true(functions.others_share > 2.9 / 78 && functions.others_share < 3.1 / 78);
	ctd_remote_functions_free(&functions);
}

static void what_is_no_profile_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"[]",
		"{}",
		"{\"parents\":[],\"frames\":[]}",
		"{\"parents\":[0,0],\"frames\":[0]}",
		PROFILE(ROW, "0,1,1,2,2", "0,0,0,1,0", "1,1,1,1,1", "1,1,1,1,1"),
		PROFILE(ROW, "0,0,1,2,-1", "0,0,0,1,0", "1,1,1,1,1", "1,1,1,1,1"),
		PROFILE(ROW, "0,0,1,2,2", "0,0,0,2,0", "1,1,1,1,1", "1,1,1,1,1"),
		PROFILE(ROW, "0,0,1,2,2", "0,0,0,\"g\",0", "1,1,1,1,1", "1,1,1,1,1"),
		PROFILE(ROW, "0,0,1,2,2", "0,0,0,1,0", "1,1,1,1", "1,1,1,1,1"),
	};
	struct ctd_remote_functions functions;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (parse(texts[i], &functions) != -EBADMSG)
			fail_msg("taken: %s", texts[i]);
}

static void nothing_that_ran_is_no_function(void **state)
{
	struct ctd_remote_functions functions;

	(void)state;
	assert_int_equal(
		parse("{\"seconds\":60,\"weights\":[{\"name\":\"cpu\"}],\"rows\":[],\"functions\":[],\"parents\":[0],\"frames\":[0],\"values\":[[0]]}",
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
		cmocka_unit_test(what_a_function_calls_is_not_its_own),
		cmocka_unit_test(several_core_types_are_told_by_time),
		cmocka_unit_test(only_so_many_are_told_and_the_rest_is_counted),
		cmocka_unit_test(what_is_no_profile_is_refused),
		cmocka_unit_test(nothing_that_ran_is_no_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
