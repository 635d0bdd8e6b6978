/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recorded.c - feeds the detector of neighbours from a recording, as serve feeds its own.
 */
#include "app/neighbours/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/log.h"

bool ctd_is_recording(int fd)
{
	char first = 0;
	int ends[2];

	/* Of a file it is there to be read again, and of a pipe it can be copied out. */
	if (pread(fd, &first, 1, lseek(fd, 0, SEEK_CUR)) == 1)
		return first == CTD_RECORD_MAGIC[0];
	if (pipe2(ends, O_CLOEXEC))
		return false;
	if (tee(fd, ends[1], 1, 0) == 1 && read(ends[0], &first, 1) != 1)
		first = 0;
	close(ends[0]);
	close(ends[1]);
	return first == CTD_RECORD_MAGIC[0];
}

struct replay {
	struct ctd_recording *recording;
	struct ctd_neighbours_feed *feed;
	uint64_t judged; /* samples */
};

/* @return 0 or negative errno; *ret_time_ns: 0 unless there are other tags now. */
static int take_snapshot(struct replay *replay, struct ctd_snapshot *snapshot,
			 uint64_t *ret_time_ns)
{
	int error = ctd_neighbours_feed_take(replay->feed, &replay->recording->header,
					     replay->recording->identities, snapshot, ret_time_ns);

	replay->judged += *ret_time_ns != 0;
	return error;
}

static int replay_all(struct replay *replay, int (*judged)(void *context, uint64_t time_ns),
		      void *context)
{
	for (;;) {
		struct ctd_record_item item;
		uint64_t time_ns;
		int error = ctd_recording_next(replay->recording, &item);

		if (error || item.kind == CTD_RECORD_END)
			return error;
		if (item.kind == CTD_RECORD_PLAN && replay->feed->ledger.ledger)
			error = ctd_feed_replan(&replay->feed->ledger, &replay->recording->header,
						(struct ctd_collect_groups){0});
		else if (item.kind == CTD_RECORD_SNAPSHOT) {
			error = take_snapshot(replay, &item.snapshot, &time_ns);
			if (!error && time_ns)
				error = judged(context, time_ns);
		}
		if (error)
			return error;
	}
}

int ctd_neighbours_recorded(struct ctd_recording *recording, struct ctd_neighbours_feed *feed,
			    int (*judged)(void *context, uint64_t time_ns), void *context)
{
	struct replay replay = {.recording = recording, .feed = feed};
	int error = ctd_recording_begin(recording);

	if (!error)
		error = replay_all(&replay, judged, context);
	if (!error && !replay.judged) {
		ctd_log(CTD_LOG_ERROR,
			"'%s' is shorter than one sample of %g s: --sample-period takes shorter ones",
			recording->name, (double)feed->accounts.period_ns / 1e9);
		error = -ENODATA;
	}
	return error;
}
