/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* throttling.h - limits of cgroups, by the rows that they are part of. Private to user/rollup/. */
#ifndef ROLLUP_THROTTLING_H
#define ROLLUP_THROTTLING_H

#include "rollup/key.h"

/* Adds those of the interval, and of cgroups above them, to the rows of @p rollup, whose keys are
 * in @p table. */
void ctd_rollup_add_throttlings(const struct ctd_interval *interval,
				const struct ctd_rollup_options *options,
				const struct ctd_rollup_table *table, struct ctd_rollup *rollup);

#endif
