/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.c - a comparison as CSV or JSON, or in the format that is asked for. */
#include "app/diff/show.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "app/show.h"
#include "base/json.h"
#include "base/log.h"
#include "format/format.h"

#define SCHEMA "cgtopdown/diff/1"

static void add_real(struct ctd_strbuf *line, double value)
{
	if (isnan(value))
		ctd_strbuf_add(line, ",");
	else
		ctd_strbuf_addf(line, ",%.6f", value);
}

static void add_csv_line(struct ctd_diff_showing *showing, const struct ctd_difference_row *row,
			 const char *figure, const struct ctd_change *change)
{
	struct ctd_strbuf *out = &showing->out;

	ctd_strbuf_addf(out, "%s", row->kind);
	if (showing->has_cores)
		ctd_csv_add_text(out, row->core);
	ctd_csv_add_text(out, row->name);
	ctd_csv_add_text(out, figure);
	add_real(out, change->before);
	add_real(out, change->after);
	add_real(out, ctd_diff_size(change));
	add_real(out, change->error);
	add_real(out, change->limit);
	/* Without a limit it is not known whether it is noise. */
	ctd_strbuf_addf(out, ",%s,%d\n",
			isnan(change->limit) ? ""
			: change->is_noise   ? "1"
					     : "0",
			showing->simulated);
}

/* A line for each figure, so that there are the same columns of whatever was counted. */
static int add_csv(struct ctd_diff_showing *showing)
{
	const struct ctd_difference *difference = showing->difference;

	ctd_strbuf_addf(
		&showing->out,
		"kind%s,name,figure,before,after,change,standard_error,limit,noise,simulated\n",
		showing->has_cores ? ",core" : "");
	for (size_t i = 0; i < showing->rows_count; i++) {
		const struct ctd_difference_row *row = &difference->rows[i];

		add_csv_line(showing, row, "cpu", &row->cpu);
		for (int n = 0; n < difference->nodes_count; n++)
			add_csv_line(showing, row, difference->nodes[n]->name, &row->nodes[n]);
	}
	return 0;
}

static void add_json_change(struct ctd_json *json, const char *key, const struct ctd_change *change)
{
	ctd_json_begin_object(json, key);
	ctd_json_real(json, "before", change->before, 1e6);
	ctd_json_real(json, "after", change->after, 1e6);
	ctd_json_real(json, "change", ctd_diff_size(change), 1e6);
	ctd_json_real(json, "standard_error", change->error, 1e6);
	ctd_json_real(json, "limit", change->limit, 1e6);
	/* Without a limit it is not known whether it is noise. */
	if (isnan(change->limit))
		ctd_json_null(json, "noise");
	else
		ctd_json_bool(json, "noise", change->is_noise);
	ctd_json_end_object(json);
}

static void add_json_row(struct ctd_diff_showing *showing, struct ctd_json *json,
			 const struct ctd_difference_row *row)
{
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "kind", row->kind);
	if (showing->has_cores)
		ctd_json_string(json, "core", row->core);
	ctd_json_string(json, "name", row->name);
	ctd_json_real(json, "moved", row->moved, 1e6);
	ctd_json_bool(json, "noise", row->is_noise);
	add_json_change(json, "cpu", &row->cpu);
	ctd_json_begin_object(json, "metrics");
	for (int i = 0; i < showing->difference->nodes_count; i++)
		add_json_change(json, showing->difference->nodes[i]->name, &row->nodes[i]);
	ctd_json_end_object(json);
	ctd_json_end_object(json);
}

static int add_json(struct ctd_diff_showing *showing)
{
	const struct ctd_difference *difference = showing->difference;
	struct ctd_json json = {.out = &showing->out};

	ctd_json_begin_object(&json, NULL);
	ctd_json_string(&json, "schema", SCHEMA);
	ctd_json_bool(&json, "simulated", showing->simulated);
	ctd_json_string(&json, "by", ctd_group_by_name(showing->options->by));
	for (int i = 0; i < 2; i++) {
		const struct ctd_diff_side *side = showing->sides[i];
		char time[CTD_FIGURE_BYTES];

		ctd_json_begin_object(&json, side->when);
		ctd_json_string(&json, "name", side->name);
		ctd_format_time(side->begin_ns, time);
		ctd_json_string(&json, "since", time);
		ctd_format_time(side->end_ns, time);
		ctd_json_string(&json, "until", time);
		ctd_json_integer(&json, "segments", side->segments);
		ctd_json_end_object(&json);
	}
	ctd_json_integer(&json, "rows_left_out", difference->rows_count - showing->rows_count);
	ctd_json_begin_array(&json, "rows");
	for (size_t i = 0; i < showing->rows_count; i++)
		add_json_row(showing, &json, &difference->rows[i]);
	ctd_json_end_array(&json);
	ctd_json_end_object(&json);
	ctd_strbuf_add(&showing->out, "\n");
	return 0;
}

static const struct {
	const char *name;
	int (*add)(struct ctd_diff_showing *showing);
} formats[] = {{"table", ctd_diff_add_table}, {"csv", add_csv}, {"jsonl", add_json}};

static int show_as(struct ctd_diff_showing *showing, const char *format)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (strcmp(formats[i].name, format) != 0)
			continue;
		if (formats[i].add(showing) || showing->out.failed)
			return ctd_log_error(-ENOMEM, "write the comparison");
		return ctd_format_write(showing->outlet.out, showing->out.text, showing->out.bytes);
	}
	ctd_log(CTD_LOG_ERROR, "--diff has the formats table, csv and jsonl, not %s", format);
	return -EINVAL;
}

int ctd_diff_show(const struct ctd_options *options, const struct ctd_diff_side *before,
		  const struct ctd_diff_side *after, const struct ctd_difference *difference)
{
	struct ctd_diff_showing showing = {
		.options = options,
		.sides = {before, after},
		.difference = difference,
		.simulated = before->points.series.simulated || after->points.series.simulated,
	};
	int error = ctd_show_open(options, &showing.outlet);

	if (error)
		return error;
	showing.rows_count = difference->rows_count;
	if (options->top && (size_t)options->top < showing.rows_count)
		showing.rows_count = (size_t)options->top;
	for (size_t i = 0; i < difference->rows_count; i++)
		showing.has_cores |= *difference->rows[i].core != '\0';
	error = show_as(&showing, options->format);
	ctd_strbuf_free(&showing.out);
	ctd_show_close(&showing.outlet);
	return error;
}
