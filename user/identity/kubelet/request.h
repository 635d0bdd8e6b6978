/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* request.h - one request to the kubelet after the other, each of which may be ended. */
#ifndef IDENTITY_KUBELET_REQUEST_H
#define IDENTITY_KUBELET_REQUEST_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "identity/kubelet/kubelet.h"

/* What went wrong. */
struct ctd_kubelet_failure {
	int kind; /* failures of one kind are told once */
	char why[512]; /* with what to do about it */
};

struct ctd_kubelet_request;
/* @return 0 or -ENOMEM. */
int ctd_kubelet_request_new(const struct ctd_kubelet_options *options,
			    struct ctd_kubelet_request **ret_request);
void ctd_kubelet_request_free(struct ctd_kubelet_request *request);

/*
 * Asks, and waits for the answer. @return 0 with the text, the caller's; -ECANCELED once the
 * monotonic clock has passed *@p end_ns, 0: never; -EIO with the reason.
 */
int ctd_kubelet_request_run(struct ctd_kubelet_request *request, const _Atomic uint64_t *end_ns,
			    char **ret_text, size_t *ret_bytes,
			    struct ctd_kubelet_failure *ret_failure);
/* Lets time pass, until ctd_kubelet_request_wake() at the latest. */
void ctd_kubelet_request_wait(struct ctd_kubelet_request *request, int ms);
/* From any thread: what waits looks around. */
void ctd_kubelet_request_wake(struct ctd_kubelet_request *request);

#endif
