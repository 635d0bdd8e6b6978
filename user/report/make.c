/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* make.c - an interval becomes a report: grouped, named, evaluated, sorted, cut. */
#include "report/group.h"

#include <errno.h>
#include <string.h>

#include "base/auto.h"

/* The books cover every row, shown or not, so that the sums hold whatever was filtered. */
static void keep_books(const struct ctd_interval *interval, struct ctd_report *report)
{
	const struct ctd_cpu_model *model = report->model;
	uint64_t unattributed = 0, residual = 0, all = 0, idle = 0;
	bool known = false;

	for (int turn = 0; turn < report->groups_count; turn++) {
		int leader = turn * report->counters_count;

		unattributed += interval->books[0].unattributed[leader];
		/* Also a negative one: in unsigned arithmetic it subtracts. */
		residual += (uint64_t)interval->books[0].residual[leader];
		for (size_t i = 0; i < interval->rows_count; i++) {
			const struct ctd_interval_row *row = &interval->rows[i];

			if (row->quality > CTD_LOW_CONFIDENCE)
				continue;
			known = true;
			all += row->count[leader];
			idle += row->kind == CTD_ROW_IDLE ? row->count[leader] : 0;
		}
	}
	report->slots_known = model->slots_per_count && (known || unattributed);
	report->slots = ctd_cpu_model_slots(model, all);
	report->idle_slots = ctd_cpu_model_slots(model, idle);
	report->unattributed_slots = ctd_cpu_model_slots(model, unattributed);
	report->residual_slots = (int64_t)ctd_cpu_model_slots(model, residual);
	report->slots += report->unattributed_slots + (uint64_t)report->residual_slots;
}

/* The deepest level asked for that the counters can tell; 0 asks for the deepest there is. */
static int deepest_level(const struct ctd_cpu_model *model, const struct ctd_interval *interval,
			 int groups_count, int wanted)
{
	int level = 0;

	for (int i = 0; model && i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (node->group < groups_count && node->counters <= (int)interval->counters_count &&
		    node->level > level)
			level = node->level;
	}
	return wanted > 0 && wanted < level ? wanted : level;
}

static int name_groups(struct ctd_groups *groups, ctd_comm_lookup comm, void *comm_context)
{
	for (size_t i = 0; i < groups->count; i++) {
		struct ctd_report_row *row = &groups->items[i].row;
		const char *text = row->pid && comm ? comm(row->pid, comm_context) : NULL;

		if (text)
			memccpy(row->comm, text, '\0', sizeof(row->comm) - 1);
		row->name = ctd_group_name(&groups->items[i]);
		if (!row->name)
			return -ENOMEM;
	}
	return 0;
}

/* Groups are complete: figures, order, and the sum of those cut off. */
static int finish_groups(struct ctd_groups *groups, const struct ctd_sort *sort,
			 const struct ctd_report *report, int top)
{
	int r;

	for (size_t i = 0; i < groups->count; i++)
		ctd_group_evaluate(&groups->items[i], report);
	if (report->tree) {
		r = ctd_tree_order(groups, sort, top);
	} else {
		ctd_sort_groups(groups, sort);
		r = ctd_groups_cut(groups, top);
	}
	for (size_t i = 0; r == 0 && i < groups->count; i++)
		if (groups->items[i].row.hidden_sum)
			ctd_group_evaluate(&groups->items[i], report);
	return r;
}

static int take_rows(struct ctd_groups *groups, struct ctd_report *report)
{
	report->rows = calloc(groups->count ? groups->count : 1, sizeof(report->rows[0]));
	if (!report->rows)
		return -ENOMEM;
	for (size_t i = 0; i < groups->count; i++) {
		report->rows[i] = groups->items[i].row;
		groups->items[i].row.name = NULL;
	}
	report->rows_count = groups->count;
	report->filtered = groups->filtered;
	return 0;
}

bool ctd_report_has(const struct ctd_report *report, int node)
{
	const struct ctd_node *is = &report->model->nodes[node];

	return ctd_node_is_general(is) ? report->general : is->level <= report->level;
}

int ctd_report_make(const struct ctd_interval *interval, const struct ctd_record_header *header,
		    const struct ctd_cpu_model *model, const struct ctd_identities *identities,
		    ctd_comm_lookup comm, void *comm_context,
		    const struct ctd_report_options *options, struct ctd_report *ret_report)
{
	auto_ctd_groups struct ctd_groups groups = {0};
	struct ctd_report report = {
		.source = header->source,
		.simulated = header->simulated,
		.method = model ? header->source : "none",
		.scope = model && model->core_scope ? "core" : "thread",
		.hierarchy = header->hierarchy,
		.model = model,
		.counters_count = (int)interval->counters_count,
		.groups_count = (int)interval->groups_count,
		.general = header->general,
		.by = options->by,
		.realtime_ns = interval->realtime_ns,
		.window_ns = interval->window_ns,
		.sequence = interval->sequence,
		.cpus_online = interval->cpus_online,
		.unattributed_cpu_s = (double)interval->unattributed_ns / 1e9,
		.health = interval->health,
		/* Only cgroups lie in one another. */
		.tree = options->tree && options->by == CTD_GROUP_CGROUP,
	};
	struct ctd_sort sort;
	int r;

	report.level = deepest_level(model, interval, report.groups_count - report.general,
				     options->level);
	r = ctd_sort_parse(options->sort, model, &sort);
	if (r)
		return r;
	/* Deeper levels are there, if not shown; these are not. */
	if (sort.key == CTD_SORT_NODE && ctd_node_is_general(&model->nodes[sort.node]) &&
	    !report.general)
		return -EINVAL;
	if (model && interval->counters_count > 0)
		keep_books(interval, &report);
	r = ctd_groups_make(interval, identities, options, &groups);
	if (r == 0 && report.tree)
		r = ctd_tree_grow(&groups, identities, options->cgroup_id_only);
	if (r == 0)
		r = name_groups(&groups, comm, comm_context);
	if (r == 0)
		r = finish_groups(&groups, &sort, &report, options->top);
	if (r == 0)
		r = take_rows(&groups, &report);
	if (r)
		return r;
	*ret_report = report;
	return 0;
}

void ctd_report_free(struct ctd_report *report)
{
	if (!report)
		return;
	for (size_t i = 0; report->rows && i < report->rows_count; i++)
		free(report->rows[i].name);
	free(report->rows);
	memset(report, 0, sizeof(*report));
}
