/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* follow.c - looks after cgroups that did nothing, but are gone, or were named meanwhile. */
#include "ledger/add.h"

#include <errno.h>
#include <stdlib.h>

/* Placements as they are made, with a free one at the end. */
struct list {
	struct ctd_placement *items;
	size_t count, capacity;
};

static struct ctd_placement *reserve(struct list *list)
{
	if (list->count + 1 >= list->capacity) {
		size_t capacity = 2 * list->capacity + 4;
		void *items = reallocarray(list->items, capacity, sizeof(*list->items));

		if (!items)
			return NULL;
		list->items = items;
		list->capacity = capacity;
	}
	list->items[list->count] = list->items[list->count + 1] = (struct ctd_placement){0};
	return &list->items[list->count];
}

static int follow_member(struct ctd_ledger *ledger, struct ledger_member *member,
			 const struct ctd_identities *identities, struct list *list)
{
	const struct ctd_identity *identity = ctd_identities_get(identities, member->cgroup_id);
	const char *type = ledger->newest.core_types[member->core_type].name;
	struct ctd_placement *placement;
	struct ctd_row_subject subject;
	int error;

	member->gone = !identity || identity->removed;
	if (!identity || !member->account || ctd_member_is_of(member, identity))
		return 0;
	placement = reserve(list);
	if (!placement)
		return -ENOMEM;
	ctd_subject_make(&(struct ctd_rollup_row){.kind = identity->container_id[0]
								  ? CTD_ROLLUP_CONTAINER
								  : CTD_ROLLUP_CGROUP,
						  .identity = identity},
			 type, &subject);
	error = ctd_placement_make(ledger, member, &subject, placement);
	list->count += !error;
	return error;
}

static int follow_type(struct ctd_ledger *ledger, const struct ctd_idmap *members,
		       const struct ctd_identities *identities, uint64_t sequence,
		       struct list *list)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;
	int error = 0;

	while (!error && ctd_idmap_next(members, &cursor, &id, &value)) {
		struct ledger_member *member = (struct ledger_member *)value;

		if (member->seen != sequence)
			error = follow_member(ledger, member, identities, list);
	}
	return error;
}

int ctd_members_follow(struct ctd_ledger *ledger, const struct ctd_identities *identities,
		       uint64_t sequence, struct ctd_placement **ret_placements)
{
	struct list list = {0};
	int error = 0;

	if (!reserve(&list))
		return -ENOMEM;
	for (int type = 0; !error && type < ledger->newest.core_types_count; type++)
		error = follow_type(ledger, &ledger->members[type], identities, sequence, &list);
	*ret_placements = list.items;
	return error;
}
