/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rotation.h - which group of counters an interval is of, and the place of its counts. */
#ifndef DECODE_ROTATION_H
#define DECODE_ROTATION_H

#include <cgtopdown/interval.h>

/* The group of a core type that counted in the step that the snapshot ends. */
uint32_t ctd_snapshot_group(const struct ctd_snapshot *snapshot, int core_type);

/* Moves the counts of an interval from the places of the first group to those of the group that
 * each core type counted in the step that @p after ends. */
void ctd_interval_place(struct ctd_interval *interval, const struct ctd_snapshot *after);

#endif
