/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read.c - reads a view from its JSON, row by row. */
#include "remote/view.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_walk.h"
#include "format/health.h"
#include "remote/read.h"

#define TEXT_BYTES_MAX 4096
/* Of which a ratio is told: its billionths. */
#define CAPACITY_NS 1000000000

/* The order of members does not matter, but that core types come before rows. */
struct reader {
	struct ctd_remote_view view;
	size_t capacity; /* of rows */
	bool has_schema, has_rows;
};

#define TEXT(its_key, field)                                    \
	{                                                       \
		its_key, offsetof(struct ctd_remote_row, field) \
	}
/* What a row says in words, all owned; NULL where it says nothing. */
static const struct row_text {
	const char *key;
	size_t offset;
} row_texts[] = {
	TEXT("key", key),
	TEXT("cgroup", cgroup),
	TEXT("namespace", namespace_name),
	TEXT("pod", pod),
	TEXT("qos", qos),
	TEXT("container", container),
	TEXT("container_id", container_id),
	TEXT("runtime", runtime),
	TEXT("image", image),
	TEXT("owner_kind", owner_kind),
	TEXT("owner", owner_name),
};
#define ROW_TEXTS (sizeof(row_texts) / sizeof(*row_texts))

static char **text_of(struct ctd_remote_row *row, const struct row_text *text)
{
	return (char **)((char *)row + text->offset);
}

static void free_row(struct ctd_remote_row *row)
{
	for (size_t i = 0; i < ROW_TEXTS; i++)
		free(*text_of(row, &row_texts[i]));
}

void ctd_remote_view_free(struct ctd_remote_view *view)
{
	for (size_t i = 0; i < view->rows_count; i++)
		free_row(&view->rows[i]);
	free(view->rows);
	for (int i = 0; i < view->core_types_count; i++)
		ctd_remote_core_type_free(&view->core_types[i]);
	free(view->core_types);
	*view = (struct ctd_remote_view){0};
}

/* A copy; NULL where it is not there. @return false without memory. */
static bool keep(const json_t *object, const char *key, char **ret_text)
{
	const json_t *value = json_object_get(object, key);
	size_t bytes = json_string_length(value);

	if (!bytes || bytes > TEXT_BYTES_MAX)
		return true;
	*ret_text = strdup(json_string_value(value));
	return *ret_text;
}

static bool keep_texts(const json_t *object, struct ctd_remote_row *row)
{
	bool is_kept = true;

	for (size_t i = 0; is_kept && i < ROW_TEXTS; i++)
		is_kept = keep(object, row_texts[i].key, text_of(row, &row_texts[i]));
	return is_kept;
}

static bool find_kind(const json_t *object, enum ctd_account_kind *ret_kind)
{
	const char *text = json_string_value(json_object_get(object, "kind"));

	for (int kind = 0; text && kind < CTD_ACCOUNT_KINDS; kind++) {
		if (strcmp(ctd_account_kind_name(kind), text) == 0) {
			*ret_kind = kind;
			return true;
		}
	}
	return false;
}

static bool find_core_type(const struct ctd_remote_view *view, const json_t *object,
			   int *ret_core_type)
{
	const char *text = json_string_value(json_object_get(object, "core"));

	for (int i = 0; i < view->core_types_count; i++) {
		if (view->core_types_count == 1 ||
		    strcmp(view->core_types[i].name, text ? text : "") == 0) {
			*ret_core_type = i;
			return true;
		}
	}
	return false;
}

static int fill_row(struct ctd_json_walk *walk, const struct ctd_remote_view *view,
		    const json_t *object, struct ctd_remote_row *row)
{
	if (!find_kind(object, &row->kind) || !find_core_type(view, object, &row->core_type))
		return ctd_json_refuse(walk, "a row is of no known kind or core type");
	if (!keep_texts(object, row))
		return -ENOMEM;
	if (!row->key || (row->kind <= CTD_ACCOUNT_CGROUP && !row->cgroup))
		return ctd_json_refuse(walk, "a row has no key or no cgroup");
	ctd_remote_total_read(json_object_get(object, "total"), &view->core_types[row->core_type],
			      &row->total);
	return 0;
}

/* What was measured has figures in some row. */
static void find_measured(struct ctd_remote_view *view)
{
	for (size_t i = 0; i < view->rows_count; i++) {
		view->waits |= view->rows[i].total.waits_known;
		view->smt |= view->rows[i].total.smt.known;
	}
}

static int take_row(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct reader *reader = context;
	struct ctd_remote_view *view = &reader->view;
	auto_json json_t *object = ctd_json_walk_value(walk);

	(void)name;
	if (!object)
		return -EBADMSG;
	if (!view->core_types_count)
		return ctd_json_refuse(walk, "rows come before the core types that they are of");
	if (view->rows_count == reader->capacity) {
		size_t wanted = reader->capacity ? 2 * reader->capacity : 64;
		void *grown = reallocarray(view->rows, wanted, sizeof(*view->rows));

		if (!grown)
			return -ENOMEM;
		view->rows = grown;
		reader->capacity = wanted;
	}
	view->rows[view->rows_count] = (struct ctd_remote_row){0};
	return fill_row(walk, view, object, &view->rows[view->rows_count++]);
}

static int take_core_type(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct ctd_remote_view *view = &((struct reader *)context)->view;
	auto_json json_t *object = ctd_json_walk_value(walk);
	int error;

	(void)name;
	if (!object)
		return -EBADMSG;
	if (view->core_types_count == CTD_CORE_TYPES_MAX)
		return ctd_json_refuse(walk, "it has more core types than are known");
	error = ctd_remote_core_type_read(object, &view->core_types[view->core_types_count], walk);
	view->core_types_count++;
	return error;
}

static void take_node_total(const json_t *object, struct ctd_remote_view *view)
{
	view->unattributed_ns = ctd_remote_count(object, "unattributed_ns");
	view->bpf_ns = ctd_remote_count(object, "bpf_ns");
	for (size_t i = 0; i < ctd_health_names_count; i++)
		view->health[ctd_health_names[i].counter] =
			ctd_remote_count(object, ctd_health_names[i].key);
}

static bool has_text(const json_t *texts, const char *text)
{
	bool has = false;

	for (size_t i = 0; i < json_array_size(texts); i++) {
		const char *is = json_string_value(json_array_get(texts, i));

		has |= is && strcmp(is, text) == 0;
	}
	return has;
}

/* Parts that are not known here are of a newer version. */
static void take_parts(const json_t *object, struct ctd_budget_state *state)
{
	const json_t *given_up = json_object_get(object, "given_up");
	const json_t *changes = json_object_get(object, "changes");

	for (int part = 0; part < CTD_BUDGET_PARTS; part++) {
		const char *name = ctd_budget_part_name(part);

		state->given_up |= (uint64_t)has_text(given_up, name) << part;
		state->changes[part] = ctd_remote_count(changes, name);
	}
}

/* A cost of which only the ratio is told is one of so many. */
static void take_budget(const json_t *object, struct ctd_budget_state *state)
{
	double limit = json_number_value(json_object_get(object, "limit"));
	const json_t *cost = json_object_get(object, "cost");

	if (!(limit > 0 && limit <= 1))
		return;
	state->limit_ppm = (uint64_t)fmax(1, round(limit * 1e6));
	if (json_is_number(cost) && json_number_value(cost) >= 0 && json_number_value(cost) <= 1) {
		state->capacity_ns = CAPACITY_NS;
		state->cost_ns = (uint64_t)round(json_number_value(cost) * 1e9);
	}
	take_parts(object, state);
	state->exceeded = json_is_true(json_object_get(object, "exceeded"));
}

/* Texts that are shown as they are. */
static int take_text(struct ctd_json_walk *walk, const char *name, const json_t *value,
		     struct ctd_remote_view *view)
{
	const struct {
		const char *name;
		char *text;
		size_t bytes;
	} members[] = {
		{"node", view->node, sizeof(view->node)},
		{"boot_id", view->boot_id, sizeof(view->boot_id)},
		{"start", view->start, sizeof(view->start)},
		{"source", view->source, sizeof(view->source)},
		{"hierarchy", view->hierarchy, sizeof(view->hierarchy)},
	};

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		if (strcmp(members[i].name, name) != 0 || json_is_null(value))
			continue;
		if (!ctd_remote_text(value, members[i].text, members[i].bytes))
			return ctd_json_refuse(walk, "a name is too long, or cannot be shown");
	}
	return 0;
}

static void take_number(const char *name, const json_t *value, struct ctd_remote_view *view)
{
	const struct {
		const char *name;
		uint64_t *number;
	} members[] = {
		{"sequence", &view->sequence},	 {"time_ns", &view->time_ns},
		{"window_ns", &view->window_ns}, {"interval_ns", &view->interval_ns},
		{"look_ns", &view->look_ns},	 {"elapsed_ns", &view->elapsed_ns},
	};
	uint64_t number = ctd_remote_integer(value);

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++)
		if (strcmp(members[i].name, name) == 0)
			*members[i].number = number;
	if (strcmp(name, "level") == 0)
		view->level = number <= 9 ? (int)number : 0;
	else if (strcmp(name, "cpus") == 0)
		view->cpus = number <= CTD_CPUS_MAX ? (uint32_t)number : 0;
	else if (strcmp(name, "simulated") == 0)
		view->simulated = json_is_true(value);
	else if (strcmp(name, "general") == 0)
		view->general = json_is_true(value);
	else if (strcmp(name, "profiles") == 0)
		view->profiles = json_is_true(value);
	else if (strcmp(name, "history") == 0)
		view->history = json_is_true(value);
	else if (strcmp(name, "vendor_metrics") == 0)
		view->vendor = json_array_size(value) > 0;
}

static int take_member(struct ctd_json_walk *walk, const char *name, void *context)
{
	struct reader *reader = context;
	auto_json json_t *value = NULL;
	const char *text;

	if (strcmp(name, "rows") == 0 || strcmp(name, "held_rows") == 0) {
		reader->has_rows = true;
		return ctd_json_walk_array(walk, take_row, context);
	}
	if (strcmp(name, "core_types") == 0)
		return ctd_json_walk_array(walk, take_core_type, context);
	value = ctd_json_walk_value(walk);
	if (!value)
		return -EBADMSG;
	text = json_string_value(value);
	if (strcmp(name, "schema") == 0)
		reader->has_schema = text && strcmp(text, CTD_REMOTE_SCHEMA) == 0;
	else if (strcmp(name, "total") == 0)
		take_node_total(value, &reader->view);
	else if (strcmp(name, "budget") == 0)
		take_budget(value, &reader->view.budget);
	take_number(name, value, &reader->view);
	return take_text(walk, name, value, &reader->view);
}

static int compare_rows(const void *left, const void *right)
{
	const struct ctd_remote_row *a = left, *b = right;

	return strcmp(a->key, b->key);
}

static int check(struct ctd_json_walk *walk, const struct reader *reader)
{
	const struct ctd_remote_view *view = &reader->view;

	if (!reader->has_schema)
		return ctd_json_refuse(walk, "its schema is not " CTD_REMOTE_SCHEMA);
	if (!reader->has_rows || !view->core_types_count)
		return ctd_json_refuse(walk, "it has no core types or no rows");
	if (!view->sequence || !view->time_ns || !*view->source)
		return ctd_json_refuse(walk, "its sequence, time or source is missing");
	return 0;
}

int ctd_remote_view_parse(const char *text, size_t bytes, struct ctd_remote_view *ret_view,
			  char ret_why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_json_walk walk = {.text = text, .end = text + bytes};
	struct reader reader = {0};
	int error = 0;

	reader.view.core_types = calloc(CTD_CORE_TYPES_MAX, sizeof(*reader.view.core_types));
	if (!reader.view.core_types)
		return -ENOMEM;
	error = ctd_json_walk_object(&walk, take_member, &reader);
	if (!error)
		error = ctd_json_walk_end(&walk);
	if (!error)
		error = check(&walk, &reader);
	if (error) {
		ctd_remote_view_free(&reader.view);
		if (error == -EBADMSG)
			memccpy(ret_why, walk.why, '\0', CTD_REMOTE_WHY_BYTES);
		return error;
	}
	if (reader.view.rows_count)
		qsort(reader.view.rows, reader.view.rows_count, sizeof(*reader.view.rows),
		      compare_rows);
	find_measured(&reader.view);
	/* A serve of before it was told has the wall clock alone. */
	if (!reader.view.elapsed_ns)
		reader.view.elapsed_ns = reader.view.time_ns;
	*ret_view = reader.view;
	return 0;
}

const struct ctd_remote_row *ctd_remote_view_find(const struct ctd_remote_view *view,
						  const char *key)
{
	const struct ctd_remote_row wanted = {.key = (char *)key};

	return view->rows_count ? bsearch(&wanted, view->rows, view->rows_count,
					  sizeof(*view->rows), compare_rows)
				: NULL;
}

bool ctd_remote_view_is_of_run(const struct ctd_remote_view *view,
			       const struct ctd_remote_view *other)
{
	return strcmp(view->boot_id, other->boot_id) == 0 &&
	       strcmp(view->start, other->start) == 0 && strcmp(view->node, other->node) == 0;
}

static bool is_same_node(const struct ctd_remote_node *a, const struct ctd_remote_node *b)
{
	return a->role == b->role && a->unit == b->unit && a->level == b->level &&
	       a->parent == b->parent && a->lacks_counters == b->lacks_counters &&
	       strcmp(a->name, b->name) == 0 &&
	       strcmp(a->condition ? a->condition : "", b->condition ? b->condition : "") == 0;
}

bool ctd_remote_core_type_is_alike(const struct ctd_remote_core_type *a,
				   const struct ctd_remote_core_type *b)
{
	if (strcmp(a->source, b->source) != 0 || strcmp(a->model, b->model) != 0 ||
	    a->has_model != b->has_model || a->core_scope != b->core_scope ||
	    a->level != b->level || a->rotation != b->rotation || a->nodes_count != b->nodes_count)
		return false;
	for (int i = 0; i < a->nodes_count; i++)
		if (!is_same_node(&a->nodes[i], &b->nodes[i]))
			return false;
	return true;
}

bool ctd_remote_view_is_of_plan(const struct ctd_remote_view *view,
				const struct ctd_remote_view *other)
{
	/* Slots of level 2 that were counted for a part of the time are no share of all slots. */
	if (strcmp(view->source, other->source) != 0 || view->general != other->general ||
	    view->budget.changes[CTD_BUDGET_LEVEL] != other->budget.changes[CTD_BUDGET_LEVEL] ||
	    view->core_types_count != other->core_types_count)
		return false;
	for (int i = 0; i < view->core_types_count; i++)
		if (strcmp(view->core_types[i].name, other->core_types[i].name) != 0 ||
		    !ctd_remote_core_type_is_alike(&view->core_types[i], &other->core_types[i]))
			return false;
	return true;
}
