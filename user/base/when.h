/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* when.h - a time as people write it. */
#ifndef BASE_WHEN_H
#define BASE_WHEN_H

#include <stdint.h>

/*
 * "2 hours ago", "90s ago", "2h" (the same as "2h ago"), "now", "14:30" and "14:30:05" (the last
 * time that it was), "2026-03-01", "2026-03-01 14:30" and with seconds, with T for the blank or Z
 * behind it (UTC; else local time), "@1772375400". @return 0, or -EINVAL; @p ret_ns is since 1970.
 */
int ctd_when_parse(const char *text, uint64_t now_ns, uint64_t *ret_ns);

#endif
