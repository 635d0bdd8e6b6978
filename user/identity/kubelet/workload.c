/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* workload.c - goes from the owner of a pod to the owner's owner, where names alone tell. */
#include "identity/kubelet/workload.h"

#include <stdlib.h>
#include <string.h>

/* The digits that the controller of CronJobs appends are a time in minutes since 1970, from 2004
 * on of eight digits (kubernetes pkg/controller/cronjob/utils.go, getJobName); before Kubernetes
 * 1.21 in seconds. */
#define MINUTE_DIGITS 8
#define SECOND_DIGITS 10
/* A job may wait for its turn; and what a person calls "backup-20261121" is not of that day. */
#define LATE_S UINT64_C(86400)

/* @return bytes of @p name before "-SUFFIX", or 0 if it does not end so. */
static size_t bytes_before(const char *name, const char *suffix)
{
	size_t bytes = strlen(name), suffix_bytes = strlen(suffix);

	if (!suffix_bytes || bytes < suffix_bytes + 2)
		return 0;
	bytes -= suffix_bytes + 1;
	return name[bytes] == '-' && strcmp(name + bytes + 1, suffix) == 0 ? bytes : 0;
}

/* @return bytes of a job's name before the time for which a CronJob had planned it, or 0. */
static size_t bytes_before_time(const char *name, uint64_t created_s)
{
	const char *dash = strrchr(name, '-');
	size_t digits = dash ? strlen(dash + 1) : 0;
	uint64_t planned_s;

	if (dash == name || (digits != MINUTE_DIGITS && digits != SECOND_DIGITS) ||
	    strspn(dash + 1, "0123456789") != digits)
		return 0;
	planned_s = strtoull(dash + 1, NULL, 10) * (digits == MINUTE_DIGITS ? UINT64_C(60) : 1);
	return planned_s <= created_s && created_s - planned_s < LATE_S ? (size_t)(dash - name) : 0;
}

struct ctd_workload ctd_workload_find(const char *kind, const char *name, const char *template_hash,
				      uint64_t created_s)
{
	struct ctd_workload workload = {.kind = kind, .name = name, .name_bytes = strlen(name)};
	const char *above = NULL;
	size_t bytes = 0;

	/* A ReplicaSet without the label, or of another name, is not of a Deployment. */
	if (strcmp(kind, "ReplicaSet") == 0 && template_hash) {
		bytes = bytes_before(name, template_hash);
		above = "Deployment";
	} else if (strcmp(kind, "Job") == 0) {
		bytes = bytes_before_time(name, created_s);
		above = "CronJob";
	}
	if (bytes) {
		workload.kind = above;
		workload.name_bytes = bytes;
	}
	return workload;
}
