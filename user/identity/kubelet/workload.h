/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* workload.h - the workload that people deployed, from the owner of a pod. */
#ifndef IDENTITY_KUBELET_WORKLOAD_H
#define IDENTITY_KUBELET_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

struct ctd_workload {
	const char *kind; /* as given, or static */
	const char *name; /* as given; */
	size_t name_bytes; /* of which so many count */
};

/*
 * @p kind, @p name: the pod's owner. @p template_hash: its label pod-template-hash, NULL for none.
 * @p created_s: when it was created, since 1970; 0: not known.
 */
struct ctd_workload ctd_workload_find(const char *kind, const char *name, const char *template_hash,
				      uint64_t created_s);

#endif
