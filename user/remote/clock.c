/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.c - learns when views are made of those that come. */
#include "remote/clock.h"

void ctd_remote_clock_begin(struct ctd_remote_clock *clock, const struct ctd_remote_view *view,
			    uint64_t now_ns, uint64_t age_max_ns)
{
	clock->ahead_ns = view->elapsed_ns + age_max_ns - now_ns;
}

void ctd_remote_clock_take(struct ctd_remote_clock *clock, const struct ctd_remote_view *view,
			   uint64_t now_ns, uint64_t age_max_ns)
{
	int64_t age_ns = (int64_t)(ctd_remote_clock_ns(clock, now_ns) - view->elapsed_ns);

	/* We have slept: when it was made is as little known as of the first one. */
	if (age_ns + (int64_t)view->interval_ns < 0)
		ctd_remote_clock_begin(clock, view, now_ns, view->interval_ns);
	else if (age_ns < 0)
		clock->ahead_ns = view->elapsed_ns - now_ns;
	else if ((uint64_t)age_ns > age_max_ns)
		clock->ahead_ns = view->elapsed_ns + age_max_ns - now_ns;
}

uint64_t ctd_remote_clock_ns(const struct ctd_remote_clock *clock, uint64_t now_ns)
{
	return now_ns + clock->ahead_ns;
}
