/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* jsonl.c - one JSON object per interval and line: cgtopdown/stat/1. */
#include <cgtopdown/sink.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "base/known.h"
#include "format/budget.h"
#include "format/drill.h"
#include "format/format.h"
#include "format/health.h"
#include "format/limits_json.h"
#include "format/vendor_json.h"

#define SCHEMA "cgtopdown/stat/1"
/* Of those that a row waited behind. */
#define BEHIND_MAX 8

static void add_ratio(struct ctd_json *json, const char *key, struct ctd_value value)
{
	if (ctd_value_known(value))
		ctd_json_real(json, key, value.ratio, 1e6);
	else
		ctd_json_null(json, key);
}

static void add_slots(struct ctd_json *json, const struct ctd_rollup_totals *totals)
{
	bool known = totals->slots_known;

	ctd_json_count(json, "slots", totals->slots, known);
	ctd_json_count(json, "idle_slots", totals->idle_slots, known);
	ctd_json_count(json, "unattributed_slots", totals->unattributed_slots, known);
	if (known)
		ctd_json_signed(json, "residual_slots", totals->residual_slots);
	else
		ctd_json_null(json, "residual_slots");
}

static void add_totals(struct ctd_json *json, const struct ctd_report *report)
{
	ctd_json_begin_object(json, "totals");
	add_slots(json, &report->totals);
	ctd_json_real(json, "unattributed_cpu_s", (double)report->unattributed_ns / 1e9, 1e6);
	ctd_json_end_object(json);
}

/* The totals of each core type, and why one has none. */
static void add_core_types(struct ctd_json *json, const struct ctd_report *report)
{
	ctd_json_begin_array(json, "cores");
	for (int i = 0; i < report->core_types_count; i++) {
		const struct ctd_report_core_type *type = &report->core_types[i];

		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "core", type->name);
		ctd_json_string(json, "source", type->source);
		ctd_json_string(json, "why", ctd_known(type->why));
		ctd_json_integer(json, "cpus", type->totals.cpus_online);
		add_slots(json, &type->totals);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

static void add_counters(struct ctd_json *json, const struct ctd_interval_health *health,
			 bool faults)
{
	for (size_t i = 0; i < ctd_health_names_count; i++) {
		const struct ctd_health_name *name = &ctd_health_names[i];

		if (name->fault == faults)
			ctd_json_integer(json, name->key, health->count[name->counter]);
	}
}

static void add_health(struct ctd_json *json, const struct ctd_interval_health *health)
{
	ctd_json_begin_object(json, "health");
	add_counters(json, health, true);
	add_ratio(json, "l1_sum_over_slots", health->l1_sum_over_slots);
	ctd_json_real(json, "ns_per_switch", health->ns_per_switch, 10);
	add_counters(json, health, false);
	ctd_json_end_object(json);
}

static void add_drill_steps(struct ctd_json *json, const char *key,
			    const struct ctd_vendor_counting *vendor,
			    const struct ctd_drill_step *steps, size_t count)
{
	ctd_json_begin_array(json, key);
	for (size_t i = 0; i < count; i++) {
		const struct ctd_vendor_metric *metric =
			&vendor->table->metrics[vendor->metrics[steps[i].index].metric];

		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", metric->name);
		ctd_json_figure(json, "value", steps[i].value * metric->scale, CTD_VENDOR_DIGITS);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

/* The row's path down the vendor's tree. */
static void add_drill(struct ctd_json *json, const struct ctd_vendor_counting *vendor,
		      const struct ctd_drill_path *path)
{
	const struct ctd_vendor_metric *deepest = ctd_drill_deepest(vendor, path);

	ctd_json_begin_object(json, "drill");
	ctd_json_string(json, "confidence", ctd_drill_confidence_name(path->confidence));
	add_drill_steps(json, "path", vendor, path->steps, path->steps_count);
	add_drill_steps(json, "beside", vendor, path->beside, path->beside_count);
	ctd_json_bool(json, "unfinished", path->unfinished);
	ctd_json_string(
		json, "not_counted",
		path->blind ? vendor->table->metrics[vendor->metrics[path->blind_index].metric].name
			    : NULL);
	ctd_json_string(json, "sample_with",
			deepest && *deepest->sample_with ? deepest->sample_with : NULL);
	ctd_json_string(json, "next", deepest && *deepest->next ? deepest->next : NULL);
	ctd_json_end_object(json);
}

/* A figure of a column: of a core type that does not count it there is none. */
static void add_vendor_figure(struct ctd_json *json, const struct ctd_report *report,
			      const struct ctd_report_row *row, size_t column)
{
	const struct ctd_vendor_counting *vendor = ctd_report_vendor(report, row);
	int index = ctd_report_vendor_index(report, row, column);
	double value = NAN;

	if (index >= 0)
		value = ctd_report_vendor_values(report, row)[index].value *
			vendor->table->metrics[vendor->metrics[index].metric].scale;
	ctd_json_name(json, report->vendor->columns[column].name);
	ctd_json_figure(json, NULL, value, CTD_VENDOR_DIGITS);
}

static void add_vendor_coverage(struct ctd_json *json, const struct ctd_report *report,
				const struct ctd_report_row *row)
{
	const struct ctd_vendor_counting *vendor = ctd_report_vendor(report, row);

	ctd_json_begin_object(json, "coverage");
	for (size_t i = 0; vendor && i < report->vendor->columns_count; i++) {
		int index = ctd_report_vendor_index(report, row, i);

		if (index < 0 || vendor->metrics[index].group < 0)
			continue;
		ctd_json_name(json, report->vendor->columns[i].name);
		ctd_json_real(json, NULL, ctd_report_vendor_coverage(report, row, (size_t)index),
			      1e4);
	}
	ctd_json_end_object(json);
}

/* Of vendors' metrics that were counted; as their files scale them. */
static void add_vendor_metrics(struct ctd_json *json, const struct ctd_report *report,
			       const struct ctd_report_row *row)
{
	const struct ctd_vendor_counting *vendor = ctd_report_vendor(report, row);
	const struct ctd_vendor_value *values = ctd_report_vendor_values(report, row);
	const struct ctd_drill_path *path = ctd_report_drill_path(report, row);

	ctd_json_begin_object(json, "metrics");
	for (size_t i = 0; i < report->vendor->columns_count; i++)
		if (ctd_vendor_column_is_counted(report->vendor, i))
			add_vendor_figure(json, report, row, i);
	ctd_json_end_object(json);
	add_vendor_coverage(json, report, row);
	ctd_json_begin_array(json, "worth_a_look");
	for (size_t i = 0; values && i < report->vendor->columns_count; i++) {
		int index = ctd_report_vendor_index(report, row, i);

		if (index >= 0 && values[index].hot)
			ctd_json_string(json, NULL, report->vendor->columns[i].name);
	}
	ctd_json_end_array(json);
	if (path)
		add_drill(json, vendor, path);
}

/* What the metric of a column is on a core type, and why it is not counted there. */
static void add_vendor_metric(struct ctd_json *json, const struct ctd_report *report, size_t column,
			      int core_type)
{
	const struct ctd_vendor_column *of = &report->vendor->columns[column];
	const struct ctd_vendor_counting *vendor = report->vendor->of[core_type];
	int index = of->index[core_type];
	int parent = index < 0 ? -1 : vendor->metrics[index].parent;
	const struct ctd_vendor_metric_texts texts = {
		.name = of->name,
		.parent = ctd_vendor_column_name(report->vendor, core_type, parent),
		.lack = ctd_report_vendor_lack(report, column, core_type),
	};

	ctd_json_begin_object(json, NULL);
	if (report->core_types_count > 1)
		ctd_json_string(json, "core", report->core_types[core_type].name);
	ctd_vendor_metric_add_json(json, vendor, index,
				   index < 0 ? CTD_VENDOR_NO_MEANS
					     : ctd_report_vendor_means(report, core_type,
								       (size_t)index),
				   &texts);
	ctd_json_end_object(json);
}

/* Of each core type of the report. */
static void add_vendor(struct ctd_json *json, const struct ctd_report *report)
{
	const struct ctd_vendor_countings *vendor = report->vendor;

	ctd_json_begin_array(json, "vendor_metrics");
	for (int type = 0; type < report->core_types_count && type < vendor->core_types_count;
	     type++)
		for (size_t i = 0; i < vendor->columns_count; i++)
			add_vendor_metric(json, report, i, type);
	ctd_json_end_array(json);
}

/* It would be there if there were no budget: "budget" says so. */
static bool is_given_up(const struct ctd_report *report, const struct ctd_node *node)
{
	return ctd_budget_gave_up(&report->health.budget,
				  ctd_node_is_ipc(node) ? CTD_BUDGET_GENERAL : CTD_BUDGET_LEVEL);
}

static void add_metrics(struct ctd_json *json, const struct ctd_report *report,
			const struct ctd_report_row *row)
{
	if (report->vendor) {
		add_vendor_metrics(json, report, row);
		return;
	}
	ctd_json_begin_object(json, "metrics");
	for (int i = 0; report->model && i < report->model->nodes_count; i++) {
		const struct ctd_node *node = &report->model->nodes[i];

		if (ctd_report_has(report, i))
			add_ratio(json, node->name, row->values[i]);
		else if (is_given_up(report, node))
			ctd_json_null(json, node->name);
	}
	ctd_json_end_object(json);
}

/* Was there a group for it? */
static bool is_counted(const struct ctd_report *report, const struct ctd_node *node)
{
	return ctd_node_is_ipc(node) || node->group < report->groups_count - report->ipc;
}

/* Of the row's CPU time, the part that each metric is from. */
static void add_coverage(struct ctd_json *json, const struct ctd_report *report,
			 const struct ctd_report_row *row)
{
	ctd_json_begin_object(json, "coverage");
	for (int i = 0; i < report->model->nodes_count; i++) {
		const struct ctd_node *node = &report->model->nodes[i];

		if (ctd_report_has(report, i) && is_counted(report, node))
			ctd_json_real(json, node->name, row->coverage[node->group], 1e4);
	}
	ctd_json_end_object(json);
}

static void add_identity(struct ctd_json *json, const struct ctd_report *report,
			 const struct ctd_report_row *row)
{
	struct ctd_row_facts facts;

	ctd_row_facts(row->kind, row->identity, &facts);
	ctd_json_string(json, "kind", ctd_rollup_kind_name(row->kind));
	/* Rows that are "all" are the sums of those of each core type. */
	if (report->core_types_count > 1)
		ctd_json_string(json, "core", ctd_report_core_type_name(report, row));
	ctd_json_string(json, "cgroup", facts.cgroup);
	ctd_json_count(json, "cgroup_id", row->cgroup_id, row->cgroup_id);
	if (report->by == CTD_GROUP_PROCESS || report->by == CTD_GROUP_TASK) {
		ctd_json_count(json, "pid", row->pid, row->pid);
		ctd_json_string(json, "comm", ctd_known(row->comm));
	}
	ctd_json_string(json, "namespace", facts.namespace_name);
	ctd_json_string(json, "pod", facts.pod);
	ctd_json_string(json, "pod_uid", facts.pod_uid);
	ctd_json_string(json, "qos", facts.qos);
	ctd_json_string(json, "container", facts.container);
	ctd_json_string(json, "container_id", facts.container_id);
	ctd_json_string(json, "runtime", facts.runtime);
	ctd_json_string(json, "image", facts.image);
	/* Only the kubelet tells, and not of every pod. */
	if (facts.owner_kind && facts.owner) {
		ctd_json_string(json, "owner_kind", facts.owner_kind);
		ctd_json_string(json, "owner", facts.owner);
	}
}

/* What names there are, as of a row of its own. */
static void add_occupier(struct ctd_json *json, const struct ctd_report_row *row)
{
	struct ctd_row_facts facts;

	ctd_row_facts(row->kind, row->identity, &facts);
	ctd_json_string(json, "kind", ctd_rollup_kind_name(row->kind));
	if (row->hidden_sum)
		ctd_json_bool(json, "hidden_sum", true);
	ctd_json_string(json, "cgroup", facts.cgroup);
	ctd_json_string(json, "namespace", facts.namespace_name);
	ctd_json_string(json, "pod", facts.pod);
	ctd_json_string(json, "container", facts.container);
	ctd_json_string(json, "container_id", facts.container_id);
}

/* Whose tasks had the CPU in the part of the time that is other_s. */
static void add_behind(struct ctd_json *json, const struct ctd_report *report,
		       const struct ctd_report_row *row)
{
	size_t victim = (size_t)(row - report->rows), at = 0, end = report->pairs.count;

	while (at < end) {
		size_t middle = at + (end - at) / 2;

		if (report->pairs.items[middle].victim_id < victim)
			at = middle + 1;
		else
			end = middle;
	}
	ctd_json_begin_array(json, "behind");
	for (int shown = 0; shown < BEHIND_MAX && at < report->pairs.count; at++) {
		const struct ctd_pair *pair = &report->pairs.items[at];

		if (pair->victim_id != victim)
			break;
		/* They only ran beside each other. */
		if (!pair->wait_ns && !pair->waits && !pair->preempted)
			continue;
		shown++;
		ctd_json_begin_object(json, NULL);
		add_occupier(json, &report->rows[pair->occupier_id]);
		ctd_json_real(json, "wait_s", (double)pair->wait_ns / 1e9, 1e9);
		ctd_json_integer(json, "waits", pair->waits);
		ctd_json_integer(json, "preemptions", pair->preempted);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

static void add_waits(struct ctd_json *json, const struct ctd_report *report,
		      const struct ctd_report_row *row)
{
	const struct ctd_waits *waits = &row->waits;

	ctd_json_begin_object(json, "waits");
	ctd_json_integer(json, "count", ctd_waits_count(waits));
	ctd_json_real(json, "wait_s", (double)ctd_waits_ns(waits) / 1e9, 1e9);
	for (int cause = 0; cause < CTD_WAIT_CAUSES; cause++) {
		char key[32];

		snprintf(key, sizeof(key), "%s_s", ctd_wait_cause_name(cause));
		ctd_json_real(json, key, (double)waits->ns[cause] / 1e9, 1e9);
	}
	ctd_json_integer(json, "preempted", waits->preempted);
	ctd_json_integer(json, "preempted_by_other", waits->preempted_by_other);
	ctd_json_integer(json, "preempted_others", waits->preempted_others);
	ctd_json_begin_array(json, "histogram_ns");
	for (int bucket = 0; bucket < CTD_WAIT_BUCKETS; bucket++) {
		uint64_t upper_ns = ctd_wait_bucket_ns(bucket);

		ctd_json_begin_array(json, NULL);
		ctd_json_count(json, NULL, upper_ns, upper_ns);
		ctd_json_integer(json, NULL, waits->histogram[bucket]);
		ctd_json_end_array(json);
	}
	ctd_json_end_array(json);
	if (report->pairs.count)
		add_behind(json, report, row);
	ctd_json_end_object(json);
}

/* By what the core's other hardware thread did. */
static void add_smt(struct ctd_json *json, const struct ctd_beside *smt)
{
	double speed = ctd_beside_speed(smt);

	ctd_json_begin_object(json, "smt");
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		const struct ctd_beside_part *part = &smt->parts[i];
		const char *name = ctd_sibling_name((enum ctd_sibling)i);
		char key[32];

		snprintf(key, sizeof(key), "%s_s", name);
		ctd_json_real(json, key, (double)part->cpu_ns / 1e9, 1e9);
		if (!smt->slots_known)
			continue;
		snprintf(key, sizeof(key), "%s_slots", name);
		ctd_json_integer(json, key, part->slots);
		snprintf(key, sizeof(key), "%s_retired_slots", name);
		ctd_json_integer(json, key, part->retired_slots);
	}
	if (!isnan(speed))
		ctd_json_real(json, "speed_beside_other", speed, 1e6);
	ctd_json_end_object(json);
}

static void add_throttling(struct ctd_json *json, const struct ctd_throttling *throttling)
{
	ctd_json_begin_object(json, "throttling");
	ctd_json_integer(json, "periods", throttling->periods);
	ctd_json_integer(json, "throttled", throttling->throttled);
	ctd_json_real(json, "throttled_s", (double)throttling->throttled_ns / 1e9, 1e9);
	ctd_limits_add_json(json, throttling);
	ctd_json_end_object(json);
}

static void add_row(struct ctd_json *json, const struct ctd_report *report,
		    const struct ctd_report_row *row)
{
	ctd_json_begin_object(json, NULL);
	add_identity(json, report, row);
	/* Two rows may be of kind "other": this one stands for rows cut off by --top. */
	if (row->hidden_sum)
		ctd_json_bool(json, "hidden_sum", true);
	ctd_json_real(json, "cpu_s", (double)row->cpu_ns / 1e9, 1e6);
	ctd_json_count(json, "slots", row->slots, row->slots_known);
	ctd_json_integer(json, "slices", row->slices);
	ctd_json_integer(json, "switches", row->switches);
	ctd_json_string(json, "quality", ctd_quality_name(row->quality));
	add_metrics(json, report, row);
	if (report->model && report->groups_count > 1 && !row->core_sum)
		add_coverage(json, report, row);
	if (report->waits && row->waits_known)
		add_waits(json, report, row);
	else if (ctd_budget_gave_up(&report->health.budget, CTD_BUDGET_WAITS))
		ctd_json_null(json, "waits");
	if (report->waits && row->smt.known)
		add_smt(json, &row->smt);
	if (row->noisy)
		ctd_json_string(json, "noisy", row->noisy);
	if (report->waits && row->throttling_known)
		add_throttling(json, &row->throttling);
	ctd_json_end_object(json);
}

static void add_report(struct ctd_json *json, const struct ctd_report *report)
{
	char time[CTD_FIGURE_BYTES];

	ctd_format_time(report->realtime_ns, time);
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "schema", SCHEMA);
	ctd_json_string(json, "time", time);
	ctd_json_real(json, "window_s", (double)report->window_ns / 1e9, 1e6);
	ctd_json_string(json, "source", report->source);
	ctd_json_bool(json, "simulated", report->simulated);
	ctd_json_string(json, "method", report->method);
	ctd_json_string(json, "scope", report->scope);
	ctd_json_integer(json, "level", (uint64_t)report->level);
	/* Groups of counters that did not fit beside each other: see each row's coverage. */
	if (report->groups_count > 1)
		ctd_json_integer(json, "groups", (uint64_t)report->groups_count);
	ctd_json_integer(json, "cpus", report->totals.cpus_online);
	/* Rows of a tree include those below them, and do not add up to the totals. */
	if (report->tree)
		ctd_json_bool(json, "tree", true);
	ctd_json_bool(json, "filtered", report->filtered);
	add_totals(json, report);
	if (report->core_types_count > 1)
		add_core_types(json, report);
	if (report->vendor)
		add_vendor(json, report);
	add_health(json, &report->health);
	ctd_budget_add_json(json, &report->health.budget);
	ctd_json_begin_array(json, "rows");
	for (size_t i = 0; i < report->rows_count; i++)
		add_row(json, report, &report->rows[i]);
	ctd_json_end_array(json);
	ctd_json_end_object(json);
}

static int jsonl_write(const struct ctd_sink_options *options, const struct ctd_report *report,
		       bool first)
{
	auto_ctd_strbuf struct ctd_strbuf line = {0};
	struct ctd_json json = {.out = &line};

	(void)first;
	add_report(&json, report);
	ctd_strbuf_add(&line, "\n");
	return line.failed ? -ENOMEM : ctd_format_write(options->out, line.text, line.bytes);
}

const struct ctd_sink ctd_sink_jsonl = {
	.name = "jsonl",
	.help = "a JSON object per interval and line, schema " SCHEMA
		"; figures that are not known are null",
	.write = jsonl_write,
};
