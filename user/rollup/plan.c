/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan.c - how intervals of one header were counted: models, core types, columns. */
#include <cgtopdown/rollup.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A plan, and the model of its columns where core types differ. */
struct owned_plan {
	struct ctd_rollup_plan plan;
	struct ctd_cpu_model columns;
	struct ctd_node nodes[CTD_NODES_MAX]; /* of `columns` */
	ctd_model_find *find;
	const void *context; /* of `find` */
	/* In which group each core type counts a node; -1: it does not. */
	int group[CTD_NODES_MAX][CTD_CORE_TYPES_MAX];
};

/* Its parent is there: parents come first in every model. */
static void add_column(struct owned_plan *owned, const struct ctd_cpu_model *from,
		       const struct ctd_node *node, int core_type)
{
	int at = ctd_cpu_model_find_node(&owned->columns, node->name);

	if (at < 0 && owned->columns.nodes_count < CTD_NODES_MAX) {
		at = owned->columns.nodes_count++;
		owned->nodes[at] = *node;
		if (node->parent >= 0)
			owned->nodes[at].parent = ctd_cpu_model_find_node(
				&owned->columns, from->nodes[node->parent].name);
		for (int i = 0; i < CTD_CORE_TYPES_MAX; i++)
			owned->group[at][i] = -1;
	}
	if (at < 0)
		return;
	owned->group[at][core_type] = node->group;
}

static void add_columns(struct owned_plan *owned, const struct ctd_cpu_model *model, int core_type)
{
	if (!owned->columns.name) {
		owned->columns = *model;
		owned->columns.nodes = owned->nodes;
		owned->columns.nodes_count = 0;
	}
	/* The tree first, so that IPC metrics stay the last ones. */
	for (int ipc = 0; ipc < 2; ipc++) {
		for (int i = 0; i < model->nodes_count; i++) {
			if (ctd_node_is_ipc(&model->nodes[i]) == ipc)
				add_column(owned, model, &model->nodes[i], core_type);
		}
	}
	owned->columns.core_scope |= model->core_scope;
}

/* The groups of core types that columns so far have for a group of the columns; -1: any. */
typedef int group_of_types[CTD_CORE_TYPES_MAX];

static bool fits(const group_of_types group, const group_of_types taken)
{
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		if (group[type] >= 0 && taken[type] >= 0 && group[type] != taken[type])
			return false;
	}
	return true;
}

/* Nodes that are in one group on every core type are in one here: coverage is told by group. */
static void set_groups(struct owned_plan *owned)
{
	group_of_types taken[CTD_IPC_GROUP];
	int count = 0;

	memset(taken, -1, sizeof(taken));
	for (int i = 0; i < owned->columns.nodes_count; i++) {
		const int *group = owned->group[i];
		int at = 0;

		if (ctd_node_is_ipc(&owned->nodes[i]))
			continue;
		while (at < count && !fits(group, taken[at]))
			at++;
		/* More than there are places for share the last. */
		if (at == CTD_IPC_GROUP)
			at--;
		if (at == count)
			count++;
		for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
			if (taken[at][type] < 0)
				taken[at][type] = group[type];
		}
		owned->nodes[i].group = at;
	}
}

bool ctd_core_type_counts(const struct ctd_core_type *type, const struct ctd_node *node)
{
	bool has_group =
		ctd_node_is_ipc(node) ? type->ipc : node->group < type->groups_count - type->ipc;

	return has_group && node->counters <= type->counters_count;
}

bool ctd_rollup_plan_counts(const struct ctd_rollup_plan *plan, int node)
{
	for (int i = 0; i < plan->core_types_count; i++) {
		const struct ctd_core_type *type = &plan->core_types[i];

		if (type->node[node] >= 0 &&
		    ctd_core_type_counts(type, &type->model->nodes[type->node[node]]))
			return true;
	}
	return false;
}

/* The deepest level that the counters can tell. */
static int deepest_level(const struct ctd_core_type *type)
{
	int level = 0;

	for (int i = 0; type->model && i < type->model->nodes_count; i++) {
		const struct ctd_node *node = &type->model->nodes[i];

		if (ctd_core_type_counts(type, node) && node->level > level)
			level = node->level;
	}
	return level;
}

static int finish_type(const struct ctd_rollup_plan *plan, struct ctd_core_type *type)
{
	memset(type->node, -1, sizeof(type->node));
	for (int i = 0; type->model && i < type->model->nodes_count; i++) {
		int column =
			type->model == plan->model
				? i
				: ctd_cpu_model_find_node(plan->model, type->model->nodes[i].name);

		if (column < 0)
			return -EINVAL;
		type->column[i] = column;
		type->node[column] = i;
	}
	type->level = deepest_level(type);
	return type->model ? ctd_metric_set_new(type->model, &type->metrics) : 0;
}

/* Where all CPUs are alike the header says it once, for all. */
static int take_one_type(const struct ctd_record_header *header, struct owned_plan *owned,
			 const char **ret_unknown)
{
	struct ctd_rollup_plan *plan = &owned->plan;
	struct ctd_core_type *type = &plan->core_types[0];

	*ret_unknown = header->model;
	if (*header->model) {
		plan->model = owned->find(header->model, owned->context);
		if (!plan->model)
			return -EINVAL;
	}
	plan->core_types_count = 1;
	*type = (struct ctd_core_type){
		.model = plan->model,
		.counters_count = plan->counters_count,
		.groups_count = plan->groups_count,
		.ipc = plan->ipc,
		.held = header->held,
	};
	snprintf(type->source, sizeof(type->source), "%s", header->source);
	return 0;
}

static int take_types(const struct ctd_record_header *header, struct owned_plan *owned,
		      const char **ret_unknown)
{
	struct ctd_rollup_plan *plan = &owned->plan;

	plan->core_types_count = (int)header->core_types_count;
	for (int i = 0; i < plan->core_types_count; i++) {
		const struct ctd_record_core_type *from = &header->core_types[i];
		struct ctd_core_type *type = &plan->core_types[i];

		*type = (struct ctd_core_type){
			.counters_count = (int)from->counters_count,
			.groups_count = (int)from->groups_count,
			.ipc = from->ipc,
			.held = from->held,
		};
		snprintf(type->name, sizeof(type->name), "%s", from->name);
		snprintf(type->source, sizeof(type->source), "%s", from->source);
		snprintf(type->why, sizeof(type->why), "%s", from->why);
		/* Without a model of its own the header has no counters at all. */
		if (!*header->model || !*from->model)
			continue;
		*ret_unknown = from->model;
		type->model = owned->find(from->model, owned->context);
		if (!type->model)
			return -EINVAL;
		add_columns(owned, type->model, i);
	}
	if (*header->model) {
		set_groups(owned);
		plan->model = &owned->columns;
	}
	return 0;
}

void ctd_rollup_plan_free(struct ctd_rollup_plan *plan)
{
	for (int i = 0; plan && i < plan->core_types_count; i++)
		ctd_metric_set_free(plan->core_types[i].metrics);
	/* It is the first member of an owned_plan. */
	free(plan);
}

int ctd_rollup_plan_new_of(const struct ctd_record_header *header, ctd_model_find *find,
			   const void *context, struct ctd_rollup_plan **ret_plan,
			   const char **ret_unknown)
{
	struct owned_plan *owned = calloc(1, sizeof(*owned));
	struct ctd_rollup_plan *plan;
	int error;

	if (!owned)
		return -ENOMEM;
	owned->find = find;
	owned->context = context;
	plan = &owned->plan;
	plan->simulated = header->simulated;
	plan->counters_count = (int)header->counters_count;
	plan->groups_count = header->groups_count ? (int)header->groups_count : 1;
	plan->ipc = header->ipc;
	snprintf(plan->source, sizeof(plan->source), "%s", header->source);
	snprintf(plan->hierarchy, sizeof(plan->hierarchy), "%s", header->hierarchy);
	error = header->core_types_count > 1 ? take_types(header, owned, ret_unknown)
					     : take_one_type(header, owned, ret_unknown);
	for (int i = 0; !error && i < plan->core_types_count; i++) {
		error = finish_type(plan, &plan->core_types[i]);
		if (plan->core_types[i].level > plan->level)
			plan->level = plan->core_types[i].level;
	}
	if (error) {
		ctd_rollup_plan_free(plan);
		return error;
	}
	plan->method = plan->model ? plan->source : "none";
	plan->scope = plan->model && plan->model->core_scope ? "core" : "thread";
	*ret_plan = plan;
	return 0;
}

static const struct ctd_cpu_model *find_known(const char *name, const void *context)
{
	(void)context;
	return ctd_cpu_model_find(name);
}

int ctd_rollup_plan_new(const struct ctd_record_header *header, struct ctd_rollup_plan **ret_plan,
			const char **ret_unknown)
{
	return ctd_rollup_plan_new_of(header, find_known, NULL, ret_plan, ret_unknown);
}
