/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* jsonl.c - one JSON object per interval and line: cgtopdown/stat/1. */
#include <cgtopdown/sink.h>

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/auto.h"
#include "format/format.h"

#define SCHEMA "cgtopdown/stat/1"

/* Digits that doubles keep; figures are rounded to fewer before. */
#define DIGITS 15

static void auto_json(json_t **json)
{
	json_decref(*json);
}
#define autojson __attribute__((cleanup(auto_json)))

/* Takes @p value, which is NULL if memory ran out; remembered in @p failed. */
static void set(json_t *object, const char *key, json_t *value, bool *failed)
{
	if (json_object_set_new(object, key, value))
		*failed = true;
}

/* A path is bytes and JSON is text: what is not UTF-8 becomes U+FFFD. */
static json_t *text(const char *bytes)
{
	if (!bytes)
		return json_null();
	autofree char *repaired = ctd_utf8_repair(bytes);

	return repaired ? json_string(repaired) : NULL;
}

static json_t *integer(uint64_t value, bool known)
{
	return known ? json_integer((json_int_t)value) : json_null();
}

static json_t *rounded(double value, double parts)
{
	return isfinite(value) ? json_real(round(value * parts) / parts) : json_null();
}

static json_t *ratio(struct ctd_value value)
{
	return ctd_value_known(value) ? rounded(value.ratio, 1e6) : json_null();
}

static json_t *make_totals(const struct ctd_report *report, bool *failed)
{
	json_t *totals = json_object();
	bool known = report->slots_known;

	set(totals, "slots", integer(report->slots, known), failed);
	set(totals, "idle_slots", integer(report->idle_slots, known), failed);
	set(totals, "unattributed_slots", integer(report->unattributed_slots, known), failed);
	set(totals, "residual_slots", integer((uint64_t)report->residual_slots, known), failed);
	set(totals, "unattributed_cpu_s",
	    report->health.lost_switches_known ? rounded(report->unattributed_cpu_s, 1e6)
					       : json_null(),
	    failed);
	return totals;
}

/* The totals of each kind of cores, and why one has none. */
static json_t *make_cores(const struct ctd_report *report, bool *failed)
{
	json_t *cores = json_array();

	for (int i = 0; i < report->cores_count; i++) {
		const struct ctd_report_core *from = &report->cores[i];
		json_t *core = json_object();
		bool known = from->slots_known;

		set(core, "core", text(from->name), failed);
		set(core, "source", text(from->source), failed);
		set(core, "why", text(*from->why ? from->why : NULL), failed);
		set(core, "cpus", integer(from->cpus_online, true), failed);
		set(core, "slots", integer(from->slots, known), failed);
		set(core, "idle_slots", integer(from->idle_slots, known), failed);
		set(core, "unattributed_slots", integer(from->unattributed_slots, known), failed);
		set(core, "residual_slots", integer((uint64_t)from->residual_slots, known), failed);
		if (json_array_append_new(cores, core))
			*failed = true;
	}
	return cores;
}

static json_t *make_health(const struct ctd_interval_health *from, bool *failed)
{
	json_t *health = json_object();

	set(health, "read_errors", integer(from->read_errors, true), failed);
	set(health, "lost_rows", integer(from->lost_rows, true), failed);
	set(health, "lost_events", integer(from->lost_events, true), failed);
	set(health, "restarts", integer(from->restarts, true), failed);
	set(health, "lost_switches", integer(from->lost_switches, from->lost_switches_known),
	    failed);
	set(health, "l1_sum_over_slots", ratio(from->l1_sum_over_slots), failed);
	set(health, "ns_per_switch", rounded(from->ns_per_switch, 10), failed);
	set(health, "switches", integer(from->switches, true), failed);
	set(health, "closed_slices", integer(from->closed_slices, true), failed);
	return health;
}

static json_t *make_metrics(const struct ctd_report *report, const struct ctd_report_row *row,
			    bool *failed)
{
	json_t *metrics = json_object();

	for (int i = 0; report->model && i < report->model->nodes_count; i++)
		if (ctd_report_has(report, i))
			set(metrics, report->model->nodes[i].name, ratio(row->values[i]), failed);
	return metrics;
}

/* Was there a turn for it? */
static bool is_counted(const struct ctd_report *report, const struct ctd_node *node)
{
	return ctd_node_is_general(node) || node->group < report->groups_count - report->general;
}

/* Of the row's CPU time, the part that each metric is from. */
static json_t *make_coverage(const struct ctd_report *report, const struct ctd_report_row *row,
			     bool *failed)
{
	json_t *coverage = json_object();

	for (int i = 0; i < report->model->nodes_count; i++) {
		const struct ctd_node *node = &report->model->nodes[i];

		if (ctd_report_has(report, i) && is_counted(report, node))
			set(coverage, node->name, rounded(row->coverage[node->group], 1e4), failed);
	}
	return coverage;
}

static json_t *make_row(const struct ctd_report *report, const struct ctd_report_row *from,
			bool *failed)
{
	json_t *row = json_object();
	struct ctd_row_facts facts;

	ctd_row_facts(from, &facts);
	set(row, "kind", text(from->kind), failed);
	/* Rows that are "all" are the sums of those of each kind of cores. */
	if (report->cores_count > 1)
		set(row, "core", text(from->core), failed);
	set(row, "cgroup", text(facts.cgroup), failed);
	set(row, "cgroup_id", integer(from->cgroup_id, from->cgroup_id), failed);
	if (report->by == CTD_GROUP_PROCESS || report->by == CTD_GROUP_TASK) {
		set(row, "pid", integer(from->pid, from->pid), failed);
		set(row, "comm", text(from->comm[0] ? from->comm : NULL), failed);
	}
	set(row, "namespace", text(facts.namespace_name), failed);
	set(row, "pod", text(facts.pod), failed);
	set(row, "pod_uid", text(facts.pod_uid), failed);
	set(row, "qos", text(facts.qos), failed);
	set(row, "container", text(facts.container), failed);
	set(row, "container_id", text(facts.container_id), failed);
	set(row, "runtime", text(facts.runtime), failed);
	set(row, "image", text(facts.image), failed);
	/* Only the kubelet tells, and not of every pod. */
	if (facts.owner_kind && facts.owner) {
		set(row, "owner_kind", text(facts.owner_kind), failed);
		set(row, "owner", text(facts.owner), failed);
	}
	/* Two rows may be of kind "other": this one stands for rows cut off by --top. */
	if (from->hidden_sum)
		set(row, "hidden_sum", json_true(), failed);
	set(row, "cpu_s", rounded(from->cpu_s, 1e6), failed);
	set(row, "slots", integer(from->slots, from->slots_known), failed);
	set(row, "slices", integer(from->slices, true), failed);
	set(row, "switches", integer(from->switches, true), failed);
	set(row, "quality", text(ctd_quality_name(from->quality)), failed);
	set(row, "metrics", make_metrics(report, from, failed), failed);
	if (report->model && report->groups_count > 1 && !from->core_sum)
		set(row, "coverage", make_coverage(report, from, failed), failed);
	return row;
}

static json_t *make_rows(const struct ctd_report *report, bool *failed)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < report->rows_count; i++)
		if (json_array_append_new(rows, make_row(report, &report->rows[i], failed)))
			*failed = true;
	return rows;
}

static json_t *make_object(const struct ctd_report *report, bool *failed)
{
	json_t *object = json_object();
	char time[CTD_FIGURE_BYTES];

	ctd_format_time(report->realtime_ns, time);
	set(object, "schema", text(SCHEMA), failed);
	set(object, "time", text(time), failed);
	set(object, "window_s", rounded((double)report->window_ns / 1e9, 1e6), failed);
	set(object, "source", text(report->source), failed);
	set(object, "simulated", json_boolean(report->simulated), failed);
	set(object, "method", text(report->method), failed);
	set(object, "scope", text(report->scope), failed);
	set(object, "level", integer((uint64_t)report->level, true), failed);
	/* Groups of counters that did not fit beside each other: see each row's coverage. */
	if (report->groups_count > 1)
		set(object, "turns", integer((uint64_t)report->groups_count, true), failed);
	set(object, "cpus", integer(report->cpus_online, true), failed);
	/* Rows of a tree include those below them, and do not add up to the totals. */
	if (report->tree)
		set(object, "tree", json_true(), failed);
	set(object, "filtered", json_boolean(report->filtered), failed);
	set(object, "totals", make_totals(report, failed), failed);
	if (report->cores_count > 1)
		set(object, "cores", make_cores(report, failed), failed);
	set(object, "health", make_health(&report->health, failed), failed);
	set(object, "rows", make_rows(report, failed), failed);
	return object;
}

static int jsonl_write(const struct ctd_sink_options *options, const struct ctd_report *report,
		       bool first)
{
	bool failed = false;
	autojson json_t *object = make_object(report, &failed);
	autofree char *line = NULL;
	size_t bytes;

	(void)first;
	if (failed)
		return -ENOMEM;
	/* Escaped to ASCII, no name can do anything to a terminal. */
	line = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(DIGITS));
	if (!line)
		return -ENOMEM;
	/* The final NUL has served: its place is the line's end. */
	bytes = strlen(line);
	line[bytes] = '\n';
	return ctd_format_write(options->out, line, bytes + 1);
}

const struct ctd_sink ctd_sink_jsonl = {
	.name = "jsonl",
	.help = "a JSON object per interval and line, schema " SCHEMA
		"; figures that are not known are null",
	.write = jsonl_write,
};
