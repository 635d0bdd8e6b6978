/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* replay.c - cgtopdown report: shows a recording as stat would have shown the run. */
#include <errno.h>
#include <inttypes.h>

#include "app/diff/diff.h"
#include "app/options/options.h"
#include "app/past.h"
#include "app/recording.h"
#include "app/sandbox/sandbox.h"
#include "app/show.h"
#include "base/auto.h"
#include "base/log.h"
#include "vendor/recorded.h"

struct replay {
	struct ctd_recording recording; /* owned */
	/* Owned; of this plan's core types; NULL: it counts none. */
	struct ctd_vendor_recorded *vendor[CTD_CORE_TYPES_MAX];
	struct ctd_vendor_countings countings; /* of `vendor` */
	struct ctd_show show;
	uint64_t shown;
	bool has_profile;
	bool by_process; /* and nothing was said yet of tasks whose processes are not known */
};

static int show_rest(struct replay *replay)
{
	bool shown;
	int error = ctd_show_rest(&replay->show, &shown);

	replay->shown += shown;
	return error;
}

static void free_vendor(struct replay *replay)
{
	replay->show.report_options.vendor = NULL;
	ctd_vendor_countings_free(&replay->countings);
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		ctd_vendor_recorded_free(take_ptr(replay->vendor[type]));
	replay->countings = (struct ctd_vendor_countings){0};
}

/* Ends the interval: what follows was counted otherwise. */
static int take_plan(struct replay *replay)
{
	int error = show_rest(replay);

	free_vendor(replay);
	return error ? error : ctd_show_plan(&replay->show, &replay->recording.header);
}

/* Where counters were lost the plan has none; where CPUs must not be disturbed, one group. Where
 * cores differ, a core type may have fewer groups than the plan. */
static bool is_of_plan(const struct ctd_record_vendor *block, const struct ctd_rotation *rotation,
		       const struct ctd_record_header *header)
{
	uint32_t groups = block->of_core_type ? header->core_types[block->core_type].groups_count
					      : header->groups_count;

	if (block->of_core_type != (header->core_types_count > 1))
		return false;
	return !header->counters_count ||
	       (header->counters_count == (uint32_t)rotation->events_count &&
		groups <= (uint32_t)rotation->groups_count);
}

static int keep_vendor(struct replay *replay, uint32_t core_type,
		       struct ctd_vendor_recorded *vendor)
{
	struct ctd_vendor_countings *countings = &replay->countings;
	uint32_t planned = replay->recording.header.core_types_count;

	replay->vendor[core_type] = vendor;
	countings->core_types_count = planned > 1 ? (int)planned : 1;
	countings->of[core_type] = &vendor->counting;
	replay->show.report_options.vendor = countings;
	return ctd_vendor_countings_join(countings);
}

static int take_vendor(struct replay *replay, const struct ctd_record_vendor *block)
{
	const char *why = "metrics of other counters than its plan has";
	struct ctd_vendor_recorded *vendor = NULL;
	int error = ctd_vendor_recorded_new(block->payload, block->bytes, &vendor, &why);

	if (!error && (replay->vendor[block->core_type] ||
		       !is_of_plan(block, &vendor->counting.rotation, &replay->recording.header)))
		error = -EBADMSG;
	if (error)
		ctd_vendor_recorded_free(vendor);
	else
		error = keep_vendor(replay, block->core_type, vendor);
	if (!error)
		return 0;
	if (error != -EBADMSG)
		return ctd_log_error(error, "read '%s'", replay->recording.name);
	ctd_log(CTD_LOG_ERROR,
		"'%s': damaged: %s in the block of vendors' metrics at byte %" PRIu64,
		replay->recording.name, why, block->offset);
	return error;
}

/* A recording of another version may tell none; one of ours does before its first tasks. */
static void check_processes(struct replay *replay, const struct ctd_snapshot *snapshot)
{
	const struct ctd_recording *recording = &replay->recording;

	for (size_t i = 0; i < snapshot->rows_count && replay->by_process; i++) {
		if (!snapshot->rows[i].pid)
			continue;
		if (!ctd_identities_have_processes(recording->identities))
			ctd_warn(CTD_RECORDING_LACKS_PROCESSES, recording->name);
		replay->by_process = false;
	}
}

static int take_snapshot(struct replay *replay, struct ctd_snapshot *snapshot)
{
	bool shown;
	int error;

	if (replay->recording.header.by == CTD_BY_TASK)
		check_processes(replay, snapshot);
	error = ctd_show_snapshot(&replay->show, snapshot, &shown);
	replay->shown += shown;
	return error;
}

static int replay_all(struct replay *replay, const struct ctd_options *options)
{
	while (!options->count || replay->shown < options->count) {
		struct ctd_record_item item;
		int error = ctd_recording_next(&replay->recording, &item);

		if (error == -EBADMSG)
			/* What came before is whole. */
			show_rest(replay);
		if (error)
			return error;
		if (item.kind == CTD_RECORD_END)
			return show_rest(replay);
		if (item.kind == CTD_RECORD_PLAN)
			error = take_plan(replay);
		else if (item.kind == CTD_RECORD_SNAPSHOT)
			error = take_snapshot(replay, &item.snapshot);
		else if (item.kind == CTD_RECORD_VENDOR)
			error = take_vendor(replay, &item.vendor);
		else
			replay->has_profile = true;
		if (error)
			return error;
	}
	return 0;
}

/* Processes were recorded as rows of their own, or not: that cannot be had afterwards. Tasks are
 * added up to processes. */
static int check_division(const struct replay *replay, const struct ctd_options *options)
{
	enum ctd_by wanted = options->by == CTD_GROUP_PROCESS ? CTD_BY_PROCESS
			     : options->by == CTD_GROUP_TASK  ? CTD_BY_TASK
							      : CTD_BY_CGROUP;

	if (wanted <= (enum ctd_by)replay->recording.header.by)
		return 0;
	ctd_log(CTD_LOG_ERROR,
		"'%s' was not recorded with this --by: its rows cannot be divided further",
		replay->recording.name);
	return -EINVAL;
}

static int open_recording(struct replay *replay, const struct ctd_options *options)
{
	int error = ctd_recording_open(options->file, &replay->recording);

	if (error)
		return error;
	/* What others recorded is read by somebody who can do no more than show it. */
	ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_SHOW);
	return ctd_recording_begin(&replay->recording);
}

int ctd_report_main(const struct ctd_options *options)
{
	struct replay replay = {.recording = CTD_RECORDING_NONE,
				.by_process = options->by == CTD_GROUP_PROCESS};
	int error;

	if (options->report.base)
		return ctd_diff_main(options);
	if (ctd_past_is_asked(options))
		return ctd_past_main(options);
	error = open_recording(&replay, options);

	if (!error)
		error = ctd_show_prepare(options, &replay.recording.header,
					 replay.recording.identities, &replay.show);
	if (!error)
		error = check_division(&replay, options);
	replay.show.comm = ctd_recording_comm;
	replay.show.comm_context = &replay.recording;
	if (!error)
		error = replay_all(&replay, options);
	if (!error && !replay.shown) {
		ctd_log(CTD_LOG_ERROR,
			"'%s' holds fewer than two snapshots: there is no interval to show",
			replay.recording.name);
		error = -ENODATA;
	}
	if (!error && replay.has_profile)
		ctd_info("'%s' has a profile, too: 'cgtopdown profile --input %s' shows it",
			 replay.recording.name, options->file);
	ctd_show_free(&replay.show);
	free_vendor(&replay);
	ctd_recording_close(&replay.recording);
	return error && error != -EPIPE ? 1 : 0;
}
