/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* on_disk.h - all names that the disk has of one cgroup. */
#ifndef IDENTITY_LOOKUP_ON_DISK_H
#define IDENTITY_LOOKUP_ON_DISK_H

#include <stdbool.h>

#include <cgtopdown/identity.h>

#include "identity/lookup/disk.h"

/*
 * Asks the container's runtime, then those that it may be in truth, then the kubelet's logs.
 * @return 0: all that people know it by is there (ctd_names_complete()); -EAGAIN: something was not
 * whole; -ENOENT: no more is written. In all three cases *ret_names has what was found. -ENOMEM.
 */
int ctd_names_look_up(struct ctd_disk *disk, const struct ctd_identity *identity,
		      struct ctd_names *ret_names);

/*
 * Does it lie in another container, of which something is written here? Then what is written of ids
 * and uids in the rest of its path is of others: a container can give its cgroups any names. In a
 * node of kind, which sees itself in a container, nothing is written of that one.
 */
bool ctd_names_are_of_others(struct ctd_disk *disk, const struct ctd_identity *identity);

/* Is there a name for all that the identity is: of namespace and pod in a pod, of a container? */
bool ctd_names_complete(const struct ctd_identity *identity, const struct ctd_names *names);

#endif
