/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan.c - makes a model of each core type whose counters are the totals of a view. */
#include "remote/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "remote/read.h"

#define EVENT_BYTES 16
#define FORMULA_BYTES 32
#define MODEL_NAME_BYTES 16

static const char slots_event[] = "slots", leader_event[] = "leader";

static const struct ctd_cpu_event ipc_events[] = {
	{leader_event, 0},    {"cycles", 0},	   {"instructions", 0},
	{"branch_misses", 0}, {"cache_misses", 0}, {NULL, 0},
};

/* A model, and the texts that it points to. */
struct own_model {
	struct ctd_cpu_model model;
	char name[MODEL_NAME_BYTES];
	struct ctd_remote_core_type type; /* owned texts of its nodes */
	struct ctd_node nodes[CTD_NODES_MAX];
	struct ctd_cpu_event events[CTD_COUNTERS_MAX + 1];
	char event_names[CTD_COUNTERS_MAX][EVENT_BYTES];
	char formulas[CTD_NODES_MAX][FORMULA_BYTES];
	int counted[CTD_REMOTE_NODES_MAX]; /* node of the view for each counter */
	int counted_count;
	int place[CTD_NODES_MAX]; /* of each node of the view in the model; -1: it is left out */
};

struct ctd_remote_plan {
	struct ctd_rollup_plan *rollup; /* owned */
	struct own_model models[CTD_CORE_TYPES_MAX];
};

/* How a node beside the tree comes from counts; NULL: not known here. */
static const char *ipc_formula(enum ctd_node_role role)
{
	switch (role) {
	case CTD_ROLE_IPC:
		return "instructions / cycles";
	case CTD_ROLE_CPI:
		return "cycles / instructions";
	case CTD_ROLE_GHZ:
		return "cycles / time_ns";
	case CTD_ROLE_BRANCH_MPKI:
		return "1000 * branch_misses / instructions";
	case CTD_ROLE_CACHE_MPKI:
		return "1000 * cache_misses / instructions";
	default:
		return NULL;
	}
}

static int ipc_counters(enum ctd_node_role role)
{
	return CTD_REMOTE_IPC + 1 +
	       (role == CTD_ROLE_CACHE_MPKI    ? (int)CTD_IPC_CACHE_MISSES
		: role == CTD_ROLE_BRANCH_MPKI ? (int)CTD_IPC_BRANCH_MISSES
		: role == CTD_ROLE_GHZ	       ? (int)CTD_IPC_CYCLES
					       : (int)CTD_IPC_INSTRUCTIONS);
}

static void begin_node(struct own_model *own, int index, struct ctd_node **ret_node)
{
	const struct ctd_remote_node *from = &own->type.nodes[index];
	struct ctd_node *node = &own->nodes[own->model.nodes_count];

	*node = (struct ctd_node){
		.name = from->name,
		.role = from->role,
		.title = from->title,
		.level = from->level,
		.unit = from->unit,
		.parent = from->parent < 0 ? -1 : own->place[from->parent],
		.help = from->help,
	};
	own->place[index] = own->model.nodes_count;
	*ret_node = node;
}

/* There is a column of it, where nothing is known. */
static void add_node_without_counters(struct own_model *own, int index)
{
	struct ctd_node *node;

	begin_node(own, index, &node);
	node->unit = CTD_UNIT_RATIO;
	node->counters = CTD_COUNTERS_MAX + 1;
	node->formula = "slots / slots";
	own->model.nodes_count++;
}

/* One of the tree: its share of all slots. */
static void add_tree_node(struct own_model *own, int index)
{
	const struct ctd_remote_node *from = &own->type.nodes[index];
	int number = own->model.nodes_count, counter = CTD_REMOTE_NODES + own->counted_count;
	struct ctd_node *node;

	if (counter == CTD_COUNTERS_MAX || (from->parent >= 0 && own->place[from->parent] < 0))
		return;
	if (from->lacks_counters) {
		add_node_without_counters(own, index);
		return;
	}
	begin_node(own, index, &node);
	snprintf(own->event_names[counter], EVENT_BYTES, "n%d", own->counted_count);
	snprintf(own->formulas[number], FORMULA_BYTES, "n%d / slots", own->counted_count);
	own->events[counter].name = own->event_names[counter];
	own->counted[own->counted_count++] = index;
	node->unit = CTD_UNIT_RATIO;
	node->counters = counter + 1;
	node->formula = own->formulas[number];
	node->condition = from->condition;
	own->model.nodes_count++;
}

static void add_ipc_node(struct own_model *own, int index)
{
	const struct ctd_remote_node *from = &own->type.nodes[index];
	struct ctd_node *node;

	if (!ipc_formula(from->role))
		return;
	begin_node(own, index, &node);
	node->group = CTD_IPC_GROUP;
	node->counters = ipc_counters(from->role);
	node->formula = ipc_formula(from->role);
	own->model.nodes_count++;
}

/* Takes the texts of the core type over. */
static void make_model(struct own_model *own, int number, bool ipc)
{
	snprintf(own->name, sizeof(own->name), "type%d", number);
	own->events[CTD_REMOTE_LEADER].name = leader_event;
	own->events[CTD_REMOTE_SLOTS].name = slots_event;
	own->model = (struct ctd_cpu_model){
		.name = own->name,
		.title = "",
		.source = own->type.source,
		.publication = "",
		.slots_per_count = 1,
		.core_scope = own->type.core_scope,
		.ipc_first = CTD_REMOTE_IPC,
		.cache = "llc",
		.nodes = own->nodes,
	};
	own->model.groups[0] = own->events;
	own->model.groups[CTD_IPC_GROUP] = ipc_events;
	memset(own->place, -1, sizeof(own->place));
	for (int i = 0; i < own->type.nodes_count; i++)
		if (own->type.nodes[i].level > 0 && own->type.nodes[i].level <= own->type.level)
			add_tree_node(own, i);
	for (int i = 0; ipc && i < own->type.nodes_count; i++)
		if (own->type.nodes[i].level == 0)
			add_ipc_node(own, i);
}

static const struct ctd_cpu_model *find_model(const char *name, const void *context)
{
	const struct ctd_remote_plan *plan = context;

	for (int i = 0; i < CTD_CORE_TYPES_MAX; i++)
		if (plan->models[i].model.name && strcmp(plan->models[i].name, name) == 0)
			return &plan->models[i].model;
	return NULL;
}

/* A core type that has no counters has a source of none, and time only. */
static void describe(const struct ctd_remote_core_type *from, const struct own_model *own,
		     struct ctd_record_header *header, bool ipc)
{
	struct ctd_record_core_type *type = &header->core_types[header->core_types_count++];
	bool has_ipc = ipc && from->rotation > 1;

	memcpy(type->name, from->name, sizeof(type->name));
	memcpy(type->source, from->source, sizeof(type->source));
	type->groups_count = (uint32_t)from->rotation;
	type->ipc = has_ipc;
	if (!from->has_model) {
		snprintf(type->why, sizeof(type->why), "no counters");
		return;
	}
	type->counters_count = CTD_COUNTERS_MAX;
	snprintf(type->model, sizeof(type->model), "%s", own->name);
	if (!*header->model)
		memcpy(header->model, type->model, sizeof(header->model));
	header->counters_count = CTD_COUNTERS_MAX;
	header->ipc |= has_ipc;
}

int ctd_remote_plan_new(const struct ctd_remote_view *view, bool ipc,
			struct ctd_remote_plan **ret_plan, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_remote_plan *plan = calloc(1, sizeof(*plan));
	struct ctd_record_header header = {.simulated = view->simulated, .groups_count = 1};
	const char *unknown;
	int error = plan ? 0 : -ENOMEM;

	ipc &= view->general;
	memcpy(header.source, view->source, sizeof(header.source));
	memcpy(header.hierarchy, view->hierarchy, sizeof(header.hierarchy));
	for (int i = 0; !error && i < view->core_types_count; i++) {
		const struct ctd_remote_core_type *type = &view->core_types[i];

		error = ctd_remote_core_type_copy(type, &plan->models[i].type);
		make_model(&plan->models[i], i, ipc);
		describe(type, &plan->models[i], &header, ipc);
		if (header.groups_count < (uint32_t)type->rotation)
			header.groups_count = (uint32_t)type->rotation;
	}
	if (!error)
		error = ctd_rollup_plan_new_of(&header, find_model, plan, &plan->rollup, &unknown);
	if (error) {
		ctd_remote_plan_free(plan);
		if (error == -ENOMEM)
			return error;
		snprintf(ret_why, CTD_REMOTE_WHY_BYTES,
			 "a condition of its nodes is none that is known here");
		return -EBADMSG;
	}
	*ret_plan = plan;
	return 0;
}

void ctd_remote_plan_free(struct ctd_remote_plan *plan)
{
	if (!plan)
		return;
	ctd_rollup_plan_free(plan->rollup);
	for (int i = 0; i < CTD_CORE_TYPES_MAX; i++)
		ctd_remote_core_type_free(&plan->models[i].type);
	free(plan);
}

const struct ctd_rollup_plan *ctd_remote_plan_rollup(const struct ctd_remote_plan *plan)
{
	return plan->rollup;
}

int ctd_remote_plan_nodes(const struct ctd_remote_plan *plan, int core_type, const int **ret_nodes)
{
	*ret_nodes = plan->models[core_type].counted;
	return plan->models[core_type].counted_count;
}

bool ctd_remote_view_lacks_shares(const struct ctd_remote_view *view)
{
	for (int i = 0; i < view->core_types_count; i++) {
		const struct ctd_remote_core_type *type = &view->core_types[i];

		for (int node = 0; node < type->nodes_count; node++)
			if (type->nodes[node].role == CTD_ROLE_FRONTEND_STALLS ||
			    type->nodes[node].role == CTD_ROLE_BACKEND_STALLS)
				return true;
	}
	return false;
}
