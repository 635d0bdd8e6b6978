/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* weigh.c - divides the exact figures of a row among its stacks, by what samples say of them. */
#include "profile/weigh.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "profile/allot.h"
#include "profile/calibrate.h"

/*
 * A stack's time is its samples, its slots are its time by the rate of its windows, and its
 * categories are its slots by the shares of its windows. These estimates are first corrected as the
 * exact totals of the categories make it likely. Then only their proportions are used: every exact
 * total (CPU time, and the slots of each category) is divided among the stacks in proportion to
 * them. So what is left of a difference is a part of that category in all stacks alike, and a
 * stack's slots are the sum of its categories.
 */

/* A weight is a number of slots; far more than there can be. */
#define WEIGHT_MAX 1e18

/* Vectors of weights beside those of nodes. */
enum { ALL_SLOTS = -1, SAMPLES = -2 };

struct weighing {
	const struct ctd_weigh_input *input;
	const struct ctd_cpu_model *model; /* of the core type; NULL: without slots */
	/* Owned; a vector has one number for each stack. */
	uint64_t *weights; /* vectors of estimated slots: SAMPLES, ALL_SLOTS, each node */
	uint64_t *rest; /* a node's weights without those of its children */
	uint64_t *parts; /* what was divided last */
	struct ctd_fraction *fractions;
	struct ctd_profile_stack *stacks;
	uint64_t *node_slots; /* by stack, then by the nodes of the plan's model */
};

static void weighing_free(struct weighing *weighing)
{
	free(weighing->weights);
	free(weighing->rest);
	free(weighing->parts);
	free(weighing->fractions);
}

static uint64_t *weights_of(const struct weighing *weighing, int node)
{
	return &weighing->weights[(size_t)(node - SAMPLES) * weighing->input->sampled_count];
}

static uint64_t *slots_of(const struct weighing *weighing, int node, size_t stack)
{
	const struct ctd_rollup_plan *plan = weighing->input->plan;
	const struct ctd_core_type *type = &plan->core_types[weighing->input->core_type];

	if (node == ALL_SLOTS)
		return &weighing->stacks[stack].slots;
	return &weighing->node_slots[stack * (size_t)plan->model->nodes_count +
				     (size_t)type->column[node]];
}

static uint64_t to_weight(double slots)
{
	return (uint64_t)llround(fmin(fmax(slots, 0), WEIGHT_MAX));
}

static bool is_known(const struct weighing *weighing, int node)
{
	return weighing->input->part->node_slots_known & 1u << node;
}

static void estimate_stack(struct weighing *weighing, const struct ctd_estimate_chain *chain,
			   size_t stack)
{
	const struct ctd_weigh_input *input = weighing->input;
	double time_ns = (double)input->sampled[stack].samples * (double)input->period_ns;

	weighing->stacks[stack].shares_of = chain->shares_of;
	weights_of(weighing, ALL_SLOTS)[stack] =
		chain->count ? to_weight(time_ns * chain->at[0]->slots_per_ns) : 0;
	/* Parents come first in every model. */
	for (int node = 0; node < weighing->model->nodes_count; node++) {
		int parent = weighing->model->nodes[node].parent;
		double whole;

		if (!is_known(weighing, node))
			continue;
		whole = (double)weights_of(weighing, parent)[stack];
		weights_of(weighing, node)[stack] =
			to_weight(whole * ctd_estimate_share(chain, node, parent));
	}
}

static int estimate(struct weighing *weighing)
{
	struct ctd_estimates estimates;
	int error = ctd_estimates_make(weighing->input, &estimates);

	if (error)
		return error;
	for (size_t i = 0; i < weighing->input->sampled_count; i++) {
		struct ctd_estimate_chain chain;

		ctd_estimates_chain(&estimates, i, &chain);
		estimate_stack(weighing, &chain, i);
	}
	ctd_estimates_free(&estimates);
	return 0;
}

static bool has_known_child(const struct weighing *weighing, int node)
{
	for (int child = 0; child < weighing->model->nodes_count; child++)
		if (weighing->model->nodes[child].parent == node && is_known(weighing, child))
			return true;
	return false;
}

/* By the innermost categories: the others are their sums. */
static int calibrate(struct weighing *weighing)
{
	size_t count = weighing->input->sampled_count;
	struct ctd_control controls[CTD_NODES_MAX];
	autofree double *factors = malloc(count * sizeof(*factors));
	int controls_count = 0;

	if (!factors)
		return -ENOMEM;
	for (int node = 0; node < weighing->model->nodes_count; node++)
		if (is_known(weighing, node) && !has_known_child(weighing, node))
			controls[controls_count++] =
				(struct ctd_control){weights_of(weighing, node),
						     weighing->input->part->node_slots[node]};
	ctd_calibrate(controls, controls_count, weights_of(weighing, SAMPLES), count, factors);
	for (int node = ALL_SLOTS; node < weighing->model->nodes_count; node++) {
		uint64_t *weights = weights_of(weighing, node);

		for (size_t i = 0; i < count; i++)
			weights[i] = to_weight((double)weights[i] * factors[i]);
	}
	return 0;
}

/* Into `parts`. Weights that are all 0 say nothing: then by those of @p otherwise, and so on. */
static void divide(struct weighing *weighing, uint64_t total, const uint64_t *weights,
		   int otherwise)
{
	while (ctd_allot(total, weights, weighing->input->sampled_count, weighing->fractions,
			 weighing->parts) != total) {
		weights = weights_of(weighing, otherwise);
		otherwise = otherwise >= 0 ? weighing->model->nodes[otherwise].parent : SAMPLES;
	}
}

static void add_parts(struct weighing *weighing, int node)
{
	for (size_t i = 0; i < weighing->input->sampled_count; i++)
		*slots_of(weighing, node, i) += weighing->parts[i];
}

static int parent_of(const struct weighing *weighing, int node)
{
	return node == ALL_SLOTS ? SAMPLES : weighing->model->nodes[node].parent;
}

static bool is_child(const struct weighing *weighing, int child, int node)
{
	return weighing->model->nodes[child].parent == node && is_known(weighing, child);
}

/* The exact slots of a node's children; more than its own where each was counted by itself. */
static uint64_t children_slots(const struct weighing *weighing, int node, bool *ret_any)
{
	uint64_t sum = 0;

	*ret_any = false;
	for (int child = 0; child < weighing->model->nodes_count; child++) {
		if (!is_child(weighing, child, node))
			continue;
		sum += weighing->input->part->node_slots[child];
		*ret_any = true;
	}
	return sum;
}

/* Divides the slots of @p node that none of its children has. */
static void divide_rest(struct weighing *weighing, int node, uint64_t total)
{
	for (size_t i = 0; i < weighing->input->sampled_count; i++) {
		uint64_t rest = weights_of(weighing, node)[i];

		for (int child = 0; child < weighing->model->nodes_count; child++) {
			uint64_t part = is_child(weighing, child, node)
						? weights_of(weighing, child)[i]
						: 0;

			rest -= part < rest ? part : rest;
		}
		weighing->rest[i] = rest;
	}
	divide(weighing, total, weighing->rest, node);
	add_parts(weighing, node);
}

/* A node has the slots of its children, and a rest that none of them has. */
static void divide_node(struct weighing *weighing, int node, uint64_t total)
{
	bool any;
	uint64_t below = children_slots(weighing, node, &any);
	bool adds_up = any && below <= total;

	for (int child = 0; child < weighing->model->nodes_count; child++) {
		if (!is_child(weighing, child, node))
			continue;
		divide_node(weighing, child, weighing->input->part->node_slots[child]);
		for (size_t i = 0; adds_up && i < weighing->input->sampled_count; i++)
			*slots_of(weighing, node, i) += *slots_of(weighing, child, i);
	}
	if (adds_up && below < total) {
		divide_rest(weighing, node, total - below);
	} else if (!adds_up) {
		divide(weighing, total, weights_of(weighing, node), parent_of(weighing, node));
		add_parts(weighing, node);
	}
}

static int allocate(struct weighing *weighing)
{
	size_t count = weighing->input->sampled_count;
	size_t vectors = 2 + (size_t)(weighing->model ? weighing->model->nodes_count : 0);

	weighing->weights = calloc(vectors * count, sizeof(*weighing->weights));
	weighing->rest = malloc(count * sizeof(*weighing->rest));
	weighing->parts = malloc(count * sizeof(*weighing->parts));
	weighing->fractions = malloc(count * sizeof(*weighing->fractions));
	return weighing->weights && weighing->rest && weighing->parts && weighing->fractions
		       ? 0
		       : -ENOMEM;
}

/* Time is divided by samples alone. */
static void divide_time(struct weighing *weighing)
{
	const struct ctd_weigh_input *input = weighing->input;
	uint64_t *weights = weights_of(weighing, SAMPLES), samples = 0;

	for (size_t i = 0; i < input->sampled_count; i++) {
		weights[i] = input->sampled[i].samples;
		samples += weights[i];
	}
	/* Nothing was sampled: to the first. */
	if (!samples)
		weights[0] = 1;
	divide(weighing, input->part->cpu_ns, weights, SAMPLES);
	for (size_t i = 0; i < input->sampled_count; i++) {
		weighing->stacks[i] = (struct ctd_profile_stack){
			.trace = input->sampled[i].trace,
			.shares_of = CTD_SHARES_ROW,
			.samples = input->sampled[i].samples,
			.windows = input->sampled[i].windows,
			.cpu_ns = weighing->parts[i],
		};
	}
}

int ctd_weigh(const struct ctd_weigh_input *input, struct ctd_profile_stack *ret_stacks,
	      uint64_t *ret_node_slots)
{
	__attribute__((cleanup(weighing_free))) struct weighing weighing = {
		.input = input,
		.model = input->part->slots_known ? input->plan->core_types[input->core_type].model
						  : NULL,
		.stacks = ret_stacks,
		.node_slots = ret_node_slots,
	};
	int error = allocate(&weighing);

	if (error)
		return error;
	divide_time(&weighing);
	if (!weighing.model)
		return 0;
	error = estimate(&weighing);
	if (!error)
		error = calibrate(&weighing);
	if (!error)
		divide_node(&weighing, ALL_SLOTS, input->part->slots);
	return error;
}
