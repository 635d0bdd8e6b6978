/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.h - when a serve that is asked will have its next view. */
#ifndef REMOTE_CLOCK_H
#define REMOTE_CLOCK_H

#include <stdint.h>

#include "remote/view.h"

/* What the elapsed_ns of a view of this moment were, as far as views tell. */
struct ctd_remote_clock {
	uint64_t ahead_ns; /* of our monotonic clock, modulo 2^64 */
};

/* The first view has come at @p now_ns, monotonic, and is not older than @p age_max_ns. */
void ctd_remote_clock_begin(struct ctd_remote_clock *clock, const struct ctd_remote_view *view,
			    uint64_t now_ns, uint64_t age_max_ns);
/* A view that is new has come at @p now_ns. It is not of the future, nor older than @p age_max_ns:
 * when one was asked for that long ago, this one was not there. */
void ctd_remote_clock_take(struct ctd_remote_clock *clock, const struct ctd_remote_view *view,
			   uint64_t now_ns, uint64_t age_max_ns);
/* As a view's elapsed_ns, or later: what is waited for is asked for too early until it has come. */
uint64_t ctd_remote_clock_ns(const struct ctd_remote_clock *clock, uint64_t now_ns);

#endif
