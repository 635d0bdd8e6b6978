/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* privileges.h - giving up what a command does not need any more. */
#ifndef APP_PRIVILEGES_H
#define APP_PRIVILEGES_H

enum ctd_privileges {
	CTD_PRIVILEGES_TO_START, /* what a collector needs to start */
	CTD_PRIVILEGES_TO_START_PROFILE, /* the same, and one that is to name stacks later */
	CTD_PRIVILEGES_TO_RUN, /* what it needs from then on */
	CTD_PRIVILEGES_TO_END_COMMAND, /* what it needs from then on with a COMMAND of another user */
	CTD_PRIVILEGES_TO_PROFILE, /* what naming the stacks of every process takes, and both */
	/* From here on nothing is counted. */
	CTD_PRIVILEGES_TO_ASK, /* what asking another process by its socket takes */
	CTD_PRIVILEGES_TO_LOOK, /* what other processes offer in memory, and a COMMAND of ours */
	CTD_PRIVILEGES_TO_WATCH, /* what a process of ours counts, and new files to record it in */
	CTD_PRIVILEGES_TO_SHOW, /* none: of what is open already */
};

/* Of this thread, and of those that it starts from here on: keeps what is needed. What cannot be
 * given up stays, with a line in the log. */
void ctd_privileges_drop(enum ctd_privileges needed);

#endif
