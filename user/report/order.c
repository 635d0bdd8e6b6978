/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* order.c - which rows are shown, and where: the first of them, and in a tree each row before its
 * children, siblings by the sort key. */
#include "report/entries.h"

#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"

/* One row's place; indices of rows, -1: none. Without a tree all rows are siblings. */
struct place {
	int child, sibling; /* first child, next sibling, both in sort order */
	int entry; /* its index */
	bool kept;
};

static bool is_cgroup(const struct ctd_rollup_row *row)
{
	return row->kind < CTD_ROLLUP_KERNEL;
}

/* The first @p top cgroups stay, with all above them. */
static void keep_top(const struct ctd_rollup *rollup, const size_t *sorted, int top,
		     struct place *places)
{
	int shown = 0;

	for (size_t i = 0; i < rollup->rows_count; i++) {
		int at = (int)sorted[i];

		if (is_cgroup(&rollup->rows[at]) && top > 0 && shown++ >= top)
			continue;
		for (; at >= 0 && !places[at].kept; at = rollup->rows[at].parent)
			places[at].kept = true;
	}
}

/* Lists the kept children of each row in sort order. @return the first of the topmost. */
static int link_children(const struct ctd_rollup *rollup, const size_t *sorted,
			 struct place *places)
{
	int first = -1;

	for (size_t i = rollup->rows_count; i-- > 0;) {
		int at = (int)sorted[i], parent = rollup->rows[at].parent;
		int *head = parent >= 0 ? &places[parent].child : &first;

		if (!places[at].kept)
			continue;
		places[at].sibling = *head;
		*head = at;
	}
	return first;
}

/* Parents first. */
static void walk(struct ctd_entries *entries, struct place *places, int at)
{
	const struct ctd_rollup_row *rows = entries->rollup->rows;
	int depth = 0;

	while (at >= 0) {
		int parent = rows[at].parent;

		places[at].entry = (int)entries->count;
		entries->items[entries->count++] = (struct ctd_entry){
			.row = (size_t)at,
			.depth = depth,
			.parent = parent >= 0 ? places[parent].entry : -1,
		};
		if (places[at].child >= 0) {
			at = places[at].child;
			depth++;
			continue;
		}
		while (places[at].sibling < 0 && rows[at].parent >= 0) {
			at = rows[at].parent;
			depth--;
		}
		at = places[at].sibling;
	}
}

/* The row that stands for those cut off, after the last cgroup: what follows is nobody's parent,
 * so no index changes. */
static int add_sum(struct ctd_entries *entries, const bool *hidden, size_t hidden_count)
{
	const struct ctd_rollup *rollup = entries->rollup;
	size_t at = entries->count++;
	char *name;

	if (asprintf(&name, "(%zu more)", hidden_count) < 0)
		return -ENOMEM;
	entries->names[rollup->rows_count] = name;
	for (; at > 0 && !is_cgroup(&rollup->rows[entries->items[at - 1].row]); at--)
		entries->items[at] = entries->items[at - 1];
	entries->items[at] = (struct ctd_entry){.row = ctd_rollup_add_sum(entries->rollup, hidden),
						.parent = -1};
	return 0;
}

int ctd_entries_order(struct ctd_entries *entries, const size_t *sorted, int top)
{
	const struct ctd_rollup *rollup = entries->rollup;
	size_t count = rollup->rows_count, hidden_count = 0;
	autofree struct place *places = calloc(count + 1, sizeof(*places));
	autofree bool *hidden = calloc(count + 1, sizeof(*hidden));

	entries->items = calloc(count + 1, sizeof(*entries->items));
	if (!places || !hidden || !entries->items)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		places[i].child = places[i].sibling = -1;
	keep_top(rollup, sorted, top, places);
	walk(entries, places, link_children(rollup, sorted, places));
	/* In a tree hidden rows are in the sums of those above them; only topmost ones would be
	 * lost. */
	for (size_t i = 0; i < count; i++) {
		entries->cut |= !places[i].kept;
		hidden[i] = !places[i].kept && rollup->rows[i].parent < 0;
		hidden_count += hidden[i];
	}
	return hidden_count ? add_sum(entries, hidden, hidden_count) : 0;
}
