/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.c - report of a history: the sum of a time that is over. */
#include "app/past.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "app/sandbox/sandbox.h"
#include "app/show.h"
#include "base/log.h"
#include "format/format.h"

/* What was counted in one way, in one boot, is added up: cgroup ids and counters mean the same. */
struct past {
	const char *directory;
	struct ctd_walk walk;
	struct ctd_show show;
	bool prepared; /* show is to be freed */
	uint64_t shown;
};

static bool is_directory(const char *path)
{
	struct stat status;

	return path && !stat(path, &status) && S_ISDIR(status.st_mode);
}

static bool has_times(const struct ctd_report_command *report)
{
	return report->since_ns || report->until_ns || report->at_ns;
}

bool ctd_past_is_asked(const struct ctd_options *options)
{
	return has_times(&options->report) || is_directory(options->file);
}

static int show_sum(struct past *past)
{
	bool shown = false;
	int error = past->prepared ? ctd_show_rest(&past->show, &shown) : 0;

	past->shown += shown;
	return error;
}

/* What follows cannot be added to what is there. */
static int begin_sum(struct past *past, const struct ctd_options *options)
{
	int error = show_sum(past);

	if (error)
		return error;
	past->show.identities = past->walk.identities;
	if (past->prepared)
		return ctd_show_plan(&past->show, &past->walk.header);
	error = ctd_show_prepare(options, &past->walk.header, past->walk.identities, &past->show);
	past->prepared = !error;
	return error;
}

static int take_interval(struct past *past, struct ctd_interval *interval, bool at_once)
{
	int error = 0;

	if (!at_once || !past->show.pipeline.interval.groups_count)
		error = ctd_interval_add(&past->show.pipeline.interval, interval);
	ctd_interval_free(interval);
	return error;
}

void ctd_past_tell_damage(const char *name, const char *why, bool read_on, uint64_t lost_bytes)
{
	if (read_on)
		ctd_warn("'%s': %s; %" PRIu64 " bytes of it are lost, the rest of it is shown",
			 name, why, lost_bytes);
	else
		ctd_warn("'%s': %s; nothing of it is shown", name, why);
}

int ctd_past_tell_nothing(const char *directory, const struct ctd_walk *walk)
{
	char begin[CTD_FIGURE_BYTES], end[CTD_FIGURE_BYTES];

	ctd_format_local_time(walk->begin_ns, begin);
	ctd_format_local_time(walk->end_ns, end);
	if (walk->end_ns)
		ctd_log(CTD_LOG_ERROR,
			"nothing of that time is in '%s', which reaches from %s to %s with gaps where no serve ran",
			directory, begin, end);
	else
		ctd_log(CTD_LOG_ERROR,
			"there is no history in '%s': 'cgtopdown serve --history DIR' keeps one",
			directory);
	return -ENODATA;
}

static int show_all(struct past *past, const struct ctd_options *options)
{
	struct ctd_interval interval;
	int item, error = 0;

	while (!error && (item = ctd_walk_next(&past->walk, &interval)))
		error = item < 0 ? item
			: item == CTD_WALK_BREAK
				? begin_sum(past, options)
				: take_interval(past, &interval, options->report.at_ns);
	if (error && error != -EPIPE && error != -EINVAL)
		ctd_log_error(error, "read the history '%s'", past->directory);
	if (!error)
		error = show_sum(past);
	return !error && !past->shown ? ctd_past_tell_nothing(past->directory, &past->walk) : error;
}

static int check(const struct ctd_options *options)
{
	const struct ctd_report_command *report = &options->report;

	if (options->file && !is_directory(options->file)) {
		ctd_log(CTD_LOG_ERROR,
			"'%s' is no directory of a history: --since, --until and --at are of those that 'cgtopdown serve --history DIR' keeps",
			options->file);
		return -EINVAL;
	}
	if (options->count) {
		ctd_log(CTD_LOG_ERROR,
			"--count is of the intervals of a recording: a history is shown as one sum, and --since, --until and --at say of what time");
		return -EINVAL;
	}
	if (report->until_ns && report->since_ns >= report->until_ns) {
		ctd_log(CTD_LOG_ERROR, "--until is not after --since: there is no time in between");
		return -EINVAL;
	}
	if (options->by == CTD_GROUP_PROCESS || options->by == CTD_GROUP_TASK) {
		ctd_log(CTD_LOG_ERROR,
			"a history has cgroups, not processes: --by cgroup, container, pod, owner or namespace");
		return -EINVAL;
	}
	return 0;
}

int ctd_past_main(const struct ctd_options *options)
{
	const struct ctd_report_command *report = &options->report;
	struct past past = {
		.directory = options->file ? options->file : CTD_HISTORY_DIRECTORY,
		.walk =
			{
				.since_ns = report->at_ns ? report->at_ns - 1 : report->since_ns,
				.until_ns = report->at_ns      ? report->at_ns
					    : report->until_ns ? report->until_ns
							       : UINT64_MAX,
				.damaged = ctd_past_tell_damage,
			},
	};
	int error = check(options);

	if (!error)
		error = ctd_walk_open(past.directory, &past.walk);
	if (error && error != -EINVAL)
		ctd_log_error(error, "open the history '%s'", past.directory);
	/* As of a recording: it may be of anybody. */
	if (!error)
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_SHOW);
	if (!error)
		error = show_all(&past, options);
	if (past.prepared)
		ctd_show_free(&past.show);
	ctd_walk_close(&past.walk);
	return error && error != -EPIPE ? 1 : 0;
}
