/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* point.c - the figures of one row and core type in a frame, without adding up all others. */
#include <math.h>
#include <string.h>

#include "top/trend.h"

struct sums {
	uint64_t cpu_ns;
	uint64_t counts[CTD_COUNTS_MAX];
	bool counted;
};

static bool has_key(const struct ctd_identities *identities, const struct ctd_interval_row *row,
		    struct ctd_top_grouping grouping, uint64_t key)
{
	uint64_t keys[CTD_TOP_KEYS_MAX];
	size_t count = ctd_top_row_keys(identities, row, grouping, keys);

	while (count--)
		if (keys[count] == key)
			return true;
	return false;
}

static void add_row(const struct ctd_rollup_plan *plan, const struct ctd_interval *interval,
		    const struct ctd_interval_row *row, struct sums *sums)
{
	size_t counts = (size_t)interval->counters_count * interval->groups_count;

	sums->cpu_ns += row->oncpu_ns;
	/* Without a model there is nothing to add counts up for, and may be more than of any. */
	if (row->quality > CTD_LOW_CONFIDENCE || !plan->model)
		return;
	sums->counted = true;
	for (size_t i = 0; i < counts; i++)
		sums->counts[i] += row->count[i];
}

static double ipc_of(const struct ctd_core_type *type, const struct ctd_rollup_plan *plan,
		     const uint64_t *counts)
{
	const uint64_t *group;

	if (!type->ipc || type->counters_count <= type->model->ipc_first + CTD_IPC_INSTRUCTIONS)
		return NAN;
	group = &counts[(ptrdiff_t)(type->groups_count - 1) * plan->counters_count +
			type->model->ipc_first];
	return group[CTD_IPC_CYCLES]
		       ? (double)group[CTD_IPC_INSTRUCTIONS] / (double)group[CTD_IPC_CYCLES]
		       : NAN;
}

static void evaluate(const struct ctd_rollup_plan *plan, int core_type, const struct sums *sums,
		     struct ctd_top_point *point)
{
	const struct ctd_core_type *type = &plan->core_types[core_type];
	struct ctd_value values[CTD_NODES_MAX];

	point->cpu_ns = sums->cpu_ns;
	if (!sums->counted || !type->model)
		return;
	ctd_rollup_plan_evaluate(plan, core_type, sums->counts, CTD_OK, values);
	for (int i = 0; i < type->model->nodes_count; i++)
		point->values[type->column[i]] = values[i];
	point->ipc = ipc_of(type, plan, sums->counts);
	point->known = true;
}

const struct ctd_top_point *ctd_top_point_get(struct ctd_top_history *history,
					      struct ctd_top_frame *frame,
					      struct ctd_top_grouping grouping, uint64_t key,
					      int core_type)
{
	const struct ctd_identities *identities = ctd_top_history_names(history, frame);
	uint64_t part_key = ctd_top_part_key(key, core_type);
	struct sums sums = {0};

	if (frame->point_key == part_key &&
	    frame->point_grouping == ctd_top_grouping_number(grouping))
		return &frame->point;
	frame->point_key = part_key;
	frame->point_grouping = ctd_top_grouping_number(grouping);
	frame->point = (struct ctd_top_point){.ipc = NAN};
	for (int i = 0; i < CTD_NODES_MAX; i++)
		frame->point.values[i].quality = CTD_UNSUPPORTED;
	for (size_t i = 0; i < frame->interval.rows_count; i++)
		if ((int)frame->interval.rows[i].core_type == core_type &&
		    has_key(identities, &frame->interval.rows[i], grouping, key))
			add_row(frame->plan, &frame->interval, &frame->interval.rows[i], &sums);
	evaluate(frame->plan, core_type, &sums, &frame->point);
	return &frame->point;
}
