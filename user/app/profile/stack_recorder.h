/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stack_recorder.h - stacks on their way into a recording, sampled and named while intervals pass. */
#ifndef APP_PROFILE_STACK_RECORDER_H
#define APP_PROFILE_STACK_RECORDER_H

#include <cgtopdown/collect.h>
#include <cgtopdown/recorded_stacks.h>

#include "app/profile/lines.h"
#include "app/profile/profiler.h"

struct ctd_stack_recorder {
	struct ctd_collector *collector; /* borrowed */
	struct ctd_profiler profiler; /* owned */
	struct ctd_profile_lines *lines; /* borrowed */
	struct ctd_stacks
		*stacks; /* owned; what is not written yet; NULL before the first samples */
	struct ctd_recorded_stacks recorded;
};

/* Prepares to name and write stacks of CPU time or, if it has a name, of @p event. Logs. @return 0
 * or negative errno; ctd_stack_recorder_close() is due if it succeeds. */
int ctd_stack_recorder_open(struct ctd_collector *collector, const struct ctd_sampled_event *event,
			    const char *host_root, struct ctd_profile_lines *lines,
			    struct ctd_stack_recorder *ret_recorder);
/* Takes samples from now on, beside the collector's intervals; stays where it is. To be called with
 * the first snapshot: those of the time before are of no interval. Logs. @return 0 or negative
 * errno. */
int ctd_stack_recorder_begin(struct ctd_stack_recorder *recorder);
/* Names all that was sampled up to now, with names that come within @p patience_ns. Logs. @return 0
 * or negative errno. */
int ctd_stack_recorder_finish(struct ctd_stack_recorder *recorder, uint64_t patience_ns);
/* Writes what was sampled and named up to now. Logs what concerns lines. @return 0 or negative
 * errno. */
int ctd_stack_recorder_write(struct ctd_stack_recorder *recorder, struct ctd_record_writer *writer);
/* When all is written: the lines of it, if they are wanted. Logs what concerns them. @return 0 or
 * negative errno. */
int ctd_stack_recorder_write_lines(struct ctd_stack_recorder *recorder,
				   struct ctd_record_writer *writer, uint64_t time_ns);
/* Also of a zeroed struct. */
void ctd_stack_recorder_close(struct ctd_stack_recorder *recorder);

#endif
