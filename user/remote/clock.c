/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* clock.c - compares the clock of a machine that is asked with ours. */
#include "remote/clock.h"

#include "base/clock.h"

/* So much later than the interval's end a view comes where all goes well. */
#define LATE_NS 1000000000ull

bool ctd_remote_clock_is_steady(const struct ctd_remote_view *before,
				const struct ctd_remote_view *after, uint64_t elapsed_ns)
{
	uint64_t its_ns = after->time_ns - before->time_ns, apart_ns;

	if (after->time_ns < before->time_ns)
		return false;
	apart_ns = its_ns > elapsed_ns ? its_ns - elapsed_ns : elapsed_ns - its_ns;
	return apart_ns <= elapsed_ns / 4 + 2 * after->interval_ns;
}

void ctd_remote_clock_begin(struct ctd_remote_clock *clock)
{
	clock->ahead_ns = ctd_realtime_ns() - ctd_monotonic_ns();
}

void ctd_remote_clock_take(struct ctd_remote_clock *clock, const struct ctd_remote_view *view,
			   uint64_t now_ns)
{
	int64_t age_ns = (int64_t)(ctd_remote_clock_ns(clock, now_ns) - view->time_ns);

	/* How old it is is not known then: later ones that seem to be of the future say more. */
	if (age_ns < 0 || age_ns > (int64_t)(view->interval_ns + LATE_NS))
		clock->ahead_ns = view->time_ns - now_ns;
}

uint64_t ctd_remote_clock_ns(const struct ctd_remote_clock *clock, uint64_t now_ns)
{
	return now_ns + clock->ahead_ns;
}
