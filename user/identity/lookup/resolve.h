/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* resolve.h - asks for the names of cgroups in a thread of its own, so that no disk holds up
 * others. */
#ifndef IDENTITY_LOOKUP_RESOLVE_H
#define IDENTITY_LOOKUP_RESOLVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cgtopdown/identity.h>

#include "identity/lookup/labels.h"

/*
 * A source of names that are on no disk: the kubelet. All are called from the resolver's
 * thread, and must answer from memory.
 */
struct ctd_name_source {
	/*
	 * Of a container, or of a pod where @p container_id is "". The names are the caller's.
	 * @return 0 or more, or negative errno (-ENOENT: not known).
	 */
	int (*find)(void *context, const char *container_id, const char *pod_uid,
		    struct ctd_names *ret_names, enum ctd_qos *ret_qos);
	/* Another number: there is news; all that are in pods are asked for again. */
	unsigned (*generation)(void *context);
	void *context;
};

struct ctd_resolver_options {
	const char *root; /* where the host's / is seen; "" or NULL: here */
	const struct ctd_name_source *source; /* borrowed; NULL: none */
	void (*begin)(void *context); /* the first that the thread does; NULL: nothing */
	void *begin_context;
	struct ctd_podlist_labels labels; /* to keep; borrowed patterns */
};

/* Of cgroups in containers and pods. */
struct ctd_resolver_counts {
	uint64_t waiting; /* now: asked for, and not found yet */
	uint64_t found; /* in all: with all names found */
	uint64_t missing; /* in all: without, when it was time to go on */
};

/* So many are known at a time; those beyond stay without names. */
#define CTD_RESOLVER_CGROUPS_MAX 32768

/* All functions are for one thread, which owns the table of identities. */
struct ctd_resolver;
/* @return 0 or negative errno: the root directory cannot be opened, no thread, no memory. */
int ctd_resolver_new(const struct ctd_resolver_options *options,
		     struct ctd_resolver **ret_resolver);
/* Ends the thread: after the file that it is reading. NULL is fine. */
void ctd_resolver_free(struct ctd_resolver *resolver);

/*
 * A cgroup came. Those in containers and pods are asked for at once, and what is not found, again
 * and again with growing pauses. Others are ignored. @return 0, -ENOSPC or -ENOMEM.
 */
int ctd_resolver_ask(struct ctd_resolver *resolver, const struct ctd_identity *identity);
/* It was removed: what can be found is found now or never. */
void ctd_resolver_leave(struct ctd_resolver *resolver, uint64_t cgroup_id);
/*
 * Waits until all that was asked for was looked for once, at most @p timeout_ns.
 */
void ctd_resolver_wait(struct ctd_resolver *resolver, uint64_t timeout_ns);
/*
 * Puts the answers since the last call into the table; never waits for a disk. @p notice, which may
 * be NULL, is called for each identity with other names than before.
 */
void ctd_resolver_apply(struct ctd_resolver *resolver, struct ctd_identities *identities,
			void (*notice)(const struct ctd_identity *identity, void *context),
			void *context);
void ctd_resolver_counts(struct ctd_resolver *resolver, struct ctd_resolver_counts *ret_counts);

#endif
