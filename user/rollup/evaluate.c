/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* evaluate.c - the figures of a row, from what was added up for it. */
#include "rollup/sum.h"

#include <string.h>

static enum ctd_quality worse(enum ctd_quality a, enum ctd_quality b)
{
	return a > b ? a : b;
}

/* All groups' slots: their windows do not overlap, and are all of the time but for the changes. */
static uint64_t slots_of(const struct ctd_core_type *type, const uint64_t *count)
{
	uint64_t slots = 0;

	for (int group = 0; group < type->groups_count; group++)
		slots += ctd_cpu_model_slots(type->model,
					     count[(size_t)group * (size_t)type->counters_count]);
	return slots;
}

static uint64_t counted_ns(const struct ctd_rollup_plan *plan, const struct ctd_rollup_part *part)
{
	uint64_t counted = 0;

	for (int group = 0; group < plan->groups_count; group++)
		counted += part->group_ns[group];
	return counted < part->cpu_ns ? counted : part->cpu_ns;
}

/* @p count: of the group. */
static void take_ipc(const struct ctd_core_type *type, const uint64_t *count, uint64_t counted_ns,
		     struct ctd_ipc_counts *ipc)
{
	int first = type->model->ipc_first;
	int known = type->counters_count - first;

	ipc->known = known < CTD_IPC_COUNTS ? known : CTD_IPC_COUNTS;
	ipc->counted_ns = counted_ns;
	for (int i = 0; i < ipc->known; i++)
		ipc->count[i] = count[first + i];
}

static void evaluate_ipc(const struct ctd_core_type *type, enum ctd_rollup_kind kind,
			 const uint64_t *count, struct ctd_value *values,
			 struct ctd_rollup_part *part)
{
	int ipc = ctd_cpu_model_node(type->model, CTD_ROLE_IPC);
	int ghz = ctd_cpu_model_node(type->model, CTD_ROLE_GHZ);
	int group = type->groups_count - 1;

	count += (ptrdiff_t)group * type->counters_count;
	ctd_metric_evaluate_ipc(type->metrics, count, type->counters_count, part->count_ns[group],
				part->quality, values);
	/* Where there are no instructions per cycle, the counters did not count. */
	if (ipc >= 0 && ctd_value_known(values[ipc]))
		take_ipc(type, count, part->count_ns[group], &part->ipc);
	/* A halted CPU has no cycles, but time: there is no telling how fast it ran in between. */
	if (kind == CTD_ROLLUP_IDLE && ghz >= 0)
		values[ghz] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
}

/* The counts of the core type's own counters: behind them are those that fill up to other types'
 * number. @return @p buffer, or @p count where there are no others. */
static const uint64_t *own_counts(const struct ctd_rollup_plan *plan,
				  const struct ctd_core_type *type, const uint64_t *count,
				  uint64_t buffer[CTD_COUNTS_MAX])
{
	if (type->counters_count == plan->counters_count)
		return count;
	for (int group = 0; group < type->groups_count; group++)
		memcpy(&buffer[(ptrdiff_t)group * type->counters_count],
		       &count[(ptrdiff_t)group * plan->counters_count],
		       (size_t)type->counters_count * sizeof(*buffer));
	return buffer;
}

uint64_t ctd_rollup_plan_evaluate(const struct ctd_rollup_plan *plan, int core_type,
				  const uint64_t *count, enum ctd_quality quality,
				  struct ctd_value *ret_values)
{
	const struct ctd_core_type *type = &plan->core_types[core_type];
	uint64_t buffer[CTD_COUNTS_MAX];

	count = own_counts(plan, type, count, buffer);
	ctd_metric_evaluate(type->metrics, count, type->counters_count,
			    type->groups_count - type->ipc, quality, ret_values);
	return slots_of(type, count);
}

void ctd_part_evaluate(const struct ctd_rollup_plan *plan, int core_type, enum ctd_rollup_kind kind,
		       struct ctd_value *values, uint64_t *node_slots, struct ctd_rollup_part *part)
{
	const struct ctd_core_type *type = &plan->core_types[core_type];
	const struct ctd_cpu_model *model = type->model;
	uint64_t buffer[CTD_COUNTS_MAX];

	part->dominant = -1;
	part->quality = CTD_UNSUPPORTED;
	if (!plan->model || !plan->counters_count)
		return;
	part->quality = ctd_weight_quality(part->weight);
	if (!model) {
		part->quality = worse(part->quality, CTD_NO_DATA);
		return;
	}
	part->values = values;
	part->node_slots = node_slots;
	part->slots = ctd_rollup_plan_evaluate(plan, core_type, part->count, part->quality, values);
	part->counted_ns = counted_ns(plan, part);
	/* Also where its parts turn out not to be trusted: the totals are of slots. */
	part->slots_known =
		model->slots_per_count && part->slots && part->quality <= CTD_LOW_CONFIDENCE;
	if (type->ipc)
		evaluate_ipc(type, kind, own_counts(plan, type, part->count, buffer), values, part);
	/* Too few slots, or none, is found out there: the row is not better than its figures. */
	if (model->nodes_count > 0)
		part->quality = worse(part->quality, values[0].quality);
	/* What does nothing has no bottleneck. */
	if (kind != CTD_ROLLUP_IDLE)
		part->dominant = ctd_metric_dominant(type->metrics, values, type->level);
	part->node_slots_known =
		ctd_slots_split(model, values, part->slots_known ? part->slots : 0, node_slots);
}

void ctd_row_evaluate(const struct ctd_rollup_plan *plan, struct ctd_rollup_row *row)
{
	uint64_t weight[CTD_UNSUPPORTED + 1] = {0};
	int last = 0;

	row->slots_known = true;
	for (int type = 0; type < plan->core_types_count; type++) {
		const struct ctd_rollup_part *part = &row->parts[type];

		if (!part->ran)
			continue;
		last = type;
		row->core_types++;
		row->cpu_ns += part->cpu_ns;
		row->slices += part->slices;
		row->switches += part->switches;
		row->slots += part->slots;
		/* The slots of a part are not those of all; but none are known to be none where
		 * nothing ran. */
		row->slots_known &= part->slots_known || !part->cpu_ns;
		for (int i = 0; i <= CTD_UNSUPPORTED; i++)
			weight[i] += part->weight[i];
	}
	if (row->core_types == 1) {
		row->slots_known = row->parts[last].slots_known;
		row->quality = row->parts[last].quality;
		return;
	}
	row->slots_known &= row->slots > 0;
	row->quality = ctd_weight_quality(weight);
}
