/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* report.h - tells people how pushing goes, when that changes. */
#ifndef SERVE_PUSH_REPORT_H
#define SERVE_PUSH_REPORT_H

#include "serve/push/post.h"

/* What was said last. Start from {0}. */
struct ctd_push_report {
	enum {
		CTD_PUSH_UNTRIED,
		CTD_PUSH_GOES,
		CTD_PUSH_PARTLY, /* points are rejected */
		CTD_PUSH_WAITS,
		CTD_PUSH_FAILS,
	} state;
	long status;
	int transport;
};

/* A line in the log if @p result is of another kind than the last one. */
void ctd_push_report(struct ctd_push_report *report, const char *url,
		     const struct ctd_post_result *result);

#endif
