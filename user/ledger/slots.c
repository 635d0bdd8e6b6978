/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* slots.c - a row's slots by the nodes of its model, in integers that add up. */
#include "ledger/ledger.h"

#include <math.h>

/* Parts that are the whole add up to it but for the rounding of some floating-point operations. */
#define WHOLE_TOLERANCE_RATIO 1e-9

struct split {
	const struct ctd_cpu_model *model;
	const struct ctd_report_row *row;
	bool *known;
	uint64_t *slots;
};

/* General metrics are no part of anything. */
static bool is_below(const struct split *split, int node, int parent)
{
	return split->model->nodes[node].parent == parent &&
	       !ctd_node_is_general(&split->model->nodes[node]);
}

static bool is_part(const struct split *split, int node, int parent)
{
	return is_below(split, node, parent) && split->known[node];
}

/* The sum of what is known below @p parent; NaN where a part is missing. */
static double sum_of_parts(const struct split *split, int parent)
{
	double sum = 0;

	for (int i = 0; i < split->model->nodes_count; i++) {
		if (is_below(split, i, parent))
			sum += split->known[i] ? split->row->values[i].ratio : NAN;
	}
	return sum;
}

/* Each part reaches from one rounded boundary to the next, and the last one is the whole. */
static void divide(const struct split *split, int parent, double sum, uint64_t whole)
{
	double passed = 0;
	uint64_t boundary = 0;

	for (int i = 0; i < split->model->nodes_count; i++) {
		uint64_t end;

		if (!is_part(split, i, parent))
			continue;
		passed += split->row->values[i].ratio;
		end = passed >= sum ? whole : (uint64_t)(passed / sum * (double)whole + 0.5);
		split->slots[i] = (end < whole ? end : whole) - boundary;
		boundary += split->slots[i];
	}
}

/* Each part by itself, rounded down: those that are less than the whole stay so. */
static void take(const struct split *split, int parent)
{
	for (int i = 0; i < split->model->nodes_count; i++) {
		if (is_part(split, i, parent))
			split->slots[i] =
				(uint64_t)(split->row->values[i].ratio * (double)split->row->slots);
	}
}

static void split_below(const struct split *split, int parent)
{
	bool whole_known = parent < 0 || split->known[parent];
	uint64_t whole = parent < 0 ? split->row->slots : split->slots[parent];
	double ratio = parent < 0 ? 1 : split->row->values[parent].ratio;
	double sum = sum_of_parts(split, parent);

	if (whole_known && sum > 0 && fabs(sum - ratio) <= WHOLE_TOLERANCE_RATIO)
		divide(split, parent, sum, whole);
	else
		take(split, parent);
}

void ctd_slots_split(const struct ctd_cpu_model *model, const struct ctd_report_row *row,
		     bool ret_known[CTD_NODES_MAX], uint64_t ret_slots[CTD_NODES_MAX])
{
	struct split split = {model, row, ret_known, ret_slots};

	for (int i = 0; i < CTD_NODES_MAX; i++) {
		ret_known[i] = false;
		ret_slots[i] = 0;
	}
	/* Shares of cycles are shares of nothing that is added up. */
	if (!model || !model->slots_per_count || !row->slots_known)
		return;
	for (int i = 0; i < model->nodes_count; i++)
		ret_known[i] =
			ctd_value_known(row->values[i]) && !ctd_node_is_general(&model->nodes[i]);
	for (int parent = -1; parent < model->nodes_count; parent++)
		split_below(&split, parent);
}
