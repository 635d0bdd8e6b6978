/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_list.c - what is built in is listed, and what of it this machine has. */
#include "app/explain/list.h"

#include <cgtopdown/cpu.h>
#include <cgtopdown/runtime.h>
#include <cgtopdown/sink.h>

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
#include "export/families.h"
#include "unit/pmu/capture.h"

/* What `list WHAT` prints below a recorded machine, the caller's. */
static char *list(const char *what, const char *machine)
{
	struct ctd_options options = {.colour = "never", .what = what};
	struct capture capture;
	char *text;
	int status;

	ctd_root_set(machine);
	capture_begin_on(&capture, stdout);
	status = ctd_list_main(&options);
	text = capture_take(&capture);
	assert_true(*text);
	ctd_root_set(NULL);
	assert_int_equal(status, 0);
	return text;
}

static size_t count(const char *text, const char *what)
{
	size_t found = 0;

	for (; (text = strstr(text, what)); text += strlen(what))
		found++;
	return found;
}

static void expect(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' is not in:\n%s", what, text);
}

static void as_json_all_of_it_is_one_object(void **state)
{
	struct ctd_options options = {.colour = "never", .json = true};
	struct capture capture;
	autofree char *text = NULL;
	json_t *object;

	(void)state;
	capture_begin_on(&capture, stdout);
	assert_int_equal(ctd_list_main(&options), 0);
	text = capture_take(&capture);
	object = json_loads(text, 0, NULL);
	assert_non_null(object);
	for (size_t number = 0; ctd_list_name(number); number++)
		assert_true(json_array_size(json_object_get(object, ctd_list_name(number))) > 1);
	json_decref(object);
}

static void lists_have_names_until_the_last(void **state)
{
	size_t number = 0;

	(void)state;
	for (; ctd_list_name(number); number++)
		for (size_t other = 0; other < number; other++)
			assert_string_not_equal(ctd_list_name(number), ctd_list_name(other));
	assert_int_equal(number, 6);
	assert_null(ctd_list_name(number + 1));
	assert_null(ctd_list_name(SIZE_MAX));
}

static void all_that_is_built_in_is_listed(void **state)
{
	autofree char *cpus = list("cpus", "tests/machines/no_pmu");
	autofree char *sinks = list("sinks", "tests/machines/no_pmu");
	autofree char *runtimes = list("runtimes", "tests/machines/no_pmu");
	autofree char *metrics = list("metrics", "tests/machines/no_pmu");

	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		expect(cpus, ctd_cpu_models[i]->name);
		for (int node = 0; node < ctd_cpu_models[i]->nodes_count; node++)
			expect(metrics, ctd_cpu_models[i]->nodes[node].name);
	}
	for (size_t i = 0; ctd_sinks[i]; i++)
		expect(sinks, ctd_sinks[i]->name);
	for (size_t i = 0; ctd_runtimes[i]; i++)
		expect(runtimes, ctd_runtimes[i]->name);
}

/* How many designs have the node with a formula that no earlier one has. */
static size_t formulas_of(const char *name)
{
	const char *seen[64];
	size_t found = 0;

	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		for (int node = 0; node < ctd_cpu_models[i]->nodes_count; node++) {
			const struct ctd_node *at = &ctd_cpu_models[i]->nodes[node];
			size_t same = 0;

			while (same < found && strcmp(seen[same], at->formula) != 0)
				same++;
			if (strcmp(at->name, name) == 0 && same == found)
				seen[found++] = at->formula;
		}
	}
	return found;
}

static void a_node_is_listed_once_for_all_designs_of_its_formula(void **state)
{
	autofree char *metrics = list("metrics", "tests/machines/no_pmu");

	(void)state;
	/* By PERF_METRICS, by general-purpose counters, at dispatch of six or eight slots,
	 * AmpereOne's. */
	assert_int_equal(count(metrics, "\n  memory_bound\n"), 5);
	assert_int_equal(count(metrics, "\n  smt_contention\n"), 2);
	assert_int_equal(count(metrics, "\n  retiring\n"), formulas_of("retiring"));
	expect(metrics, "On: neoverse_n2 neoverse_n3\n");
	expect(metrics, "On: golden_cove_gp sunny_cove_gp\n");
	expect(metrics, "On: zen5 zen6\n");
}

static void the_design_of_this_machine_is_marked(void **state)
{
	static const struct {
		const char *machine;
		size_t marks;
	} cases[] = {
		{"tests/machines/sapphire_rapids", 2}, /* one per source */
		{"tests/machines/ice_lake", 2},
		{"tests/machines/sierra_forest", 1},
		{"tests/machines/zen4", 1},
		{"tests/machines/skylake", 1},
		{"tests/machines/neoverse_v2", 1},
		{"tests/machines/neoverse_n2", 1},
		{"tests/machines/big_little", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		autofree char *cpus = list("cpus", cases[i].machine);

		if (count(cpus, "* This machine's") != cases[i].marks)
			fail_msg("%s:\n%s", cases[i].machine, cpus);
	}
}

static void events_are_shown_as_this_machine_has_them(void **state)
{
	autofree char *with = list("events", "tests/machines/sapphire_rapids");
	autofree char *part = list("events", "tests/machines/ice_lake");
	autofree char *without = list("events", "tests/machines/no_pmu");

	(void)state;
	expect(with, "In sysfs of this machine, PMU cpu:");
	expect(with, "event=0x00,umask=0x4");
	/* Level 2 is not of Ice Lake. */
	assert_non_null(strstr(part, "topdown-mem-bound"));
	expect(strstr(part, "HERE"), "topdown-mem-bound     -");
	/* What is not in any sysfs has its code instead. */
	expect(part, "slots or topdown.slots_p (0x1a4), uops_retired.slots (0x2c2)");
	assert_null(strstr(strstr(part, "HERE"), "uops_retired"));
	expect(without, "no core PMU");
	assert_null(strstr(without, "HERE"));
}

struct listed {
	const char *series;
	int names;
};

static void find_series(const struct family *family, void *context)
{
	struct listed *listed = context;
	char line[128];

	if (!family->name)
		return;
	snprintf(line, sizeof(line), "\n  %s%s\n", family->name, ctd_family_suffix(family));
	assert_int_equal(count(listed->series, line), 1);
	listed->names++;
}

static void every_series_is_listed_with_its_type_and_labels(void **state)
{
	autofree char *series = list("series", "tests/machines/no_pmu");
	struct listed listed = {.series = series};

	(void)state;
	ctd_families_each(find_series, &listed);
	assert_true(listed.names > 50);
	expect(series, "  cgtopdown_slots_total\n    Counter in slots, by row, category.\n"
		       "    Pipeline slots by where they went, level 1");
	expect(series, "  cgtopdown_simulated\n    Gauge.\n");
	expect(series, "  row\n    Stands for");
}

static void without_an_argument_everything_is_listed_and_fits_80_columns(void **state)
{
	autofree char *all = list(NULL, "tests/machines/sapphire_rapids");
	static const char *const headings[] = {
		"CPUs: ", "Events: ", "Metrics: ", "Series: ", "Sinks: ", "Container runtimes: "};
	const char *after = all;

	(void)state;
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++) {
		expect(after, headings[i]);
		after = strstr(after, headings[i]);
	}
	for (const char *line = all; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > CTD_TEXT_WIDTH && !strstr(line, "http"))
			fail_msg("too long: %.*s", (int)strcspn(line, "\n"), line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_json_all_of_it_is_one_object),
		cmocka_unit_test(lists_have_names_until_the_last),
		cmocka_unit_test(all_that_is_built_in_is_listed),
		cmocka_unit_test(a_node_is_listed_once_for_all_designs_of_its_formula),
		cmocka_unit_test(the_design_of_this_machine_is_marked),
		cmocka_unit_test(events_are_shown_as_this_machine_has_them),
		cmocka_unit_test(every_series_is_listed_with_its_type_and_labels),
		cmocka_unit_test(without_an_argument_everything_is_listed_and_fits_80_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
