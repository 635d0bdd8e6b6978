/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* estimate.c - what the windows of a stack, of a function and of a row say of their slots. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "profile/weigh.h"

static void take_values(const struct ctd_cpu_model *model, const struct ctd_value *values,
			uint64_t slots, uint64_t time_ns, struct ctd_estimate *ret_estimate)
{
	struct ctd_estimate estimate = {0};

	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];
		bool known = !ctd_node_is_ipc(node) && ctd_value_known(values[i]);

		estimate.ratio[i] = known ? values[i].ratio : NAN;
		estimate.known |= known && node->parent < 0;
	}
	estimate.known &= slots > 0 && time_ns > 0;
	estimate.slots_per_ns = estimate.known ? (double)slots / (double)time_ns : 0;
	*ret_estimate = estimate;
}

static void estimate_counts(const struct ctd_weigh_input *input, const uint64_t *count,
			    uint64_t time_ns, struct ctd_estimate *ret_estimate)
{
	struct ctd_value values[CTD_NODES_MAX];
	uint64_t slots =
		ctd_rollup_plan_evaluate(input->plan, input->core_type, count, CTD_OK, values);

	take_values(input->plan->core_types[input->core_type].model, values, slots, time_ns,
		    ret_estimate);
}

/* A stack and its innermost function, for sorting. */
struct place {
	uint32_t function;
	size_t stack;
};

static int compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return a->function < b->function ? -1 : a->function > b->function;
}

/* The counts of windows added up. */
struct windows {
	uint64_t count[CTD_COUNTS_MAX];
	uint64_t ns;
};

static void add_windows(struct windows *to, const uint64_t *count, size_t counts, uint64_t ns)
{
	for (size_t i = 0; i < counts; i++)
		to->count[i] += count[i];
	to->ns += ns;
}

static void estimate_all(const struct ctd_weigh_input *input, const struct place *places,
			 struct ctd_estimates *estimates)
{
	const struct ctd_rollup_plan *plan = input->plan;
	size_t counts = (size_t)plan->counters_count * (size_t)plan->groups_count;
	struct windows all = {0}, function = {0};
	uint32_t functions = 0;

	for (size_t i = 0; i < input->sampled_count; i++) {
		size_t stack = places[i].stack;
		const struct ctd_sampled *sampled = &input->sampled[stack];
		bool last = i + 1 == input->sampled_count ||
			    places[i + 1].function != places[i].function;

		estimate_counts(input, sampled->count, sampled->windows_ns,
				&estimates->stacks[stack]);
		add_windows(&function, sampled->count, counts, sampled->windows_ns);
		estimates->function_of[stack] = functions;
		if (!last)
			continue;
		estimate_counts(input, function.count, function.ns,
				&estimates->functions[functions++]);
		add_windows(&all, function.count, counts, function.ns);
		function = (struct windows){0};
	}
	estimate_counts(input, all.count, all.ns, &estimates->windows);
	take_values(plan->core_types[input->core_type].model, input->part->values,
		    input->part->slots, input->part->cpu_ns, &estimates->exact);
}

int ctd_estimates_make(const struct ctd_weigh_input *input, struct ctd_estimates *ret_estimates)
{
	size_t count = input->sampled_count;
	autofree struct place *places = malloc(count * sizeof(*places));

	*ret_estimates = (struct ctd_estimates){
		.stacks = malloc(count * sizeof(*ret_estimates->stacks)),
		.functions = malloc(count * sizeof(*ret_estimates->functions)),
		.function_of = malloc(count * sizeof(*ret_estimates->function_of)),
	};
	if (!places || !ret_estimates->stacks || !ret_estimates->functions ||
	    !ret_estimates->function_of) {
		ctd_estimates_free(ret_estimates);
		return -ENOMEM;
	}
	for (size_t i = 0; i < count; i++)
		places[i] = (struct place){input->sampled[i].function, i};
	qsort(places, count, sizeof(*places), compare_places);
	estimate_all(input, places, ret_estimates);
	return 0;
}

void ctd_estimates_free(struct ctd_estimates *estimates)
{
	free(estimates->stacks);
	free(estimates->functions);
	free(estimates->function_of);
	*estimates = (struct ctd_estimates){0};
}

void ctd_estimates_chain(const struct ctd_estimates *estimates, size_t stack,
			 struct ctd_estimate_chain *ret_chain)
{
	const struct ctd_estimate *all[CTD_ESTIMATES_MAX] = {
		&estimates->stacks[stack], &estimates->functions[estimates->function_of[stack]],
		&estimates->windows, &estimates->exact};
	static const enum ctd_shares_of shares_of[CTD_ESTIMATES_MAX] = {
		CTD_SHARES_STACK, CTD_SHARES_FUNCTION, CTD_SHARES_ROW, CTD_SHARES_ROW};

	*ret_chain = (struct ctd_estimate_chain){.shares_of = CTD_SHARES_ROW};
	for (int i = 0; i < CTD_ESTIMATES_MAX; i++) {
		if (!all[i]->known)
			continue;
		if (!ret_chain->count)
			ret_chain->shares_of = shares_of[i];
		ret_chain->at[ret_chain->count++] = all[i];
	}
}

double ctd_estimate_share(const struct ctd_estimate_chain *chain, int node, int parent)
{
	for (int i = 0; i < chain->count; i++) {
		const double *ratio = chain->at[i]->ratio;
		double whole = parent < 0 ? 1 : ratio[parent];

		/* Both of one estimate: counted in the same windows, or not comparable. */
		if (!isnan(ratio[node]) && !isnan(whole))
			return whole > 0 ? fmin(ratio[node] / whole, 1) : 0;
	}
	return 0;
}
