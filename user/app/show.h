/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.h - intervals as they are shown: report and sink, the same for live and replayed snapshots. */
#ifndef APP_SHOW_H
#define APP_SHOW_H

#include <cgtopdown/identity.h>
#include <cgtopdown/record.h>
#include <cgtopdown/report.h>
#include <cgtopdown/sink.h>

#include "app/neighbours/noisy.h"
#include "app/options/options.h"
#include "app/run/figures.h"
#include "rollup/pipeline.h"

struct ctd_show {
	const struct ctd_sink *sink;
	struct ctd_sink_options sink_options;
	struct ctd_rollup_options rollup_options;
	struct ctd_report_options report_options;
	struct ctd_pipeline pipeline;
	const struct ctd_identities *identities; /* borrowed */
	ctd_comm_lookup comm;
	void *comm_context;
	bool first;
	bool has_sorted; /* rows could be sorted as wanted, once */
	bool sorts; /* they can now */
	const char *command; /* borrowed; the name of the row that is a command; NULL: none is */
	struct ctd_run_tally *tally; /* borrowed; gets all that is shown; NULL: none */
	const struct ctd_drills *drills; /* borrowed; look at what is shown; NULL: without --drill */
	uint64_t looked_ns; /* monotonic; when it last did */
	struct ctd_noisy *noisy; /* borrowed; marks rows; NULL: nothing is known of neighbours */
	bool silent; /* nothing is shown */
};

/* Opens what is written to: --output, or standard output, or beside a COMMAND, which has that,
 * standard error. Logs. @return 0 or negative errno. */
int ctd_show_open(const struct ctd_options *options, struct ctd_sink_options *ret_outlet);
void ctd_show_close(struct ctd_sink_options *outlet);
/* What rows stand for. Without --by a table has a row for each container, whose name tells more
 * than the paths of its cgroups, and for each cgroup outside of containers. */
enum ctd_group_by ctd_show_rows(const struct ctd_options *options);
/* Prepares from options what does not change between intervals. @p header: NULL for rollups that
 * are made elsewhere. Logs. @return 0 or negative errno. */
int ctd_show_prepare(const struct ctd_options *options, const struct ctd_record_header *header,
		     const struct ctd_identities *identities, struct ctd_show *ret_show);
/*
 * Shows what happened up to @p snapshot, which is taken over; one that was taken to change the
 * group of counters is kept for the interval that it is a part of, and the first one for the next;
 * of that one the plan's columns are checked for --sort.
 * Logs, but not -EPIPE: the reader has gone. @p ret_shown: there was an interval; may be NULL.
 * @return 0 or negative errno.
 */
int ctd_show_snapshot(struct ctd_show *show, struct ctd_snapshot *snapshot, bool *ret_shown);
/* The snapshots that follow are of another plan of counters. Logs. @return 0 or negative errno. */
int ctd_show_plan(struct ctd_show *show, const struct ctd_record_header *header);
/* Shows what there is of an interval whose end never came: of a recording cut short. */
int ctd_show_rest(struct ctd_show *show, bool *ret_shown);
/* Shows a rollup, which may get one more row. Logs, but not -EPIPE. @return 0 or negative errno. */
int ctd_show_rollup(struct ctd_show *show, struct ctd_rollup *rollup);
void ctd_show_free(struct ctd_show *show);

#endif
