/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* turns.h - whose turn it was: the place of an interval's counts. */
#ifndef DECODE_TURNS_H
#define DECODE_TURNS_H

#include <cgtopdown/interval.h>

/* Which group a kind of cores had in the turn that the snapshot ends. */
uint32_t ctd_snapshot_group(const struct ctd_snapshot *snapshot, int core);

/* Moves the counts of an interval, which are in the places of the first group, to those of the
 * group that each kind of cores had in the turn that @p after ends. */
void ctd_interval_place(struct ctd_interval *interval, const struct ctd_snapshot *after);

#endif
