/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* remote.c - shows the profile that a running serve samples. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/profile/output.h"
#include "app/profile/recorded.h"
#include "app/remote/remote.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "base/auto.h"
#include "base/log.h"
#include "remote/recording.h"
#include "serve/profile/profiles.h"

#define NS_PER_S 1000000000ull
#define SECONDS_DEFAULT 10

static uint64_t seconds_of(const struct ctd_options *options)
{
	uint64_t duration_ns = options->profile.duration_ns;

	return duration_ns ? (duration_ns + NS_PER_S - 1) / NS_PER_S : SECONDS_DEFAULT;
}

/* @return -EOPNOTSUPP: it is to be sampled here. */
static int fetch(const struct ctd_options *options, const char *who, int fd)
{
	const char *path = options->local_socket ? options->local_socket : CTD_LOCAL_SOCKET;
	char why[CTD_REMOTE_WHY_BYTES] = "";
	int error = fd < 0 ? -errno
			   : ctd_remote_recording_get(path, (unsigned int)seconds_of(options),
						      ctd_stop_came, fd, why);

	if (error == -EOPNOTSUPP)
		ctd_warn("%s: %s; sampling here", who, why);
	else if (error && error != -EINTR)
		ctd_log(CTD_LOG_ERROR, "%s: %s; --standalone samples here", who,
			*why ? why : strerror(-error));
	if (!error && lseek(fd, 0, SEEK_SET) < 0)
		error = ctd_log_error(-errno, "read what %s has sent", who);
	return error;
}

static int show(const struct ctd_options *options, const char *who, int fd,
		struct ctd_profile_output *output)
{
	const struct ctd_rollup_options rows = ctd_profile_rows(options);
	struct ctd_recorded_profile recorded = {.recording = {.name = who, .fd = fd}};
	int error;

	ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_SHOW);
	error = ctd_profile_output_read_base(output, options);
	if (!error)
		error = ctd_recorded_profile_read(0, &rows, &recorded);
	if (!error)
		error = ctd_profile_output_write(output, options, &recorded.profile);
	ctd_recorded_profile_free(&recorded);
	return error;
}

bool ctd_remote_profile(const struct ctd_options *options, int *ret_status)
{
	struct ctd_profile_output output = CTD_PROFILE_OUTPUT_NONE;
	autoclose int fd = -1;
	char who[CTD_REMOTE_WHO_BYTES], text[256];
	int error;

	if (!ctd_remote_has_profiles(options, who))
		return false;
	if (seconds_of(options) > CTD_PROFILE_SECONDS_MAX) {
		ctd_warn("sampling here, beside %s, which hands out %d s at most", who,
			 CTD_PROFILE_SECONDS_MAX);
		return false;
	}
	error = ctd_profile_output_open(options, &output);
	if (!error) {
		snprintf(text, sizeof(text),
			 "cgtopdown: profile of %s, of %u s; --standalone samples here", who,
			 (unsigned int)seconds_of(options));
		ctd_log_line(text);
		fd = memfd_create("recording", MFD_CLOEXEC);
		error = fetch(options, who, fd);
	}
	if (error == -EOPNOTSUPP) {
		ctd_profile_output_close(&output);
		return false;
	}
	if (!error)
		error = show(options, who, take_fd(fd), &output);
	ctd_profile_output_close(&output);
	*ret_status = error && error != -EPIPE && error != -EINTR ? 1 : 0;
	return true;
}
