/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* backoff.h - how long to leave a receiver alone that cannot take requests. */
#ifndef SERVE_PUSH_BACKOFF_H
#define SERVE_PUSH_BACKOFF_H

#include <stdint.h>

/*
 * After so many failures in a row, 1 or more. @p asked_s: what the receiver asked for, 0 for
 * nothing. @p random: any number; nodes that lost a receiver together do not come back together.
 */
uint64_t ctd_push_backoff_ns(unsigned int failures, uint64_t asked_s, uint32_t random);

#endif
