/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* series.c - figures of rows over points of time. */
#include "history/series.h"

#include <cgtopdown/report.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/hash.h"
#include "base/label.h"
#include "base/strbuf.h"
#include "ledger/ledger.h"

/* @return the value, which is absent at first; NULL without memory or room. */
static uint64_t *value_at(struct ctd_series *series, uint64_t **column, size_t index)
{
	if (!*column) {
		*column = malloc(series->points * sizeof(**column));
		if (!*column)
			return NULL;
		memset(*column, 0xff, series->points * sizeof(**column));
		series->values_count += series->points;
	}
	return &(*column)[index];
}

static int add_to(struct ctd_series *series, uint64_t **column, size_t index, uint64_t value)
{
	uint64_t *at = value_at(series, column, index);

	if (!at)
		return -ENOMEM;
	*at = *at == CTD_SERIES_ABSENT ? value : *at + value;
	return 0;
}

/* @return its column, or -1: it is not wanted. */
static int column_of(struct ctd_series *series, const struct ctd_cpu_model *model,
		     const struct ctd_node *node)
{
	int i;

	if (ctd_node_is_ipc(node) || node->level > series->level)
		return -1;
	i = ctd_series_find_node(series->nodes, series->nodes_count, node->name);
	if (i < 0) {
		if (series->nodes_count == CTD_NODES_MAX)
			return -1;
		i = series->nodes_count++;
		series->nodes[i] = node;
		series->parents[i] = node->parent < 0 ? NULL : model->nodes[node->parent].name;
	}
	return CTD_SERIES_NODES + i;
}

static bool is_group(enum ctd_rollup_kind kind)
{
	return kind == CTD_ROLLUP_POD || kind == CTD_ROLLUP_NAMESPACE || kind == CTD_ROLLUP_OWNER;
}

/* Of a unit's cgroups each is a row: keys of the view tell the unit alone. */
static bool is_part_of_unit(const struct ctd_rollup_row *row, enum ctd_group_by by)
{
	return by == CTD_GROUP_CGROUP && row->kind == CTD_ROLLUP_CGROUP;
}

static int identify(const struct ctd_series *series, const struct ctd_rollup_row *row,
		    const char *core, struct ctd_series_row *ret)
{
	auto_ctd_strbuf struct ctd_strbuf key = {0};

	ret->kind = ctd_rollup_kind_name(row->kind);
	ret->name = ctd_report_row_name(row, "");
	ret->core = strdup(core);
	if (!ret->name || !ret->core)
		return -ENOMEM;
	if (!is_group(row->kind)) {
		ret->who = ctd_who_of(row, core);
		if (!ret->who)
			return -ENOMEM;
		ret->kind = ctd_account_kind_name(ret->who->kind);
		if (!series->compares && !is_part_of_unit(row, series->by)) {
			ret->key = strdup(ret->who->key_text);
			return ret->key ? 0 : -ENOMEM;
		}
	}
	ctd_label_add(&key, "kind", ret->kind);
	ctd_label_add(&key, "name", ret->name);
	ctd_label_add(&key, "core", core);
	ret->key = key.failed ? NULL : strdup(key.text);
	return ret->key ? 0 : -ENOMEM;
}

static void row_free(struct ctd_series_row *row)
{
	free(row->key);
	free(row->name);
	free(row->core);
	ctd_who_release(row->who);
	for (size_t i = 0; i < sizeof(row->columns) / sizeof(*row->columns); i++)
		free(row->columns[i]);
	for (size_t i = 0; i < sizeof(row->wholes) / sizeof(*row->wholes); i++)
		free(row->wholes[i]);
}

struct wanted {
	const struct ctd_series *series;
	const char *key;
};

static bool is_equal(size_t index, const void *context)
{
	const struct wanted *wanted = context;

	return strcmp(wanted->series->rows[index].key, wanted->key) == 0;
}

static size_t find(const struct ctd_series *series, const char *key)
{
	const struct wanted wanted = {series, key};

	return ctd_intern_find(&series->keys, ctd_hash(key, strlen(key)), is_equal, &wanted);
}

int ctd_series_find_node(const struct ctd_node *const *nodes, int nodes_count, const char *name)
{
	for (int i = 0; i < nodes_count; i++)
		if (strcmp(nodes[i]->name, name) == 0)
			return i;
	return -1;
}

const struct ctd_series_row *ctd_series_find(const struct ctd_series *series, const char *key)
{
	size_t index = find(series, key);

	return index < series->rows_count ? &series->rows[index] : NULL;
}

/* Takes @p row over. @return its place, or negative errno. */
static long place_of(struct ctd_series *series, struct ctd_series_row *row)
{
	size_t index = find(series, row->key);
	struct ctd_series_row *rows = series->rows;

	if (index < series->rows_count) {
		row_free(row);
		return (long)index;
	}
	if (index == CTD_SERIES_ROWS_MAX) {
		row_free(row);
		return -E2BIG;
	}
	/* Twice as much whenever there are as many as a power of two. */
	if (!(index & (index - 1)))
		rows = reallocarray(rows, index ? 2 * index : 1, sizeof(*rows));
	if (rows)
		series->rows = rows;
	if (!rows || ctd_intern_reserve(&series->keys)) {
		row_free(row);
		return -ENOMEM;
	}
	ctd_intern_add(&series->keys, ctd_hash(row->key, strlen(row->key)));
	rows[index] = *row;
	series->rows_count++;
	return (long)index;
}

static int add_figures(struct ctd_series *series, struct ctd_series_row *row, size_t index,
		       const struct ctd_rollup_part *part, const struct ctd_cpu_model *model)
{
	int error = add_to(series, &row->columns[CTD_SERIES_CPU_NS], index, part->cpu_ns);

	row->cpu_ns += part->cpu_ns;
	if (!error && part->slots_known)
		error = add_to(series, &row->columns[CTD_SERIES_SLOTS], index, part->slots);
	for (int i = 0; !error && model && part->slots_known && i < model->nodes_count; i++) {
		int column = column_of(series, model, &model->nodes[i]);

		if (column < 0 || !(part->node_slots_known & 1u << i))
			continue;
		error = add_to(series, &row->columns[column], index, part->node_slots[i]);
		if (!error && series->compares)
			error = add_to(series, &row->wholes[column - CTD_SERIES_NODES], index,
				       part->slots);
	}
	return !error && series->values_count > CTD_SERIES_VALUES_MAX ? -E2BIG : error;
}

static int add_part(struct ctd_series *series, size_t index, const struct ctd_rollup_row *row,
		    const struct ctd_rollup_part *part, const struct ctd_core_type *type)
{
	struct ctd_series_row one = {0};
	int error = identify(series, row, type->name, &one);
	long place;

	if (error || (series->key && strcmp(one.key, series->key) != 0)) {
		row_free(&one);
		return error;
	}
	place = place_of(series, &one);
	return place < 0 ? (int)place
			 : add_figures(series, &series->rows[place], index, part, type->model);
}

static struct ctd_series_total *total_of(struct ctd_series *series, const char *core)
{
	int i = 0;

	while (i < series->totals_count && strcmp(series->totals[i].core, core) != 0)
		i++;
	if (i == CTD_CORE_TYPES_MAX)
		return NULL;
	if (i == series->totals_count) {
		snprintf(series->totals[i].core, sizeof(series->totals[i].core), "%s", core);
		series->totals_count++;
	}
	return &series->totals[i];
}

static int add_totals(struct ctd_series *series, size_t index, const char *core,
		      const struct ctd_rollup_totals *totals)
{
	struct ctd_series_total *total = total_of(series, core);
	int error;

	if (!total || !totals->slots_known)
		return 0;
	if (!total->residual_slots)
		total->residual_slots = calloc(series->points, sizeof(*total->residual_slots));
	if (!total->residual_slots)
		return -ENOMEM;
	total->residual_slots[index] += totals->residual_slots;
	error = add_to(series, &total->slots, index, totals->slots);
	if (!error)
		error = add_to(series, &total->idle_slots, index, totals->idle_slots);
	if (!error)
		error = add_to(series, &total->unattributed_slots, index,
			       totals->unattributed_slots);
	return error;
}

int ctd_series_add(struct ctd_series *series, size_t index, const struct ctd_rollup *rollup)
{
	const struct ctd_rollup_plan *plan = rollup->plan;
	int error = add_to(series, &series->window_ns, index, rollup->window_ns);

	series->simulated |= plan->simulated;
	if (!error)
		error = add_to(series, &series->unattributed_ns, index, rollup->unattributed_ns);
	for (int type = 0; !error && type < plan->core_types_count; type++)
		error = add_totals(series, index, plan->core_types[type].name,
				   &rollup->totals[type]);
	for (size_t i = 0; !error && i < rollup->rows_count; i++)
		for (int type = 0; !error && type < plan->core_types_count; type++)
			if (rollup->rows[i].parts[type].ran)
				error = add_part(series, index, &rollup->rows[i],
						 &rollup->rows[i].parts[type],
						 &plan->core_types[type]);
	return error;
}

static int compare(const void *a, const void *b)
{
	const struct ctd_series_row *one = a, *other = b;

	if (one->cpu_ns != other->cpu_ns)
		return one->cpu_ns < other->cpu_ns ? 1 : -1;
	return strcmp(one->key, other->key);
}

void ctd_series_sort(struct ctd_series *series)
{
	if (series->rows_count)
		qsort(series->rows, series->rows_count, sizeof(*series->rows), compare);
	/* Their places were others. */
	ctd_intern_free(&series->keys);
	series->keys = (struct ctd_intern){0};
}

void ctd_series_free(struct ctd_series *series)
{
	for (size_t i = 0; i < series->rows_count; i++)
		row_free(&series->rows[i]);
	for (int i = 0; i < series->totals_count; i++) {
		free(series->totals[i].slots);
		free(series->totals[i].idle_slots);
		free(series->totals[i].unattributed_slots);
		free(series->totals[i].residual_slots);
	}
	free(series->rows);
	free(series->window_ns);
	free(series->unattributed_ns);
	ctd_intern_free(&series->keys);
	*series = (struct ctd_series){0};
}
