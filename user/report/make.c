/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* make.c - a rollup becomes a report: rows in order, with names, their figures in columns. */
#include <cgtopdown/report.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "report/entries.h"

#define ALL_CORE_TYPES "all"

static void free_entries(struct ctd_entries *entries)
{
	for (size_t i = 0; entries->names && i < entries->rollup->rows_count; i++)
		free(entries->names[i]);
	free(entries->names);
	free(entries->comms);
	free(entries->items);
}

/* Of all core types the plain sum of what is known. */
static void take_totals(const struct ctd_rollup *rollup, struct ctd_report *report)
{
	struct ctd_rollup_totals *totals = &report->totals;

	totals->cpus_online = rollup->cpus_online;
	for (int i = 0; i < report->core_types_count; i++) {
		const struct ctd_core_type *type = &rollup->plan->core_types[i];
		const struct ctd_rollup_totals *of_type = &rollup->totals[i];

		report->core_types[i] = (struct ctd_report_core_type){
			.name = type->name,
			.source = type->source,
			.why = type->why,
			.totals = *of_type,
		};
		totals->slots_known |= of_type->slots_known;
		totals->empty_ns += of_type->empty_ns;
		totals->slots += of_type->slots;
		totals->idle_slots += of_type->idle_slots;
		totals->unattributed_slots += of_type->unattributed_slots;
		/* Unsigned, as a damaged recording may have what does not fit. */
		totals->residual_slots = (int64_t)((uint64_t)totals->residual_slots +
						   (uint64_t)of_type->residual_slots);
	}
}

/* The deepest level asked for that some core type can tell; 0 asks for the deepest there is. */
static int level_of(const struct ctd_rollup_plan *plan, int wanted)
{
	return wanted > 0 && wanted < plan->level ? wanted : plan->level;
}

static int name_rows(struct ctd_entries *entries, ctd_comm_lookup comm, void *comm_context)
{
	const struct ctd_rollup *rollup = entries->rollup;

	/* One more for the sum of those cut off. */
	entries->names = calloc(rollup->rows_count + 1, sizeof(*entries->names));
	entries->comms = calloc(rollup->rows_count + 1, sizeof(*entries->comms));
	if (!entries->names || !entries->comms)
		return -ENOMEM;
	for (size_t i = 0; i < rollup->rows_count; i++) {
		uint32_t pid = rollup->rows[i].pid;
		const char *text = pid && comm ? comm(pid, comm_context) : NULL;

		if (text)
			memccpy(entries->comms[i], text, '\0', sizeof(entries->comms[i]) - 1);
		entries->names[i] = ctd_report_row_name(&rollup->rows[i], entries->comms[i]);
		if (!entries->names[i])
			return -ENOMEM;
	}
	return 0;
}

static void begin(const struct ctd_rollup *rollup, const struct ctd_report_options *options,
		  struct ctd_report *report)
{
	const struct ctd_rollup_plan *plan = rollup->plan;

	*report = (struct ctd_report){
		.source = plan->source,
		.simulated = plan->simulated,
		.method = options->vendor ? plan->source : plan->method,
		.scope = plan->scope,
		.hierarchy = plan->hierarchy,
		.model = plan->model,
		.core_types_count = plan->core_types_count,
		.level = level_of(plan, options->level),
		.groups_count = plan->groups_count,
		.ipc = plan->ipc,
		.by = rollup->by,
		.realtime_ns = rollup->realtime_ns,
		.window_ns = rollup->window_ns,
		.sequence = rollup->sequence,
		.unattributed_ns = rollup->unattributed_ns,
		.health = rollup->health,
		.waits = options->waits && rollup->waits,
		.tree = rollup->tree,
		.vendor = options->vendor,
		.drills = options->drills,
	};
	take_totals(rollup, report);
}

static int fill(struct ctd_entries *entries, ctd_comm_lookup comm, void *comm_context,
		const struct ctd_sort *sort, int top, struct ctd_report *report)
{
	size_t rows_count = entries->rollup->rows_count;
	autofree size_t *sorted = NULL;
	int error = name_rows(entries, comm, comm_context);

	if (!error && report->vendor)
		error = ctd_report_evaluate_vendor(entries->rollup, 0, report);
	if (!error)
		error = ctd_sort_rows(entries, sort, &sorted);
	if (!error)
		error = ctd_entries_order(entries, sorted, top);
	if (!error && report->vendor)
		error = ctd_report_evaluate_vendor(entries->rollup, rows_count, report);
	if (!error)
		error = ctd_entries_take(entries, report);
	report->filtered = entries->rollup->filtered || entries->cut;
	return error;
}

int ctd_report_make(struct ctd_rollup *rollup, ctd_comm_lookup comm, void *comm_context,
		    const struct ctd_report_options *options, struct ctd_report *ret_report)
{
	struct ctd_report report;
	__attribute__((cleanup(free_entries))) struct ctd_entries entries = {.rollup = rollup,
									     .report = &report};
	struct ctd_sort sort;
	int error = ctd_sort_parse(options, rollup->plan, &sort);

	if (error)
		return error;
	begin(rollup, options, &report);
	report.chosen = options->top > 0 || sort.key >= CTD_SORT_NODE;
	error = fill(&entries, comm, comm_context, &sort, options->top, &report);
	if (error) {
		ctd_report_free(&report);
		return error;
	}
	*ret_report = report;
	return 0;
}

bool ctd_report_can_sort(const struct ctd_rollup_plan *plan,
			 const struct ctd_report_options *options)
{
	struct ctd_sort sort;

	return ctd_sort_parse(options, plan, &sort) == 0;
}

bool ctd_report_has(const struct ctd_report *report, int node)
{
	const struct ctd_node *is = &report->model->nodes[node];

	return ctd_node_is_ipc(is) ? report->ipc : is->level <= report->level;
}

const char *ctd_report_core_type_name(const struct ctd_report *report,
				      const struct ctd_report_row *row)
{
	return row->core_sum ? ALL_CORE_TYPES : report->core_types[row->core_type].name;
}

void ctd_report_free(struct ctd_report *report)
{
	if (!report)
		return;
	for (size_t i = 0; report->rows && i < report->rows_count; i++)
		free(report->rows[i].name);
	free(report->rows);
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		free(report->vendor_values[type]);
		free(report->vendor_coverage[type]);
	}
	free(report->drill_paths);
	ctd_pairs_free(&report->pairs);
	memset(report, 0, sizeof(*report));
}
