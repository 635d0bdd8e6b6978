/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* slots.c - a row's slots by the nodes of its model, in integers that add up. */
#include "rollup/sum.h"

#include <math.h>
#include <string.h>

/* Parts that are the whole add up to it but for the rounding of some floating-point operations. */
#define WHOLE_TOLERANCE_RATIO 1e-9

/* What is below a node, at its index + 1; below none at 0. */
struct parts {
	double sum; /* of their ratios; NaN where one is not known */
	double passed; /* of those that have their slots */
	uint64_t boundary; /* where these end */
};

/* IPC metrics are no part of anything. */
static struct parts *parts_of(struct parts *parts, const struct ctd_node *node)
{
	return ctd_node_is_ipc(node) ? NULL : &parts[node->parent + 1];
}

/* Each part reaches from one rounded boundary to the next, and the last one is the whole. */
static uint64_t divide(struct parts *parts, double ratio, uint64_t whole)
{
	uint64_t end, slots;

	parts->passed += ratio;
	end = parts->passed >= parts->sum
		      ? whole
		      : (uint64_t)(parts->passed / parts->sum * (double)whole + 0.5);
	slots = (end < whole ? end : whole) - parts->boundary;
	parts->boundary += slots;
	return slots;
}

/* Parts that are less than the whole stay so, each by itself and rounded down. */
static uint64_t slots_of(double ratio, double whole_ratio, uint64_t whole, uint64_t row_slots,
			 struct parts *parts)
{
	if (parts->sum > 0 && fabs(parts->sum - whole_ratio) <= WHOLE_TOLERANCE_RATIO)
		return divide(parts, ratio, whole);
	return (uint64_t)(ratio * (double)row_slots);
}

uint32_t ctd_slots_split(const struct ctd_cpu_model *model, const struct ctd_value *values,
			 uint64_t slots, uint64_t *ret_slots)
{
	struct parts parts[CTD_NODES_MAX + 1];
	uint32_t known = 0;

	memset(parts, 0, ((size_t)model->nodes_count + 1) * sizeof(*parts));
	for (int i = 0; i < model->nodes_count; i++) {
		struct parts *of = parts_of(parts, &model->nodes[i]);
		bool is_known = of && ctd_value_known(values[i]);

		ret_slots[i] = 0;
		known |= (uint32_t)is_known << i;
		if (of)
			of->sum += is_known ? values[i].ratio : NAN;
	}
	/* Shares of cycles are shares of nothing that is added up. */
	if (!model->slots_per_count || !slots)
		return 0;
	/* Parents come first in every model. */
	for (int i = 0; i < model->nodes_count; i++) {
		int parent = model->nodes[i].parent;

		if (!(known & 1u << i))
			continue;
		if (parent < 0)
			ret_slots[i] = slots_of(values[i].ratio, 1, slots, slots, &parts[0]);
		else if (known & 1u << parent)
			ret_slots[i] = slots_of(values[i].ratio, values[parent].ratio,
						ret_slots[parent], slots, &parts[parent + 1]);
		else
			ret_slots[i] = (uint64_t)(values[i].ratio * (double)slots);
	}
	return known;
}
