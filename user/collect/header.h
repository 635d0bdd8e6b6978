/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* header.h - what a recording says once of a measurement. */
#ifndef COLLECT_HEADER_H
#define COLLECT_HEADER_H

#include <cgtopdown/record.h>

#include "collect/source.h"

/* @p source: with open counters. */
void ctd_header_fill(struct ctd_record_header *header, const struct ctd_source *source,
		     const struct ctd_cgroup_hierarchy *hierarchy, enum ctd_by by);

#endif
