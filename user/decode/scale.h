/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* scale.h - raw counts to full-time counts. */
#ifndef DECODE_SCALE_H
#define DECODE_SCALE_H

#include <cgtopdown/interval.h>

/* Sets the row's count and quality from its raw counts and times. */
void ctd_interval_row_scale(struct ctd_interval_row *row, uint32_t counters_count);

/* A raw count of a part of the row, once the row is scaled: as its own counts were. */
uint64_t ctd_interval_row_scale_count(const struct ctd_interval_row *row, uint64_t raw);

/* Were its counts scaled up to all of its time? */
bool ctd_interval_row_is_scaled(const struct ctd_interval_row *row);

#endif
