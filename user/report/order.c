/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* order.c - tree order: each row before its children, siblings by the sort key. */
#include "report/group.h"

#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"

/* One group's place in the tree; indices into the groups, -1: none. */
struct place {
	int child, sibling; /* first child, next sibling, both in sort order */
	int parent;
	int index; /* in the ordered rows */
	bool kept;
};

struct compare_context {
	const struct ctd_group *items;
	const struct ctd_sort *sort;
};

static int compare_indices(const void *a, const void *b, void *context)
{
	const struct compare_context *with = context;

	return ctd_sort_compare(&with->items[*(const int *)a], &with->items[*(const int *)b],
				with->sort);
}

/* The first @p top cgroups stay, with all above them. */
static void keep_top(const struct ctd_groups *groups, const int *sorted, int top,
		     struct place *places)
{
	int shown = 0;

	for (size_t i = 0; i < groups->count; i++) {
		const struct ctd_group *group = &groups->items[sorted[i]];

		if (group->kind == CTD_ROW_CGROUP && top > 0 && shown++ >= top)
			continue;
		for (int at = sorted[i]; at >= 0 && !places[at].kept;
		     at = groups->items[at].row.parent)
			places[at].kept = true;
	}
}

/* Lists the kept children of each group in sort order. @return the first of the topmost. */
static int link_children(const struct ctd_groups *groups, const int *sorted, struct place *places)
{
	int first = -1;

	for (size_t i = groups->count; i-- > 0;) {
		int at = sorted[i];
		int parent = groups->items[at].row.parent;
		int *head = parent >= 0 ? &places[parent].child : &first;

		if (!places[at].kept)
			continue;
		places[at].sibling = *head;
		*head = at;
	}
	return first;
}

/* Moves the groups that are kept to @p ordered, parents first. */
static int walk(struct ctd_groups *groups, struct place *places, int first,
		struct ctd_groups *ordered)
{
	int depth = 0;

	for (int at = first; at >= 0;) {
		struct ctd_group *from = &groups->items[at], *to = ctd_groups_add(ordered);
		int up = places[at].parent;

		if (!to)
			return -ENOMEM;
		places[at].index = (int)ordered->count - 1;
		ctd_group_move(from, to);
		to->row.depth = depth;
		to->row.parent = up >= 0 ? places[up].index : -1;
		if (places[at].child >= 0) {
			at = places[at].child;
			depth++;
			continue;
		}
		while (places[at].sibling < 0 && places[at].parent >= 0) {
			at = places[at].parent;
			depth--;
		}
		at = places[at].sibling;
	}
	return 0;
}

/* Hidden rows are in the sums of those above them; only topmost ones would be lost. */
static int add_hidden(const struct ctd_groups *groups, const struct place *places,
		      struct ctd_groups *ordered)
{
	struct ctd_sum sums[CTD_CORES_MAX] = {0};
	size_t hidden = 0;

	for (size_t i = 0; i < groups->count; i++) {
		if (places[i].kept || places[i].parent >= 0)
			continue;
		ctd_sums_add(sums, groups->items[i].sums,
			     groups->cores_count ? groups->cores_count : 1);
		hidden++;
	}
	return hidden ? ctd_groups_add_hidden(ordered, hidden, sums) : 0;
}

int ctd_tree_order(struct ctd_groups *groups, const struct ctd_sort *sort, int top)
{
	size_t count = groups->count;
	autofree int *sorted = calloc(count ? count : 1, sizeof(sorted[0]));
	autofree struct place *places = calloc(count ? count : 1, sizeof(places[0]));
	auto_ctd_groups struct ctd_groups ordered = {0};
	struct compare_context context = {groups->items, sort};
	int r;

	if (!sorted || !places)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		sorted[i] = (int)i;
		places[i].child = places[i].sibling = -1;
		places[i].parent = groups->items[i].row.parent;
	}
	qsort_r(sorted, count, sizeof(sorted[0]), compare_indices, &context);
	keep_top(groups, sorted, top, places);
	ordered.filtered = groups->filtered;
	ordered.cores_count = groups->cores_count;
	ordered.keep_sums = groups->keep_sums;
	for (size_t i = 0; i < count; i++)
		ordered.filtered |= !places[i].kept;
	r = walk(groups, places, link_children(groups, sorted, places), &ordered);
	if (r == 0)
		r = add_hidden(groups, places, &ordered);
	if (r)
		return r;
	ctd_groups_free(groups);
	*groups = ordered;
	ordered = (struct ctd_groups){0};
	return 0;
}
