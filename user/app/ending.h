/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ending.h - an end that nobody holds up. */
#ifndef APP_ENDING_H
#define APP_ENDING_H

#include <stdbool.h>
#include <time.h>

/* One that takes longer is cut short. Threads that answer end in half of a second. */
#define CTD_ENDING_NS 3000000000ull

struct ctd_ending {
	timer_t timer;
	bool is_set;
};

/*
 * A thread that waits for a file, on a server that is away, say, cannot be told to end, and what it
 * uses cannot be freed. So if ctd_ending_over() is late, a line says so, and the process exits with
 * @p status. All that would outlive the process has to be released before.
 */
void ctd_ending_begin(int status, struct ctd_ending *ret_ending);
void ctd_ending_over(struct ctd_ending *ending);

#endif
