/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_explain.c - what is said of one metric. */
#include "app/explain/explain.h"

#include <cgtopdown/cpu.h>

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/options/options.h"
#include "app/text.h"
#include "base/auto.h"
#include "base/root.h"
#include "golden.h"
#include "unit/pmu/capture.h"

/* What `--explain METRIC` prints below a recorded machine, the caller's. */
static char *explain(const char *metric, const char *machine, const char *colour)
{
	struct ctd_options options = {.colour = colour, .explain = metric};
	struct capture capture;
	char *text;
	int status;

	ctd_root_set(machine);
	capture_begin_on(&capture, stdout);
	status = ctd_explain_main(&options);
	text = capture_take(&capture);
	assert_true(*text);
	ctd_root_set(NULL);
	assert_int_equal(status, 0);
	return text;
}

static void expect(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' is not in:\n%s", what, text);
}

static void expect_not(const char *text, const char *what)
{
	if (strstr(text, what))
		fail_msg("'%s' is in:\n%s", what, text);
}

static void as_json_it_has_its_parts_and_each_design_with_its_events(void **state)
{
	struct ctd_options options = {.colour = "never", .explain = "backend_bound", .json = true};
	struct capture capture;
	autofree char *text = NULL;
	json_t *object, *cpu;
	size_t i, here = 0;

	(void)state;
	ctd_root_set("tests/machines/sapphire_rapids");
	capture_begin_on(&capture, stdout);
	assert_int_equal(ctd_explain_main(&options), 0);
	text = capture_take(&capture);
	ctd_root_set(NULL);
	object = json_loads(text, 0, NULL);
	assert_non_null(object);
	assert_string_equal(json_string_value(json_object_get(object, "schema")),
			    "cgtopdown/explain/1");
	assert_string_equal(json_string_value(json_object_get(object, "column")), "BackEnd");
	assert_string_equal(json_string_value(json_array_get(json_object_get(object, "parts"), 0)),
			    "memory_bound");
	json_array_foreach(json_object_get(object, "cpus"), i, cpu)
	{
		here += json_is_true(json_object_get(cpu, "here"));
		assert_string_equal(json_string_value(json_object_get(cpu, "name")),
				    "backend_bound");
	}
	assert_true(here >= 1 && json_array_size(json_object_get(object, "cpus")) > 20);
	json_decref(object);
}

static void a_metric_is_found_by_its_name_and_by_its_column(void **state)
{
	(void)state;
	assert_string_equal(ctd_explain_find("memory_bound"), "memory_bound");
	assert_string_equal(ctd_explain_find("MemBound"), "memory_bound");
	assert_string_equal(ctd_explain_find("backend"), "backend_bound");
	assert_null(ctd_explain_find("memory"));
	assert_null(ctd_explain_find(""));
}

static void expect_narrow(const char *text)
{
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > CTD_TEXT_WIDTH)
			fail_msg("too long: %.*s", (int)strcspn(line, "\n"), line);
}

/* An event has the name in a formula that it has in the table, so that it can be looked up. */
static void every_metric_of_every_design_is_explained_with_its_events(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int node = 0; node < model->nodes_count; node++) {
			autofree char *text =
				explain(model->nodes[node].name, "tests/machines/no_pmu", "never");
			char line[64];

			expect_narrow(text);
			expect_not(text, "(out of memory)");
			if (!model->vendor)
				continue;
			snprintf(line, sizeof(line), "\n    %s", model->name);
			expect(text, line);
			snprintf(line, sizeof(line), "\n    %s: ", model->source);
			expect(text, line);
			snprintf(line, sizeof(line), "%s: \n", model->source);
			expect_not(text, line);
		}
	}
}

static void the_tree_is_shown_around_it(void **state)
{
	autofree char *whole = explain("backend_bound", "tests/machines/sapphire_rapids", "never");
	autofree char *part = explain("memory_bound", "tests/machines/sapphire_rapids", "never");

	(void)state;
	expect(whole, "\n  bad_speculation ");
	expect(whole, "\n> backend_bound ");
	expect(whole, "\n    memory_bound ");
	expect(whole, "Its parts: memory_bound, core_bound\n");
	expect(whole, "--level 2 --sort backend_bound");
	expect(part, "\n  backend_bound ");
	expect(part, "\n  > memory_bound ");
	expect(part, "\n    core_bound ");
	expect_not(part, "bad_speculation");
	expect(part, "above 20%, if backend_bound is above 20%.");
}

static void it_is_told_as_of_this_machine(void **state)
{
	autofree char *deep = explain("retiring", "tests/machines/sapphire_rapids", "never");
	autofree char *flat = explain("retiring", "tests/machines/ice_lake", "never");
	autofree char *none = explain("retiring", "tests/machines/big_little", "never");

	(void)state;
	expect(deep, "Its parts: heavy_operations");
	expect(deep, "* This machine's");
	/* That design counts no parts of it. */
	expect_not(flat, "Its parts");
	expect(flat, "* This machine's");
	expect(none, "Its parts: heavy_operations");
	expect_not(none, "* This machine's");
}

static void designs_of_one_formula_share_it_but_not_if_their_codes_differ(void **state)
{
	autofree char *text = explain("frontend_bound", "tests/machines/no_pmu", "never");
	const char *first = strstr(text, "= topdown\\-fe\\-bound /");

	(void)state;
	assert_non_null(first);
	assert_null(strstr(first + 1, "= topdown\\-fe\\-bound /"));
	expect(text, "int_misc.uop_dropping (0x10ad)\n");
	expect(text, "int_misc.uop_dropping (0x100d)\n");
}

static void what_is_named_is_coloured_if_wanted(void **state)
{
	autofree char *with = explain("retiring", "tests/machines/no_pmu", "always");
	autofree char *without = explain("retiring", "tests/machines/no_pmu", "auto");

	(void)state;
	expect(with, "\033[");
	expect_not(without, "\033[");
}

static void it_looks_so(void **state)
{
	autofree char *text = explain("memory_bound", "tests/machines/sapphire_rapids", "never");

	(void)state;
	golden_compare("explain-memory_bound.txt", text);
}

/* It has no place in the tree, no threshold, and is not there without being asked for. */
static void what_is_beside_the_tree_is_said_to_be(void **state)
{
	autofree char *text = explain("branch_mpki", "tests/machines/sapphire_rapids", "never");

	(void)state;
	golden_compare("explain-branch_mpki.txt", text);
	expect(text, "beside the tree");
	expect(text, "--general --sort branch_mpki");
	expect_not(text, "Worth a look");
	expect_not(text, "In the tree");
	assert_string_equal(ctd_explain_find("ipc"), "ipc");
	assert_string_equal(ctd_explain_find("GHz"), "ghz");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_json_it_has_its_parts_and_each_design_with_its_events),
		cmocka_unit_test(a_metric_is_found_by_its_name_and_by_its_column),
		cmocka_unit_test(every_metric_of_every_design_is_explained_with_its_events),
		cmocka_unit_test(the_tree_is_shown_around_it),
		cmocka_unit_test(it_is_told_as_of_this_machine),
		cmocka_unit_test(designs_of_one_formula_share_it_but_not_if_their_codes_differ),
		cmocka_unit_test(what_is_named_is_coloured_if_wanted),
		cmocka_unit_test(it_looks_so),
		cmocka_unit_test(what_is_beside_the_tree_is_said_to_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
