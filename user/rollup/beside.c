/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* beside.c - slots that groups of counters beside those of a plan have counted. */
#include "rollup/sum.h"

/* Of all groups, which have so many counters each. */
static uint64_t sum_of_leaders(const uint64_t *count, const struct ctd_rollup_plan *beside)
{
	uint64_t sum = 0;

	for (int group = 0; group < beside->groups_count; group++)
		sum += count[(size_t)group * (size_t)beside->counters_count];
	return sum;
}

/* @return the slots that were added. */
static uint64_t add_part(const struct ctd_core_type *type, const struct ctd_rollup_plan *plan,
			 const struct ctd_rollup_part *beside, uint64_t *node_slots,
			 struct ctd_rollup_part *part)
{
	uint64_t slots = ctd_cpu_model_slots(type->model, sum_of_leaders(beside->count, plan));

	for (int group = 0; group < plan->groups_count; group++)
		part->counted_ns += beside->group_ns[group];
	if (part->counted_ns > part->cpu_ns)
		part->counted_ns = part->cpu_ns;
	if (!type->model->slots_per_count || !slots || part->quality == CTD_UNSUPPORTED)
		return 0;
	part->slots += slots;
	part->slots_known = true;
	part->node_slots_known =
		ctd_slots_split(type->model, part->values, part->slots, node_slots);
	return slots;
}

static void add_totals(const struct ctd_core_type *type, const struct ctd_rollup_plan *plan,
		       const struct ctd_interval_totals *from, uint64_t of_rows, uint64_t idle,
		       struct ctd_rollup_totals *totals)
{
	uint64_t unattributed =
		ctd_cpu_model_slots(type->model, sum_of_leaders(from->unattributed, plan));
	/* Also a negative one: in unsigned arithmetic it subtracts. */
	uint64_t residual = ctd_cpu_model_slots(
		type->model, sum_of_leaders((const uint64_t *)from->residual, plan));

	totals->slots_known |= type->model->slots_per_count && (of_rows || unattributed);
	totals->idle_slots += idle;
	totals->unattributed_slots += unattributed;
	totals->residual_slots = (int64_t)((uint64_t)totals->residual_slots + residual);
	totals->slots += of_rows + unattributed + residual;
}

/* The rollup's node_slots, of which those of parts are. */
static uint64_t *node_slots_of(const struct ctd_rollup *rollup, const struct ctd_rollup_part *part)
{
	return rollup->node_slots + (part->node_slots - rollup->node_slots);
}

void ctd_rollup_add_slots(struct ctd_rollup *rollup, const struct ctd_rollup *beside,
			  const struct ctd_interval *interval)
{
	int types = rollup->plan->core_types_count;

	for (int type = 0; type < types && type < beside->plan->core_types_count; type++) {
		const struct ctd_core_type *of = &rollup->plan->core_types[type];
		uint64_t slots = 0, idle = 0;

		if (!of->model)
			continue;
		for (size_t i = 0; i < rollup->rows_count; i++) {
			struct ctd_rollup_part *part =
				&rollup->parts[i * (size_t)types + (size_t)type];
			const struct ctd_rollup_part *from = &beside->rows[i].parts[type];
			uint64_t added;

			if (!from->count || !part->node_slots)
				continue;
			added = add_part(of, beside->plan, from, node_slots_of(rollup, part), part);
			slots += added;
			idle += rollup->rows[i].kind == CTD_ROLLUP_IDLE ? added : 0;
			rollup->rows[i].slots += added;
			rollup->rows[i].slots_known |= types == 1 && added;
		}
		add_totals(of, beside->plan, &interval->totals[type], slots, idle,
			   &rollup->totals[type]);
	}
}
