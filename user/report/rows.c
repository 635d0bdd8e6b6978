/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rows.c - rows of a rollup become rows of a report: their figures in columns. */
#include "report/entries.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"

/* By the groups of the columns: the IPC group, if it is there, is the last. */
static void cover(const struct ctd_rollup_plan *plan, const struct ctd_core_type *type,
		  const struct ctd_rollup_part *part, struct ctd_report_row *row)
{
	double covered[CTD_GROUPS_MAX] = {0};

	for (int group = 0; group < type->groups_count; group++) {
		bool is_ipc = type->ipc && group == type->groups_count - 1;

		covered[is_ipc ? CTD_IPC_GROUP : group] =
			part->cpu_ns ? (double)part->group_ns[group] / (double)part->cpu_ns : 0;
	}
	for (int i = 0; i < type->model->nodes_count; i++) {
		const struct ctd_node *column = &plan->model->nodes[type->column[i]];

		row->coverage[column->group] = covered[type->model->nodes[i].group];
	}
}

/* The bottleneck that is shown is not deeper than its level. */
static int dominant_column(const struct ctd_core_type *type, int node, int level)
{
	while (node >= 0 && type->model->nodes[node].level > level)
		node = type->model->nodes[node].parent;
	return node < 0 ? -1 : type->column[node];
}

/* And what siblings did. Nobody waits to be idle. */
static void take_waits(const struct ctd_rollup_part *part, struct ctd_report_row *row)
{
	ctd_beside_add(&row->smt, &part->smt);
	if (!part->waits || row->kind == CTD_ROLLUP_IDLE)
		return;
	row->waits_known = true;
	ctd_waits_add(&row->waits, part->waits);
}

/* The figures of one core type, in the places that the columns have. */
static void take_part(const struct ctd_rollup_plan *plan, int core_type,
		      const struct ctd_rollup_part *part, int level, struct ctd_report_row *row)
{
	const struct ctd_core_type *type = &plan->core_types[core_type];

	row->core_type = core_type;
	row->cpu_ns = part->cpu_ns;
	row->slices = part->slices;
	row->switches = part->switches;
	row->slots_known = part->slots_known;
	row->slots = part->slots;
	row->quality = part->quality;
	take_waits(part, row);
	if (!part->values)
		return;
	cover(plan, type, part, row);
	for (int i = 0; i < type->model->nodes_count; i++) {
		row->values[type->column[i]] = part->values[i];
		if (!ctd_metric_hot(type->metrics, part->values, i))
			row->cool |= 1u << type->column[i];
	}
	row->dominant = dominant_column(type, part->dominant, level);
}

static void take_sum(const struct ctd_rollup_plan *plan, const struct ctd_rollup_row *from,
		     struct ctd_report_row *row)
{
	row->core_sum = true;
	row->cpu_ns = from->cpu_ns;
	row->slices = from->slices;
	row->switches = from->switches;
	row->slots_known = from->slots_known;
	row->slots = from->slots;
	row->quality = from->quality;
	for (int type = 0; type < plan->core_types_count; type++)
		take_waits(&from->parts[type], row);
}

/* @p entry's, without figures. @return NULL without memory. */
static struct ctd_report_row *add_row(const struct ctd_entries *entries,
				      const struct ctd_entry *entry, struct ctd_report *report)
{
	const struct ctd_rollup_row *from = &entries->rollup->rows[entry->row];
	struct ctd_report_row *row = &report->rows[report->rows_count];

	*row = (struct ctd_report_row){
		.kind = from->kind,
		.name = strdup(entries->names[entry->row]),
		.identity = from->identity,
		.cgroup_id = from->cgroup_id,
		.pid = from->pid,
		.depth = entry->depth,
		.parent = -1,
		.dominant = -1,
		.throttling_known = from->throttling_known,
		.throttling = from->throttling,
		.hidden_sum = from->kind == CTD_ROLLUP_OTHER && !from->members,
	};
	if (!row->name)
		return NULL;
	memcpy(row->comm, entries->comms[entry->row], sizeof(row->comm));
	for (int i = 0; i < CTD_NODES_MAX; i++)
		row->values[i] = (struct ctd_value){.quality = CTD_UNSUPPORTED};
	report->rows_count++;
	return row;
}

/* The entry's row; where it ran on several core types, one of all, then those of each: in a tree,
 * below it. @p places: of the entries before it, their rows. */
static int add_rows(const struct ctd_entries *entries, const struct ctd_entry *entry,
		    size_t *places, struct ctd_report *report)
{
	const struct ctd_rollup_row *from = &entries->rollup->rows[entry->row];
	const struct ctd_rollup_plan *plan = entries->rollup->plan;
	int above = entry->parent >= 0 ? (int)places[entry->parent] : -1, deeper = 0;
	struct ctd_report_row *row;

	places[entry - entries->items] = report->rows_count;
	if (from->core_types > 1) {
		row = add_row(entries, entry, report);
		if (!row)
			return -ENOMEM;
		row->parent = above;
		take_sum(plan, from, row);
		above = report->tree ? (int)report->rows_count - 1 : -1;
		deeper = report->tree;
	}
	for (int type = 0; type < plan->core_types_count; type++) {
		if (!from->parts[type].ran)
			continue;
		row = add_row(entries, entry, report);
		if (!row)
			return -ENOMEM;
		row->parent = above;
		row->depth += deeper;
		take_part(plan, type, &from->parts[type], report->level, row);
		if (report->vendor)
			ctd_report_take_vendor(entries->rollup, entry->row, type, row);
		if (report->drills)
			ctd_report_take_drill(report, row);
	}
	return 0;
}

int ctd_entries_take(const struct ctd_entries *entries, struct ctd_report *report)
{
	autofree size_t *places = calloc(entries->count + 1, sizeof(*places));
	size_t count = 0;
	int error = 0;

	for (size_t i = 0; i < entries->count; i++)
		count += 1 + (size_t)entries->rollup->rows[entries->items[i].row].core_types;
	report->rows = calloc(count + 1, sizeof(report->rows[0]));
	if (report->drills)
		report->drill_paths = calloc(count + 1, sizeof(*report->drill_paths));
	if (!report->rows || !places || (report->drills && !report->drill_paths))
		return -ENOMEM;
	for (size_t i = 0; i < entries->count && !error; i++)
		error = add_rows(entries, &entries->items[i], places, report);
	if (!error && report->waits)
		error = ctd_report_take_pairs(entries, places, report);
	return error;
}
