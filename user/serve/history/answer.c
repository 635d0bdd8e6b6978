/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.c - figures of a time that is over as JSON: docs/api.md says what each member is. */
#include "serve/history/answer.h"

#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/gzip.h"
#include "base/json.h"
#include "base/known.h"
#include "history/points.h"
#include "history/walk.h"

#define SCHEMA "cgtopdown/history/1"

struct reader {
	struct ctd_walk walk;
	struct ctd_points points;
};

/* A step is in the point that it ends in, as a whole. */
static int take_interval(struct reader *reader, const struct ctd_interval *interval)
{
	const struct ctd_series *series = &reader->points.series;

	return ctd_points_add(&reader->points,
			      (interval->realtime_ns - 1) / series->step_ns - series->first,
			      interval);
}

static bool is_wanted(const struct ctd_history_question *question)
{
	return !question->is_wanted || question->is_wanted(question->context);
}

static int read_all(struct reader *reader, const char *directory,
		    const struct ctd_history_question *question)
{
	struct ctd_interval interval;
	int item, error = ctd_walk_open(directory, &reader->walk);

	while (!error && (item = ctd_walk_next(&reader->walk, &interval))) {
		if (item < 0)
			return item;
		if (!is_wanted(question)) {
			if (item != CTD_WALK_BREAK)
				ctd_interval_free(&interval);
			return -ECANCELED;
		}
		if (item == CTD_WALK_BREAK) {
			error = ctd_points_plan(&reader->points, &reader->walk.header,
						reader->walk.identities);
			continue;
		}
		error = take_interval(reader, &interval);
		ctd_interval_free(&interval);
	}
	return error ? error : ctd_points_end(&reader->points);
}

static void add_values(struct ctd_json *json, const char *key, const uint64_t *values, size_t count)
{
	ctd_json_begin_array(json, key);
	for (size_t i = 0; i < count; i++)
		ctd_json_count(json, NULL, values ? values[i] : 0,
			       values && values[i] != CTD_SERIES_ABSENT);
	ctd_json_end_array(json);
}

static void add_total(struct ctd_json *json, const struct ctd_series *series,
		      const struct ctd_series_total *total)
{
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "core", ctd_known(total->core));
	add_values(json, "slots", total->slots, series->points);
	add_values(json, "idle_slots", total->idle_slots, series->points);
	add_values(json, "unattributed_slots", total->unattributed_slots, series->points);
	ctd_json_begin_array(json, "residual_slots");
	for (size_t i = 0; i < series->points; i++)
		if (total->slots && total->slots[i] != CTD_SERIES_ABSENT)
			ctd_json_signed(json, NULL, total->residual_slots[i]);
		else
			ctd_json_null(json, NULL);
	ctd_json_end_array(json);
	ctd_json_end_object(json);
}

static void add_nodes(struct ctd_json *json, const struct ctd_series *series)
{
	ctd_json_begin_array(json, "nodes");
	for (int i = 0; i < series->nodes_count; i++) {
		ctd_json_begin_object(json, NULL);
		ctd_json_string(json, "name", series->nodes[i]->name);
		ctd_json_integer(json, "level", (uint64_t)series->nodes[i]->level);
		ctd_json_string(json, "parent", series->parents[i]);
		ctd_json_end_object(json);
	}
	ctd_json_end_array(json);
}

static void add_row(struct ctd_json *json, const struct ctd_series *series,
		    const struct ctd_series_row *row)
{
	ctd_json_begin_object(json, NULL);
	ctd_json_string(json, "key", row->key);
	ctd_json_string(json, "kind", row->kind);
	ctd_json_string(json, "name", row->name);
	if (*row->core)
		ctd_json_string(json, "core", row->core);
	if (row->who) {
		ctd_json_string(json, "namespace", ctd_known(row->who->namespace_name));
		ctd_json_string(json, "pod", ctd_known(row->who->pod));
		ctd_json_string(json, "container", ctd_known(row->who->container));
	}
	add_values(json, "cpu_ns", row->columns[CTD_SERIES_CPU_NS], series->points);
	add_values(json, "slots", row->columns[CTD_SERIES_SLOTS], series->points);
	ctd_json_begin_object(json, "node_slots");
	for (int i = 0; i < series->nodes_count; i++)
		if (row->columns[CTD_SERIES_NODES + i])
			add_values(json, series->nodes[i]->name, row->columns[CTD_SERIES_NODES + i],
				   series->points);
	ctd_json_end_object(json);
	ctd_json_end_object(json);
}

static void add_head(struct ctd_json *json, const struct ctd_walk *walk,
		     const struct ctd_series *series)
{
	ctd_json_string(json, "schema", SCHEMA);
	ctd_json_bool(json, "simulated", series->simulated);
	ctd_json_count(json, "kept_since_ns", walk->begin_ns, walk->end_ns);
	ctd_json_count(json, "kept_until_ns", walk->end_ns, walk->end_ns);
	ctd_json_integer(json, "since_ns", series->first * series->step_ns);
	ctd_json_integer(json, "until_ns", (series->first + series->points) * series->step_ns);
	ctd_json_integer(json, "step_ns", series->step_ns);
	ctd_json_integer(json, "points", series->points);
	ctd_json_string(json, "by", ctd_group_by_name(series->by));
	add_values(json, "window_ns", series->window_ns, series->points);
	add_values(json, "unattributed_ns", series->unattributed_ns, series->points);
}

static void write_all(const struct reader *reader, size_t rows_max, struct ctd_strbuf *out)
{
	const struct ctd_series *series = &reader->points.series;
	struct ctd_json json = {.out = out};
	size_t rows = series->rows_count < rows_max ? series->rows_count : rows_max;

	ctd_json_begin_object(&json, NULL);
	add_head(&json, &reader->walk, series);
	add_nodes(&json, series);
	ctd_json_begin_array(&json, "core_types");
	for (int i = 0; i < series->totals_count; i++)
		add_total(&json, series, &series->totals[i]);
	ctd_json_end_array(&json);
	ctd_json_integer(&json, "rows_left_out", series->rows_count - rows);
	ctd_json_begin_array(&json, "rows");
	for (size_t i = 0; i < rows; i++)
		add_row(&json, series, &series->rows[i]);
	ctd_json_end_array(&json);
	ctd_json_end_object(&json);
	ctd_strbuf_add(out, "\n");
}

static int write_answer(const struct reader *reader, const struct ctd_history_question *question,
			struct ctd_strbuf *answer)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	autofree char *compressed = NULL;
	size_t bytes;

	if (!question->gzip) {
		write_all(reader, question->rows, answer);
		return answer->failed ? -ENOMEM : 0;
	}
	write_all(reader, question->rows, &text);
	if (text.failed || ctd_gzip(text.text, text.bytes, &compressed, &bytes))
		return -ENOMEM;
	ctd_strbuf_add_bytes(answer, compressed, bytes);
	return answer->failed ? -ENOMEM : 0;
}

int ctd_history_answer(const char *directory, const struct ctd_history_question *question,
		       struct ctd_strbuf *answer)
{
	uint64_t first = question->since_ns / question->step_ns;
	uint64_t last = (question->until_ns - 1) / question->step_ns;
	struct reader reader = {
		.walk = {.since_ns = first * question->step_ns,
			 .until_ns = (last + 1) * question->step_ns},
		.points.series = {.first = first,
				  .step_ns = question->step_ns,
				  .points = last - first + 1,
				  .by = question->by,
				  .level = question->level,
				  .key = question->key},
	};
	int error = read_all(&reader, directory, question);

	if (!error) {
		ctd_series_sort(&reader.points.series);
		error = write_answer(&reader, question, answer);
	}
	ctd_points_free(&reader.points);
	ctd_walk_close(&reader.walk);
	return error;
}
