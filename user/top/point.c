/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* point.c - the figures of one row in a frame, without adding up all others. */
#include <math.h>
#include <string.h>

#include "top/trend.h"

/* Counts of one core type. */
struct sums {
	uint64_t cpu_ns[CTD_CORE_TYPES_MAX];
	uint64_t counts[CTD_CORE_TYPES_MAX][CTD_COUNTS_MAX];
	bool counted[CTD_CORE_TYPES_MAX];
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

	sums->cpu_ns[row->core_type] += row->oncpu_ns;
	/* Without a model there is nothing to add counts up for, and may be more than of any. */
	if (row->quality > CTD_LOW_CONFIDENCE || !plan->model)
		return;
	sums->counted[row->core_type] = true;
	for (size_t i = 0; i < counts; i++)
		sums->counts[row->core_type][i] += row->count[i];
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

/* Of the core type on which it ran most: there are no ratios of several. */
static void evaluate(const struct ctd_rollup_plan *plan, const struct sums *sums,
		     struct ctd_top_point *point)
{
	struct ctd_value values[CTD_NODES_MAX];
	const struct ctd_core_type *type;
	int most = 0;

	for (int i = 0; i < plan->core_types_count; i++) {
		point->cpu_ns += sums->cpu_ns[i];
		if (sums->counted[i] &&
		    (!sums->counted[most] || sums->cpu_ns[i] > sums->cpu_ns[most]))
			most = i;
	}
	type = &plan->core_types[most];
	if (!sums->counted[most] || !type->model)
		return;
	ctd_rollup_plan_evaluate(plan, most, sums->counts[most], CTD_OK, values);
	for (int i = 0; i < type->model->nodes_count; i++)
		point->values[type->column[i]] = values[i];
	point->ipc = ipc_of(type, plan, sums->counts[most]);
	point->known = true;
}

const struct ctd_top_point *ctd_top_point_get(struct ctd_top_history *history,
					      struct ctd_top_frame *frame,
					      struct ctd_top_grouping grouping, uint64_t key)
{
	const struct ctd_identities *identities = ctd_top_history_names(history, frame);
	struct sums sums = {0};

	if (frame->point_key == key && frame->point_grouping == ctd_top_grouping_number(grouping))
		return &frame->point;
	frame->point_key = key;
	frame->point_grouping = ctd_top_grouping_number(grouping);
	frame->point = (struct ctd_top_point){.ipc = NAN};
	for (int i = 0; i < CTD_NODES_MAX; i++)
		frame->point.values[i].quality = CTD_UNSUPPORTED;
	for (size_t i = 0; i < frame->interval.rows_count; i++)
		if (has_key(identities, &frame->interval.rows[i], grouping, key))
			add_row(frame->plan, &frame->interval, &frame->interval.rows[i], &sums);
	evaluate(frame->plan, &sums, &frame->point);
	return &frame->point;
}
