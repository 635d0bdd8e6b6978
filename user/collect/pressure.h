/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pressure.h - part of the time in which tasks of a cgroup wait for a resource (PSI). */
#ifndef COLLECT_PRESSURE_H
#define COLLECT_PRESSURE_H

#include <cgtopdown/collect.h>

/* See ctd_collector_pressure(). */
bool ctd_pressure_read(const struct ctd_cgroup_hierarchy *hierarchy, const char *path,
		       enum ctd_resource resource, double *ret_ratio);

#endif
