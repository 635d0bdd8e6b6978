/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counting.h - from turns to groups of events that can be opened. */
#ifndef VENDOR_COUNTING_H
#define VENDOR_COUNTING_H

#include "vendor/turns.h"

/* @p pmu_type: of the core's PMU, for perf_event_open(2). The table and set of the turns must
 * outlive it; the turns need not. @return 0, -ENOMEM, -E2BIG: there are more than CTD_TURNS_MAX
 * groups, or -ENOENT: there is none. */
int ctd_vendor_counting_make(const struct ctd_vendor_turns *turns, uint32_t pmu_type,
			     struct ctd_vendor_counting *ret_counting);

#endif
