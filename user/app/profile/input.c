/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* input.c - cgtopdown profile --input: shows the profile of a recording. */
#include "app/profile/input.h"

#include <errno.h>

#include "app/profile/output.h"
#include "app/profile/recorded.h"
#include "app/sandbox/sandbox.h"
#include "base/log.h"

int ctd_profile_input_main(const struct ctd_options *options)
{
	const struct ctd_rollup_options rows = ctd_profile_rows(options);
	struct ctd_recorded_profile recorded = CTD_RECORDED_PROFILE_NONE;
	struct ctd_profile_output output = CTD_PROFILE_OUTPUT_NONE;
	int error = 0, shown;

	recorded.wants_lines = options->profile.lines;
	if (options->pids) {
		ctd_log(CTD_LOG_ERROR,
			"--pid: a recording does not tell processes apart; profile them as they run");
		return 1;
	}
	error = ctd_profile_output_open(options, &output);
	if (!error)
		error = ctd_recording_open(options->input, &recorded.recording);
	if (!error) {
		/* What others recorded is read by somebody who can do no more than show it. */
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_SHOW);
		error = ctd_profile_output_read_base(&output, options);
	}
	if (!error)
		error = ctd_recorded_profile_read(options->count, &rows, &recorded);
	if (!error || (error == -EBADMSG && recorded.profile.rows)) {
		shown = ctd_profile_output_write(&output, options, &recorded.profile);
		error = error ? error : shown;
	}
	ctd_recorded_profile_free(&recorded);
	ctd_profile_output_close(&output);
	return error && error != -EPIPE ? 1 : 0;
}
