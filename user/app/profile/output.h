/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* output.h - a profile as it is written, the same for one that was sampled and one of a
 * recording. */
#ifndef APP_PROFILE_OUTPUT_H
#define APP_PROFILE_OUTPUT_H

#include <cgtopdown/profile_sink.h>
#include <stdio.h>

#include "app/options/options.h"
#include "app/profile/recorded.h"

/* What the rows of a profile are. */
struct ctd_rollup_options ctd_profile_rows(const struct ctd_options *options);

struct ctd_profile_output {
	const struct ctd_profile_sink *sink;
	const char *path; /* borrowed; NULL: standard output */
	FILE *out; /* owned, but for stdout */
	struct ctd_recorded_profile base; /* owned; of --diff, else CTD_RECORDED_PROFILE_NONE */
};
#define CTD_PROFILE_OUTPUT_NONE                   \
	{                                         \
		.base = CTD_RECORDED_PROFILE_NONE \
	}

/* Before anything is measured, and while files may be opened: by --output. What is in the file
 * stays there until it is written. Logs. @return 0 or negative errno. */
int ctd_profile_output_open(const struct ctd_options *options,
			    struct ctd_profile_output *ret_output);
/* Reads the recording of --diff, if there is one. Logs. @return 0 or negative errno. */
int ctd_profile_output_read_base(struct ctd_profile_output *output,
				 const struct ctd_options *options);
/* Logs that the profile has not what --sort asks for. @return -EINVAL. */
int ctd_profile_output_refuse_sort(const struct ctd_options *options);
/* Leaves out rows that are not asked for, writes, and closes. Logs, but not -EPIPE. @return 0 or
 * negative errno. */
int ctd_profile_output_write(struct ctd_profile_output *output, const struct ctd_options *options,
			     struct ctd_profile *profile);
/* Also of CTD_PROFILE_OUTPUT_NONE. */
void ctd_profile_output_close(struct ctd_profile_output *output);

#endif
