/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* set.c - compiles the formulas and conditions of a model. */
#include "metric/set.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct node_scope {
	const struct ctd_cpu_model *model;
	const struct ctd_node *node;
};

/* A count of the node's group, or the time that these are of. */
static int find_event(const void *context, const char *function, const char *name,
		      struct ctd_expr_operand *ret_operand)
{
	const struct node_scope *scope = context;
	const struct ctd_cpu_event *events = scope->model->groups[scope->node->group];

	if (function)
		return -ENOENT;
	*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_VALUE};
	if (ctd_node_is_ipc(scope->node) && strcmp(name, "time_ns") == 0) {
		ret_operand->value = CTD_COUNT_TIME_NS;
		return 0;
	}
	for (int i = 0; i < scope->node->counters && events[i].name; i++) {
		if (strcmp(events[i].name, name) == 0) {
			ret_operand->value = (unsigned int)i;
			return 0;
		}
	}
	return -ENOENT;
}

/* Conditions are common to designs, of which some do not count all nodes. */
static int find_node(const void *context, const char *function, const char *name,
		     struct ctd_expr_operand *ret_operand)
{
	const struct node_scope *scope = context;
	int node = ctd_cpu_model_find_node(scope->model, name);

	if (function)
		return -ENOENT;
	*ret_operand =
		(struct ctd_expr_operand){.kind = CTD_EXPR_VALUE, .value = (unsigned int)node};
	if (node >= 0)
		return 0;
	*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_NUMBER, .number = NAN};
	return ctd_cpu_is_node(name) ? 0 : -ENOENT;
}

static int share(struct ctd_metric_set *set, int index)
{
	const struct ctd_node *node = &set->model->nodes[index];
	bool ipc = ctd_node_is_ipc(node);
	struct ctd_shared *shared = &set->shared[ipc];
	uint32_t group = ipc ? 0 : (uint32_t)node->group;
	int r = ctd_shared_add(shared, set->formulas[index], group * METRIC_GROUP_INPUTS,
			       &set->place[index]);

	set->end[index] = shared->count;
	return r;
}

static int compile_node(struct ctd_metric_set *set, int index)
{
	const struct ctd_node *node = &set->model->nodes[index];
	const struct node_scope context = {set->model, node};
	const struct ctd_expr_scope events = {find_event, &context}, nodes = {find_node, &context};
	struct ctd_expr_error error;
	int r = ctd_expr_compile(node->formula, strlen(node->formula), &events,
				 &set->formulas[index], &error);

	if (r == 0)
		r = share(set, index);
	if (r == 0 && node->condition)
		r = ctd_expr_compile(node->condition, strlen(node->condition), &nodes,
				     &set->conditions[index], &error);
	return r;
}

int ctd_metric_set_new(const struct ctd_cpu_model *model, struct ctd_metric_set **ret_set)
{
	struct ctd_metric_set *set = calloc(1, sizeof(*set));
	int r = 0;

	if (!set)
		return -ENOMEM;
	set->model = model;
	set->shared[0].inputs_count = set->shared[1].inputs_count = METRIC_INPUTS;
	for (int i = 0; i < model->nodes_count && r == 0; i++)
		r = compile_node(set, i);
	if (r) {
		ctd_metric_set_free(set);
		return r;
	}
	*ret_set = set;
	return 0;
}

void ctd_metric_set_free(struct ctd_metric_set *set)
{
	for (int i = 0; set && i < CTD_NODES_MAX; i++) {
		ctd_expr_free(set->formulas[i]);
		ctd_expr_free(set->conditions[i]);
	}
	free(set);
}

double ctd_metric_value(const struct ctd_metric_set *set, int node, const double *count)
{
	return ctd_expr_evaluate(set->formulas[node], count);
}

/* "NAME > RATIO", as cpu.h says. */
double ctd_metric_threshold(const struct ctd_node *node)
{
	const char *above = node->condition ? strchr(node->condition, '>') : NULL;

	return above ? strtod(above + 1, NULL) : 0;
}
