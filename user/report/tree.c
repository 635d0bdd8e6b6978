/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tree.c - makes each cgroup stand for itself and all below it. */
#include "report/group.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/idmap.h"

/* The parent of @p identity; its path is shorter, so that no chain of parents can be a ring. */
static const struct ctd_identity *parent_of(const struct ctd_identities *identities,
					    const struct ctd_identity *identity, uint64_t root_id)
{
	const struct ctd_identity *parent;

	if (!identity || !identity->parent_id || identity->cgroup_id == root_id)
		return NULL;
	parent = ctd_identities_get(identities, identity->parent_id);
	return parent && strlen(parent->path) < strlen(identity->path) ? parent : NULL;
}

static int add_cgroup(struct ctd_groups *groups, const struct ctd_identity *identity)
{
	struct ctd_group *group = ctd_groups_add(groups);

	if (!group)
		return -ENOMEM;
	group->kind = CTD_ROW_CGROUP;
	group->row.kind = "cgroup";
	group->row.identity = identity;
	group->row.cgroup_id = identity->cgroup_id;
	return 0;
}

/* Sets row.parent of each group; parents that are missing are added at the end, and visited too. */
static int link_parents(struct ctd_groups *groups, const struct ctd_identities *identities,
			uint64_t root_id, struct ctd_idmap *index)
{
	int r;

	for (size_t i = 0; i < groups->count; i++) {
		if (groups->items[i].kind != CTD_ROW_CGROUP)
			continue;
		r = ctd_idmap_set(index, groups->items[i].row.cgroup_id, i);
		if (r)
			return r;
	}
	for (size_t i = 0; i < groups->count; i++) {
		const struct ctd_identity *parent =
			parent_of(identities, groups->items[i].row.identity, root_id);
		uintptr_t at;

		if (!parent)
			continue;
		if (!ctd_idmap_get(index, parent->cgroup_id, &at)) {
			at = groups->count;
			r = add_cgroup(groups, parent);
			if (r == 0)
				r = ctd_idmap_set(index, parent->cgroup_id, at);
			if (r)
				return r;
		}
		groups->items[i].row.parent = (int)at;
	}
	return 0;
}

struct depth_order {
	size_t path_bytes;
	size_t index;
};

static int compare_deepest_first(const void *first, const void *second)
{
	const struct depth_order *a = first, *b = second;

	return a->path_bytes > b->path_bytes ? -1 : a->path_bytes < b->path_bytes;
}

/* A child's path is longer than its parent's: the longest first, and every sum is complete before
 * it is handed on. */
static int add_up(struct ctd_groups *groups)
{
	autofree struct depth_order *order =
		calloc(groups->count ? groups->count : 1, sizeof(order[0]));

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < groups->count; i++) {
		const struct ctd_identity *identity = groups->items[i].row.identity;

		order[i].path_bytes = identity ? strlen(identity->path) : 0;
		order[i].index = i;
	}
	qsort(order, groups->count, sizeof(order[0]), compare_deepest_first);
	for (size_t i = 0; i < groups->count; i++) {
		struct ctd_group *group = &groups->items[order[i].index];

		if (group->row.parent >= 0)
			ctd_sums_add(groups->items[group->row.parent].sums, group->sums,
				     groups->cores_count ? groups->cores_count : 1);
	}
	return 0;
}

int ctd_tree_grow(struct ctd_groups *groups, const struct ctd_identities *identities,
		  uint64_t root_id)
{
	struct ctd_idmap index = {0};
	int r = link_parents(groups, identities, root_id, &index);

	ctd_idmap_free(&index);
	return r ? r : add_up(groups);
}
