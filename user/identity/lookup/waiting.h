/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* waiting.h - the lines in which cgroups wait to be looked for, and the answers to be told. */
#ifndef IDENTITY_LOOKUP_WAITING_H
#define IDENTITY_LOOKUP_WAITING_H

#include "base/idmap.h"
#include "identity/lookup/lookup.h"

/* Looks at most, besides those that news of the source bring. */
#define CTD_PAUSES 11

/* Not for several threads at once: the resolver's lock is around all of it. */
struct ctd_waiting {
	struct ctd_idmap by_id; /* owned struct ctd_lookup */
	struct ctd_idmap by_pod; /* one whose pod's names are on disk, by the hash of the uid */
	struct ctd_lookups lines[CTD_PAUSES +
				 1]; /* by the pause; those in the last are not looked for again */
	struct ctd_lookups answers;
	size_t unlooked; /* that have not been looked for once */
	uint64_t found, missing;
};

void ctd_waiting_init(struct ctd_waiting *waiting);
void ctd_waiting_free(struct ctd_waiting *waiting);

/* As ctd_resolver_ask() and ctd_resolver_leave(). */
int ctd_waiting_add(struct ctd_waiting *waiting, const struct ctd_identity *identity);
void ctd_waiting_leave(struct ctd_waiting *waiting, uint64_t cgroup_id);
/* All that are in pods are looked for again at once. */
void ctd_waiting_look_for_pods(struct ctd_waiting *waiting);

/*
 * @return one whose time has come, which is in no line until its look is taken; or NULL, and
 * *wake_ns is lowered to when the next one's will.
 */
struct ctd_lookup *ctd_waiting_next(struct ctd_waiting *waiting, uint64_t *wake_ns);
/* What a look found. The lookup may be gone afterwards. */
void ctd_waiting_take_look(struct ctd_waiting *waiting, struct ctd_lookup *lookup,
			   struct ctd_look *look);

/* As ctd_resolver_apply() and ctd_resolver_counts(). */
void ctd_waiting_apply(struct ctd_waiting *waiting, struct ctd_identities *identities,
		       void (*notice)(const struct ctd_identity *identity, void *context),
		       void *context);
void ctd_waiting_counts(const struct ctd_waiting *waiting, struct ctd_resolver_counts *ret_counts);

#endif
