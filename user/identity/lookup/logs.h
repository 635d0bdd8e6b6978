/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* logs.h - names in the names of the kubelet's logs, of any runtime. */
#ifndef IDENTITY_LOOKUP_LOGS_H
#define IDENTITY_LOOKUP_LOGS_H

#include <stdbool.h>

#include <cgtopdown/identity.h>
#include <cgtopdown/runtime.h>

#include "identity/lookup/disk.h"

/* Parts of a log's name, within it. */
struct ctd_log_name {
	struct ctd_component namespace_name, pod_name, container_name, container_id;
	struct ctd_component pod_uid; /* with dashes, or 32 hex */
};

/* "<pod>_<namespace>_<container>-<id>.log", as in /var/log/containers. No pod_uid. */
bool ctd_log_link_parse(const char *name, struct ctd_log_name *ret_name);
/* "<namespace>_<pod>_<uid>", as in /var/log/pods. No container. */
bool ctd_log_directory_parse(const char *name, struct ctd_log_name *ret_name);

/* Adds what the logs tell of a container or a pod, where it is not known yet. @return 0 or -ENOMEM.
 */
int ctd_names_from_logs(struct ctd_disk *disk, const struct ctd_identity *identity,
			struct ctd_names *names);

#endif
