/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* request.h - one event after the other to an API server of Kubernetes, each of which may be ended.
 */
#ifndef SERVE_EVENTS_REQUEST_H
#define SERVE_EVENTS_REQUEST_H

#include <stdatomic.h>
#include <stdint.h>

#include "serve/events/answer.h"
#include "serve/events/event.h"
#include "serve/events/events.h"

struct ctd_k8s_event_result {
	enum ctd_push_verdict verdict;
	bool ended; /* it was given up, as everything ends */
	int kind; /* failures of one kind are told once; 0: there was none */
	uint64_t retry_after_s; /* 0: not said */
	char why[640]; /* with what to do about it */
};

struct ctd_k8s_event_request;
/* Texts of the options are borrowed. @return 0, -EINVAL (a URL that is none of http or https, or
 * libcurl lacks it), or -ENOMEM. */
int ctd_k8s_event_request_new(const struct ctd_events_options *options,
			      struct ctd_k8s_event_request **ret_request);
/* NULL is fine. */
void ctd_k8s_event_request_free(struct ctd_k8s_event_request *request);
/* Waits for the answer, until the monotonic clock has passed *@p end_ns; 0: it has not. */
void ctd_k8s_event_request_run(struct ctd_k8s_event_request *request,
			       const struct ctd_k8s_event *event, const _Atomic uint64_t *end_ns,
			       struct ctd_k8s_event_result *ret_result);
/* From any thread: *end_ns has changed. */
void ctd_k8s_event_request_wake(struct ctd_k8s_event_request *request);

#endif
