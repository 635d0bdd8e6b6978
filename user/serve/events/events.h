/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* events.h - tells Kubernetes of tags, as events of the victims' pods, by a thread of its own. */
#ifndef SERVE_EVENTS_EVENTS_H
#define SERVE_EVENTS_EVENTS_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/neighbour.h>
#include <stdint.h>

/* Texts are borrowed. */
struct ctd_events_options {
	/* Of the API server: "https://10.96.0.1:443". NULL: that of the cluster which the
	 * environment of a pod names, and what else is NULL is its ServiceAccount's. */
	const char *url;
	const char *ca_file; /* CAs to trust instead of the system's; NULL: these */
	const char *token_file; /* read for each request; NULL: no token. Never sent by http */
	const char *node; /* whose collector this is */
	uint32_t timeout_ms; /* of a request; 0: 10 s */
};

struct ctd_events_totals {
	uint64_t sent; /* events that the API server has */
	uint64_t failed; /* requests that it did not take */
	uint64_t dropped; /* events that had to wait until it was too late for them */
};

struct ctd_events;
/* Logs. @return 0 or negative errno. A server that does not answer is no error. */
int ctd_events_new(const struct ctd_events_options *options, struct ctd_events **ret_events);
/* Waits for no request. NULL is fine. */
void ctd_events_free(struct ctd_events *events);
/* What was judged by @p view: both are held. From any thread; waits for nothing. */
void ctd_events_judge(struct ctd_events *events, const struct ctd_neighbour_verdicts *verdicts,
		      const struct ctd_ledger_view *view);
/* From any thread. */
void ctd_events_totals(const struct ctd_events *events, struct ctd_events_totals *ret_totals);

#endif
