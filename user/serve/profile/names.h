/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* names.h - names of the cgroups in profiles: copies, as profiles are made on another thread, and
 * outlive containers. */
#ifndef SERVE_PROFILE_NAMES_H
#define SERVE_PROFILE_NAMES_H

#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>

#include "base/idmap.h"
#include "base/strbuf.h"

/* What is new of one interval's cgroups: "path\0", then as ctd_names_to_pairs() has it. */
struct ctd_names_news {
	struct ctd_names_item {
		uint64_t cgroup_id;
		size_t first, bytes; /* in texts */
	} * items; /* owned */
	size_t count;
	struct ctd_strbuf texts; /* owned */
};
void ctd_names_news_free(struct ctd_names_news *news);

/* Start from a zeroed struct. */
struct ctd_profile_names {
	/* By cgroup id: the version of the identity that was given out last. */
	struct ctd_idmap versions;
	struct ctd_identities *identities; /* owned; NULL before the first ones */
	struct ctd_idmap seen; /* when it was last in an interval: monotonic, ns */
};

/* What is in @p identities of the cgroups in @p interval, and was not given out yet. @return 0 or
 * -ENOMEM: the next time has it. */
int ctd_profile_names_gather(struct ctd_profile_names *names, const struct ctd_interval *interval,
			     const struct ctd_identities *identities,
			     struct ctd_names_news *ret_news);
/* Takes that in, and remembers that these cgroups had figures at @p now_ns. @return 0 or -ENOMEM. */
int ctd_profile_names_take(struct ctd_profile_names *names, const struct ctd_interval *interval,
			   const struct ctd_names_news *news, uint64_t now_ns);
/* Forgets cgroups that were in no interval since @p since_ns. */
void ctd_profile_names_forget(struct ctd_profile_names *names, uint64_t since_ns);
void ctd_profile_names_free(struct ctd_profile_names *names);

#endif
