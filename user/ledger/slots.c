/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* slots.c - a row's slots by the nodes of its model, in integers that add up. */
#include "ledger/ledger.h"

#include <math.h>

/* Parts that are the whole add up to it but for the rounding of some floating-point operations. */
#define WHOLE_TOLERANCE_RATIO 1e-9

/* What is below a node, at its index + 1; below none at 0. */
struct parts {
	double sum; /* of their ratios; NaN where one is not known */
	double passed; /* of those that have their slots */
	uint64_t boundary; /* where these end */
};

/* General metrics are no part of anything. */
static struct parts *parts_of(struct parts *parts, const struct ctd_node *node)
{
	return ctd_node_is_general(node) ? NULL : &parts[node->parent + 1];
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
static uint64_t slots_of(const struct ctd_report_row *row, int parent, double ratio,
			 struct parts *parts, const bool *known, const uint64_t *slots)
{
	double whole_ratio = parent < 0 ? 1 : row->values[parent].ratio;

	if ((parent < 0 || known[parent]) && parts->sum > 0 &&
	    fabs(parts->sum - whole_ratio) <= WHOLE_TOLERANCE_RATIO)
		return divide(parts, ratio, parent < 0 ? row->slots : slots[parent]);
	return (uint64_t)(ratio * (double)row->slots);
}

void ctd_slots_split(const struct ctd_cpu_model *model, const struct ctd_report_row *row,
		     bool ret_known[CTD_NODES_MAX], uint64_t ret_slots[CTD_NODES_MAX])
{
	struct parts parts[CTD_NODES_MAX + 1] = {0};

	for (int i = 0; i < CTD_NODES_MAX; i++) {
		ret_known[i] = false;
		ret_slots[i] = 0;
	}
	/* Shares of cycles are shares of nothing that is added up. */
	if (!model || !model->slots_per_count || !row->slots_known)
		return;
	for (int i = 0; i < model->nodes_count; i++) {
		struct parts *of = parts_of(parts, &model->nodes[i]);

		ret_known[i] = of && ctd_value_known(row->values[i]);
		if (of)
			of->sum += ret_known[i] ? row->values[i].ratio : NAN;
	}
	/* Parents come first in every model. */
	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (ret_known[i])
			ret_slots[i] = slots_of(row, node->parent, row->values[i].ratio,
						parts_of(parts, node), ret_known, ret_slots);
	}
}
