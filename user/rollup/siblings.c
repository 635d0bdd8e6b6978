/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* siblings.c - what a row did beside each state of the other hardware thread, by its model. */
#include <math.h>
#include <string.h>

#include "rollup/sum.h"

/* The model's ratio of the first group's counts; where these are too few, that of the whole row. */
static struct ctd_value retiring_of(const struct ctd_rollup_plan *plan, int core_type, int node,
				    const struct ctd_interval_sibling *sibling,
				    const struct ctd_rollup_part *part)
{
	struct ctd_value values[CTD_NODES_MAX];
	uint64_t count[CTD_ROTATION_GROUPS_MAX * CTD_COUNTERS_MAX];

	memset(count, 0,
	       (size_t)plan->groups_count * (size_t)plan->counters_count * sizeof(*count));
	memcpy(count, sibling->count, (size_t)plan->counters_count * sizeof(*count));
	ctd_rollup_plan_evaluate(plan, core_type, count, part->quality, values);
	return ctd_value_known(values[node]) ? values[node] : part->values[node];
}

static void take_slots(const struct ctd_rollup_plan *plan, int core_type,
		       struct ctd_rollup_part *part)
{
	const struct ctd_cpu_model *model = plan->core_types[core_type].model;
	int node = ctd_cpu_model_node(model, CTD_ROLE_RETIRING);

	if (node < 0 || model->nodes[node].group || !ctd_value_known(part->values[node]))
		return;
	part->smt.slots_known = true;
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		struct ctd_beside_part *to = &part->smt.parts[i];
		struct ctd_value retiring =
			retiring_of(plan, core_type, node, &part->siblings[i], part);

		to->counted_ns = part->siblings[i].counted_ns;
		to->slots = ctd_cpu_model_slots(model, part->siblings[i].leader_count);
		to->retired_slots =
			(uint64_t)(fmin(fmax(retiring.ratio, 0), 1) * (double)to->slots + .5);
	}
}

void ctd_part_take_siblings(const struct ctd_rollup_plan *plan, int core_type,
			    struct ctd_rollup_part *part)
{
	part->smt = (struct ctd_beside){.known = part->siblings != NULL};
	for (int i = 0; part->siblings && i < CTD_SIBLINGS; i++)
		part->smt.parts[i].cpu_ns = part->siblings[i].cpu_ns;
	if (part->siblings && part->slots_known)
		take_slots(plan, core_type, part);
}
