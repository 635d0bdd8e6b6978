/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* totals.c - the slots of each core type: of all rows, of no row, and what is left. */
#include "rollup/totals.h"

/* Counts of leaders, of all groups of one core type. */
struct leaders {
	uint64_t all, idle;
	bool known;
};

static void add_row(const struct ctd_interval_row *row, const struct ctd_rollup_plan *plan,
		    struct leaders *leaders)
{
	uint64_t count = 0;

	for (int group = 0; group < plan->core_types[row->core_type].groups_count; group++)
		count += row->count[(size_t)group * (size_t)plan->counters_count];
	leaders->known = true;
	leaders->all += count;
	leaders->idle += row->kind == CTD_ROW_IDLE ? count : 0;
}

static void keep(const struct ctd_interval_totals *from, const struct ctd_rollup_plan *plan,
		 const struct ctd_core_type *type, const struct leaders *leaders,
		 struct ctd_rollup_totals *totals)
{
	const struct ctd_cpu_model *model = type->model;
	uint64_t unattributed = 0, residual = 0;

	totals->cpus_online = from->cpus_online;
	totals->empty_ns = from->empty_ns;
	if (!model || !plan->counters_count)
		return;
	for (int group = 0; group < type->groups_count; group++) {
		unattributed += from->unattributed[(size_t)group * plan->counters_count];
		/* Also a negative one: in unsigned arithmetic it subtracts. */
		residual += (uint64_t)from->residual[(size_t)group * plan->counters_count];
	}
	totals->slots_known = model->slots_per_count && (leaders->known || unattributed);
	totals->idle_slots = ctd_cpu_model_slots(model, leaders->idle);
	totals->unattributed_slots = ctd_cpu_model_slots(model, unattributed);
	totals->residual_slots = (int64_t)ctd_cpu_model_slots(model, residual);
	totals->slots = ctd_cpu_model_slots(model, leaders->all) + totals->unattributed_slots +
			(uint64_t)totals->residual_slots;
}

void ctd_rollup_sum_totals(const struct ctd_interval *interval, struct ctd_rollup *rollup)
{
	const struct ctd_rollup_plan *plan = rollup->plan;
	struct leaders leaders[CTD_CORE_TYPES_MAX] = {0};

	for (size_t i = 0; plan->counters_count && i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];

		if (row->quality <= CTD_LOW_CONFIDENCE)
			add_row(row, plan, &leaders[row->core_type]);
	}
	for (int type = 0; type < plan->core_types_count; type++)
		keep(&interval->totals[type], plan, &plan->core_types[type], &leaders[type],
		     &rollup->totals[type]);
}
