/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* siblings.c - what a row did beside each state of the other hardware thread, by its model. */
#include "rollup/sum.h"

/* The model's ratio of the first group's counts; where these are too few, that of the whole row. */
static double retiring_of(const struct ctd_core_type *type, int node,
			  const struct ctd_interval_sibling *sibling,
			  const struct ctd_rollup_part *part)
{
	struct ctd_value value = ctd_metric_evaluate_node(type->metrics, node, sibling->count,
							  type->counters_count, part->quality);

	return ctd_value_known(value) ? value.ratio : part->values[node].ratio;
}

static void take_slots(const struct ctd_core_type *type, struct ctd_rollup_part *part)
{
	int node = ctd_cpu_model_node(type->model, CTD_ROLE_RETIRING);

	if (node < 0 || type->model->nodes[node].group || !ctd_value_known(part->values[node]))
		return;
	part->smt.slots_known = true;
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		const struct ctd_interval_sibling *from = &part->siblings[i];
		struct ctd_beside_part *to = &part->smt.parts[i];

		to->counted_ns = from->counted_ns;
		to->slots = ctd_cpu_model_slots(type->model, from->leader_count);
		if (to->slots)
			to->retired_slots =
				(uint64_t)(retiring_of(type, node, from, part) * (double)to->slots +
					   .5);
	}
}

void ctd_part_take_siblings(const struct ctd_rollup_plan *plan, int core_type,
			    struct ctd_rollup_part *part)
{
	if (!part->siblings)
		return;
	part->smt = (struct ctd_beside){.known = true};
	for (int i = 0; i < CTD_SIBLINGS; i++)
		part->smt.parts[i].cpu_ns = part->siblings[i].cpu_ns;
	if (part->slots_known)
		take_slots(&plan->core_types[core_type], part);
}
