/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* diff.c - report --diff: what changed from one time of a history, or recording, to another. */
#include "app/diff/diff.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/past.h"
#include "app/recording.h"
#include "app/sandbox/sandbox.h"
#include "app/show.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/when.h"
#include "history/walk.h"
#include "rollup/pipeline.h"

/* A side is cut into so many segments, whose spread says what is chance. A load that comes and goes
 * within seconds makes neighbouring intervals alike, and their spread too small; so many have
 * nearly the precision that more would have. */
#define SEGMENTS 20

static const char *const side_names[2] = {"before", "after"};

static void side_init(const struct ctd_options *options, const char *when, const char *name,
		      struct ctd_diff_side *ret_side)
{
	*ret_side = (struct ctd_diff_side){
		.when = when,
		.name = name,
		.points = {.series = {.points = SEGMENTS,
				      .by = ctd_show_rows(options),
				      .level = options->level ? (int)options->level
					       : strcmp(options->format, "table") == 0 ? 1
										       : 2,
				      .compares = true},
			   .cgroup_glob = options->cgroup_glob},
	};
}

static int take_interval(struct ctd_diff_side *side, size_t segment,
			 const struct ctd_interval *interval)
{
	int error = ctd_points_add(&side->points, segment, interval);

	if (!side->begin_ns)
		side->begin_ns = interval->realtime_ns - interval->window_ns;
	side->end_ns = interval->realtime_ns;
	return error;
}

static int log_failure(int error, const struct ctd_diff_side *side)
{
	if (error != -E2BIG)
		return ctd_log_error(error, "read '%s'", side->name);
	ctd_log(CTD_LOG_ERROR,
		"'%s' has more rows than can be compared: --by container, pod, owner or namespace has fewer",
		side->name);
	return error;
}

/* A recording is read twice: first to see how long it is. */
struct recorded {
	struct ctd_recording first, second; /* owned */
	uint64_t intervals;
	bool is_damaged; /* behind them */
};

static int open_recorded(const char *file, struct recorded *recorded)
{
	struct stat status;
	int error = ctd_recording_open(file, &recorded->first);

	if (error)
		return error;
	if (fstat(recorded->first.fd, &status) || !S_ISREG(status.st_mode)) {
		ctd_log(CTD_LOG_ERROR,
			"'%s' is no file: --diff reads a recording twice, and not from a pipe; of a history, --since and --diff are times",
			file);
		return -EINVAL;
	}
	recorded->second.name = recorded->first.name;
	recorded->second.fd = fcntl(recorded->first.fd, F_DUPFD_CLOEXEC, 0);
	return recorded->second.fd < 0 ? ctd_log_error(-errno, "read '%s'", file) : 0;
}

static int count_intervals(struct recorded *recorded)
{
	struct ctd_recording *recording = &recorded->first;
	bool has_before = false;
	int error = ctd_recording_begin(recording);

	while (!error) {
		struct ctd_record_item item;

		error = ctd_recording_next(recording, &item);
		if (error || item.kind == CTD_RECORD_END)
			break;
		if (item.kind == CTD_RECORD_PLAN)
			has_before = false;
		if (item.kind != CTD_RECORD_SNAPSHOT)
			continue;
		recorded->intervals += has_before && !item.snapshot.in_between;
		has_before = true;
		ctd_snapshot_free(&item.snapshot);
	}
	/* What came before is whole. */
	if (error == -EBADMSG && recorded->intervals) {
		recorded->is_damaged = true;
		error = 0;
	}
	if (!error && !recorded->intervals) {
		ctd_log(CTD_LOG_ERROR,
			"'%s' holds fewer than two snapshots: there is no interval to compare",
			recording->name);
		error = -ENODATA;
	}
	return error;
}

static int begin_plan(struct ctd_diff_side *side, const struct ctd_recording *recording,
		      struct ctd_pipeline *pipeline)
{
	const struct ctd_record_header *header = &recording->header;
	const char *unknown;
	int error = ctd_pipeline_replan(pipeline, header, &unknown);

	if (error == -EINVAL) {
		ctd_log(CTD_LOG_ERROR, "unknown CPU model '%s': recorded by another version (%s)?",
			unknown, header->version);
		return error;
	}
	if (!error)
		error = ctd_points_plan(&side->points, header, recording->identities);
	return error ? log_failure(error, side) : 0;
}

static int take_snapshot(struct ctd_diff_side *side, struct ctd_snapshot *snapshot,
			 struct ctd_pipeline *pipeline, size_t segment, bool *ret_whole)
{
	int error = ctd_pipeline_take(pipeline, snapshot, ret_whole);

	if (!error && *ret_whole) {
		error = take_interval(side, segment, &pipeline->interval);
		ctd_pipeline_done(pipeline);
	}
	return error ? log_failure(error, side) : 0;
}

/* What there is of an interval whose end never came is left out. */
static int read_intervals(struct ctd_diff_side *side, struct recorded *recorded,
			  struct ctd_pipeline *pipeline)
{
	struct ctd_recording *recording = &recorded->second;
	uint64_t taken = 0;
	int error = ctd_recording_begin(recording);

	recording->keeps_removed = true;
	if (!error)
		error = begin_plan(side, recording, pipeline);
	while (!error && taken < recorded->intervals) {
		struct ctd_record_item item;
		bool whole = false;

		error = ctd_recording_next(recording, &item);
		if (error)
			break;
		if (item.kind == CTD_RECORD_END) {
			ctd_log(CTD_LOG_ERROR, "'%s' became shorter while it was read",
				recording->name);
			error = -EBADMSG;
		} else if (item.kind == CTD_RECORD_PLAN) {
			error = begin_plan(side, recording, pipeline);
		} else if (item.kind == CTD_RECORD_SNAPSHOT) {
			error = take_snapshot(side, &item.snapshot, pipeline,
					      taken * SEGMENTS / recorded->intervals, &whole);
		}
		taken += whole;
	}
	if (!error && (error = ctd_points_end(&side->points)))
		log_failure(error, side);
	return error;
}

static int read_recorded(struct ctd_diff_side *side, struct recorded *recorded)
{
	struct ctd_pipeline pipeline = {0};
	int error = count_intervals(recorded);

	if (!error && lseek(recorded->second.fd, 0, SEEK_SET) < 0)
		error = ctd_log_error(-errno, "read '%s' again", side->name);
	if (!error)
		error = read_intervals(side, recorded, &pipeline);
	ctd_pipeline_free(&pipeline);
	return error;
}

static int read_recordings(const struct ctd_options *options, struct ctd_diff_side sides[2],
			   bool *ret_damaged)
{
	struct recorded recorded[2] = {
		{.first = CTD_RECORDING_NONE, .second = CTD_RECORDING_NONE},
		{.first = CTD_RECORDING_NONE, .second = CTD_RECORDING_NONE},
	};
	int error = 0;

	side_init(options, side_names[0], options->report.base, &sides[0]);
	side_init(options, side_names[1], options->file, &sides[1]);
	for (int i = 0; i < 2 && !error; i++)
		error = open_recorded(sides[i].name, &recorded[i]);
	/* As report: they may be of anybody. */
	if (!error)
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_SHOW);
	for (int i = 0; i < 2 && !error; i++)
		error = read_recorded(&sides[i], &recorded[i]);
	*ret_damaged = recorded[0].is_damaged || recorded[1].is_damaged;
	for (int i = 0; i < 2; i++) {
		ctd_recording_close(&recorded[i].first);
		ctd_recording_close(&recorded[i].second);
	}
	return error;
}

/* A step is of the time that its middle is in. */
static int take_step(struct ctd_diff_side *side, const struct ctd_walk *walk,
		     const struct ctd_interval *step)
{
	uint64_t segment_ns = (walk->until_ns - walk->since_ns + SEGMENTS - 1) / SEGMENTS;
	uint64_t middle_ns = step->realtime_ns - step->window_ns / 2;

	if (middle_ns < walk->since_ns || middle_ns >= walk->until_ns)
		return 0;
	return take_interval(side, (middle_ns - walk->since_ns) / segment_ns, step);
}

static int read_walk(struct ctd_diff_side *side, struct ctd_walk *walk)
{
	struct ctd_interval interval;
	int item, error = 0;

	while (!error && (item = ctd_walk_next(walk, &interval))) {
		if (item == CTD_WALK_INTERVAL) {
			error = take_step(side, walk, &interval);
			ctd_interval_free(&interval);
		} else {
			error = item < 0 ? item
					 : ctd_points_plan(&side->points, &walk->header,
							   walk->identities);
		}
	}
	if (!error)
		error = ctd_points_end(&side->points);
	if (error)
		return log_failure(error, side);
	return side->end_ns ? 0 : ctd_past_tell_nothing(side->name, walk);
}

/* "after" is from --since to --until; "before" begins at --diff, is as long, and ends at --since at
 * the latest. */
static int choose_times(const struct ctd_options *options, struct ctd_walk walks[2])
{
	const struct ctd_report_command *report = &options->report;
	uint64_t now_ns = ctd_realtime_ns(), base_ns;
	uint64_t until_ns = report->until_ns ? report->until_ns : now_ns;

	if (ctd_when_parse(report->base, now_ns, &base_ns)) {
		ctd_log(CTD_LOG_ERROR,
			"--diff of a history wants a time such as '2 hours ago', 14:30 or '2026-03-01 14:30', not '%s'",
			report->base);
		return -EINVAL;
	}
	if (!report->since_ns) {
		ctd_log(CTD_LOG_ERROR,
			"--diff %s goes with --since: what came after that is compared with as long a time from %s on",
			report->base, report->base);
		return -EINVAL;
	}
	if (base_ns >= report->since_ns || report->since_ns >= until_ns) {
		ctd_log(CTD_LOG_ERROR,
			"--diff is to be a time before --since, and that one before --until");
		return -EINVAL;
	}
	walks[1].since_ns = report->since_ns;
	walks[1].until_ns = until_ns;
	walks[0].since_ns = base_ns;
	walks[0].until_ns = base_ns + (until_ns - report->since_ns);
	if (walks[0].until_ns > report->since_ns)
		walks[0].until_ns = report->since_ns;
	return 0;
}

static int read_history(const struct ctd_options *options, struct ctd_diff_side sides[2])
{
	const char *directory = options->file ? options->file : CTD_HISTORY_DIRECTORY;
	struct ctd_walk walks[2] = {{.damaged = ctd_past_tell_damage},
				    {.damaged = ctd_past_tell_damage}};
	int error = choose_times(options, walks);

	for (int i = 0; i < 2; i++) {
		side_init(options, side_names[i], directory, &sides[i]);
		if (error)
			continue;
		error = ctd_walk_open(directory, &walks[i]);
		if (error)
			ctd_log_error(error, "open the history '%s'", directory);
	}
	if (!error)
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_SHOW);
	for (int i = 0; i < 2 && !error; i++)
		error = read_walk(&sides[i], &walks[i]);
	for (int i = 0; i < 2; i++)
		ctd_walk_close(&walks[i]);
	return error;
}

static size_t segments_of(const struct ctd_diff_side *side)
{
	const struct ctd_series *series = &side->points.series;
	size_t count = 0;

	for (size_t i = 0; i < series->points && series->window_ns; i++)
		count += series->window_ns[i] != CTD_SERIES_ABSENT;
	return count;
}

static int compare(const struct ctd_options *options, struct ctd_diff_side sides[2])
{
	struct ctd_difference difference;
	int error =
		ctd_difference_make(&sides[0].points.series, &sides[1].points.series, &difference);

	if (error)
		return ctd_log_error(error, "compare");
	for (int i = 0; i < 2; i++)
		sides[i].segments = segments_of(&sides[i]);
	error = ctd_difference_sort(&difference, options->sort);
	if (error)
		ctd_log(CTD_LOG_ERROR,
			"--sort %s: there is no such column here; use cpu, name, or a metric of the tree that is shown",
			options->sort);
	else
		error = ctd_diff_show(options, &sides[0], &sides[1], &difference);
	ctd_difference_free(&difference);
	return error;
}

int ctd_diff_main(const struct ctd_options *options)
{
	struct ctd_diff_side sides[2];
	bool damaged = false;
	int error;

	error = ctd_past_is_asked(options) ? read_history(options, sides)
					   : read_recordings(options, sides, &damaged);
	if (!error)
		error = compare(options, sides);
	for (int i = 0; i < 2; i++)
		ctd_points_free(&sides[i].points);
	return (error && error != -EPIPE) || damaged ? 1 : 0;
}
