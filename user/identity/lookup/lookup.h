/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lookup.h - the lookup of one cgroup's names. */
#ifndef IDENTITY_LOOKUP_LOOKUP_H
#define IDENTITY_LOOKUP_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include <cgtopdown/identity.h>

#include "base/strbuf.h"
#include "identity/lookup/disk.h"
#include "identity/lookup/resolve.h"

TAILQ_HEAD(ctd_lookups, ctd_lookup);

/*
 * `identity` does not change. `on_disk`, `whole_on_disk` and `nested` are the resolver's
 * thread's; all else belongs to the holder of the resolver's lock.
 */
struct ctd_lookup {
	struct ctd_identity identity; /* owned path; no names, no unit */
	struct ctd_strbuf on_disk; /* pairs: what the last look found there */
	bool whole_on_disk; /* there is no more to be found there */
	bool nested; /* in a container that is known here: see ctd_names_are_of_others() */

	struct ctd_lookups *line; /* where it waits; NULL while it is looked for */
	TAILQ_ENTRY(ctd_lookup) place;
	uint64_t due_ns;
	unsigned looks; /* so far */
	bool leaving; /* the cgroup was removed */
	bool dropped; /* no longer in the tables; to be freed when the look is over */

	/* The answer, waiting to be applied. */
	TAILQ_ENTRY(ctd_lookup) answer_place;
	bool answered, news; /* news: the names are others than before */
	struct ctd_names names;
	enum ctd_qos qos;
	/* What was answered last. */
	uint64_t told_hash;
	bool complete, settled;
};

/* What one look found. */
struct ctd_look {
	struct ctd_names names;
	enum ctd_qos qos;
	bool complete; /* all that people know it by */
	bool half_written;
	bool nested; /* names, if any, are those of the pod around */
	bool elsewhere; /* likewise, as far as is known: its runtime's files do not say it is there */
};

struct ctd_lookup *ctd_lookup_new(const struct ctd_identity *identity);
void ctd_lookup_free(struct ctd_lookup *lookup);

/* Is only its path known? It may be a container's that people named, or no container's at all. */
bool ctd_lookup_is_of_path(const struct ctd_lookup *lookup);
/* Looks on disk, and asks @p source, which may be NULL. Takes its time. */
void ctd_lookup_run(struct ctd_lookup *lookup, struct ctd_disk *disk,
		    const struct ctd_name_source *source, struct ctd_look *ret_look);
/* Adds the names of namespace and pod that were found on disk for another of the same pod. */
void ctd_lookup_borrow(const struct ctd_lookup *lookup, const struct ctd_lookup *other,
		       struct ctd_look *look);
/* Takes the look over as the answer. @return true if there is something to be told. */
bool ctd_lookup_answer(struct ctd_lookup *lookup, struct ctd_look *look);

#endif
