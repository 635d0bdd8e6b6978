/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* totals.h - slots of each core type as a whole. Private to user/rollup/. */
#ifndef ROLLUP_TOTALS_H
#define ROLLUP_TOTALS_H

#include <cgtopdown/rollup.h>

/* Fills rollup.totals. They cover every row, filtered or not, so that the sums hold. */
void ctd_rollup_sum_totals(const struct ctd_interval *interval, struct ctd_rollup *rollup);

#endif
