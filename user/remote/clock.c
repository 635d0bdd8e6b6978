/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.c - compares the clock of a machine that is asked with ours. */
#include "remote/clock.h"

#include "base/clock.h"

/* So much later than an interval's end its view may come, by a machine that has much to do. */
#define LATE_NS 2000000000ull

/* An interval may be longer than it should: for a budget, five times. */
uint64_t ctd_remote_age_max_ns(const struct ctd_remote_view *view)
{
	return (view->interval_ns > view->window_ns ? view->interval_ns : view->window_ns) +
	       LATE_NS;
}

bool ctd_remote_clock_is_steady(const struct ctd_remote_view *before,
				const struct ctd_remote_view *after, uint64_t elapsed_ns)
{
	uint64_t its_ns = after->time_ns - before->time_ns, apart_ns;

	if (after->time_ns < before->time_ns)
		return false;
	apart_ns = its_ns > elapsed_ns ? its_ns - elapsed_ns : elapsed_ns - its_ns;
	/* A hundredth: one that is not set may be slewed. */
	return apart_ns <= ctd_remote_age_max_ns(after) + elapsed_ns / 100;
}

void ctd_remote_clock_begin(struct ctd_remote_clock *clock)
{
	clock->ahead_ns = ctd_realtime_ns() - ctd_monotonic_ns();
}

void ctd_remote_clock_take(struct ctd_remote_clock *clock, const struct ctd_remote_view *view,
			   uint64_t now_ns, uint64_t age_max_ns)
{
	int64_t age_ns = (int64_t)(ctd_remote_clock_ns(clock, now_ns) - view->time_ns);

	if (age_ns < 0)
		clock->ahead_ns = view->time_ns - now_ns;
	else if ((uint64_t)age_ns > age_max_ns)
		clock->ahead_ns = view->time_ns + age_max_ns - now_ns;
}

uint64_t ctd_remote_clock_ns(const struct ctd_remote_clock *clock, uint64_t now_ns)
{
	return now_ns + clock->ahead_ns;
}
