/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cores.c - kinds of cores in one report: their models, and the nodes that have a column. */
#include "report/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A model made of others, with its nodes behind it. */
struct combined {
	struct ctd_cpu_model model;
	struct ctd_node nodes[CTD_NODES_MAX];
	/* In which group each kind of cores counts a node; -1: it does not. */
	int group[CTD_NODES_MAX][CTD_CORES_MAX];
};

static int find_node(const struct ctd_cpu_model *model, const char *name)
{
	for (int i = 0; i < model->nodes_count; i++) {
		if (strcmp(model->nodes[i].name, name) == 0)
			return i;
	}
	return -1;
}

/* Its parent is there: parents come first in every model. */
static void add_node(struct combined *combined, const struct ctd_cpu_model *from,
		     const struct ctd_node *node, int core)
{
	int at = find_node(&combined->model, node->name);

	if (at < 0 && combined->model.nodes_count < CTD_NODES_MAX) {
		at = combined->model.nodes_count++;
		combined->nodes[at] = *node;
		if (node->parent >= 0)
			combined->nodes[at].parent =
				find_node(&combined->model, from->nodes[node->parent].name);
		for (int i = 0; i < CTD_CORES_MAX; i++)
			combined->group[at][i] = -1;
	}
	if (at < 0)
		return;
	combined->group[at][core] = node->group;
}

/* Nodes that are in one group on every kind of cores are in one here: coverage is told by group. */
static void set_groups(struct combined *combined)
{
	int taken[CTD_GROUPS_MAX][CTD_CORES_MAX], count = 0;

	for (int i = 0; i < combined->model.nodes_count; i++) {
		int *group = combined->group[i], at;

		if (ctd_node_is_general(&combined->nodes[i]))
			continue;
		for (at = 0; at < count; at++) {
			bool same = true;

			for (int core = 0; core < CTD_CORES_MAX; core++)
				same &= group[core] < 0 || taken[at][core] < 0 ||
					group[core] == taken[at][core];
			if (same)
				break;
		}
		/* More than there are places for share the last. */
		if (at == CTD_GENERAL_GROUP)
			at--;
		if (at == count) {
			count++;
			for (int core = 0; core < CTD_CORES_MAX; core++)
				taken[at][core] = -1;
		}
		for (int core = 0; core < CTD_CORES_MAX; core++) {
			if (taken[at][core] < 0)
				taken[at][core] = group[core];
		}
		combined->nodes[i].group = at;
	}
}

int ctd_report_combine(const struct ctd_record_header *header, struct ctd_cpu_model **ret_model,
		       const char **ret_name)
{
	struct combined *combined = calloc(1, sizeof(*combined));

	if (!combined)
		return -ENOMEM;
	for (uint32_t core = 0; core < header->core_types_count; core++) {
		const char *name = header->core_types[core].model;
		const struct ctd_cpu_model *model = *name ? ctd_cpu_model_find(name) : NULL;

		if (*name && !model) {
			free(combined);
			*ret_name = name;
			return -EINVAL;
		}
		if (!model)
			continue;
		if (!combined->model.name) {
			combined->model = *model;
			combined->model.nodes = combined->nodes;
			combined->model.nodes_count = 0;
		}
		/* Level by level, so that general metrics stay the last ones. */
		for (int general = 0; general < 2; general++) {
			for (int i = 0; i < model->nodes_count; i++) {
				if (ctd_node_is_general(&model->nodes[i]) == general)
					add_node(combined, model, &model->nodes[i], (int)core);
			}
		}
		combined->model.core_scope |= model->core_scope;
	}
	set_groups(combined);
	*ret_model = &combined->model;
	return 0;
}

static int take_core(const struct ctd_record_core_type *from, const struct ctd_report *report,
		     struct ctd_report_core *core)
{
	*core = (struct ctd_report_core){
		.name = from->name,
		.source = from->source,
		.why = from->why,
		.model = *from->model && report->model ? ctd_cpu_model_find(from->model) : NULL,
		.counters_count = (int)from->counters_count,
		.groups_count = (int)from->groups_count,
		.general = from->general,
	};
	for (int i = 0; core->model && i < core->model->nodes_count; i++) {
		core->column[i] = find_node(report->model, core->model->nodes[i].name);
		if (core->column[i] < 0)
			return -EINVAL;
	}
	return 0;
}

int ctd_report_take_cores(const struct ctd_record_header *header, struct ctd_report *report)
{
	int r = 0;

	report->cores_count = 1;
	report->cores[0] = (struct ctd_report_core){
		.source = report->source,
		.why = "",
		.model = report->model,
		.counters_count = report->counters_count,
		.groups_count = report->groups_count,
		.general = report->general,
	};
	for (int i = 0; i < CTD_NODES_MAX; i++)
		report->cores[0].column[i] = i;
	if (header->core_types_count > 1)
		report->cores_count = (int)header->core_types_count;
	for (int core = 0; core < report->cores_count && r == 0; core++) {
		if (header->core_types_count > 1)
			r = take_core(&header->core_types[core], report, &report->cores[core]);
		if (r == 0 && report->cores[core].model)
			r = ctd_metric_set_new(report->cores[core].model,
					       &report->cores[core].metrics);
	}
	return r;
}
