/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* feed.h - snapshots on their way into a ledger, whatever fails on the way. */
#ifndef SERVE_FEED_H
#define SERVE_FEED_H

#include <cgtopdown/collect.h>
#include <cgtopdown/ledger.h>
#include <cgtopdown/snapshot.h>
#include <stdbool.h>

#include "rollup/pipeline.h"

struct ctd_feed {
	struct ctd_ledger *ledger; /* owned */
	const struct ctd_identities *identities; /* borrowed */
	struct ctd_pipeline pipeline;
	struct ctd_rollup_plan *beside; /* owned; of vendors' metrics; NULL: none are asked for */
	struct ctd_collect_groups groups; /* of the present plan */
	/* Gets each interval that was entered, of the groups of the plan; NULL: nobody does. */
	void (*entered)(const struct ctd_interval *interval, void *context);
	void *context;
	struct ctd_functions *functions; /* owned; a list that the ledger does not have yet */
	bool failing; /* the last interval could not be entered */
	bool lost; /* nor can it ever be: since `failing` one did not fit */
};

/* @p groups: as of ctd_feed_replan(). @p first: taken over, also where it fails. Logs. @return 0 or
 * negative errno. */
int ctd_feed_open(const struct ctd_ledger_options *options, const struct ctd_record_header *header,
		  struct ctd_collect_groups groups, const struct ctd_identities *identities,
		  struct ctd_snapshot *first, struct ctd_feed *ret_feed);

/*
 * The snapshots that follow are of another plan of counters: to be called when the last one of the
 * old plan was entered, and before the first one of the new, which is subtracted from nothing. The
 * ledger goes on. Logs. @return 0 or negative errno: the old plan stays.
 */
int ctd_feed_replan(struct ctd_feed *feed, const struct ctd_record_header *header,
		    struct ctd_collect_groups groups);

/* Adds what functions had, before the next interval is entered. @p list is taken over; what there
 * is no memory for is added by the next call. */
void ctd_feed_add_functions(struct ctd_feed *feed, struct ctd_functions *list);

/*
 * Enters what happened up to @p snapshot, which is taken over. What cannot be entered, for want of
 * memory, is entered with the next one, and a line says so; where groups of counters rotate, what
 * cannot be subtracted is lost. Of cgroups that are gone by then, that one has to have the rows
 * still: ctd_collector_keep().
 * @return the ledger's new view, the caller's; NULL: none, it failed or the interval goes on.
 */
const struct ctd_ledger_view *ctd_feed_enter(struct ctd_feed *feed, struct ctd_snapshot *snapshot);
void ctd_feed_close(struct ctd_feed *feed);

#endif
