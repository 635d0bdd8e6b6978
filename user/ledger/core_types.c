/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_types.c - core types and their nodes, which keep their places while plans change. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int ctd_plan_map_types(const struct ctd_ledger_view *newest, const struct ctd_rollup_plan *plan,
		       struct ctd_plan_map *ret_map)
{
	int count = newest->core_types_count;

	for (int i = 0; i < plan->core_types_count; i++) {
		int at = 0;

		while (at < newest->core_types_count &&
		       strcmp(newest->core_types[at].name, plan->core_types[i].name) != 0)
			at++;
		if (at == newest->core_types_count)
			at = count++;
		if (at >= CTD_LEDGER_CORE_TYPES_MAX)
			return -EINVAL;
		ret_map->core_type[i] = at;
	}
	return 0;
}

/* Most often at its place in the model. */
static int find_node(const struct ctd_ledger_core_type *type, const char *name, int likely)
{
	if (likely < type->nodes_count && strcmp(type->nodes[likely].name, name) == 0)
		return likely;
	for (int i = 0; i < type->nodes_count; i++) {
		if (strcmp(type->nodes[i].name, name) == 0)
			return i;
	}
	return -1;
}

/* The newest model says what a node is: its threshold may be another one. */
static void map_nodes(const struct ctd_core_type *from, struct ctd_ledger_core_type *type,
		      int *nodes)
{
	const struct ctd_cpu_model *model = from->model;

	type->nodes_counted = 0;
	for (int i = 0; model && i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];
		int at = find_node(type, node->name, i);

		if (at < 0 && type->nodes_count < CTD_NODES_MAX)
			at = type->nodes_count++;
		nodes[i] = at;
		if (at < 0)
			continue;
		type->nodes[at] = *node;
		type->nodes_counted |= (uint32_t)ctd_core_type_counts(from, node) << at;
		/* Parents come first. */
		if (node->parent >= 0)
			type->nodes[at].parent = nodes[node->parent];
	}
}

static void take_type(const struct ctd_rollup *rollup, int core_type,
		      struct ctd_ledger_core_type *type, int *nodes)
{
	const struct ctd_core_type *from = &rollup->plan->core_types[core_type];

	type->model = from->model;
	type->scope = from->model && from->model->core_scope ? "core" : "thread";
	type->level = from->level;
	type->groups_count = from->groups_count;
	type->newest = rollup->totals[core_type];
	type->cpus_online = type->newest.cpus_online;
	if (from->model && from->model->cache)
		type->cache = from->model->cache;
	snprintf(type->name, sizeof(type->name), "%s", from->name);
	snprintf(type->source, sizeof(type->source), "%s", from->source);
	map_nodes(from, type, nodes);
}

/* Those that the plan does not have are not there just now. */
static void leave_types(struct ctd_ledger_view *newest)
{
	for (int i = 0; i < newest->core_types_count; i++) {
		struct ctd_ledger_core_type *type = &newest->core_types[i];

		type->model = NULL;
		type->nodes_counted = 0;
		type->cpus_online = 0;
		type->newest = (struct ctd_rollup_totals){};
		type->level = 0;
		type->groups_count = 0;
		type->state = CTD_PMU_ABSENT;
		snprintf(type->source, sizeof(type->source), "none");
	}
}

/* From the best to the worst. */
static int badness(enum ctd_pmu_state state)
{
	static const int of[CTD_PMU_STATES] = {
		[CTD_PMU_LIVE] = 1,	 [CTD_PMU_MULTIPLEXED] = 2, [CTD_PMU_STARVED] = 3,
		[CTD_PMU_NEVER_RAN] = 4, [CTD_PMU_IMPLAUSIBLE] = 5,
	};

	return of[state];
}

/* Another source has not counted yet, whatever the one before it did. */
static void forget_other_sources(struct ctd_ledger *ledger, const struct ctd_rollup *rollup,
				 const struct ctd_plan_map *map)
{
	for (int i = 0; i < rollup->plan->core_types_count; i++) {
		int at = map->core_type[i];

		if (strcmp(ledger->newest.core_types[at].source,
			   rollup->plan->core_types[i].source) != 0)
			ledger->counted[at] = false;
	}
}

void ctd_core_types_take(struct ctd_ledger *ledger, const struct ctd_rollup *rollup,
			 struct ctd_plan_map *map)
{
	struct ctd_ledger_view *newest = &ledger->newest;

	forget_other_sources(ledger, rollup, map);
	leave_types(newest);
	for (int i = 0; i < rollup->plan->core_types_count; i++) {
		int at = map->core_type[i];

		if (at >= newest->core_types_count)
			newest->core_types_count = at + 1;
		take_type(rollup, i, &newest->core_types[at], map->node[i]);
	}
	ctd_pmu_judge(ledger, rollup, map);
	newest->state = CTD_PMU_ABSENT;
	for (int i = 0; i < newest->core_types_count; i++) {
		if (badness(newest->core_types[i].state) > badness(newest->state))
			newest->state = newest->core_types[i].state;
	}
}

void ctd_core_types_add_totals(struct ctd_ledger_view *newest, const struct ctd_rollup *rollup,
			       const struct ctd_plan_map *map)
{
	for (int i = 0; i < rollup->plan->core_types_count; i++) {
		const struct ctd_rollup_totals *from = &rollup->totals[i];
		struct ctd_core_totals *type = &newest->core_types[map->core_type[i]].totals;

		if (!from->slots_known)
			continue;
		type->slots_known = true;
		type->slots += from->slots;
		type->unattributed_slots += from->unattributed_slots;
		type->residual_slots += from->residual_slots;
	}
}
