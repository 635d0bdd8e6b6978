/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kubelet.h - asks the node's kubelet for its pods, on a thread of its own. */
#ifndef IDENTITY_KUBELET_KUBELET_H
#define IDENTITY_KUBELET_KUBELET_H

#include <cgtopdown/identity.h>
#include <stdbool.h>
#include <stdint.h>

#include "identity/kubelet/podlist.h"
#include "identity/lookup/resolve.h"

/* Tells people that it works from now on, or that it fails from now on or in another way. On the
 * client's thread. */
typedef void ctd_kubelet_say(bool up, const char *line, void *context);

struct ctd_kubelet;

/* Texts are borrowed. */
struct ctd_kubelet_options {
	const char *url; /* "https://127.0.0.1:10250"; "/pods" is added */
	const char *ca_file; /* NULL: those of the system */
	const char *token_file; /* read for each request; NULL: no token. Never sent by http */
	bool insecure; /* takes any certificate */
	struct ctd_podlist_labels labels; /* to keep */
	ctd_kubelet_say *say; /* NULL: nothing is said */
	void *say_context;
	void (*begin)(void *context); /* the first that the thread does; NULL: nothing */
	void *begin_context;
	uint32_t refresh_ms; /* 0: 30 s */
	uint32_t timeout_ms; /* of a whole request; 0: 10 s */
};

struct ctd_kubelet_counts {
	uint64_t requests, errors; /* that were answered by a list or not; of them failed */
	bool up; /* the last one did not fail */
};

/* @return 0 or negative errno. A kubelet that does not answer is no error. */
int ctd_kubelet_new(const struct ctd_kubelet_options *options, struct ctd_kubelet **ret_kubelet);
/* Waits for no request, but for a token's file that does not answer. NULL is fine. */
void ctd_kubelet_free(struct ctd_kubelet *kubelet);
/* Asks at once: its token or CA may be another. Thread-safe; does not wait. */
void ctd_kubelet_ask(struct ctd_kubelet *kubelet);

/*
 * As ctd_podlist_find(), in the last list that came; the names are the caller's. What is not in it
 * has the kubelet asked again soon, a few times for each container. Thread-safe.
 * @return 0; 1 if only the pod is known; -ENOENT if neither is; -EAGAIN before the first list;
 * -ENOMEM.
 */
int ctd_kubelet_find(struct ctd_kubelet *kubelet, const char *container_id, const char *pod_uid,
		     struct ctd_names *ret_names, enum ctd_qos *ret_qos);
/* Another number when a new list has come; 0: none has. Thread-safe. */
unsigned int ctd_kubelet_generation(const struct ctd_kubelet *kubelet);
/* For the resolver; borrowed until ctd_kubelet_free(). */
const struct ctd_name_source *ctd_kubelet_source(const struct ctd_kubelet *kubelet);
/* Thread-safe. */
struct ctd_kubelet_counts ctd_kubelet_counts(struct ctd_kubelet *kubelet);

#endif
