/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pipeline.h - from snapshots to rollups: an interval of one snapshot after the other, with what
 * rotation made of it added up. The same for stat, report and serve. */
#ifndef ROLLUP_PIPELINE_H
#define ROLLUP_PIPELINE_H

#include <cgtopdown/rollup.h>
#include <cgtopdown/snapshot.h>
#include <stdbool.h>

/* Start from a zeroed struct. */
struct ctd_pipeline {
	struct ctd_rollup_plan *plan; /* owned */
	struct ctd_snapshot before; /* owned; up to which everything is in `interval`, or done */
	bool has_before;
	struct ctd_interval interval; /* owned; what is not done yet; no groups: nothing */
	/* Groups from here on do not count the slots of the plan's model; 0: all do. They are in
	 * intervals, and no rollup can be made of these. */
	uint32_t foreign_from;
};

/* The snapshots that follow are of the plan that @p header says; the first is subtracted from
 * nothing. What is not done is lost. @return as ctd_rollup_plan_new(). */
int ctd_pipeline_replan(struct ctd_pipeline *pipeline, const struct ctd_record_header *header,
			const char **ret_unknown);

/*
 * Adds what happened up to @p snapshot, which is taken over, to the interval. @return 0; *ret_whole
 * says that the interval has its end now. -EBADMSG: it does not follow the one before, and is where
 * the next part begins. -ENOMEM: nothing was added; the next snapshot will have what this one had,
 * but where groups of counters rotate it is lost.
 */
int ctd_pipeline_take(struct ctd_pipeline *pipeline, struct ctd_snapshot *snapshot,
		      bool *ret_whole);

/* Is there anything that is not done? */
bool ctd_pipeline_has_rest(const struct ctd_pipeline *pipeline);
/* Of all that is not done. @return as ctd_rollup_make(). */
int ctd_pipeline_rollup(const struct ctd_pipeline *pipeline,
			const struct ctd_identities *identities,
			const struct ctd_rollup_options *options, struct ctd_rollup *ret_rollup);
/* It is done: the next interval begins. Rollups of it are freed before. */
void ctd_pipeline_done(struct ctd_pipeline *pipeline);
void ctd_pipeline_free(struct ctd_pipeline *pipeline);

#endif
