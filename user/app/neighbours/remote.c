/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* remote.c - shows the tags of a running serve, sample by sample. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/neighbours/live.h"
#include "app/remote/remote.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "base/clock.h"
#include "base/log.h"
#include "remote/client.h"

/* A sample is there so long after it was judged, at most. */
#define LOOK_MS 200
/* A server that does not answer any more may be restarted meanwhile. */
#define ABSENT_MAX_NS 60000000000ull

struct beside {
	struct ctd_tags_show *show;
	const char *place; /* path of the socket, or URL */
	struct ctd_remote_client *client; /* owned */
	uint64_t time_ns; /* of the newest sample shown */
	uint64_t absent_ns; /* monotonic: since when it does not answer; 0: it does */
};

static void look_away(void)
{
	struct timespec time = {.tv_nsec = LOOK_MS * 1000000L};

	nanosleep(&time, NULL);
}

/* @return 0: to be asked again, or negative errno; logs. */
static int bear(struct beside *beside, int error, const char *why)
{
	uint64_t now_ns = ctd_monotonic_ns();

	if (error == -EINTR || error == -EAGAIN)
		return 0;
	if (error == -EBADMSG || error == -ENOMEM || error == -ENOENT) {
		ctd_log(CTD_LOG_ERROR, "%s: %s", beside->place, why);
		return error;
	}
	if (!beside->absent_ns) {
		beside->absent_ns = now_ns;
		ctd_warn("%s: %s; waiting for it to come back", beside->place, why);
	}
	if (now_ns - beside->absent_ns <= ABSENT_MAX_NS)
		return 0;
	ctd_log(CTD_LOG_ERROR, "%s: %s; --standalone judges here", beside->place, why);
	return -ENOTCONN;
}

/* One look. @return 0 or negative errno; logs, but for what cannot be written. */
static int look(struct beside *beside)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_tags tags;
	int error = ctd_remote_client_get_tags(beside->client, &tags, why);

	if (error)
		return bear(beside, error, why);
	beside->absent_ns = 0;
	if (tags.judged && tags.verdicts.time_ns != beside->time_ns) {
		error = ctd_tags_show(beside->show, &tags.verdicts, true);
		beside->time_ns = tags.verdicts.time_ns;
	} else if (!tags.sample_period_ns && !tags.judged) {
		ctd_log(CTD_LOG_ERROR, "%s: serve judges no neighbours any more", beside->place);
		error = -ENODATA;
	}
	ctd_remote_tags_free(&tags);
	return error;
}

static int follow(struct beside *beside)
{
	uint64_t count = beside->show->options->count;
	int error = 0;

	while (!error && !ctd_stop_came()) {
		error = look(beside);
		if (count && beside->show->shown >= count)
			break;
		look_away();
	}
	return error;
}

/* Does it judge? @return NULL: it does; else why not. */
static const char *why_not(struct beside *beside, char why[CTD_REMOTE_WHY_BYTES])
{
	struct ctd_remote_tags tags;
	bool judges;

	if (ctd_remote_client_get_tags(beside->client, &tags, why))
		return why;
	judges = tags.judged || tags.sample_period_ns;
	ctd_remote_tags_free(&tags);
	return judges ? NULL : "serve was started without --neighbours";
}

static int open_client(struct beside *beside)
{
	const struct ctd_remote_place place =
		ctd_remote_place_of(beside->show->options, CTD_REMOTE_TAGS);

	return ctd_remote_client_new(&place, ctd_stop_came, &beside->client);
}

/* Whose tags they are, before the first one. */
static void tell_of(const struct ctd_options *options, const char *place)
{
	char text[512];

	snprintf(text, sizeof(text), "cgtopdown: tags of %s%s", place,
		 options->screen.urls.count ? "" : ", the running serve; --standalone judges here");
	ctd_log_line(text);
}

bool ctd_neighbours_remote(struct ctd_tags_show *show, int *ret_error)
{
	const struct ctd_options *options = show->options;
	struct beside beside = {
		.show = show,
		.place = options->screen.urls.count ? options->screen.urls.text[0]
			 : options->local_socket    ? options->local_socket
						    : CTD_LOCAL_SOCKET,
	};
	char why[CTD_REMOTE_WHY_BYTES] = "";
	const char *reason;
	bool asked = false;
	pid_t pid;

	if (options->standalone || options->root || strcmp(beside.place, "none") == 0 ||
	    (!options->screen.urls.count && ctd_remote_look(beside.place, &pid)))
		return false;
	*ret_error = open_client(&beside);
	reason = *ret_error ? "there is no memory for a client" : why_not(&beside, why);
	if (!reason || options->screen.urls.count) {
		asked = true;
		if (reason) {
			ctd_log(CTD_LOG_ERROR, "%s: %s", beside.place, reason);
			*ret_error = -ENODATA;
		} else {
			if (!options->screen.urls.count)
				ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_ASK);
			tell_of(options, beside.place);
			*ret_error = follow(&beside);
		}
	} else {
		ctd_warn(
			"counting here, beside the running serve (%s): %s; where counters are short there may be no data",
			beside.place, reason);
	}
	ctd_remote_client_free(beside.client);
	return asked;
}
