/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* walk.h - goes through the intervals of a history's directory, in order. */
#ifndef HISTORY_WALK_H
#define HISTORY_WALK_H

#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>

#include "base/strbuf.h"
#include "history/parts.h"
#include "history/segment.h"

/* A file is damaged or foreign. @p read_on: all but @p lost_bytes of it is read; false: nothing. */
typedef void ctd_walk_damaged(const char *name, const char *why, bool read_on, uint64_t lost_bytes);

/* Start from a zeroed struct with the first three. */
struct ctd_walk {
	uint64_t since_ns, until_ns; /* steps that have a part of this time are wanted, whole */
	ctd_walk_damaged *damaged; /* NULL: damage is not told */
	/* From when to when there is anything, as far as files were looked at: the oldest and the
	 * newest always are. Both 0: nothing. */
	uint64_t begin_ns, end_ns;
	struct ctd_record_header header; /* how the intervals were counted */
	struct ctd_identities *identities; /* owned; of their boot */

	struct ctd_part *parts; /* owned */
	int *fds; /* owned, each of them; -1: not to be read */
	size_t parts_count, part; /* the one that is next */
	uint32_t boot;
	bool has_header, is_open; /* reader */
	struct ctd_strbuf data; /* owned; of the part that is read */
	struct ctd_segment_reader reader; /* owned */
	struct ctd_identities *identities_before; /* owned; until the next call */
};

/* Opens all files, so that what a running serve puts together meanwhile stays readable. @return 0
 * or negative errno. */
int ctd_walk_open(const char *directory, struct ctd_walk *walk);

enum ctd_walk_item {
	CTD_WALK_END,
	CTD_WALK_INTERVAL,
	/* What follows was counted otherwise, or after a reboot: it cannot be added to what came
	 * before. `header` and `identities` are its own already; the table of names before is there
	 * until the next call. */
	CTD_WALK_BREAK,
};
/* @p ret_interval: the caller's, of CTD_WALK_INTERVAL. @return enum ctd_walk_item, or negative
 * errno. */
int ctd_walk_next(struct ctd_walk *walk, struct ctd_interval *ret_interval);
void ctd_walk_close(struct ctd_walk *walk);

#endif
