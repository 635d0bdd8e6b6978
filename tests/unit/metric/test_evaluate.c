/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_evaluate.c - a row's counts become values, hot nodes and a bottleneck. */
#include <cgtopdown/metric.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "metrics.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MILLION 1000000ULL

static const struct ctd_cpu_model *model;

static int find_model(void **state)
{
	(void)state;
	model = ctd_cpu_model_find("golden_cove");
	return model ? 0 : -1;
}

static int node_index(const char *name)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (!strcmp(model->nodes[i].name, name))
			return i;
	}
	fail_msg("no node %s", name);
	return -1;
}

/* What is not of the tree is evaluated by itself. */
static enum ctd_quality of_tree(int node, enum ctd_quality quality)
{
	return ctd_node_is_ipc(&model->nodes[node]) ? CTD_UNSUPPORTED : quality;
}

static void counts_become_ratios(void **state)
{
	static const uint64_t count[9] = {
		10 * MILLION, 4 * MILLION, 1 * MILLION, 2 * MILLION, 3 * MILLION,
		1 * MILLION,  MILLION / 2, 1 * MILLION, 2 * MILLION,
	};
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	ctd_metric_evaluate(metrics_of(model), count, 9, 1, CTD_OK, values);
	for (int i = 0; i < model->nodes_count; i++)
		assert_int_equal(values[i].quality, of_tree(i, CTD_OK));
	assert_true(fabs(values[node_index("retiring")].ratio - 0.4) < 1e-12);
	assert_true(fabs(values[node_index("core_bound")].ratio - 0.1) < 1e-12);
}

static void level_2_without_its_counters_is_unsupported(void **state)
{
	static const uint64_t count[5] = {10 * MILLION, 4 * MILLION, MILLION, 2 * MILLION,
					  3 * MILLION};
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	ctd_metric_evaluate(metrics_of(model), count, 5, 1, CTD_OK, values);
	for (int i = 0; i < model->nodes_count; i++) {
		bool level1 = model->nodes[i].level == 1;

		assert_int_equal(values[i].quality, level1 ? CTD_OK : CTD_UNSUPPORTED);
		assert_int_equal(isnan(values[i].ratio), !level1);
	}
}

static void without_counters_nothing_is_known(void **state)
{
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	ctd_metric_evaluate(metrics_of(model), NULL, 0, 1, CTD_UNSUPPORTED, values);
	for (int i = 0; i < model->nodes_count; i++)
		assert_int_equal(values[i].quality, CTD_UNSUPPORTED);
}

static void zero_slots_is_no_data_not_zero_percent(void **state)
{
	static const uint64_t count[9] = {0};
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	ctd_metric_evaluate(metrics_of(model), count, 9, 1, CTD_OK, values);
	for (int i = 0; i < model->nodes_count; i++) {
		assert_int_equal(values[i].quality, of_tree(i, CTD_NO_DATA));
		assert_true(isnan(values[i].ratio));
	}
}

/* One of leader and siblings counts while the other does not. */
static void slots_without_parts_and_parts_without_slots_are_no_data(void **state)
{
	static const uint64_t no_parts[9] = {10 * MILLION}, half[9] = {[0] = 10 * MILLION, [5] = 1};
	static const uint64_t no_slots[9] = {0, MILLION, MILLION, MILLION, MILLION};
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	ctd_metric_evaluate(metrics_of(model), no_parts, 9, 1, CTD_OK, values);
	assert_int_equal(values[0].quality, CTD_NO_DATA);
	ctd_metric_evaluate(metrics_of(model), half, 9, 1, CTD_OK, values);
	assert_int_equal(values[node_index("heavy_operations")].quality, CTD_NO_DATA);
	ctd_metric_evaluate(metrics_of(model), no_slots, 9, 1, CTD_OK, values);
	assert_int_equal(values[0].quality, CTD_NO_DATA);
}

/* A virtual machine without PERF_METRICS may show slots for bad speculation. */
static void parts_that_are_not_the_slots_are_no_data(void **state)
{
	static const struct {
		int line;
		uint64_t count[5];
		enum ctd_quality want;
	} cases[] = {
		{__LINE__,
		 {100 * MILLION, 40 * MILLION, 100 * MILLION, 20 * MILLION, 30 * MILLION},
		 CTD_NO_DATA},
		{__LINE__,
		 {100 * MILLION, 20 * MILLION, 20 * MILLION, 20 * MILLION, 20 * MILLION},
		 CTD_NO_DATA},
		{__LINE__,
		 {100 * MILLION, 40 * MILLION, 10 * MILLION, 20 * MILLION, 21 * MILLION},
		 CTD_OK},
		{__LINE__,
		 {100 * MILLION, 40 * MILLION, 10 * MILLION, 20 * MILLION, 39 * MILLION},
		 CTD_OK},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_value values[CTD_NODES_MAX];

		ctd_metric_evaluate(metrics_of(model), cases[i].count, 5, 1, CTD_OK, values);
		if (values[0].quality != cases[i].want)
			fail_msg("line %d: %s", cases[i].line, ctd_quality_name(values[0].quality));
	}
}

static void a_row_s_quality_is_handed_on_and_few_slots_lower_it(void **state)
{
	static const struct {
		int line;
		uint64_t slots;
		enum ctd_quality row, value;
	} cases[] = {
		{__LINE__, CTD_SLOTS_CONFIDENT, CTD_OK, CTD_OK},
		{__LINE__, CTD_SLOTS_CONFIDENT, CTD_SCALED, CTD_SCALED},
		{__LINE__, CTD_SLOTS_CONFIDENT, CTD_LOW_CONFIDENCE, CTD_LOW_CONFIDENCE},
		{__LINE__, CTD_SLOTS_CONFIDENT, CTD_NO_DATA, CTD_NO_DATA},
		{__LINE__, CTD_SLOTS_CONFIDENT, CTD_UNSUPPORTED, CTD_UNSUPPORTED},
		{__LINE__, CTD_SLOTS_CONFIDENT - 1, CTD_OK, CTD_LOW_CONFIDENCE},
		{__LINE__, CTD_SLOTS_CONFIDENT - 1, CTD_SCALED, CTD_LOW_CONFIDENCE},
		{__LINE__, CTD_SLOTS_CONFIDENT - 1, CTD_NO_DATA, CTD_NO_DATA},
		{__LINE__, 0, CTD_SCALED, CTD_NO_DATA},
		{__LINE__, 0, CTD_UNSUPPORTED, CTD_UNSUPPORTED},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t count[5] = {cases[i].slots, cases[i].slots};
		struct ctd_value values[CTD_NODES_MAX];

		ctd_metric_evaluate(metrics_of(model), count, 5, 1, cases[i].row, values);
		if (values[0].quality != cases[i].value)
			fail_msg("line %d: %s", cases[i].line, ctd_quality_name(values[0].quality));
	}
}

/* Members read one after the other are apart by what was counted in between; liars are by much
 * more. */
static void parts_that_are_not_the_whole_are_doubted_and_then_refused(void **state)
{
	static const struct {
		int line;
		uint64_t slots, level1;
		enum ctd_quality want;
	} cases[] = {
		{__LINE__, 4 * MILLION, 4400000, CTD_OK},
		{__LINE__, 4 * MILLION, 4400001, CTD_LOW_CONFIDENCE},
		{__LINE__, 4 * MILLION, 4400000 + CTD_SLOTS_CONFIDENT, CTD_LOW_CONFIDENCE},
		{__LINE__, 4 * MILLION, 4400001 + CTD_SLOTS_CONFIDENT, CTD_NO_DATA},
		{__LINE__, 4 * MILLION, 3600000, CTD_OK},
		{__LINE__, 4 * MILLION, 3599999 - CTD_SLOTS_CONFIDENT, CTD_NO_DATA},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		uint64_t count[5] = {cases[i].slots, cases[i].level1};
		struct ctd_value values[CTD_NODES_MAX];

		ctd_metric_evaluate(metrics_of(model), count, 5, 1, CTD_OK, values);
		if (values[0].quality != cases[i].want)
			fail_msg("line %d: %s", cases[i].line, ctd_quality_name(values[0].quality));
	}
}

static void ratios_stay_within_0_and_1(void **state)
{
	/* heavy operations twice the whole: no hardware says so, a damaged recording may */
	static const uint64_t count[9] = {MILLION, MILLION, 0, 0, 0, 2 * MILLION};
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	ctd_metric_evaluate(metrics_of(model), count, 9, 1, CTD_OK, values);
	assert_true(values[node_index("heavy_operations")].ratio == 1);
	assert_true(values[node_index("light_operations")].ratio == 0);
}

struct level2 {
	double retiring, bad_speculation, frontend_bound, backend_bound, memory_bound, core_bound;
};

static void assert_same(struct ctd_value value, struct ctd_value expected)
{
	assert_int_equal(value.quality, expected.quality);
	if (ctd_value_known(expected))
		assert_true(value.ratio == expected.ratio);
}

/* Of counts that no formula is made for, too, and of fewer than it needs. */
static void a_node_by_itself_has_the_value_that_it_has_among_all(void **state)
{
	struct ctd_value values[CTD_NODES_MAX];
	uint64_t count[CTD_GROUPS_MAX * CTD_COUNTERS_MAX];

	(void)state;
	srand(1);
	for (int round = 0; ctd_cpu_models[round / 8]; round++) {
		const struct ctd_cpu_model *of = ctd_cpu_models[round / 8];
		const struct ctd_metric_set *set = metrics_of(of);
		int counters = round % 8 == 7 ? 3 : CTD_COUNTERS_MAX;

		for (int i = 0; i < CTD_GROUPS_MAX * counters; i++)
			count[i] = (uint64_t)rand() % (round % 2 ? 1000 : 100 * MILLION);
		ctd_metric_evaluate(set, count, counters, CTD_GROUPS_MAX, CTD_SCALED, values);
		for (int i = 0; i < of->nodes_count; i++) {
			const uint64_t *own = &count[(ptrdiff_t)of->nodes[i].group * counters];

			assert_same(ctd_metric_evaluate_node(set, i, own, counters, CTD_SCALED),
				    values[i]);
		}
	}
}

/* Values with the level-2 halves of the back end; the other nodes are unknown. */
static void make_values(const struct level2 *from, struct ctd_value *ret_values)
{
	for (int i = 0; i < model->nodes_count; i++)
		ret_values[i] = (struct ctd_value){.ratio = 0.9, .quality = CTD_NO_DATA};
	ret_values[node_index("retiring")] = (struct ctd_value){from->retiring, CTD_OK};
	ret_values[node_index("bad_speculation")] =
		(struct ctd_value){from->bad_speculation, CTD_OK};
	ret_values[node_index("frontend_bound")] = (struct ctd_value){from->frontend_bound, CTD_OK};
	ret_values[node_index("backend_bound")] = (struct ctd_value){from->backend_bound, CTD_OK};
	ret_values[node_index("memory_bound")] = (struct ctd_value){from->memory_bound, CTD_SCALED};
	ret_values[node_index("core_bound")] = (struct ctd_value){from->core_bound, CTD_SCALED};
}

static void a_node_is_hot_only_below_hot_parents(void **state)
{
	static const struct {
		int line;
		double backend_bound, memory_bound;
		bool backend_hot, memory_hot;
	} cases[] = {
		{__LINE__, 0.5, 0.3, true, true},     {__LINE__, 0.5, 0.2, true, false},
		{__LINE__, 0.5, 0.2001, true, true},  {__LINE__, 0.2, 0.9, false, false},
		{__LINE__, 0.2001, 0.0, true, false},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct level2 from = {.backend_bound = cases[i].backend_bound,
				      .memory_bound = cases[i].memory_bound};
		struct ctd_value values[CTD_NODES_MAX];

		make_values(&from, values);
		if (ctd_metric_hot(metrics_of(model), values, node_index("backend_bound")) !=
			    cases[i].backend_hot ||
		    ctd_metric_hot(metrics_of(model), values, node_index("memory_bound")) !=
			    cases[i].memory_hot)
			fail_msg("line %d", cases[i].line);
	}
}

static void what_is_not_known_is_not_hot(void **state)
{
	struct level2 from = {.backend_bound = 0.9, .memory_bound = 0.9};
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	make_values(&from, values);
	assert_false(ctd_metric_hot(metrics_of(model), values, node_index("fetch_latency")));
	values[node_index("backend_bound")].quality = CTD_NO_DATA;
	assert_false(ctd_metric_hot(metrics_of(model), values, node_index("memory_bound")));
}

static void the_dominant_node_is_the_largest_hot_one_and_its_largest_hot_child(void **state)
{
	static const struct {
		int line;
		struct level2 values;
		int level;
		const char *want; /* NULL: none */
	} cases[] = {
		{__LINE__, {0.9, 0.02, 0.03, 0.05, 0, 0}, 2, NULL},
		{__LINE__, {0.3, 0.1, 0.2, 0.4, 0.1, 0.3}, 2, "core_bound"},
		{__LINE__, {0.3, 0.1, 0.2, 0.4, 0.25, 0.15}, 2, "memory_bound"},
		{__LINE__, {0.3, 0.1, 0.2, 0.4, 0.25, 0.15}, 1, "backend_bound"},
		{__LINE__, {0.3, 0.1, 0.2, 0.4, 0.25, 0.15}, 0, NULL},
		{__LINE__, {0.4, 0.1, 0.3, 0.2, 0.15, 0.05}, 2, "frontend_bound"},
		{__LINE__, {0.2, 0.4, 0.1, 0.3, 0.3, 0}, 2, "bad_speculation"},
		/* Larger than any other, but below its own threshold of 0.2. */
		{__LINE__, {0.5, 0.16, 0.14, 0.2, 0.1, 0.1}, 2, "bad_speculation"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_value values[CTD_NODES_MAX];
		int got;

		make_values(&cases[i].values, values);
		got = ctd_metric_dominant(metrics_of(model), values, cases[i].level);
		if (got != (cases[i].want ? node_index(cases[i].want) : -1))
			fail_msg("line %d: %s", cases[i].line,
				 got < 0 ? "none" : model->nodes[got].name);
	}
}

/* With the NMI watchdog on, the last count is not there; a steady neighbour is not what to look at.
 */
static void what_the_other_thread_got_is_shown_but_is_no_bottleneck(void **state)
{
	static const uint64_t count[6] = {10 * MILLION, 3 * MILLION,  15 * MILLION,
					  12 * MILLION, 12 * MILLION, 30 * MILLION};
	static const struct {
		int counters_count;
		enum ctd_quality want;
	} cases[] = {{6, CTD_OK}, {5, CTD_UNSUPPORTED}};
	const struct ctd_cpu_model *zen4 = ctd_cpu_model_find("zen4");

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct ctd_value values[CTD_NODES_MAX];
		int dominant;

		ctd_metric_evaluate(metrics_of(zen4), count, cases[i].counters_count, 1, CTD_OK,
				    values);
		for (int node = 0; node < zen4->nodes_count; node++) {
			bool is_contention = !strcmp(zen4->nodes[node].name, "smt_contention");
			enum ctd_quality want = zen4->nodes[node].level != 1 ? CTD_UNSUPPORTED
						: is_contention		     ? cases[i].want
									     : CTD_OK;

			assert_int_equal(values[node].quality, want);
			if (is_contention && want == CTD_OK)
				assert_true(fabs(values[node].ratio - 0.5) < 1e-12 &&
					    ctd_metric_hot(metrics_of(zen4), values, node));
		}
		dominant = ctd_metric_dominant(metrics_of(zen4), values, 1);
		assert_true(dominant >= 0);
		assert_string_equal(zen4->nodes[dominant].name, "backend_bound");
	}
}

struct ipc_case {
	int line;
	uint64_t count[6], time_ns;
	int counters_count;
	enum ctd_quality quality, want;
	double ipc, ghz, branch_mpki, llc_mpki, cpi; /* NAN: not known */
};

static void check_ipc(const struct ipc_case *with)
{
	const struct {
		const char *name;
		double want;
	} figures[] = {
		{"ipc", with->ipc},
		{"ghz", with->ghz},
		{"branch_mpki", with->branch_mpki},
		{"llc_mpki", with->llc_mpki},
		{"cpi", with->cpi},
	};
	struct ctd_value values[CTD_NODES_MAX];

	for (int i = 0; i < model->nodes_count; i++)
		values[i] = (struct ctd_value){.ratio = 7, .quality = CTD_SCALED};
	ctd_metric_evaluate_ipc(metrics_of(model), with->count, with->counters_count, with->time_ns,
				with->quality, values);
	assert_true(values[0].ratio == 7); /* the tree is left alone */
	for (size_t i = 0; i < COUNT(figures); i++) {
		const struct ctd_value *value = &values[node_index(figures[i].name)];
		bool known = !isnan(figures[i].want);

		if (known ? value->quality != with->want ||
				    fabs(value->ratio - figures[i].want) > 1e-9
			  : ctd_value_known(*value))
			fail_msg("line %d: %s is %g, %s", with->line, figures[i].name, value->ratio,
				 ctd_quality_name(value->quality));
	}
}

static void ipc_metrics_are_in_units_of_their_own(void **state)
{
	static const struct ipc_case cases[] = {
		/* slots, cycles, instructions, wrong branches, misses */
		{__LINE__,
		 {60 * MILLION, 10 * MILLION, 25 * MILLION, 100000, 50000},
		 2500000,
		 9,
		 CTD_OK,
		 CTD_OK,
		 2.5,
		 4,
		 4,
		 2,
		 0.4},
		{__LINE__,
		 {60 * MILLION, 10 * MILLION, MILLION, 2 * MILLION, 0},
		 2500000,
		 5,
		 CTD_SCALED,
		 CTD_SCALED,
		 0.1,
		 4,
		 2000,
		 0,
		 10},
		/* Too little to be relied on. */
		{__LINE__,
		 {600000, 100000, 250000, 1000, 500},
		 25000,
		 5,
		 CTD_OK,
		 CTD_LOW_CONFIDENCE,
		 2.5,
		 4,
		 4,
		 2,
		 0.4},
		/* Its turn did not come; nothing was counted at all. */
		{__LINE__, {0}, 0, 5, CTD_OK, CTD_OK, NAN, NAN, NAN, NAN, NAN},
		{__LINE__,
		 {60 * MILLION, 10 * MILLION, 25 * MILLION, 1, 1},
		 2500000,
		 5,
		 CTD_NO_DATA,
		 CTD_OK,
		 NAN,
		 NAN,
		 NAN,
		 NAN,
		 NAN},
		/* A hypervisor hides instructions, then cycles: none is not how many there were. */
		{__LINE__,
		 {60 * MILLION, 10 * MILLION, 0, 0, 0},
		 2500000,
		 5,
		 CTD_OK,
		 CTD_OK,
		 NAN,
		 4,
		 NAN,
		 NAN,
		 NAN},
		{__LINE__,
		 {60 * MILLION, 0, 25 * MILLION, 0, 0},
		 2500000,
		 5,
		 CTD_OK,
		 CTD_OK,
		 NAN,
		 NAN,
		 0,
		 0,
		 NAN},
		/* Without the last counter. */
		{__LINE__,
		 {60 * MILLION, 10 * MILLION, 25 * MILLION, 100000},
		 2500000,
		 4,
		 CTD_OK,
		 CTD_OK,
		 2.5,
		 4,
		 4,
		 NAN,
		 0.4},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		check_ipc(&cases[i]);
}

/* However large: that many instructions are retired is no reason to look at them. */
static void ipc_metrics_are_never_hot_nor_dominant(void **state)
{
	struct ctd_value values[CTD_NODES_MAX];

	(void)state;
	for (int i = 0; i < model->nodes_count; i++)
		values[i] = (struct ctd_value){
			.ratio = ctd_node_is_ipc(&model->nodes[i]) ? 1000 : 0, .quality = CTD_OK};
	for (int i = 0; i < model->nodes_count; i++)
		assert_false(ctd_metric_hot(metrics_of(model), values, i));
	assert_int_equal(ctd_metric_dominant(metrics_of(model), values, 2), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_become_ratios),
		cmocka_unit_test(level_2_without_its_counters_is_unsupported),
		cmocka_unit_test(without_counters_nothing_is_known),
		cmocka_unit_test(zero_slots_is_no_data_not_zero_percent),
		cmocka_unit_test(slots_without_parts_and_parts_without_slots_are_no_data),
		cmocka_unit_test(parts_that_are_not_the_slots_are_no_data),
		cmocka_unit_test(a_row_s_quality_is_handed_on_and_few_slots_lower_it),
		cmocka_unit_test(parts_that_are_not_the_whole_are_doubted_and_then_refused),
		cmocka_unit_test(ratios_stay_within_0_and_1),
		cmocka_unit_test(a_node_by_itself_has_the_value_that_it_has_among_all),
		cmocka_unit_test(a_node_is_hot_only_below_hot_parents),
		cmocka_unit_test(what_is_not_known_is_not_hot),
		cmocka_unit_test(
			the_dominant_node_is_the_largest_hot_one_and_its_largest_hot_child),
		cmocka_unit_test(what_the_other_thread_got_is_shown_but_is_no_bottleneck),
		cmocka_unit_test(ipc_metrics_are_in_units_of_their_own),
		cmocka_unit_test(ipc_metrics_are_never_hot_nor_dominant),
	};

	return cmocka_run_group_tests(tests, find_model, NULL);
}
