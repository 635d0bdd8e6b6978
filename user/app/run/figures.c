/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* figures.c - adds the intervals of a command's run up. */
#include "app/run/figures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

static void add_part(struct ctd_run_tally_core_type *type, const struct ctd_core_type *plan,
		     const struct ctd_rollup_part *part)
{
	if (!part->ran)
		return;
	type->cpu_ns += (double)part->cpu_ns;
	memcpy(type->name, plan->name, sizeof(type->name));
	if (part->slots_known) {
		type->slots += (double)part->slots;
		type->slots_known = true;
	}
	/* Other counters have nodes of their own: shares are of those that counted last. */
	if (type->model != plan->model && part->values) {
		memset(type->weight, 0, sizeof(type->weight));
		memset(type->weighted, 0, sizeof(type->weighted));
	}
	if (part->values || !type->model) {
		type->model = plan->model;
		type->level = plan->level;
	}
	for (int i = 0; part->values && i < plan->model->nodes_count; i++) {
		/* Where slots are not known, shares are of cycles, about as long as the time. */
		double weight = (double)(part->slots_known ? part->slots : part->cpu_ns);

		if (!ctd_value_known(part->values[i]))
			continue;
		type->weight[i] += weight;
		type->weighted[i] += weight * part->values[i].ratio;
	}
}

/* Where counters were lost there are none, and where CPUs must not be disturbed, of one group. */
static void add_vendor(struct ctd_run_tally_core_type *type,
		       const struct ctd_vendor_counting *counting,
		       const struct ctd_rollup_plan *plan, const struct ctd_rollup_part *part)
{
	const struct ctd_rotation *rotation = &counting->rotation;

	if (!part->ran || !part->count || plan->counters_count != rotation->events_count)
		return;
	for (int group = 0; group < plan->groups_count && group < rotation->groups_count; group++) {
		type->vendor_count_ns[group] += part->count_ns[group];
		for (int i = 0; i < rotation->events_count; i++)
			type->vendor_count[group * rotation->events_count + i] +=
				part->count[group * rotation->events_count + i];
	}
}

static void add_row(struct ctd_run_tally *tally, const struct ctd_rollup_plan *plan,
		    const struct ctd_rollup_row *row)
{
	for (int i = 0; i < plan->core_types_count; i++) {
		struct ctd_run_tally_core_type *type = &tally->core_types[i];

		add_part(type, &plan->core_types[i], &row->parts[i]);
		if (tally->vendor && tally->vendor->of[i])
			add_vendor(type, tally->vendor->of[i], plan, &row->parts[i]);
	}
}

void ctd_run_tally_add(struct ctd_run_tally *tally, const struct ctd_rollup *rollup)
{
	for (int i = 0; tally->vendor && i < tally->vendor->core_types_count; i++)
		if (tally->vendor->of[i])
			ctd_vendor_counting_take_latencies(tally->vendor->of[i],
							   rollup->health.latencies.of[i]);
	for (size_t i = 0; i < rollup->rows_count; i++) {
		const struct ctd_rollup_row *row = &rollup->rows[i];

		/* In a tree a row includes those below it. */
		if (row->kind < CTD_ROLLUP_KERNEL && row->parent < 0)
			add_row(tally, rollup->plan, row);
	}
}

/* Deeper tells more; side by side, what is more, as far as that can be compared. */
static bool tells_more(const struct ctd_vendor_counting *vendor,
		       const struct ctd_vendor_value *values, size_t index, size_t than)
{
	const struct ctd_vendor_counted *a = &vendor->metrics[index], *b = &vendor->metrics[than];
	const struct ctd_vendor_metric *metrics = vendor->table->metrics;

	if (a->depth != b->depth)
		return a->depth > b->depth;
	return strcmp(metrics[a->metric].unit, metrics[b->metric].unit) == 0 &&
	       values[index].value * metrics[a->metric].scale >
		       values[than].value * metrics[b->metric].scale;
}

static int take_vendor(const struct ctd_run_tally_core_type *type,
		       const struct ctd_vendor_counting *vendor, struct ctd_run_figures *figures)
{
	autofree struct ctd_vendor_value *values =
		calloc(vendor->metrics_count + 1, sizeof(*values));
	const struct ctd_vendor_counted_row counted = {vendor->rotation.groups_count,
						       type->vendor_count, type->vendor_count_ns};
	size_t hot = vendor->metrics_count;

	if (!values)
		return -ENOMEM;
	ctd_vendor_counting_evaluate(vendor, &counted, 1, values);
	figures->vendor = vendor;
	for (size_t i = 0; i < vendor->metrics_count; i++) {
		figures->any_known |= !isnan(values[i].value);
		if (values[i].hot &&
		    (hot == vendor->metrics_count || tells_more(vendor, values, i, hot)))
			hot = i;
	}
	if (hot == vendor->metrics_count)
		return 0;
	figures->hot = &vendor->table->metrics[vendor->metrics[hot].metric];
	figures->hot_value = values[hot].value * figures->hot->scale;
	return 0;
}

/* Of vendors' metrics, of those core types that have some. */
static const struct ctd_run_tally_core_type *find_longest(const struct ctd_run_tally *tally)
{
	const struct ctd_run_tally_core_type *longest = NULL;

	for (int i = 0; i < CTD_CORE_TYPES_MAX; i++) {
		const struct ctd_run_tally_core_type *type = &tally->core_types[i];

		if (tally->vendor && !tally->vendor->of[i])
			continue;
		if (!longest || type->cpu_ns > longest->cpu_ns)
			longest = type;
	}
	return longest ? longest : &tally->core_types[0];
}

int ctd_run_tally_take(const struct ctd_run_tally *tally, struct ctd_run_figures *figures)
{
	const struct ctd_run_tally_core_type *longest = find_longest(tally);

	figures->cpu_s = 0;
	for (int i = 0; i < CTD_CORE_TYPES_MAX; i++)
		figures->cpu_s += tally->core_types[i].cpu_ns / 1e9;
	figures->core_type = (int)(longest - tally->core_types);
	memcpy(figures->core_name, longest->name, sizeof(figures->core_name));
	figures->model = longest->model;
	figures->level = longest->level;
	figures->slots = longest->slots_known ? longest->slots : NAN;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		figures->share[i] =
			longest->weight[i] > 0 ? longest->weighted[i] / longest->weight[i] : NAN;
	if (!tally->vendor || !tally->vendor->of[figures->core_type])
		return 0;
	return take_vendor(longest, tally->vendor->of[figures->core_type], figures);
}
