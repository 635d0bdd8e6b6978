/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rows.c - makes and sorts the rows of regions. */
#include "app/regions/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BY_TIME = -3, BY_SLOTS, BY_NAME };

/* @return a node, one of these, or less: there is no such key. */
static int key_of(const char *sort)
{
	if (!sort || strcmp(sort, "cpu") == 0)
		return BY_TIME;
	if (strcmp(sort, "slots") == 0)
		return BY_SLOTS;
	if (strcmp(sort, "name") == 0)
		return BY_NAME;
	for (int i = 0; i < CTD_REGION_NODES; i++)
		if (strcmp(sort, ctd_region_node_name(i)) == 0)
			return i;
	return BY_TIME - 1;
}

bool ctd_region_can_sort(const char *key)
{
	return key_of(key) >= BY_TIME;
}

static int by_name(const struct ctd_region_row *a, const struct ctd_region_row *b)
{
	int order = strcmp(a->sum->name, b->sum->name);

	return order ? order
		     : (a->program->pid > b->program->pid) - (a->program->pid < b->program->pid);
}

uint64_t ctd_region_calls(const struct ctd_region_row *row)
{
	return row->growth.measured + row->growth.lost;
}

double ctd_region_time_s(const struct ctd_region_row *row)
{
	return (double)(row->growth.measured_ns + row->growth.lost_ns) / 1e9;
}

static double size_of(const struct ctd_region_row *row, int key)
{
	if (key == BY_TIME)
		return ctd_region_time_s(row);
	return key == BY_SLOTS	  ? (double)row->growth.slots
	       : row->known > key ? row->ratio[key]
				  : -1;
}

/* The largest first. */
static int compare(const void *one, const void *other, void *key)
{
	const struct ctd_region_row *a = one, *b = other;
	double size_a, size_b;

	if (*(const int *)key == BY_NAME)
		return by_name(a, b);
	size_a = size_of(a, *(const int *)key);
	size_b = size_of(b, *(const int *)key);
	return size_a > size_b ? -1 : size_a < size_b ? 1 : by_name(a, b);
}

int ctd_region_rows_make(const struct ctd_region_programs *programs, const char *sort,
			 struct ctd_region_rows *ret_rows)
{
	struct ctd_region_rows rows = {0};
	int key = key_of(sort);
	size_t room = 0;

	for (size_t i = 0; i < programs->count; i++)
		room += programs->items[i].sums.count;
	rows.items = calloc(room + 1, sizeof(*rows.items));
	if (!rows.items)
		return -ENOMEM;
	for (size_t i = 0; i < programs->count; i++) {
		const struct ctd_region_program *program = &programs->items[i];

		for (size_t n = 0; !program->hidden && n < program->sums.count; n++) {
			struct ctd_region_row *row = &rows.items[rows.count];

			row->program = program;
			row->sum = &program->sums.items[n];
			ctd_region_sum_growth(row->sum, &row->growth);
			row->known = ctd_region_ratios(&row->growth, row->ratio);
			rows.count += row->growth.measured || row->growth.lost;
		}
	}
	qsort_r(rows.items, rows.count, sizeof(*rows.items), compare, &key);
	*ret_rows = rows;
	return 0;
}

void ctd_region_rows_free(struct ctd_region_rows *rows)
{
	free(rows->items);
	*rows = (struct ctd_region_rows){0};
}
