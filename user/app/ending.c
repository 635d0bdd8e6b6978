/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ending.c - exits if threads that were told to end do not. */
#include "app/ending.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"

/* In a thread of the library's. Not exit(): what it would clean up is in use. */
static void cut_short(union sigval status)
{
	ctd_warn(
		"a thread waits for a file that does not answer, as where a server is away: ended without it");
	_exit(status.sival_int);
}

void ctd_ending_begin(int status, struct ctd_ending *ret_ending)
{
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD,
		.sigev_value.sival_int = status,
		.sigev_notify_function = cut_short,
	};
	const struct itimerspec after = {.it_value.tv_sec = CTD_ENDING_NS / 1000000000};

	*ret_ending = (struct ctd_ending){};
	/* What is written is not lost, whichever way it ends. */
	fflush(stdout);
	/* Without memory for it, it ends as threads do. */
	ret_ending->is_set = !timer_create(CLOCK_MONOTONIC, &event, &ret_ending->timer);
	if (ret_ending->is_set)
		timer_settime(ret_ending->timer, 0, &after, NULL);
}

void ctd_ending_over(struct ctd_ending *ending)
{
	if (ending->is_set)
		timer_delete(ending->timer);
	ending->is_set = false;
}
