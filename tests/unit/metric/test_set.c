/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_set.c - formulas and conditions of models are compiled, and hold as the vendor has them. */
#include <cgtopdown/metric.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "metrics.h"

static int node_index(const struct ctd_cpu_model *model, const char *name)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (strcmp(model->nodes[i].name, name) == 0)
			return i;
	}
	fail_msg("%s has no %s", model->name, name);
	return -1;
}

static const struct ctd_cpu_event events[] = {
	{"cycles", 0}, {"a-b.c", 1}, {"beyond", 2}, {NULL, 0}};

static int compile(const char *formula, const char *condition, struct ctd_metric_set **ret_set)
{
	static struct ctd_node node;
	static struct ctd_cpu_model model;

	node = (struct ctd_node){.name = "retiring",
				 .level = 1,
				 .parent = -1,
				 .counters = 2,
				 .formula = formula,
				 .condition = condition};
	model = (struct ctd_cpu_model){.groups = {events}, .nodes = &node, .nodes_count = 1};
	return ctd_metric_set_new(&model, ret_set);
}

static void a_formula_has_the_counts_of_its_group(void **state)
{
	static const double count[CTD_COUNTERS_MAX + 1] = {8, 2};
	struct ctd_metric_set *set;

	(void)state;
	assert_int_equal(compile("a\\-b.c / cycles", "retiring > 0.1", &set), 0);
	assert_true(ctd_metric_value(set, 0, count) == 0.25);
	ctd_metric_set_free(set);
	ctd_metric_set_free(NULL);
}

static void what_a_model_cannot_mean_is_refused(void **state)
{
	static const struct {
		const char *formula, *condition;
	} cases[] = {
		{"nothing / cycles", "retiring > 0.1"},
		/* Not one of the first two counters. */
		{"beyond / cycles", "retiring > 0.1"},
		/* Of the tree: the time is for IPC metrics. */
		{"cycles / time_ns", "retiring > 0.1"},
		{"has_event(cycles)", "retiring > 0.1"},
		{"cycles /", "retiring > 0.1"},
		{"cycles", "nothing > 0.1"},
		{"cycles", "retiring > "},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_metric_set *set = NULL;

		if (compile(cases[i].formula, cases[i].condition, &set) != -EINVAL || set)
			fail_msg("'%s', '%s'", cases[i].formula, cases[i].condition);
	}
}

/* Intel's for its P-cores. */
static void conditions_hold_as_the_vendor_has_them(void **state)
{
	static const struct {
		int line;
		const char *node;
		double own; /* its ratio; those of the others are 0 */
		const char *other;
		double others;
		bool hot;
	} cases[] = {
		{__LINE__, "retiring", 0.71, "heavy_operations", 0, true},
		{__LINE__, "retiring", 0.3, "heavy_operations", 0.1, false},
		{__LINE__, "retiring", 0.3, "heavy_operations", 0.11, true},
		/* Without their parent's. */
		{__LINE__, "heavy_operations", 0.11, "retiring", 0.2, true},
		{__LINE__, "light_operations", 0.61, "retiring", 0.65, true},
		{__LINE__, "fetch_bandwidth", 0.21, "frontend_bound", 0, true},
		{__LINE__, "fetch_bandwidth", 0.2, "frontend_bound", 0.9, false},
		/* With it. */
		{__LINE__, "fetch_latency", 0.11, "frontend_bound", 0.15, false},
		{__LINE__, "fetch_latency", 0.11, "frontend_bound", 0.16, true},
		{__LINE__, "memory_bound", 0.3, "backend_bound", 0.2, false},
		{__LINE__, "memory_bound", 0.21, "backend_bound", 0.3, true},
	};
	const struct ctd_cpu_model *model = ctd_cpu_model_find("golden_cove");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_value values[CTD_NODES_MAX] = {0};
		int node = node_index(model, cases[i].node);

		values[node].ratio = cases[i].own;
		values[node_index(model, cases[i].other)].ratio = cases[i].others;
		if (ctd_metric_hot(metrics_of(model), values, node) != cases[i].hot)
			fail_msg("line %d", cases[i].line);
	}
}

static void an_unknown_part_of_a_condition_does_not_undo_the_other(void **state)
{
	const struct ctd_cpu_model *deep = ctd_cpu_model_find("golden_cove");
	const struct ctd_cpu_model *flat = ctd_cpu_model_find("sunny_cove");
	struct ctd_value values[CTD_NODES_MAX] = {{0.71, CTD_OK}};

	(void)state;
	/* That model has no heavy_operations at all. */
	assert_true(ctd_metric_hot(metrics_of(flat), values, 0));
	values[node_index(deep, "heavy_operations")].quality = CTD_UNSUPPORTED;
	assert_true(ctd_metric_hot(metrics_of(deep), values, 0));
	values[0].ratio = 0.5;
	assert_false(ctd_metric_hot(metrics_of(deep), values, 0));
	/* Its own value must be known, whatever else holds. */
	values[0].quality = CTD_NO_DATA;
	values[node_index(deep, "heavy_operations")] = (struct ctd_value){0.5, CTD_OK};
	assert_false(ctd_metric_hot(metrics_of(deep), values, 0));
}

static void the_threshold_is_the_first_number_of_the_condition(void **state)
{
	const struct ctd_cpu_model *model = ctd_cpu_model_find("golden_cove");

	(void)state;
	assert_true(ctd_metric_threshold(&model->nodes[0]) == 0.7);
	assert_true(ctd_metric_threshold(&model->nodes[node_index(model, "fetch_latency")]) == 0.1);
	assert_true(ctd_metric_threshold(&model->nodes[node_index(model, "ipc")]) == 0);
}

/* Nothing was issued: the share of what retires of it is not known, and is not 0. */
static void a_division_by_zero_inside_a_formula_is_no_data(void **state)
{
	static const uint64_t count[CTD_COUNTS_MAX] = {
		[0] = 1000000000,
		[2 * 5] = 1000000000,
	};
	const struct ctd_cpu_model *model = ctd_cpu_model_find("haswell");
	int heavy = node_index(model, "heavy_operations");
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	assert_int_equal(model->nodes[heavy].group, 2);
	ctd_metric_evaluate(metrics_of(model), count, 5, 3, CTD_OK, values);
	assert_int_equal(values[0].quality, CTD_OK);
	assert_int_equal(values[heavy].quality, CTD_NO_DATA);
	assert_int_equal(values[node_index(model, "light_operations")].quality, CTD_NO_DATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_formula_has_the_counts_of_its_group),
		cmocka_unit_test(what_a_model_cannot_mean_is_refused),
		cmocka_unit_test(conditions_hold_as_the_vendor_has_them),
		cmocka_unit_test(an_unknown_part_of_a_condition_does_not_undo_the_other),
		cmocka_unit_test(the_threshold_is_the_first_number_of_the_condition),
		cmocka_unit_test(a_division_by_zero_inside_a_formula_is_no_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
