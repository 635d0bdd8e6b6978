/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.c - an interval of regions as CSV or JSON, or in the format that is asked for. */
#include "app/regions/show.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "format/format.h"

#define SCHEMA "cgtopdown/regions/1"

static void add_csv_head(const struct ctd_region_interval *interval)
{
	ctd_strbuf_add(
		interval->out,
		"time,window_s,region,pid,comm,cgroup,calls,lost,why_lost,time_s,lost_s,slots");
	for (int i = 0; i < interval->nodes_count; i++)
		ctd_strbuf_addf(interval->out, ",%s", ctd_region_node_name(i));
	ctd_strbuf_add(interval->out, ",error\n");
}

static void add_csv_ratio(struct ctd_strbuf *out, double ratio)
{
	if (isnan(ratio))
		ctd_strbuf_add(out, ",");
	else
		ctd_strbuf_addf(out, ",%.6f", ratio);
}

static void add_csv_row(const struct ctd_region_interval *interval,
			const struct ctd_region_row *row)
{
	struct ctd_strbuf *out = interval->out;
	char time[CTD_FIGURE_BYTES];

	ctd_format_time(interval->realtime_ns, time);
	ctd_strbuf_addf(out, "%s,%.6f", time, (double)interval->window_ns / 1e9);
	ctd_csv_add_text(out, row->sum->name);
	ctd_strbuf_addf(out, ",%" PRIu32, row->program->pid);
	ctd_csv_add_text(out, row->program->comm);
	ctd_csv_add_text(out, row->program->cgroup);
	ctd_strbuf_addf(out, ",%" PRIu64 ",%" PRIu64, ctd_region_calls(row), row->growth.lost);
	ctd_csv_add_text(out, row->growth.lost ? row->sum->why_lost : NULL);
	ctd_strbuf_addf(out, ",%.9f,%.9f", ctd_region_time_s(row),
			(double)row->growth.lost_ns / 1e9);
	if (row->known)
		ctd_strbuf_addf(out, ",%" PRIu64, row->growth.slots);
	else
		ctd_strbuf_add(out, ",");
	for (int i = 0; i < interval->nodes_count; i++)
		add_csv_ratio(out, row->ratio[i]);
	add_csv_ratio(out, row->known ? ctd_region_error_ratio(&row->growth) : NAN);
	ctd_strbuf_add(out, "\n");
}

static int add_csv(const struct ctd_region_interval *interval)
{
	if (interval->first)
		add_csv_head(interval);
	for (size_t i = 0; i < interval->rows_count; i++)
		add_csv_row(interval, &interval->rows->items[i]);
	return 0;
}

static void add_json_row(const struct ctd_region_interval *interval, struct ctd_json *json,
			 const struct ctd_region_row *row)
{
	const struct ctd_regions_totals *growth = &row->growth;

	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "region", row->sum->name);
	ctd_json_integer(json, "pid", row->program->pid);
	ctd_json_string(json, "comm", row->program->comm);
	ctd_json_string(json, "cgroup", row->program->cgroup);
	ctd_json_integer(json, "calls", ctd_region_calls(row));
	ctd_json_integer(json, "lost", growth->lost);
	ctd_json_string(json, "why_lost", growth->lost ? row->sum->why_lost : NULL);
	ctd_json_real(json, "time_s", ctd_region_time_s(row), 1e9);
	ctd_json_real(json, "lost_s", (double)growth->lost_ns / 1e9, 1e9);
	ctd_json_count(json, "slots", growth->slots, row->known);
	ctd_json_begin_object(json, "metrics");
	for (int i = 0; i < interval->nodes_count; i++)
		ctd_json_real(json, ctd_region_node_name(i), row->ratio[i], 1e6);
	ctd_json_end_object(json);
	ctd_json_real(json, "error", row->known ? ctd_region_error_ratio(growth) : NAN, 1e6);
	ctd_json_end_object(json);
}

static void add_json_refused(const struct ctd_region_interval *interval, struct ctd_json *json)
{
	ctd_json_begin_array(json, "refused");
	for (size_t i = 0; i < interval->programs->count; i++) {
		const struct ctd_region_program *program = &interval->programs->items[i];

		if (!*program->why)
			continue;
		ctd_json_begin_object(json, NULL);
		ctd_json_integer(json, "pid", program->pid);
		ctd_json_string(json, "comm", program->comm);
		ctd_json_string(json, "why", program->why);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

static int add_json(const struct ctd_region_interval *interval)
{
	struct ctd_json json = {.out = interval->out};
	char time[CTD_FIGURE_BYTES];

	ctd_format_time(interval->realtime_ns, time);
	ctd_json_begin_object(&json, NULL);
	ctd_json_string(&json, "schema", SCHEMA);
	ctd_json_string(&json, "time", time);
	ctd_json_real(&json, "window_s", (double)interval->window_ns / 1e9, 1e6);
	ctd_json_integer(&json, "rows_left_out", interval->rows->count - interval->rows_count);
	ctd_json_begin_array(&json, "rows");
	for (size_t i = 0; i < interval->rows_count; i++)
		add_json_row(interval, &json, &interval->rows->items[i]);
	ctd_json_end_array(&json);
	add_json_refused(interval, &json);
	ctd_json_end_object(&json);
	ctd_strbuf_add(interval->out, "\n");
	return 0;
}

static const struct {
	const char *name;
	int (*add)(const struct ctd_region_interval *interval);
} formats[] = {{"table", ctd_region_add_table}, {"csv", add_csv}, {"jsonl", add_json}};

static int write_as(const struct ctd_region_interval *interval)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (strcmp(formats[i].name, interval->options->format) != 0)
			continue;
		if (formats[i].add(interval) || interval->out->failed)
			return -ENOMEM;
		return ctd_format_write(interval->outlet->out, interval->out->text,
					interval->out->bytes);
	}
	ctd_log(CTD_LOG_ERROR, "--by region has the formats table, csv and jsonl, not %s",
		interval->options->format);
	return -EINVAL;
}

static int nodes_count(const struct ctd_options *options)
{
	int level = options->level ? options->level : strcmp(options->format, "table") ? 2 : 1;

	return level == 1 ? CTD_REGION_LEVEL1_NODES : CTD_REGION_NODES;
}

int ctd_region_show(const struct ctd_options *options, const struct ctd_sink_options *outlet,
		    const struct ctd_region_programs *programs, uint64_t window_ns, bool first)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_region_rows rows = {0};
	int error = ctd_region_rows_make(programs, options->sort, &rows);
	const struct ctd_region_interval interval = {
		.options = options,
		.outlet = outlet,
		.programs = programs,
		.rows = &rows,
		.rows_count = options->top && (size_t)options->top < rows.count
				      ? (size_t)options->top
				      : rows.count,
		.nodes_count = nodes_count(options),
		.realtime_ns = ctd_realtime_ns(),
		.window_ns = window_ns,
		.first = first,
		.out = &out,
	};

	if (!error)
		error = write_as(&interval);
	if (error && error != -EPIPE && error != -EINVAL)
		ctd_log_error(error, "write the regions");
	ctd_region_rows_free(&rows);
	return error;
}
