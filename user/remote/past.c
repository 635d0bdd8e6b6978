/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.c - reads what a history says of a time from its JSON, row by row. */
#include "remote/past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"
#include "remote/read.h"

#define NAME_BYTES_MAX 64
#define KEY_BYTES_MAX 4096
/* Of all rows: 32 MB. A serve gives a million at most, and leaves out columns that have none. */
#define VALUES_MAX ((size_t)4000000)

/* The order of members does not matter, but that points come before figures, and nodes before rows.
 */
struct reader {
	struct ctd_remote_past past;
	size_t capacity; /* of rows */
	size_t values; /* of rows */
	bool has_schema, has_nodes, has_rows;
};

static void free_row(struct ctd_remote_past_row *row)
{
	free(row->key);
	free(row->cpu_ns);
}

void ctd_remote_past_free(struct ctd_remote_past *past)
{
	for (size_t i = 0; i < past->rows_count; i++)
		free_row(&past->rows[i]);
	free(past->rows);
	for (int i = 0; i < past->core_types_count; i++) {
		free(past->core_types[i].unattributed_slots);
		free(past->core_types[i].residual_slots);
	}
	for (int i = 0; i < past->nodes_count; i++)
		free(past->nodes[i]);
	free(past->window_ns);
	free(past->unattributed_ns);
	*past = (struct ctd_remote_past){0};
}

/* @p array: NULL is one in which nothing is known. */
static int read_values(struct ctd_json_walk *walk, const json_t *array, size_t points,
		       uint64_t *ret_values)
{
	if (array && (!json_is_array(array) || json_array_size(array) != points))
		return ctd_json_refuse(walk, "it has not as many figures as points");
	for (size_t i = 0; i < points; i++) {
		const json_t *value = json_array_get(array, i);

		ret_values[i] = CTD_REMOTE_ABSENT;
		if (!value || json_is_null(value))
			continue;
		if (!ctd_json_take_integer(value, &ret_values[i]))
			return ctd_json_refuse(walk, "a figure is no number that can be");
	}
	return 0;
}

/* Of which there is one. */
static int take_values(struct ctd_json_walk *walk, const json_t *array, size_t points,
		       uint64_t **values)
{
	if (!points || *values)
		return ctd_json_refuse(walk, "figures come before their points, or twice");
	*values = malloc(points * sizeof(**values));
	return *values ? read_values(walk, array, points, *values) : -ENOMEM;
}

/* Of several core types each has a name. */
static int read_core(struct ctd_json_walk *walk, const json_t *object, char *ret_name, size_t bytes)
{
	const json_t *core = json_object_get(object, "core");

	if (!core || json_is_null(core) || ctd_remote_text(core, ret_name, bytes))
		return 0;
	return ctd_json_refuse(walk, "a core type has a name that cannot be shown");
}

static int take_core_type(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct ctd_remote_past *past = &((struct reader *)context)->past;
	struct ctd_remote_past_core_type *type;
	auto_json json_t *object = ctd_json_walk_value(walk);
	const json_t *residual = json_object_get(object, "residual_slots");
	int error;

	(void)name;
	if (!object)
		return -EBADMSG;
	if (past->core_types_count == CTD_CORE_TYPES_MAX)
		return ctd_json_refuse(walk, "it has more core types than are known");
	type = &past->core_types[past->core_types_count++];
	error = read_core(walk, object, type->name, sizeof(type->name));
	if (!error)
		error = take_values(walk, json_object_get(object, "unattributed_slots"),
				    past->points, &type->unattributed_slots);
	if (error)
		return error;
	type->residual_slots = calloc(past->points, sizeof(*type->residual_slots));
	for (size_t i = 0; type->residual_slots && i < past->points; i++)
		type->residual_slots[i] = json_integer_value(json_array_get(residual, i));
	return type->residual_slots ? 0 : -ENOMEM;
}

static int take_node(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct ctd_remote_past *past = &((struct reader *)context)->past;
	auto_json json_t *object = ctd_json_walk_value(walk);
	char text[NAME_BYTES_MAX];

	(void)name;
	if (!object)
		return -EBADMSG;
	if (past->nodes_count == CTD_NODES_MAX ||
	    !ctd_remote_text(json_object_get(object, "name"), text, sizeof(text)))
		return ctd_json_refuse(walk, "its nodes are too many, or have no names");
	past->nodes[past->nodes_count] = strdup(text);
	return past->nodes[past->nodes_count++] ? 0 : -ENOMEM;
}

/* All figures of a row are one piece of memory. */
static int fill_row(struct ctd_json_walk *walk, struct reader *reader, const json_t *object,
		    struct ctd_remote_past_row *row)
{
	const struct ctd_remote_past *past = &reader->past;
	const json_t *node_slots = json_object_get(object, "node_slots");
	const json_t *key = json_object_get(object, "key");
	size_t columns = 2 + (size_t)past->nodes_count;
	int error = read_core(walk, object, row->core, sizeof(row->core));

	if (error)
		return error;
	if (!json_string_length(key) || json_string_length(key) > KEY_BYTES_MAX)
		return ctd_json_refuse(walk, "a row has no key");
	reader->values += columns * past->points;
	if (reader->values > VALUES_MAX)
		return ctd_json_refuse(walk, "it has more figures than are given at once");
	row->key = strdup(json_string_value(key));
	row->cpu_ns = malloc(columns * past->points * sizeof(*row->cpu_ns));
	if (!row->key || !row->cpu_ns)
		return -ENOMEM;
	row->slots = row->cpu_ns + past->points;
	error = read_values(walk, json_object_get(object, "cpu_ns"), past->points, row->cpu_ns);
	if (!error)
		error = read_values(walk, json_object_get(object, "slots"), past->points,
				    row->slots);
	for (int i = 0; !error && i < past->nodes_count; i++) {
		row->node_slots[i] = row->slots + (size_t)(i + 1) * past->points;
		error = read_values(walk, json_object_get(node_slots, past->nodes[i]), past->points,
				    row->node_slots[i]);
	}
	return error;
}

static int take_row(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct reader *reader = context;
	struct ctd_remote_past *past = &reader->past;
	auto_json json_t *object = ctd_json_walk_value(walk);

	(void)name;
	if (!object)
		return -EBADMSG;
	if (!past->points || !reader->has_nodes)
		return ctd_json_refuse(walk, "rows come before points or nodes");
	if (past->rows_count == CTD_REMOTE_PAST_ROWS_MAX)
		return ctd_json_refuse(walk, "it has more rows than are given at once");
	if (past->rows_count == reader->capacity) {
		size_t wanted = reader->capacity ? 2 * reader->capacity : 64;
		void *grown = reallocarray(past->rows, wanted, sizeof(*past->rows));

		if (!grown)
			return -ENOMEM;
		past->rows = grown;
		reader->capacity = wanted;
	}
	past->rows[past->rows_count] = (struct ctd_remote_past_row){0};
	return fill_row(walk, reader, object, &past->rows[past->rows_count++]);
}

static int take_points(struct ctd_json_walk *walk, const json_t *value,
		       struct ctd_remote_past *past)
{
	uint64_t points = ctd_remote_integer(value);

	if (!points || points > CTD_REMOTE_PAST_POINTS_MAX || past->points)
		return ctd_json_refuse(walk, "it has no points, or too many");
	past->points = points;
	return 0;
}

static int take_member(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct reader *reader = context;
	struct ctd_remote_past *past = &reader->past;
	auto_json json_t *value = NULL;
	const char *text;

	if (strcmp(name, "rows") == 0) {
		reader->has_rows = true;
		return ctd_json_walk_array(walk, take_row, context);
	}
	if (strcmp(name, "nodes") == 0) {
		/* Rows have as many columns. */
		if (reader->has_nodes)
			return ctd_json_refuse(walk, "it has nodes twice");
		reader->has_nodes = true;
		return ctd_json_walk_array(walk, take_node, context);
	}
	if (strcmp(name, "core_types") == 0)
		return ctd_json_walk_array(walk, take_core_type, context);
	value = ctd_json_walk_value(walk);
	if (!value)
		return -EBADMSG;
	text = json_string_value(value);
	if (strcmp(name, "schema") == 0)
		reader->has_schema = text && strcmp(text, CTD_REMOTE_PAST_SCHEMA) == 0;
	else if (strcmp(name, "simulated") == 0)
		past->simulated = json_is_true(value);
	else if (strcmp(name, "rows_left_out") == 0)
		past->is_cut = ctd_remote_integer(value);
	else if (strcmp(name, "kept_until_ns") == 0)
		past->kept_until_ns = ctd_remote_integer(value);
	else if (strcmp(name, "since_ns") == 0)
		past->since_ns = ctd_remote_integer(value);
	else if (strcmp(name, "step_ns") == 0)
		past->step_ns = ctd_remote_integer(value);
	else if (strcmp(name, "points") == 0)
		return take_points(walk, value, past);
	else if (strcmp(name, "window_ns") == 0)
		return take_values(walk, value, past->points, &past->window_ns);
	else if (strcmp(name, "unattributed_ns") == 0)
		return take_values(walk, value, past->points, &past->unattributed_ns);
	return 0;
}

static int compare_rows(const void *left, const void *right)
{
	const struct ctd_remote_past_row *a = left, *b = right;

	return strcmp(a->key, b->key);
}

static int check(struct ctd_json_walk *walk, const struct reader *reader)
{
	const struct ctd_remote_past *past = &reader->past;

	if (!reader->has_schema)
		return ctd_json_refuse(walk, "its schema is not " CTD_REMOTE_PAST_SCHEMA);
	if (!past->window_ns || !past->unattributed_ns || !reader->has_rows)
		return ctd_json_refuse(walk, "it has no points or no rows");
	if (!past->step_ns || past->step_ns > (INT64_MAX - past->since_ns) / past->points)
		return ctd_json_refuse(walk, "its points are at no times that can be");
	return 0;
}

static int sort(struct ctd_json_walk *walk, struct ctd_remote_past *past)
{
	if (past->rows_count)
		qsort(past->rows, past->rows_count, sizeof(*past->rows), compare_rows);
	for (size_t i = 1; i < past->rows_count; i++)
		if (compare_rows(&past->rows[i - 1], &past->rows[i]) == 0)
			return ctd_json_refuse(walk, "two rows have one key");
	return 0;
}

int ctd_remote_past_parse(const char *text, size_t bytes, struct ctd_remote_past *ret_past,
			  char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_json_walk walk = {.text = text, .end = text + bytes};
	struct reader reader = {0};
	int error = ctd_json_walk_object(&walk, take_member, &reader);

	if (!error)
		error = ctd_json_walk_end(&walk);
	if (!error)
		error = check(&walk, &reader);
	if (!error)
		error = sort(&walk, &reader.past);
	if (error) {
		ctd_remote_past_free(&reader.past);
		if (error == -EBADMSG)
			memccpy(ret_why, walk.why, '\0', CTD_REMOTE_WHY_BYTES);
		return error;
	}
	*ret_past = reader.past;
	return 0;
}
