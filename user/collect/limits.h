/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* limits.h - what limits of CPU time do to cgroups, from files of the cgroup file system. */
#ifndef COLLECT_LIMITS_H
#define COLLECT_LIMITS_H

#include <cgtopdown/identity.h>
#include <cgtopdown/throttling.h>

#include "base/idmap.h"

/* One cgroup's file of figures stays open: to open it takes seven times as long as to read it. */
struct ctd_limits {
	bool found; /* there is a hierarchy with the controller cpu */
	struct ctd_cgroup_hierarchy hierarchy;
	struct ctd_idmap followed; /* cgroup id -> struct, owned */
	uint64_t reads; /* so far; cgroups of the first one are older than we are */
	size_t open_count, open_max; /* descriptors */
	bool told; /* that there are too few of them */
};

/* @p accounted: by which cgroups are known; its paths are taken to be those of the controller cpu,
 * too. */
void ctd_limits_open(const struct ctd_cgroup_hierarchy *accounted, struct ctd_limits *limits);
/* Of all cgroups that have a limit, or had one. @return 0 or -ENOMEM. */
int ctd_limits_read(struct ctd_limits *limits, const struct ctd_identities *identities,
		    uint64_t monotonic_ns, struct ctd_throttlings *ret_list);
void ctd_limits_close(struct ctd_limits *limits);

#endif
