/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recorded.h - the profile of a recording. */
#ifndef APP_PROFILE_RECORDED_H
#define APP_PROFILE_RECORDED_H

#include <cgtopdown/profile.h>
#include <cgtopdown/recorded_stacks.h>

#include "app/options/options.h"
#include "app/recording.h"
#include "rollup/pipeline.h"

/* All of it is owned; the profile points to the rest. */
struct ctd_recorded_profile {
	struct ctd_recording recording;
	struct ctd_pipeline pipeline; /* an interval of all that was read */
	struct ctd_stacks_reader *stacks;
	bool wants_lines; /* set before it is read */
	struct ctd_rollup rollup;
	struct ctd_profile profile;
};

/* Of the first @p intervals, 0: all, of a recording that is open; the rest is zeroed. Logs. @return
 * 0; -EBADMSG: damaged, but if the profile has rows, it is of what came before; or other negative
 * errno. */
int ctd_recorded_profile_read(uint64_t intervals, const struct ctd_rollup_options *options,
			      struct ctd_recorded_profile *recorded);
/* Also of one whose recording was never opened: CTD_RECORDED_PROFILE_NONE. */
#define CTD_RECORDED_PROFILE_NONE               \
	{                                       \
		.recording = CTD_RECORDING_NONE \
	}
void ctd_recorded_profile_free(struct ctd_recorded_profile *recorded);

#endif
