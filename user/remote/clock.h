/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.h - the wall clock of a machine that is asked: it may be another than ours, and be set. */
#ifndef REMOTE_CLOCK_H
#define REMOTE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "remote/view.h"

/*
 * Has its clock gone on as ours has, which is not set, in @p elapsed_ns between the arrivals of two
 * views that are not the same? Each may be as old as an interval, and late. If it has not, the time
 * between the two is not known, and nothing can be made of what was counted in it.
 */
bool ctd_remote_clock_is_steady(const struct ctd_remote_view *before,
				const struct ctd_remote_view *after, uint64_t elapsed_ns);

/* How old a view may be when it comes: until then there was no other. */
uint64_t ctd_remote_age_max_ns(const struct ctd_remote_view *view);

/* What that clock shows, as far as views tell. */
struct ctd_remote_clock {
	uint64_t ahead_ns; /* of our monotonic clock, modulo 2^64 */
};

/* The same as our wall clock, until views say otherwise. */
void ctd_remote_clock_begin(struct ctd_remote_clock *clock);
/* A view came at @p now_ns, monotonic, which is not older than @p age_max_ns, nor of the future. */
void ctd_remote_clock_take(struct ctd_remote_clock *clock, const struct ctd_remote_view *view,
			   uint64_t now_ns, uint64_t age_max_ns);
/* What it shows at @p now_ns: nanoseconds since 1970, as a view's time_ns. */
uint64_t ctd_remote_clock_ns(const struct ctd_remote_clock *clock, uint64_t now_ns);

#endif
