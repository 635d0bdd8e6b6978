/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.h - pairs of rows. Private to user/rollup/. */
#ifndef ROLLUP_PAIRS_H
#define ROLLUP_PAIRS_H

#include <cgtopdown/rollup.h>

/* Call when all rows are there, with their waits added up. @return 0 or -ENOMEM. */
int ctd_rollup_add_pairs(const struct ctd_interval *interval, struct ctd_rollup *rollup);

#endif
