/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* figures.c - adds the intervals of a command's run up. */
#include "app/run/figures.h"

#include <math.h>
#include <string.h>

static void add_part(struct ctd_run_tally_core_type *type, const struct ctd_core_type *plan,
		     const struct ctd_rollup_part *part)
{
	if (!part->ran)
		return;
	type->cpu_ns += (double)part->cpu_ns;
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

void ctd_run_tally_add(struct ctd_run_tally *tally, const struct ctd_rollup *rollup)
{
	for (size_t i = 0; i < rollup->rows_count; i++) {
		const struct ctd_rollup_row *row = &rollup->rows[i];

		/* In a tree a row includes those below it. */
		if (row->kind >= CTD_ROLLUP_KERNEL || row->parent >= 0)
			continue;
		for (int type = 0; type < rollup->plan->core_types_count; type++)
			add_part(&tally->core_types[type], &rollup->plan->core_types[type],
				 &row->parts[type]);
	}
}

void ctd_run_tally_take(const struct ctd_run_tally *tally, struct ctd_run_figures *figures)
{
	const struct ctd_run_tally_core_type *longest = &tally->core_types[0];

	figures->cpu_s = 0;
	for (int i = 0; i < CTD_CORE_TYPES_MAX; i++) {
		figures->cpu_s += tally->core_types[i].cpu_ns / 1e9;
		if (tally->core_types[i].cpu_ns > longest->cpu_ns)
			longest = &tally->core_types[i];
	}
	figures->model = longest->model;
	figures->level = longest->level;
	figures->slots = longest->slots_known ? longest->slots : NAN;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		figures->share[i] =
			longest->weight[i] > 0 ? longest->weighted[i] / longest->weight[i] : NAN;
}
