/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* trend.c - CPU time of rows in the time before, as they are grouped now. */
#include "top/trend.h"

#include <math.h>
#include <stdlib.h>

#include "base/auto.h"

/* Without memory some have no trend. */
static void add_cpu(struct ctd_top_frame *frame, uint64_t key, uint64_t oncpu_ns)
{
	uintptr_t cpu_ns = 0;

	ctd_idmap_get(&frame->cpu_ns, key, &cpu_ns);
	(void)ctd_idmap_set(&frame->cpu_ns, key, cpu_ns + oncpu_ns);
}

static void sum_up(struct ctd_top_history *history, struct ctd_top_frame *frame,
		   struct ctd_top_grouping grouping)
{
	const struct ctd_identities *identities = ctd_top_history_names(history, frame);
	uint64_t keys[CTD_TOP_KEYS_MAX];

	if (frame->cpu_grouping == ctd_top_grouping_number(grouping))
		return;
	ctd_idmap_free(&frame->cpu_ns);
	frame->cpu_ns = (struct ctd_idmap){0};
	frame->cpu_grouping = ctd_top_grouping_number(grouping);
	for (size_t i = 0; i < frame->interval.rows_count; i++) {
		const struct ctd_interval_row *row = &frame->interval.rows[i];
		size_t count = ctd_top_row_keys(identities, row, grouping, keys);

		while (count--) {
			add_cpu(frame, keys[count], row->oncpu_ns);
			if (frame->plan->core_types_count > 1)
				add_cpu(frame, ctd_top_part_key(keys[count], (int)row->core_type),
					row->oncpu_ns);
		}
	}
}

void ctd_top_trend_each(struct ctd_top_history *history, const struct ctd_top_frame *frame,
			ctd_top_trend_take *take, void *context)
{
	double end_ns = (double)frame->interval.realtime_ns, minute_ns = (double)CTD_TOP_TREND_NS;
	size_t last = ctd_top_history_place(history, frame), first = last;

	/* Clocks are set, and time goes back: then the time before is not known. */
	while (first > 0) {
		const struct ctd_interval *before = &history->frames[first - 1]->interval;

		if (before->realtime_ns + CTD_TOP_TREND_NS <= frame->interval.realtime_ns ||
		    before->realtime_ns > history->frames[first]->interval.realtime_ns)
			break;
		first--;
	}
	for (; first <= last && first < history->count; first++) {
		struct ctd_top_frame *at = history->frames[first];
		double to = 1 + ((double)at->interval.realtime_ns - end_ns) / minute_ns;

		take(at, fmax(0, to - (double)at->interval.window_ns / minute_ns), to, context);
	}
}

double ctd_top_trend_next(int cells, double from, double to, int *cell)
{
	double width = 1.0 / cells, part;

	/* Guard against rounding: a frame that starts on a cell's edge belongs to that cell. */
	*cell = *cell < 0 ? (int)(from / width + 1e-6) : *cell + 1;
	if (*cell >= cells)
		return 0;
	part = (fmin(to, (*cell + 1) * width) - fmax(from, *cell * width)) / width;
	return part > 1e-6 ? part : 0;
}

struct trend {
	struct ctd_top_history *history;
	struct ctd_top_grouping grouping;
	uint64_t key;
	int core_type; /* -1: all */
	int cells;
	double *cpus; /* of each cell */
	double *known; /* of each cell, the part of which something is known */
	size_t shown; /* machines in the newest frame */
	int core_types_count; /* there */
};

/* A machine that had no figures was not idle, and sums without one that is there now are no sums.
 * Nor was a row idle that is left out, or is a sum one without it. */
static bool is_known(const struct trend *trend, const struct ctd_top_frame *frame, bool has_row)
{
	bool of_machines =
		trend->grouping.by == CTD_GROUP_NAMESPACE || trend->grouping.by == CTD_GROUP_OWNER;
	bool of_rows = of_machines || trend->grouping.by == CTD_GROUP_POD;

	/* As without counters. */
	if (trend->core_type >= 0 && frame->plan->core_types_count != trend->core_types_count)
		return false;
	if (frame->is_cut)
		return has_row && !of_rows;
	if (frame->nodes.shown >= frame->nodes.asked)
		return true;
	return has_row && (!of_machines || frame->nodes.shown >= trend->shown);
}

/* An interval may be of many cells, or of a part. */
static void add_frame(struct ctd_top_frame *frame, double from, double to, void *context)
{
	const struct trend *trend = context;
	uint64_t key =
		trend->core_type < 0 ? trend->key : ctd_top_part_key(trend->key, trend->core_type);
	double cpus = 0, part;
	uintptr_t cpu_ns = 0;
	int cell = -1;

	sum_up(trend->history, frame, trend->grouping);
	if (!is_known(trend, frame, ctd_idmap_get(&frame->cpu_ns, key, &cpu_ns)))
		return;
	if (frame->interval.window_ns)
		cpus = (double)cpu_ns / (double)frame->interval.window_ns;
	while ((part = ctd_top_trend_next(trend->cells, from, to, &cell)) > 0) {
		trend->cpus[cell] += cpus * part;
		trend->known[cell] += part;
	}
}

/* Each cell gets the mean of what is known of it. */
double ctd_top_trend(struct ctd_top_history *history, const struct ctd_top_frame *frame,
		     struct ctd_top_grouping grouping, uint64_t key, int core_type, int cells,
		     double *ret_cpus)
{
	autofree double *known = calloc((size_t)cells + 1, sizeof(*known));
	struct trend trend = {
		.history = history,
		.grouping = grouping,
		.key = key,
		.core_type = core_type,
		.cells = cells,
		.cpus = ret_cpus,
		.known = known,
		.shown = frame->nodes.shown,
		.core_types_count = frame->plan->core_types_count,
	};
	double largest = 0;

	for (int i = 0; i < cells; i++)
		ret_cpus[i] = 0;
	if (known)
		ctd_top_trend_each(history, frame, add_frame, &trend);
	for (int i = 0; i < cells; i++) {
		ret_cpus[i] = known && known[i] > 0 ? ret_cpus[i] / known[i] : NAN;
		if (ret_cpus[i] > largest)
			largest = ret_cpus[i];
	}
	return largest;
}
