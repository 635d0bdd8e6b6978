/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* event.h - an event of Kubernetes, as its API takes it. */
#ifndef SERVE_EVENTS_EVENT_H
#define SERVE_EVENTS_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* What the API server takes of a note, and of the name of who reports, in bytes. */
#define CTD_K8S_EVENT_NOTE_BYTES 1024
#define CTD_K8S_EVENT_REPORTER_BYTES 128
/* Of the name of an event, with its end: a DNS subdomain has 253. */
#define CTD_K8S_EVENT_NAME_BYTES 254

/* Texts are borrowed. */
struct ctd_k8s_pod {
	const char *namespace_name, *name, *uid;
};

struct ctd_k8s_event {
	/* The same for the same event: a second one is refused. */
	char name[CTD_K8S_EVENT_NAME_BYTES];
	bool warning; /* else normal: something is over */
	const char *reason, *action; /* static */
	struct ctd_k8s_pod regarding;
	struct ctd_k8s_pod related; /* .name NULL: none */
	const char *note;
	uint64_t time_ns; /* since 1970 */
	const char *node; /* whose collector reports */
};

/* May there be a pod with these names? That of the namespace becomes part of a path. */
bool ctd_k8s_pod_is_valid(const struct ctd_k8s_pod *pod);
/* Names it by the pod that it regards, or how that one's name begins, and @p hash:
 * "web-5d4f.0123456789abcdef". */
void ctd_k8s_event_set_name(struct ctd_k8s_event *event, uint64_t hash);
/* Adds the body of a request to create it: events.k8s.io/v1, Event. */
void ctd_k8s_event_add_json(struct ctd_strbuf *out, const struct ctd_k8s_event *event);

#endif
