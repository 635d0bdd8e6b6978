/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.h - an interval on its way out: report and sink, the same for live and replayed snapshots. */
#ifndef APP_SHOW_H
#define APP_SHOW_H

#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>
#include <cgtopdown/report.h>
#include <cgtopdown/sink.h>

#include "app/options/options.h"

struct ctd_show {
	const struct ctd_sink *sink;
	struct ctd_sink_options sink_options;
	struct ctd_report_options report_options;
	const struct ctd_record_header *header; /* borrowed */
	const struct ctd_cpu_model *model; /* NULL: none */
	struct ctd_cpu_model *combined; /* owned; it, where cores differ */
	const struct ctd_identities *identities; /* borrowed */
	ctd_comm_lookup comm;
	void *comm_context;
	struct ctd_interval sum; /* owned; the turns so far of the interval that has not ended */
	bool first;
};

/* Prepares from options what does not change between intervals. Logs. @return 0 or -EINVAL. */
int ctd_show_prepare(const struct ctd_options *options, const struct ctd_record_header *header,
		     const struct ctd_identities *identities, struct ctd_show *ret_show);
/*
 * Shows what happened between two snapshots; where @p after was taken in between two turns, keeps
 * it for the interval that it is a part of. Logs, but not -EPIPE: the reader has gone.
 * @return 0 or negative errno.
 */
int ctd_show_interval(struct ctd_show *show, const struct ctd_snapshot *before,
		      const struct ctd_snapshot *after);
/* The header has another plan of counters. Logs. @return 0 or negative errno. */
int ctd_show_plan(struct ctd_show *show);
/* Shows the turns of an interval whose end never came, if there are any: of a recording cut short. */
int ctd_show_rest(struct ctd_show *show, bool *ret_shown);
void ctd_show_free(struct ctd_show *show);

#endif
