/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_figures.c - intervals of a command's run are added up, and runs said in words. */
#include "app/run/figures.h"

#include <cgtopdown/counters.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/vendor/counted.h"

static const struct ctd_cpu_model *find_model(const char *name)
{
	for (size_t i = 0; ctd_cpu_models[i]; i++)
		if (strcmp(ctd_cpu_models[i]->name, name) == 0)
			return ctd_cpu_models[i];
	fail_msg("there is no model '%s'", name);
	return NULL;
}

static int node_of(const struct ctd_cpu_model *model, enum ctd_node_role role)
{
	for (int i = 0; i < model->nodes_count; i++)
		if (model->nodes[i].role == role)
			return i;
	fail_msg("there is no such node");
	return -1;
}

static struct ctd_run_figures run_of(double elapsed_s, double memory_bound)
{
	const struct ctd_cpu_model *model = find_model("golden_cove");
	struct ctd_run_figures run = {.elapsed_s = elapsed_s,
				      .user_s = 1.5,
				      .system_s = 0.25,
				      .cpu_s = 1.75,
				      .slots = 2e9,
				      .model = model,
				      .level = 2};

	for (int i = 0; i < CTD_NODES_MAX; i++)
		run.share[i] = NAN;
	run.share[node_of(model, CTD_ROLE_RETIRING)] = 0.4;
	run.share[node_of(model, CTD_ROLE_BACKEND_BOUND)] = 0.5;
	run.share[node_of(model, CTD_ROLE_MEMORY_BOUND)] = memory_bound;
	return run;
}

/* The caller's. */
static char *written(const struct ctd_run_figures *runs, size_t count)
{
	static char *argv[] = {"./bench", "a\033b", NULL};
	struct ctd_sink_options outlet = {0};
	char *text = NULL;
	size_t bytes;

	outlet.out = open_memstream(&text, &bytes);
	assert_non_null(outlet.out);
	assert_int_equal(ctd_run_summary_write(&outlet, argv, runs, count), 0);
	fclose(outlet.out);
	return text;
}

static void assert_written(const struct ctd_run_figures *runs, size_t count, const char *wanted)
{
	char *text = written(runs, count);

	assert_string_equal(text, wanted);
	free(text);
}

static void a_run_has_its_times_and_what_to_look_at(void **state)
{
	struct ctd_run_figures run = run_of(2, 0.47);

	(void)state;
	assert_written(
		&run, 1,
		"'./bench a\\x1bb': 2.000 s elapsed, 1.500 s user, 0.250 s system\n"
		"47% were slots in which the core waited for loads or stores; see 'cgtopdown --explain memory_bound'\n");
	/* Level 2 is cool: the one above it. */
	run = run_of(2, 0.1);
	assert_written(
		&run, 1,
		"'./bench a\\x1bb': 2.000 s elapsed, 1.500 s user, 0.250 s system\n"
		"50% were slots left empty because the core could not take more; see 'cgtopdown --explain backend_bound'\n");
	run.share[node_of(run.model, CTD_ROLE_BACKEND_BOUND)] = 0.1;
	assert_written(
		&run, 1,
		"'./bench a\\x1bb': 2.000 s elapsed, 1.500 s user, 0.250 s system\n"
		"40% were slots that did useful work, and nothing stands out that holds it back; see 'cgtopdown --explain retiring'\n");
	run.model = NULL;
	assert_written(&run, 1,
		       "'./bench a\\x1bb': 2.000 s elapsed, 1.500 s user, 0.250 s system\n"
		       "No slots were counted, only CPU time; see 'cgtopdown doctor'\n");
}

/* By hand: the deviations of 1, 2 and 3 are 1, so the mean's error is 1 / sqrt(3). */
static void several_runs_have_means_and_their_standard_errors(void **state)
{
	struct ctd_run_figures runs[] = {run_of(1, 0.45), run_of(2, 0.47), run_of(3, 0.49)};

	(void)state;
	assert_written(
		runs, 3,
		"'./bench a\\x1bb': 3 runs, mean +- its standard error\n"
		"  elapsed          2.0000 s  +- 0.5774\n"
		"  user             1.5000 s  +- 0.0000\n"
		"  system           0.2500 s  +- 0.0000\n"
		"  CPU time         1.7500 s  +- 0.0000\n"
		"  slots            2.0000 G  +- 0.0000\n"
		"  Retiring        40.0000 %  +- 0.0000\n"
		"  BackEnd         50.0000 %  +- 0.0000\n"
		"  MemBound        47.0000 %  +- 1.1547\n"
		"47% were slots in which the core waited for loads or stores; see 'cgtopdown --explain memory_bound'\n");
	/* What one of them lacks has no mean, nor have shares of several core designs. */
	runs[1].slots = NAN;
	runs[2].model = find_model("gracemont");
	assert_written(runs, 3,
		       "'./bench a\\x1bb': 3 runs, mean +- its standard error\n"
		       "  elapsed          2.0000 s  +- 0.5774\n"
		       "  user             1.5000 s  +- 0.0000\n"
		       "  system           0.2500 s  +- 0.0000\n"
		       "  CPU time         1.7500 s  +- 0.0000\n"
		       "It ran too briefly to tell what holds it back\n");
}

/* The words after "47% were" are the beginning of a node's help, of every node that may be one. */
static void every_node_s_help_begins_as_the_sentence_goes_on(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		for (int node = 0; node < ctd_cpu_models[i]->nodes_count; node++) {
			const struct ctd_node *one = &ctd_cpu_models[i]->nodes[node];

			const char *subject = strcasestr(one->help, "slots ");

			if (!subject)
				subject = strcasestr(one->help, "cycles ");
			if (one->unit == CTD_UNIT_RATIO &&
			    (!subject || subject - one->help > (long)strlen("The other ")))
				fail_msg("%s: %s", one->name, one->help);
		}
	}
}

/* Two intervals of a command with a cgroup below its own: shares are weighted by slots. */
static void intervals_and_rows_are_added_by_their_slots(void **state)
{
	const struct ctd_cpu_model *model = find_model("golden_cove");
	struct ctd_value mostly[CTD_NODES_MAX], hardly[CTD_NODES_MAX];
	struct ctd_rollup_plan plan = {.core_types_count = 1};
	struct ctd_rollup_part large = {.ran = true,
					.cpu_ns = 3000000000,
					.slots_known = true,
					.slots = 3000,
					.values = mostly};
	struct ctd_rollup_part small = {.ran = true,
					.cpu_ns = 1000000000,
					.slots_known = true,
					.slots = 1000,
					.values = hardly};
	struct ctd_rollup_row rows[] = {
		{.kind = CTD_ROLLUP_CGROUP, .parent = -1, .parts = &large},
		{.kind = CTD_ROLLUP_CGROUP, .parent = -1, .parts = &small},
		{.kind = CTD_ROLLUP_CGROUP, .parent = 0, .parts = &large},
		{.kind = CTD_ROLLUP_IDLE, .parent = -1, .parts = &large},
	};
	struct ctd_rollup rollup = {.plan = &plan, .rows = rows, .rows_count = 4};
	struct ctd_run_tally tally = {0};
	struct ctd_run_figures figures = {.elapsed_s = 7};

	(void)state;
	plan.core_types[0].model = model;
	plan.core_types[0].level = 2;
	for (int i = 0; i < CTD_NODES_MAX; i++) {
		mostly[i] = (struct ctd_value){.ratio = 0.8, .quality = CTD_SCALED};
		hardly[i] = (struct ctd_value){.ratio = 0.4, .quality = CTD_OK};
	}
	hardly[1].quality = mostly[2].quality = hardly[2].quality = CTD_NO_DATA;
	ctd_run_tally_add(&tally, &rollup);
	ctd_run_tally_add(&tally, &rollup);
	assert_int_equal(ctd_run_tally_take(&tally, &figures), 0);
	assert_true(figures.elapsed_s == 7 && figures.cpu_s == 8 && figures.slots == 8000);
	assert_true(fabs(figures.share[0] - 0.7) < 1e-9);
	assert_true(fabs(figures.share[1] - 0.8) < 1e-9);
	assert_true(isnan(figures.share[2]));
	assert_ptr_equal(figures.model, model);
	assert_int_equal(figures.level, 2);
}

/* A run of vendors' metrics in two groups, of which so many per cent of cycles were first's and
 * second's: half of it in each of two intervals. */
static void tally_vendor(uint64_t first_percent, uint64_t second_percent, const char *wanted)
{
	uint64_t counts[2 * CTD_COUNTERS_MAX] = {0}, count_ns[] = {500000000, 500000000};
	struct ctd_rollup_plan plan = {.core_types_count = 1,
				       .counters_count = counting.rotation.events_count,
				       .groups_count = 2};
	struct ctd_rollup_part part = {
		.ran = true, .cpu_ns = 1000000000, .count = counts, .count_ns = count_ns};
	struct ctd_rollup_row rows[] = {
		{.kind = CTD_ROLLUP_CGROUP, .parent = -1, .parts = &part},
		{.kind = CTD_ROLLUP_CGROUP, .parent = 0, .parts = &part},
		{.kind = CTD_ROLLUP_IDLE, .parent = -1, .parts = &part},
	};
	struct ctd_rollup rollup = {.plan = &plan, .rows = rows, .rows_count = 3};
	struct ctd_run_tally tally = {.vendor = &countings};
	struct ctd_run_figures run = {.elapsed_s = 2, .metrics_dir = "vendors"};
	int first = counting.metrics[find("first")].group;

	for (int group = 0; group < 2; group++) {
		int cycles = place_of(group, "CPU_CLK_UNHALTED.THREAD");

		assert_true(cycles >= 0);
		counts[cycles] = first_percent || second_percent ? 1000 : 0;
	}
	counts[place_of(first, "E2")] = 10 * first_percent;
	counts[place_of(!first, "E7")] = 10 * second_percent;
	ctd_run_tally_add(&tally, &rollup);
	ctd_run_tally_add(&tally, &rollup);
	assert_int_equal(ctd_run_tally_take(&tally, &run), 0);
	assert_true(run.cpu_s == 2);
	assert_written(&run, 1, wanted);
}

#define NO_TIMES "'./bench a\\x1bb': 2.000 s elapsed, 0.000 s user, 0.000 s system\n"

static void of_vendors_metrics_the_deepest_that_is_worth_a_look_is_named(void **state)
{
	(void)state;
	add_two_groups();
	tally_vendor(
		60, 25,
		NO_TIMES
		"second is 25.0%, above its vendor's threshold; see 'cgtopdown --explain second --metrics-dir vendors'\n");
	tally_vendor(
		60, 15,
		NO_TIMES
		"first is 60.0%, above its vendor's threshold; see 'cgtopdown --explain first --metrics-dir vendors'\n");
	tally_vendor(40, 25,
		     NO_TIMES "No metric that was counted is above its vendor's threshold\n");
	tally_vendor(0, 0, NO_TIMES "It ran too briefly to tell what holds it back\n");
	ctd_vendor_change_metric(&table, "first")->unit = "per_instr";
	ctd_vendor_change_metric(&table, "first")->scale = 1e-6;
	tally_vendor(
		70, 0,
		NO_TIMES
		"first is 7e-07 per_instr, above its vendor's threshold; see 'cgtopdown --explain first --metrics-dir vendors'\n");
}

/* Of those with metrics: what ran on another one longer tells nothing of these. */
static void of_core_types_that_on_which_it_ran_longest_is_told(void **state)
{
	struct ctd_rollup_plan plan = {.core_types_count = 2,
				       .groups_count = 2,
				       .core_types = {{.name = "P-core"}, {.name = "E-core"}}};
	struct ctd_vendor_countings both = {.core_types_count = 2, .of = {&counting, &counting}};
	struct ctd_vendor_countings one = {.core_types_count = 2, .of = {&counting}};
	uint64_t counts[2][2 * CTD_COUNTERS_MAX] = {0}, count_ns[] = {500000000, 500000000};
	struct ctd_rollup_part parts[2];
	struct ctd_rollup_row row = {.kind = CTD_ROLLUP_CGROUP, .parent = -1, .parts = parts};
	struct ctd_rollup rollup = {.plan = &plan, .rows = &row, .rows_count = 1};
	static const char *const want[] = {
		NO_TIMES
		"E-core: first is 80.0%, above its vendor's threshold; see 'cgtopdown --explain first --metrics-dir vendors'\n",
		NO_TIMES
		"P-core: first is 60.0%, above its vendor's threshold; see 'cgtopdown --explain first --metrics-dir vendors'\n"};

	(void)state;
	add_two_groups();
	plan.counters_count = counting.rotation.events_count;
	for (int type = 0; type < 2; type++) {
		int first = counting.metrics[find("first")].group;

		parts[type] = (struct ctd_rollup_part){.ran = true,
						       .cpu_ns = 1000000000 + (uint64_t)type,
						       .count = counts[type],
						       .count_ns = count_ns};
		counts[type][place_of(first, "CPU_CLK_UNHALTED.THREAD")] = 1000;
		counts[type][place_of(first, "E2")] = 600 + 200 * (uint64_t)type;
	}
	for (int i = 0; i < 2; i++) {
		struct ctd_run_tally tally = {.vendor = i ? &one : &both};
		struct ctd_run_figures run = {.elapsed_s = 2, .metrics_dir = "vendors"};

		ctd_run_tally_add(&tally, &rollup);
		assert_int_equal(ctd_run_tally_take(&tally, &run), 0);
		assert_int_equal(run.core_type, !i);
		assert_true(fabs(run.cpu_s - 2) < 1e-6);
		assert_written(&run, 1, want[i]);
	}
}

static void with_a_drill_the_path_is_told(void **state)
{
	struct ctd_run_figures run = {.elapsed_s = 2, .metrics_dir = "vendors", .drilled = true};

	(void)state;
	add_two_groups();
	run.vendor = &counting;
	run.drill =
		(struct ctd_drill_path){.confidence = CTD_DRILL_HIGH,
					.steps = {{find("first"), 0.62}, {find("second"), 0.25}},
					.steps_count = 2};
	ctd_vendor_change_metric(&table, "second")->sample_with = "E4,E5";
	assert_written(
		&run, 1,
		NO_TIMES
		"Drill: first 62% > second 25% (sample with E4,E5); see 'cgtopdown --explain second --metrics-dir vendors'\n");
	run.drill = (struct ctd_drill_path){.confidence = CTD_DRILL_UNKNOWN};
	assert_written(&run, 1, NO_TIMES "Drill: too little of its CPU time was counted to tell\n");
	strcpy(run.core_name, "E-core");
	assert_written(&run, 1,
		       NO_TIMES "Drill: E-core: too little of its CPU time was counted to tell\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_has_its_times_and_what_to_look_at),
		cmocka_unit_test(several_runs_have_means_and_their_standard_errors),
		cmocka_unit_test(every_node_s_help_begins_as_the_sentence_goes_on),
		cmocka_unit_test(intervals_and_rows_are_added_by_their_slots),
		cmocka_unit_test_setup_teardown(of_core_types_that_on_which_it_ran_longest_is_told,
						new_table, free_table),
		cmocka_unit_test_setup_teardown(with_a_drill_the_path_is_told, new_table,
						free_table),
		cmocka_unit_test_setup_teardown(
			of_vendors_metrics_the_deepest_that_is_worth_a_look_is_named, new_table,
			free_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
