/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recorded.c - makes a profile of a recording, as if it had just been sampled. */
#include "app/profile/recorded.h"

#include <errno.h>
#include <inttypes.h>

#include "base/log.h"

static int take_profile(struct ctd_recorded_profile *recorded,
			const struct ctd_record_profile *profile)
{
	const char *why = "";
	int error =
		ctd_stacks_reader_take(recorded->stacks, profile->payload, profile->bytes, &why);

	if (error == -EBADMSG) {
		ctd_log(CTD_LOG_ERROR, "'%s': damaged: %s in the block at byte %" PRIu64,
			recorded->recording.name, why, profile->offset);
		return error;
	}
	return error ? ctd_log_error(error, "read '%s'", recorded->recording.name) : 0;
}

/* Damage costs lines only. */
static int take_lines(struct ctd_recorded_profile *recorded, const struct ctd_record_profile *lines)
{
	int error = ctd_stacks_reader_take_lines(recorded->stacks, lines->payload, lines->bytes);

	if (error == -EBADMSG) {
		ctd_warn("'%s': lines are missing: damaged in the block at byte %" PRIu64,
			 recorded->recording.name, lines->offset);
		return 0;
	}
	return error ? ctd_log_error(error, "read '%s'", recorded->recording.name) : 0;
}

/* What was sampled before the first one is of no interval. */
static int take_snapshot(struct ctd_recorded_profile *recorded, struct ctd_snapshot *snapshot,
			 bool *ret_whole)
{
	int error;

	if (!recorded->pipeline.has_before)
		ctd_stacks_reader_clear(recorded->stacks);
	error = ctd_pipeline_take(&recorded->pipeline, snapshot, ret_whole);
	return error ? ctd_log_error(error, "subtract two snapshots") : 0;
}

static int read_all(struct ctd_recorded_profile *recorded, uint64_t intervals)
{
	uint64_t taken = 0;

	while (!intervals || taken < intervals) {
		struct ctd_record_item item;
		bool whole = false;
		int error = ctd_recording_next(&recorded->recording, &item);

		if (error || item.kind == CTD_RECORD_END)
			return error;
		if (item.kind == CTD_RECORD_PLAN) {
			ctd_log(CTD_LOG_WARNING,
				"'%s': its counters changed; the profile is of the time before",
				recorded->recording.name);
			return 0;
		}
		if (item.kind == CTD_RECORD_PROFILE)
			error = take_profile(recorded, &item.profile);
		else if (item.kind == CTD_RECORD_LINES)
			error = take_lines(recorded, &item.profile);
		else if (item.kind == CTD_RECORD_SNAPSHOT)
			error = take_snapshot(recorded, &item.snapshot, &whole);
		if (error)
			return error;
		taken += whole;
	}
	return 0;
}

/* For the lines of what was read, which come behind the last block of its set; and for a block at
 * all: where counters rotate, stacks are written when they have their names, up to some seconds
 * after they were sampled: in the first intervals there may be none. The first block then says at
 * least how it was sampled. */
static int read_on(struct ctd_recorded_profile *recorded)
{
	for (;;) {
		bool has_stacks = ctd_stacks_reader_stacks(recorded->stacks);
		struct ctd_record_item item;
		int error;

		if (has_stacks && !recorded->wants_lines)
			return 0;
		error = ctd_recording_next(&recorded->recording, &item);
		if (error || item.kind == CTD_RECORD_END ||
		    (item.kind == CTD_RECORD_PLAN && !has_stacks))
			return error;
		if (item.kind == CTD_RECORD_SNAPSHOT)
			ctd_snapshot_free(&item.snapshot);
		if (item.kind == CTD_RECORD_LINES && has_stacks)
			return take_lines(recorded, &item.profile);
		if (item.kind != CTD_RECORD_PROFILE || has_stacks)
			continue;
		error = take_profile(recorded, &item.profile);
		if (error)
			return error;
		ctd_stacks_reader_clear(recorded->stacks);
	}
}

static int add_lines(struct ctd_recorded_profile *recorded)
{
	bool any;
	int error = ctd_stacks_reader_add_lines(recorded->stacks, &any);

	if (error)
		return ctd_log_error(error, "add the lines of '%s'", recorded->recording.name);
	if (!any)
		ctd_warn(
			"'%s' has no lines: 'cgtopdown record --profile --lines' makes one that has, if it is not killed",
			recorded->recording.name);
	return 0;
}

static int begin(struct ctd_recorded_profile *recorded)
{
	struct ctd_recording *recording = &recorded->recording;
	const char *unknown;
	int error = ctd_recording_begin(recording);

	if (error)
		return error;
	recording->keeps_removed = true;
	error = ctd_stacks_reader_new(&recorded->stacks);
	if (error)
		return ctd_log_error(error, "read '%s'", recording->name);
	if (recorded->wants_lines)
		ctd_stacks_reader_want_lines(recorded->stacks);
	error = ctd_pipeline_replan(&recorded->pipeline, &recording->header, &unknown);
	if (error == -EINVAL)
		ctd_log(CTD_LOG_ERROR, "unknown CPU model '%s': recorded by another version (%s)?",
			unknown, recording->header.version);
	else if (error)
		ctd_log_error(error, "look up the CPU models");
	return error;
}

int ctd_recorded_profile_read(uint64_t intervals, const struct ctd_rollup_options *options,
			      struct ctd_recorded_profile *recorded)
{
	int error = begin(recorded), damaged = 0;

	if (!error) {
		error = read_all(recorded, intervals);
		if (!error && (intervals || recorded->wants_lines))
			error = read_on(recorded);
		damaged = error == -EBADMSG ? error : 0;
		error = damaged ? 0 : error;
	}
	if (error)
		return error;
	if (!ctd_stacks_reader_stacks(recorded->stacks) ||
	    !ctd_pipeline_has_rest(&recorded->pipeline)) {
		if (!damaged)
			ctd_log(CTD_LOG_ERROR,
				"'%s' has no profile: 'cgtopdown record --profile' makes one that has",
				recorded->recording.name);
		return -ENODATA;
	}
	if (recorded->wants_lines && add_lines(recorded))
		return -ENOMEM;
	error = ctd_pipeline_rollup(&recorded->pipeline, recorded->recording.identities, options,
				    &recorded->rollup);
	if (error)
		return ctd_log_error(error, "add up the profile");
	error = ctd_profile_make(ctd_stacks_reader_stacks(recorded->stacks),
				 &recorded->pipeline.interval, &recorded->rollup,
				 &recorded->profile);
	return error ? ctd_log_error(error, "weigh the profile") : damaged;
}

void ctd_recorded_profile_free(struct ctd_recorded_profile *recorded)
{
	ctd_profile_free(&recorded->profile);
	ctd_rollup_free(&recorded->rollup);
	ctd_stacks_reader_free(recorded->stacks);
	ctd_pipeline_free(&recorded->pipeline);
	ctd_recording_close(&recorded->recording);
	*recorded = (struct ctd_recorded_profile){.recording = CTD_RECORDING_NONE};
}
