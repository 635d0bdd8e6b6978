/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* proc_cgroup.h - the v1 hierarchies in the text of /proc/self/cgroup. */
#ifndef IDENTITY_PATH_PROC_CGROUP_H
#define IDENTITY_PATH_PROC_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

/* One line, "4:cpu,cpuacct:/": its path is of no interest here. */
struct ctd_v1_hierarchy {
	uint32_t id;
	char controllers[128]; /* "cpu,cpuacct"; "name=systemd" of one without controllers */
};

/*
 * Takes the next v1 hierarchy from *cursor and moves *cursor behind its line. The line of v2 and
 * malformed ones are skipped. @return false at the end.
 */
bool ctd_v1_hierarchy_next(const char **cursor, struct ctd_v1_hierarchy *ret_hierarchy);

#endif
