/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_models.c - what must hold for every core design. */
#include <cgtopdown/cpu.h>

#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TITLE_CHARS_MAX 9

static int events_count(const struct ctd_cpu_model *model)
{
	int count = 0;

	while (count <= CTD_COUNTERS_MAX && model->events[count].name)
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
		assert_in_range(model->slots_per_cycle, 1, 16);
		assert_in_range(model->slots_per_count, 0, model->slots_per_cycle);
		assert_int_equal(model->ids != NULL, model->vendor != NULL);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(model->name, ctd_cpu_models[j]->name);
	}
}

static void events_are_distinct_and_fit_a_group(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];
		int count = events_count(model);

		assert_in_range(count, 1, CTD_COUNTERS_MAX);
		for (int event = 0; event < count; event++) {
			for (int other = 0; other < event; other++)
				assert_string_not_equal(model->events[event].name,
							model->events[other].name);
		}
		for (int part = 0; part < 4; part++)
			assert_in_range(model->l1_counters[part] + 1, 0, count);
	}
}

/* The kernel's names are plain words; vendors' are in two parts, and come with a code. */
static void check_event(const struct ctd_cpu_model *model, const struct ctd_cpu_event *event)
{
	bool is_plain = !strchr(event->name, '.');

	if (!islower((unsigned char)event->name[0]) ||
	    strspn(event->name, "abcdefghijklmnopqrstuvwxyz0123456789_-.") != strlen(event->name))
		fail_msg("%s: '%s' is not an event's name", model->name, event->name);
	if (is_plain != (event->config == 0))
		fail_msg("%s: '%s' with code 0x%llx", model->name, event->name,
			 (unsigned long long)event->config);
}

static void events_are_named_as_the_kernel_or_the_vendor_does(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_event *event = ctd_cpu_models[i]->events;

		for (; event->name; event++)
			check_event(ctd_cpu_models[i], event);
	}
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
	if (!(node->threshold_ratio > 0 && node->threshold_ratio < 1))
		fail_msg("%s: threshold of %s", model->name, node->name);
	if (!node->formula[0] || !node->help[0])
		fail_msg("%s: %s has no formula or help", model->name, node->name);
	if (node->counters < 1 || node->counters > events_count(model))
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

			if (node->level == 1) {
				assert_int_equal(node->parent, -1);
				continue;
			}
			assert_in_range(node->parent, 0, index - 1);
			assert_int_equal(node->level, model->nodes[node->parent].level + 1);
			assert_true(node->counters >= model->nodes[node->parent].counters);
		}
	}
}

static double random_part(double whole)
{
	return floor(whole * (double)(random() % 1001) / 1000);
}

/* The same of ordinary counters, some of which count more than their part. */
static void make_ordinary_counts(const struct ctd_cpu_model *model, double *ret_count)
{
	const double part[4] = {(double)(1 + random() % 1000000000), random_part(1e9),
				random_part(1e9), random_part(1e9)};
	const double retiring = part[0], bad = part[1], frontend = part[2], backend = part[3];
	const double dropped = random_part(frontend), clears = random_part(backend / 5);
	const struct {
		const char *event;
		double count;
	} counts[] = {
		{"slots", retiring + bad + frontend + backend},
		{"uops_retired.slots", retiring},
		{"idq_uops_not_delivered.core", frontend + dropped},
		{"int_misc.uop_dropping", dropped},
		{"int_misc.clears_count", clears},
		{"topdown.backend_bound_slots",
		 strcmp(model->name, "sunny_cove_gp") ? backend : backend - 5 * clears},
		{"uops_retired.heavy", random_part(retiring)},
		{"topdown.br_mispredict_slots", random_part(bad)},
		{"idq_uops_not_delivered.cycles_0_uops_deliv.core",
		 (random_part(frontend) + dropped) / 6},
		{"topdown.memory_bound_slots", random_part(backend)},
	};

	for (int event = 0; model->events[event].name; event++) {
		ret_count[event] = NAN;
		for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
			if (!strcmp(counts[i].event, model->events[event].name))
				ret_count[event] = counts[i].count;
		}
		if (isnan(ret_count[event]))
			fail_msg("%s: no count of %s", model->name, model->events[event].name);
	}
}

/* Counts as hardware gives them: parts of slots, and halves no larger than their parents. */
static void make_counts(const struct ctd_cpu_model *model, double *ret_count)
{
	int count = events_count(model);

	if (model->read == CTD_READ_EACH) {
		make_ordinary_counts(model, ret_count);
		return;
	}
	ret_count[0] = 0;
	for (int i = 0; i < 4; i++) {
		ret_count[model->l1_counters[i]] = (double)(1 + random() % 1000000000);
		ret_count[0] += ret_count[model->l1_counters[i]];
	}
	for (int i = 5; i < count; i++)
		ret_count[i] = floor(ret_count[i - 4] * (double)(random() % 1001) / 1000);
}

/* Sums the ratios of the children of @p parent; -1: level 1. @return their number. */
static int sum_children(const struct ctd_cpu_model *model, const double *count, int parent,
			double *ret_sum)
{
	int children = 0;

	*ret_sum = 0;
	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].parent == parent) {
			*ret_sum += model->nodes[i].ratio(count);
			children++;
		}
	}
	return children;
}

static void level_1_is_the_whole_and_children_are_their_parent(void **state)
{
	(void)state;
	srandom(1);
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int round = 0; round < 1000; round++) {
			double count[CTD_COUNTERS_MAX], sum;

			make_counts(model, count);
			sum_children(model, count, -1, &sum);
			if (fabs(sum - 1) > 1e-12)
				fail_msg("%s: level 1 sums to %.17g", model->name, sum);
			for (int node = 0; node < model->nodes_count; node++) {
				if (sum_children(model, count, node, &sum) > 0 &&
				    fabs(sum - model->nodes[node].ratio(count)) > 1e-12)
					fail_msg("%s: children of %s sum to %.17g", model->name,
						 model->nodes[node].name, sum);
			}
		}
	}
}

static double ratio_of(const struct ctd_cpu_model *model, const char *name, const double *count)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (!strcmp(model->nodes[i].name, name))
			return model->nodes[i].ratio(count);
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
			fail_msg("%s by ordinary counters: %.17g", cases[i].name, got);
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
	static const double count[CTD_COUNTERS_MAX] = {0};

	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		for (int node = 0; node < ctd_cpu_models[i]->nodes_count; node++)
			assert_true(isnan(ctd_cpu_models[i]->nodes[node].ratio(count)));
	}
}

/* Is the word in a formula the name of one of the first @p counters events? */
static bool names_event(const struct ctd_cpu_model *model, int counters, const char *word,
			size_t bytes)
{
	for (int event = 0; event < counters; event++) {
		const char *name = model->events[event].name;
		size_t same = 0;

		while (same < bytes && name[same] &&
		       word[same] == (strchr("-.", name[same]) ? '_' : name[same]))
			same++;
		if (same == bytes && !name[same])
			return true;
	}
	return false;
}

/* The text is the code: every word in it is a count that the node may use, or a function. */
static void formulas_name_events_of_their_model(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		const struct ctd_cpu_model *model = ctd_cpu_models[i];

		for (int index = 0; index < model->nodes_count; index++) {
			const struct ctd_node *node = &model->nodes[index];
			const char *at = node->formula;
			int named = 0;

			while (*(at += strcspn(at, "abcdefghijklmnopqrstuvwxyz"))) {
				size_t bytes = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");

				if (names_event(model, node->counters, at, bytes))
					named++;
				else if (bytes != 4 || strncmp(at, "fmax", 4))
					fail_msg("%s: %s has '%.*s'", model->name, node->name,
						 (int)bytes, at);
				at += bytes;
			}
			assert_true(named >= 2);
		}
	}
}

static bool overlap(const struct ctd_cpu_id *a, const struct ctd_cpu_id *b)
{
	return a->family == b->family && a->model <= b->model_last && b->model <= a->model_last;
}

static void no_two_models_of_a_source_claim_one_cpu(void **state)
{
	(void)state;
	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		for (const struct ctd_cpu_id *id = ctd_cpu_models[i]->ids; id && id->family; id++) {
			assert_true(id->model <= id->model_last);
			for (size_t j = 0; j < i; j++) {
				const struct ctd_cpu_id *other = ctd_cpu_models[j]->ids;

				if (strcmp(ctd_cpu_models[i]->source, ctd_cpu_models[j]->source))
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
		cmocka_unit_test(level_1_is_the_whole_and_children_are_their_parent),
		cmocka_unit_test(golden_cove_gives_the_published_ratios_by_either_source),
		cmocka_unit_test(sunny_cove_has_five_slots_of_each_clear_in_the_back_end),
		cmocka_unit_test(the_other_half_is_never_negative),
		cmocka_unit_test(nothing_counted_is_not_a_number),
		cmocka_unit_test(formulas_name_events_of_their_model),
		cmocka_unit_test(no_two_models_of_a_source_claim_one_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
