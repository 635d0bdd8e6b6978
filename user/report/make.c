/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* make.c - an interval becomes a report: grouped, named, evaluated, sorted, cut. */
#include "report/group.h"

#include <errno.h>
#include <string.h>

#include "base/auto.h"

/* The books cover every row, shown or not, so that the sums hold whatever was filtered. */
static void keep_core_books(const struct ctd_interval *interval, const struct ctd_report *report,
			    int which, struct ctd_report_core *core)
{
	const struct ctd_interval_books *books = &interval->books[which];
	const struct ctd_cpu_model *model = interval->counters_count ? core->model : NULL;
	uint64_t unattributed = 0, residual = 0, all = 0, idle = 0;
	bool known = false;

	core->cpus_online = books->cpus_online;
	core->empty_ns = books->empty_ns;
	for (int turn = 0; model && turn < core->groups_count; turn++) {
		int leader = turn * report->counters_count;

		unattributed += books->unattributed[leader];
		/* Also a negative one: in unsigned arithmetic it subtracts. */
		residual += (uint64_t)books->residual[leader];
		for (size_t i = 0; i < interval->rows_count; i++) {
			const struct ctd_interval_row *row = &interval->rows[i];

			if (row->core_type != (uint32_t)which || row->quality > CTD_LOW_CONFIDENCE)
				continue;
			known = true;
			all += row->count[leader];
			idle += row->kind == CTD_ROW_IDLE ? row->count[leader] : 0;
		}
	}
	if (!model)
		return;
	core->slots_known = model->slots_per_count && (known || unattributed);
	core->slots = ctd_cpu_model_slots(model, all);
	core->idle_slots = ctd_cpu_model_slots(model, idle);
	core->unattributed_slots = ctd_cpu_model_slots(model, unattributed);
	core->residual_slots = (int64_t)ctd_cpu_model_slots(model, residual);
	core->slots += core->unattributed_slots + (uint64_t)core->residual_slots;
}

/* Each kind of cores has its own; in all they are the plain sum of what is known. */
static void keep_books(const struct ctd_interval *interval, struct ctd_report *report)
{
	for (int i = 0; i < report->cores_count; i++) {
		struct ctd_report_core *core = &report->cores[i];

		keep_core_books(interval, report, i, core);
		report->slots_known |= core->slots_known;
		report->slots += core->slots;
		report->idle_slots += core->idle_slots;
		report->unattributed_slots += core->unattributed_slots;
		/* Unsigned, as a damaged recording may have what does not fit. */
		report->residual_slots = (int64_t)((uint64_t)report->residual_slots +
						   (uint64_t)core->residual_slots);
	}
}

/* The deepest level that the counters can tell, of those wanted; 0: of all. */
static int level_of(const struct ctd_report_core *core, int wanted)
{
	int level = 0;

	for (int i = 0; core->model && i < core->model->nodes_count; i++) {
		const struct ctd_node *node = &core->model->nodes[i];

		if (node->group < core->groups_count - core->general &&
		    node->counters <= core->counters_count && node->level > level)
			level = node->level;
	}
	return wanted > 0 && wanted < level ? wanted : level;
}

/* The deepest level asked for that some kind of cores can tell; 0 asks for the deepest there is. */
static int deepest_level(struct ctd_report *report, int wanted)
{
	int level = 0;

	for (int i = 0; i < report->cores_count; i++) {
		struct ctd_report_core *core = &report->cores[i];

		core->level = level_of(core, wanted);
		level = core->level > level ? core->level : level;
	}
	return level;
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
			 const struct ctd_report *report, const struct ctd_report_options *options)
{
	int r = 0;

	for (size_t i = 0; r == 0 && report->tree && i < groups->count; i++)
		r = ctd_group_evaluate(&groups->items[i], groups->items[i].sums, report);
	if (r || options->unsorted)
		return r;
	if (report->tree) {
		r = ctd_tree_order(groups, sort, options->top);
	} else {
		ctd_sort_groups(groups, sort);
		r = ctd_groups_cut(groups, options->top);
	}
	for (size_t i = 0; r == 0 && i < groups->count; i++)
		if (groups->items[i].row.hidden_sum)
			r = ctd_group_evaluate(&groups->items[i], groups->items[i].sums, report);
	return r;
}

/* The rows of a group's kinds of cores, behind the row of all: in a tree, below it. */
static int take_core_rows(const struct ctd_group *group, struct ctd_report *report, size_t above)
{
	for (int i = 0; i < group->rows_count; i++) {
		struct ctd_report_row *row = &report->rows[report->rows_count];
		const struct ctd_report_row *all = &report->rows[above];

		*row = group->rows[i];
		memcpy(row->comm, all->comm, sizeof(row->comm));
		row->parent = report->tree ? (int)above : -1;
		row->depth = report->tree ? all->depth + 1 : 0;
		row->name = strdup(all->name);
		if (!row->name)
			return -ENOMEM;
		report->rows_count++;
	}
	return 0;
}

static int take_rows(struct ctd_groups *groups, struct ctd_report *report)
{
	autofree size_t *place = calloc(groups->count + 1, sizeof(*place));
	size_t count = groups->count;
	int r = 0;

	for (size_t i = 0; i < groups->count; i++)
		count += (size_t)groups->items[i].rows_count;
	report->rows = calloc(count + 1, sizeof(report->rows[0]));
	if (!report->rows || !place)
		return -ENOMEM;
	report->filtered = groups->filtered;
	for (size_t i = 0; i < groups->count && r == 0; i++) {
		struct ctd_report_row *row = &groups->items[i].row;

		place[i] = report->rows_count++;
		report->rows[place[i]] = *row;
		/* Parents come first. */
		if (row->parent >= 0)
			report->rows[place[i]].parent = (int)place[row->parent];
		row->name = NULL;
		r = take_core_rows(&groups->items[i], report, place[i]);
	}
	return r;
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

	r = ctd_sort_parse(options->sort, model, &sort);
	if (r)
		return r;
	/* Deeper levels are there, if not shown; these are not. */
	if (model && sort.key == CTD_SORT_NODE && ctd_node_is_general(&model->nodes[sort.node]) &&
	    !report.general)
		return -EINVAL;
	r = ctd_report_take_cores(header, &report);
	if (r) {
		ctd_report_free(&report);
		return r;
	}
	groups.cores_count = report.cores_count;
	groups.keep_sums = report.tree || options->top > 0;
	report.level = deepest_level(&report, options->level);
	keep_books(interval, &report);
	r = ctd_groups_make(interval, identities, options, &report, &groups);
	if (r == 0 && report.tree)
		r = ctd_tree_grow(&groups, identities, options->cgroup_id_only);
	if (r == 0)
		r = name_groups(&groups, comm, comm_context);
	if (r == 0)
		r = finish_groups(&groups, &sort, &report, options);
	if (r == 0)
		r = take_rows(&groups, &report);
	if (r) {
		ctd_report_free(&report);
		return r;
	}
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
	for (int core = 0; core < report->cores_count; core++)
		ctd_metric_set_free(report->cores[core].metrics);
	memset(report, 0, sizeof(*report));
}
