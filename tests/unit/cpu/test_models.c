/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_models.c - what must hold for every core design. */
#include <cgtopdown/cpu.h>

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "metrics.h"
#include "truth.h"

#define TITLE_CHARS_MAX 9

/* Of the tree. */
static int groups_count(const struct ctd_cpu_model *model)
{
	int count = 0;

	while (count < CTD_IPC_GROUP && model->groups[count])
		count++;
	return count;
}

static int events_count(const struct ctd_cpu_model *model, int group)
{
	int count = 0;

	while (count <= CTD_COUNTERS_MAX && model->groups[group][count].name)
		count++;
	return count;
}

/* perf's way: lower case, digits and '_', beginning with a letter. */
static bool is_metric_name(const char *name)
{
	return islower((unsigned char)name[0]) &&
	       strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

static void every_model_introduces_itself(void **state)
{
	(void)state;
	assert_non_null(ctd_cpu_models[0]);
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		assert_true(is_metric_name(model->name));
		assert_true(model->title[0] && model->source[0] && model->publication[0]);
		/* A leader that counts slots may have as many of them as the PMU says. */
		if (model->slots_per_count != 1)
			assert_in_range(model->slots_per_count, 0, model->slots_per_cycle);
		/* Who counts slots knows how many there are. */
		assert_in_range(model->slots_per_cycle, model->slots_per_count > 1 ? 1 : 0, 16);
		assert_int_equal(model->ids != NULL, model->vendor != NULL);
		/* Who reads figures of more than the row must be told. */
		assert_true(!model->core_scope || model->caution);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(model->name, ctd_cpu_models[j]->name);
	}
}

static void check_group(const struct ctd_cpu_model *model, int group)
{
	const struct ctd_cpu_event *events = model->groups[group];
	int count = events_count(model, group);

	assert_in_range(count, 1, CTD_COUNTERS_MAX);
	/* The slots of each are those of its own window. */
	assert_string_equal(events[0].name, model->groups[0][0].name);
	for (int event = 0; event < count; event++) {
		for (int other = 0; other < event; other++)
			assert_string_not_equal(events[event].name, events[other].name);
	}
}

/* Level 1 may do without its last events, but groups that rotate are there whole: where there
 * are general-purpose counters only, also beside the NMI watchdog, which takes one. */
static void check_room(const struct ctd_cpu_model *model, int group)
{
	int room = model->general_purpose_counters + (model->leader_fixed ? 1 : -1);

	/* Instructions have a fixed counter as well. */
	for (int event = 0; event < events_count(model, group); event++)
		room += model->fixed_event &&
			!strcmp(model->groups[group][event].name, model->fixed_event);
	if (model->general_purpose_counters)
		assert_in_range(events_count(model, group), 1, room);
}

static void events_are_distinct_and_fit_a_group(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		assert_in_range(groups_count(model), 1, CTD_IPC_GROUP);
		for (int group = 0; group < groups_count(model); group++)
			check_group(model, group);
		for (int group = 1; group < groups_count(model); group++)
			check_room(model, group);
		if (model->groups[CTD_IPC_GROUP]) {
			check_group(model, CTD_IPC_GROUP);
			check_room(model, CTD_IPC_GROUP);
		}
		for (int part = 0; part < 4; part++)
			assert_in_range(model->l1_counters[part] + 1, 0, events_count(model, 0));
	}
}

/* The kernel's names are plain words; vendors' come with a code, and Intel's are in two parts.
 * Arm's are the kernel's, with the code that the architecture gives them. */
static void check_event(const struct ctd_cpu_model *model, const struct ctd_cpu_event *event)
{
	bool is_plain = !strchr(event->name, '.');
	bool is_intel = !model->vendor || !strcmp(model->vendor, "GenuineIntel");
	bool is_arm = model->vendor && !strcmp(model->vendor, "arm");

	if (!islower((unsigned char)event->name[0]) ||
	    strspn(event->name, "abcdefghijklmnopqrstuvwxyz0123456789_-.") != strlen(event->name))
		fail_msg("%s: '%s' is not an event's name", model->name, event->name);
	if ((!is_plain && !event->config) || (is_plain && event->config && is_intel) ||
	    (is_arm && (!is_plain || !event->config)))
		fail_msg("%s: '%s' with code 0x%llx", model->name, event->name,
			 (unsigned long long)event->config);
}

static void events_are_named_as_the_kernel_or_the_vendor_does(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int group = 0; group < CTD_GROUPS_MAX; group++) {
			for (int event = 0;
			     model->groups[group] && event < events_count(model, group); event++)
				check_event(model, &model->groups[group][event]);
		}
	}
}

/* "NAME > RATIO", and what else; each name is a node's of some design. */
static void check_condition(const struct ctd_cpu_model *model, const struct ctd_node *node)
{
	size_t bytes = strlen(node->name);
	char *end = NULL;
	double ratio;

	assert_int_equal(ctd_node_is_ipc(node), node->condition == NULL);
	if (!node->condition)
		return;
	if (strncmp(node->condition, node->name, bytes) != 0 ||
	    strncmp(&node->condition[bytes], " > ", 3) != 0)
		fail_msg("%s: condition of %s", model->name, node->name);
	ratio = strtod(&node->condition[bytes + 3], &end);
	if (!(ratio > 0 && ratio < 1) || (*end && strncmp(end, " & ", 3) && strncmp(end, " | ", 3)))
		fail_msg("%s: condition of %s", model->name, node->name);
}

static void check_node(const struct ctd_cpu_model *model, int index)
{
	const struct ctd_node *node = &model->nodes[index];

	if (!is_metric_name(node->name) || !strncmp(node->name, "tma_", 4))
		fail_msg("%s: '%s' is not a metric's name", model->name, node->name);
	for (int other = 0; other < index; other++) {
		assert_string_not_equal(node->name, model->nodes[other].name);
		assert_string_not_equal(node->title, model->nodes[other].title);
	}
	if (!node->title[0] || strlen(node->title) > TITLE_CHARS_MAX)
		fail_msg("%s: title '%s' does not fit a column", model->name, node->title);
	check_condition(model, node);
	if (!node->formula[0] || !node->help[0])
		fail_msg("%s: %s has no formula or help", model->name, node->name);
	if (node->group < 0 ||
	    node->group >= (ctd_node_is_ipc(node) ? CTD_GROUPS_MAX : groups_count(model)) ||
	    !model->groups[node->group] || node->counters < 1 ||
	    node->counters > events_count(model, node->group))
		fail_msg("%s: %s needs counters that are not there", model->name, node->name);
}

static void nodes_are_complete_and_unique(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		assert_in_range(ctd_cpu_models[i]->nodes_count, 1, CTD_NODES_MAX);
		for (int node = 0; node < ctd_cpu_models[i]->nodes_count; node++)
			check_node(ctd_cpu_models[i], node);
	}
}

static void parents_come_before_children(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int index = 0; index < model->nodes_count; index++) {
			const struct ctd_node *node = &model->nodes[index];

			if (node->level <= 1) {
				assert_int_equal(node->parent, -1);
				continue;
			}
			assert_in_range(node->parent, 0, index - 1);
			assert_int_equal(node->level, model->nodes[node->parent].level + 1);
			if (node->group == model->nodes[node->parent].group)
				assert_true(node->counters >= model->nodes[node->parent].counters);
		}
	}
}

static void level_1_comes_first(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int index = 0; index < model->nodes_count; index++) {
			if (model->nodes[index].level != 1)
				continue;
			if (index >= CTD_LEVEL1_MAX ||
			    (index > 0 && model->nodes[index - 1].level != 1))
				fail_msg("%s: %s comes behind others", model->name,
					 model->nodes[index].name);
		}
	}
}

static int ipc_nodes(const struct ctd_cpu_model *model)
{
	int count = 0;

	for (int i = 0; i < model->nodes_count; i++)
		count += ctd_node_is_ipc(&model->nodes[i]);
	return count;
}

/* Behind the tree, whose first node stands for the row, and in units of their own. */
static void ipc_metrics_are_beside_the_tree(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		int tree = model->nodes_count - ipc_nodes(model);

		/* All real cores have them. */
		assert_int_equal(ipc_nodes(model), model->read == CTD_READ_SIM ? 0 : 5);
		assert_int_equal(ipc_nodes(model) > 0, model->groups[CTD_IPC_GROUP] != NULL);
		for (int index = 0; index < model->nodes_count; index++) {
			const struct ctd_node *node = &model->nodes[index];
			bool ipc = index >= tree;

			assert_int_equal(ctd_node_is_ipc(node), ipc);
			assert_int_equal(node->group == CTD_IPC_GROUP, ipc);
			assert_int_equal(node->unit == CTD_UNIT_RATIO, !ipc);
			assert_non_null(ctd_unit_text(node->unit));
		}
		/* They rotate behind those of the tree. */
		assert_in_range(ctd_cpu_model_groups(model, 2), 1, CTD_IPC_GROUP);
	}
}

/* All groups' counts, as if they had counted at the same time. */
struct counts {
	double count[CTD_GROUPS_MAX][CTD_COUNTERS_MAX + 1];
};

static void make_counts(const struct ctd_cpu_model *model, const struct truth *truth,
			struct counts *ret_counts)
{
	for (int group = 0; group < CTD_GROUPS_MAX; group++) {
		ret_counts->count[group][CTD_COUNT_TIME_NS] = truth->time_ns;
		for (int event = 0; model->groups[group] && event < events_count(model, group);
		     event++)
			ret_counts->count[group][event] =
				count_of(model, truth, model->groups[group][event].name);
	}
}

static double ratio_of_node(const struct ctd_cpu_model *model, int node,
			    const struct counts *counts)
{
	return node_value(model, node, counts->count[model->nodes[node].group]);
}

/* Sums the ratios of the children of @p parent; -1: level 1. @return their number. */
static int sum_children(const struct ctd_cpu_model *model, const struct counts *counts, int parent,
			double *ret_sum)
{
	int children = 0;

	*ret_sum = 0;
	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].parent == parent && !ctd_node_is_ipc(&model->nodes[i])) {
			*ret_sum += ratio_of_node(model, i, counts);
			children++;
		}
	}
	return children;
}

/* Where a node cannot be had, the others of its parent are not all of it. */
static bool is_whole(int parts, int all, double sum, double whole)
{
	return parts < all ? sum <= whole + 1e-9 : fabs(sum - whole) <= 1e-9;
}

static void check_sums(const struct ctd_cpu_model *model)
{
	struct truth truth;
	struct counts counts;
	double sum;
	int parts;

	make_truth(model, &truth);
	make_counts(model, &truth, &counts);
	parts = sum_children(model, &counts, -1, &sum);
	if (!is_whole(parts, 4, sum, 1))
		fail_msg("%s: level 1 sums to %.17g", model->name, sum);
	for (int node = 0; node < model->nodes_count; node++) {
		double whole = ratio_of_node(model, node, &counts);

		parts = sum_children(model, &counts, node, &sum);
		if (parts > 0 && !is_whole(parts, 2, sum, whole))
			fail_msg("%s: children of %s sum to %.17g, not %.17g", model->name,
				 model->nodes[node].name, sum, whole);
	}
}

static void level_1_is_the_whole_and_children_are_their_parent(void **state)
{
	(void)state;
	srandom(1);
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		/* Without slots there is no whole. */
		for (int round = 0; ctd_cpu_models[i]->slots_per_count && round < 1000; round++)
			check_sums(ctd_cpu_models[i]);
	}
}

/* The formulas undo what the events do: each part is what the core did. */
static void parts_are_those_of_the_truth(void **state)
{
	(void)state;
	srandom(2);
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		struct truth truth;
		struct counts counts;

		make_truth(model, &truth);
		make_counts(model, &truth, &counts);
		const struct {
			const char *node;
			double part; /* of the slots */
		} parts[] = {
			{"retiring", truth.retiring},
			{"bad_speculation", truth.bad},
			{"frontend_bound", truth.frontend},
			{"backend_bound", truth.backend},
			{"smt_contention", truth.contention},
			{"heavy_operations", truth.heavy},
			{"branch_mispredicts", truth.mispredicted},
			{"fetch_latency", truth.latency},
			{"memory_bound", truth.memory},
			{"resource_bound", truth.memory},
			{"frontend_stalled_cycles", truth.frontend},
			{"backend_stalled_cycles", truth.backend},
			{"ipc", truth.slots * truth.instructions / truth.cycles},
			{"cpi", truth.slots * truth.cycles / truth.instructions},
			{"ghz", truth.slots * truth.cycles / truth.time_ns},
			{"branch_mpki", truth.slots * 1000 * truth.branches / truth.instructions},
			{"llc_mpki", truth.slots * 1000 * truth.misses / truth.instructions},
			{"l2_mpki", truth.slots * 1000 * truth.misses / truth.instructions},
		};

		for (int node = 0; node < model->nodes_count; node++) {
			double got = ratio_of_node(model, node, &counts);

			for (size_t part = 0; part < sizeof(parts) / sizeof(*parts); part++) {
				if (!strcmp(parts[part].node, model->nodes[node].name) &&
				    fabs(got - parts[part].part / truth.slots) >
					    1e-9 * fmax(1, got))
					fail_msg("%s: %s is %.17g", model->name, parts[part].node,
						 got);
			}
		}
	}
}

static double ratio_of(const struct ctd_cpu_model *model, const char *name, const double *count)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (!strcmp(model->nodes[i].name, name))
			return node_value(model, i, count);
	}
	return NAN;
}

/* Computed by hand from the counts in the order of the events. */
static void golden_cove_gives_the_published_ratios_by_either_source(void **state)
{
	static const double count[CTD_COUNTERS_MAX] = {1000, 400, 100, 200, 300, 150, 80, 50, 210};
	static const double ordinary_count[CTD_COUNTERS_MAX] = {1000, 400, 210, 10, 300,
								150,  80,  10,	210};
	static const struct {
		const char *name;
		double ratio;
	} cases[] = {
		{"retiring", 0.4},
		{"bad_speculation", 0.1},
		{"frontend_bound", 0.2},
		{"backend_bound", 0.3},
		{"heavy_operations", 0.15},
		{"light_operations", 0.25},
		{"branch_mispredicts", 0.08},
		{"machine_clears", 0.02},
		{"fetch_latency", 0.05},
		{"fetch_bandwidth", 0.15},
		{"memory_bound", 0.21},
		{"core_bound", 0.09},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double got = ratio_of(ctd_cpu_model_find("golden_cove"), cases[i].name, count);

		if (!(fabs(got - cases[i].ratio) < 1e-12))
			fail_msg("%s: %.17g", cases[i].name, got);
		got = ratio_of(ctd_cpu_model_find("golden_cove_gp"), cases[i].name, ordinary_count);
		if (!(fabs(got - cases[i].ratio) < 1e-12))
			fail_msg("%s by general-purpose counters: %.17g", cases[i].name, got);
	}
}

static void sunny_cove_has_five_slots_of_each_clear_in_the_back_end(void **state)
{
	static const double count[CTD_COUNTERS_MAX] = {1000, 400, 210, 10, 250, 10};
	const struct ctd_cpu_model *model = ctd_cpu_model_find("sunny_cove_gp");

	(void)state;
	assert_true(fabs(ratio_of(model, "retiring", count) - 0.4) < 1e-12);
	assert_true(fabs(ratio_of(model, "frontend_bound", count) - 0.2) < 1e-12);
	assert_true(fabs(ratio_of(model, "backend_bound", count) - 0.3) < 1e-12);
	assert_true(fabs(ratio_of(model, "bad_speculation", count) - 0.1) < 1e-12);
}

/* Rounding may make a half larger than its parent by one step of the 8-bit fraction. */
static void the_other_half_is_never_negative(void **state)
{
	static const double count[CTD_COUNTERS_MAX] = {1000, 400, 100, 200, 300,
						       404,  104, 204, 304};
	const struct ctd_cpu_model *model = ctd_cpu_model_find("golden_cove");

	static const double ordinary_count[CTD_COUNTERS_MAX] = {900, 400, 200, 0,  301,
								401, 1,	  34,  302};

	(void)state;
	assert_true(ratio_of(ctd_cpu_model_find("golden_cove_gp"), "bad_speculation",
			     ordinary_count) == 0);
	assert_true(ratio_of(ctd_cpu_model_find("golden_cove_gp"), "machine_clears",
			     ordinary_count) == 0);
	assert_true(ratio_of(ctd_cpu_model_find("golden_cove_gp"), "fetch_bandwidth",
			     ordinary_count) == 0);
	assert_true(ratio_of(model, "light_operations", count) == 0);
	assert_true(ratio_of(model, "machine_clears", count) == 0);
	assert_true(ratio_of(model, "fetch_bandwidth", count) == 0);
	assert_true(ratio_of(model, "core_bound", count) == 0);
}

static void nothing_counted_is_not_a_number(void **state)
{
	static const double count[CTD_COUNTERS_MAX + 1] = {0};

	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		for (int node = 0; node < ctd_cpu_models[i]->nodes_count; node++)
			assert_true(isnan(node_value(ctd_cpu_models[i], node, count)));
	}
}

/* Names in it are counters of its group, or it would not compile. */
static void formulas_and_conditions_compile(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++)
		assert_non_null(metrics_of(ctd_cpu_models[i]));
}

/* Are they for different sources, or for different states of a core's hyper-threading? */
static bool never_meet(const struct ctd_cpu_model *a, const struct ctd_cpu_model *b)
{
	return strcmp(a->source, b->source) != 0 ||
	       (a->smt != b->smt && a->smt != CTD_SMT_ANY && b->smt != CTD_SMT_ANY);
}

static bool overlap(const struct ctd_cpu_id *a, const struct ctd_cpu_id *b)
{
	unsigned int a_last = a->stepping_last ? a->stepping_last : UINT_MAX;
	unsigned int b_last = b->stepping_last ? b->stepping_last : UINT_MAX;

	return a->family == b->family && a->core == b->core && a->model <= b->model_last &&
	       b->model <= a->model_last && a->stepping <= b_last && b->stepping <= a_last;
}

static void no_two_models_of_a_source_claim_one_cpu(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		for (const struct ctd_cpu_id *id = ctd_cpu_models[i]->ids; id && id->family; id++) {
			assert_true(id->model <= id->model_last);
			assert_true(!id->stepping_last || id->stepping <= id->stepping_last);
			for (size_t j = 0; j < i; j++) {
				const struct ctd_cpu_id *other = ctd_cpu_models[j]->ids;

				if (never_meet(ctd_cpu_models[i], ctd_cpu_models[j]))
					continue;
				for (; other && other->family; other++)
					assert_false(overlap(id, other));
			}
			for (const struct ctd_cpu_id *own = ctd_cpu_models[i]->ids; own < id; own++)
				assert_false(overlap(id, own));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_model_introduces_itself),
		cmocka_unit_test(events_are_distinct_and_fit_a_group),
		cmocka_unit_test(events_are_named_as_the_kernel_or_the_vendor_does),
		cmocka_unit_test(nodes_are_complete_and_unique),
		cmocka_unit_test(parents_come_before_children),
		cmocka_unit_test(level_1_comes_first),
		cmocka_unit_test(ipc_metrics_are_beside_the_tree),
		cmocka_unit_test(level_1_is_the_whole_and_children_are_their_parent),
		cmocka_unit_test(parts_are_those_of_the_truth),
		cmocka_unit_test(golden_cove_gives_the_published_ratios_by_either_source),
		cmocka_unit_test(sunny_cove_has_five_slots_of_each_clear_in_the_back_end),
		cmocka_unit_test(the_other_half_is_never_negative),
		cmocka_unit_test(nothing_counted_is_not_a_number),
		cmocka_unit_test(formulas_and_conditions_compile),
		cmocka_unit_test(no_two_models_of_a_source_claim_one_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
