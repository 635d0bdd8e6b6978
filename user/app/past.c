/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.c - report of a history: the sum of a time that is over. */
#include "app/past.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/sandbox/sandbox.h"
#include "app/show.h"
#include "base/auto.h"
#include "base/log.h"
#include "history/parts.h"
#include "history/segment.h"

/* A serve that runs may put parts together while they are opened. */
#define TRIES 5
#define TIME_BYTES 32

/* What was counted in one way, in one boot, is added up: cgroup ids and counters mean the same. */
struct past {
	const char *directory;
	uint64_t since_ns, until_ns;
	struct ctd_part *parts; /* owned */
	int *fds; /* owned, each of them; -1: not to be read */
	size_t count;
	struct ctd_show show;
	bool prepared; /* show is to be freed */
	struct ctd_record_header header; /* of the sum */
	uint32_t boot;
	struct ctd_identities *identities; /* owned; of the sum */
	uint64_t begin_ns, end_ns; /* of all that there is */
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

/* @return 0, -ENOENT: a part has gone meanwhile; or other negative errno. */
static int open_parts(struct past *past, int directory_fd)
{
	past->fds = calloc(past->count + 1, sizeof(*past->fds));
	if (!past->fds)
		return -ENOMEM;
	for (size_t i = 0; i < past->count; i++)
		past->fds[i] = -1;
	for (size_t i = 0; i < past->count; i++) {
		char name[CTD_PART_NAME_BYTES];

		if (past->parts[i].covered)
			continue;
		ctd_part_name(&past->parts[i], name);
		past->fds[i] = openat(directory_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
		if (past->fds[i] < 0)
			return -errno;
	}
	return 0;
}

static void close_parts(struct past *past)
{
	for (size_t i = 0; past->fds && i < past->count; i++)
		if (past->fds[i] >= 0)
			close(past->fds[i]);
	free(past->fds);
	free(past->parts);
	past->fds = NULL;
	past->parts = NULL;
	past->count = 0;
}

static int open_all(struct past *past)
{
	autoclose int fd = open(past->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = fd < 0 ? -errno : -ENOENT;

	if (fd < 0)
		return ctd_log_error(error, "open the history '%s'", past->directory);
	for (int i = 0; i < TRIES && error == -ENOENT; i++) {
		close_parts(past);
		error = ctd_parts_list(fd, &past->parts, &past->count);
		if (!error)
			error = open_parts(past, fd);
	}
	return error ? ctd_log_error(error, "read the history '%s'", past->directory) : 0;
}

static void add_time(uint64_t ns, char ret_text[TIME_BYTES])
{
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm fields;

	strftime(ret_text, TIME_BYTES, "%Y-%m-%d %H:%M:%S", localtime_r(&seconds, &fields));
}

static int show_sum(struct past *past)
{
	bool shown = false;
	int error = past->prepared ? ctd_show_rest(&past->show, &shown) : 0;

	past->shown += shown;
	return error;
}

/* What follows cannot be added to what is there. */
static int begin_sum(struct past *past, const struct ctd_options *options,
		     const struct ctd_part *part, const struct ctd_record_header *header)
{
	int error = show_sum(past);

	if (error)
		return error;
	past->header = *header;
	past->boot = part->boot;
	if (past->prepared)
		return ctd_show_plan(&past->show, header);
	error = ctd_show_prepare(options, header, past->identities, &past->show);
	past->prepared = !error;
	return error;
}

/* Ids of cgroups begin anew with each boot. */
static int begin_boot(struct past *past, const struct ctd_part *part)
{
	struct ctd_identities *identities;
	int error;

	if (past->identities && past->boot == part->boot)
		return 0;
	error = show_sum(past);
	if (!error)
		error = ctd_identities_new(&identities);
	if (error)
		return error;
	ctd_identities_free(past->identities);
	past->identities = identities;
	past->show.identities = identities;
	past->boot = part->boot;
	return 0;
}

static bool is_wanted(struct past *past, uint64_t begin_ns, uint64_t end_ns)
{
	if (!past->end_ns || begin_ns < past->begin_ns)
		past->begin_ns = begin_ns;
	if (end_ns > past->end_ns)
		past->end_ns = end_ns;
	return end_ns > past->since_ns && begin_ns < past->until_ns;
}

/* One that has its checksum and says nonsense is passed over. */
static int take_interval(struct past *past, const struct ctd_segment_reader *reader,
			 const struct ctd_record_interval *coded, bool at_once)
{
	struct ctd_interval interval;
	int error = ctd_segment_decode(reader, coded, &interval);

	if (error)
		return error == -EBADMSG ? 0 : error;
	if (is_wanted(past, interval.realtime_ns - interval.window_ns, interval.realtime_ns) &&
	    (!at_once || !past->show.pipeline.interval.groups_count))
		error = ctd_interval_add(&past->show.pipeline.interval, &interval);
	ctd_interval_free(&interval);
	return error;
}

static int take_segment(struct past *past, const struct ctd_options *options,
			const struct ctd_part *part, struct ctd_segment_reader *reader)
{
	struct ctd_record_interval coded;
	int result, error = 0;

	if (!past->prepared || !ctd_segment_is_same(&past->header, &reader->header))
		error = begin_sum(past, options, part, &reader->header);
	while (!error && (result = ctd_segment_next(reader, &coded))) {
		error = result < 0 ? result : 0;
		if (!error)
			error = take_interval(past, reader, &coded, options->report.at_ns);
	}
	return error;
}

static void say(const struct ctd_part *part, const char *why, bool read_on)
{
	char name[CTD_PART_NAME_BYTES];

	ctd_part_name(part, name);
	ctd_warn("'%s': %s; %s", name, why,
		 read_on ? "the rest of it is shown" : "nothing of it is shown");
}

static int take_part(struct past *past, const struct ctd_options *options, size_t index)
{
	const struct ctd_part *part = &past->parts[index];
	auto_ctd_strbuf struct ctd_strbuf data = {0};
	struct ctd_segment_damage damage = {0};
	struct ctd_segment_reader reader;
	uint64_t begin_ns, end_ns;
	int error = ctd_part_read(past->fds[index], &data);

	if (!error)
		error = ctd_segment_span(data.text, data.bytes, &begin_ns, &end_ns, &damage);
	if (!error && (!end_ns || !is_wanted(past, begin_ns, end_ns)))
		return 0;
	if (!error)
		error = begin_boot(past, part);
	if (!error)
		error = ctd_segment_open(data.text, data.bytes, past->identities, &reader, &damage);
	if (error == -EBADMSG || error == -EFBIG) {
		say(part, *damage.why ? damage.why : ctd_log_reason(error), false);
		return 0;
	}
	if (error)
		return error;
	if (*damage.why && !damage.at_end)
		say(part, damage.why, true);
	error = take_segment(past, options, part, &reader);
	ctd_segment_close(&reader);
	return error;
}

static int tell_nothing(const struct past *past)
{
	char begin[TIME_BYTES], end[TIME_BYTES];

	add_time(past->begin_ns, begin);
	add_time(past->end_ns, end);
	if (past->end_ns)
		ctd_log(CTD_LOG_ERROR,
			"nothing of that time is in '%s', which reaches from %s to %s with gaps where no serve ran",
			past->directory, begin, end);
	else
		ctd_log(CTD_LOG_ERROR,
			"there is no history in '%s': 'cgtopdown serve --history DIR' keeps one",
			past->directory);
	return -ENODATA;
}

static int show_all(struct past *past, const struct ctd_options *options)
{
	int error = 0;

	for (size_t i = 0; !error && i < past->count; i++)
		if (past->fds[i] >= 0)
			error = take_part(past, options, i);
	if (error && error != -EPIPE && error != -EINVAL)
		ctd_log_error(error, "read the history '%s'", past->directory);
	if (!error)
		error = show_sum(past);
	return !error && !past->shown ? tell_nothing(past) : error;
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
		.since_ns = report->at_ns ? report->at_ns - 1 : report->since_ns,
		.until_ns = report->at_ns      ? report->at_ns
			    : report->until_ns ? report->until_ns
					       : UINT64_MAX,
	};
	int error = check(options);

	if (!error)
		error = open_all(&past);
	/* Times are local ones, whose file cannot be read later. */
	tzset();
	/* As of a recording: it may be of anybody. */
	if (!error)
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_SHOW);
	if (!error)
		error = show_all(&past, options);
	if (past.prepared)
		ctd_show_free(&past.show);
	ctd_identities_free(past.identities);
	close_parts(&past);
	return error && error != -EPIPE ? 1 : 0;
}
