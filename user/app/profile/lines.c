/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* lines.c - has source lines found when sampling is over, and tells of what is missing. */
#include "app/profile/lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "app/stop.h"
#include "base/clock.h"
#include "base/log.h"
#include "profile/lines/resolve.h"

/* Files of which it is told why they have no lines. */
#define TOLD_MAX 5
/* Before that it is no matter of progress. */
#define QUIET_NS 1000000000ull

struct finding {
	uint64_t begin_ns;
	int stops; /* before it began */
	size_t lacking;
	bool has_progress; /* is on the terminal */
};

int ctd_profile_lines_start(struct ctd_profile_lines *ret_lines)
{
	int error = ctd_line_helper_start(&ret_lines->helper);

	return error ? ctd_log_error(error, "--lines: start the process that reads them") : 0;
}

bool ctd_profile_lines_are_wanted(const struct ctd_profile_lines *lines)
{
	return lines->helper.fd >= 0;
}

void ctd_profile_lines_keep(struct ctd_profile_lines *lines, struct ctd_profiler *profiler)
{
	if (ctd_profile_lines_are_wanted(lines))
		ctd_namer_keep_lines(profiler->namer, &lines->files);
}

static bool has_stopped(void *context)
{
	const struct finding *finding = context;

	return ctd_stop_count() != finding->stops;
}

static void show_progress(size_t done, size_t count, void *context)
{
	struct finding *finding = context;
	bool is_over = done == count;

	if (!isatty(STDERR_FILENO) || (is_over && !finding->has_progress) ||
	    ctd_monotonic_ns() - finding->begin_ns < QUIET_NS)
		return;
	fprintf(stderr, "\rlines of %zu of %zu files%s", done, count, is_over ? "\n" : "");
	finding->has_progress = !is_over;
}

static void tell_lack(const char *path, const char *why, void *context)
{
	struct finding *finding = context;

	if (finding->has_progress)
		fputc('\n', stderr);
	finding->has_progress = false;
	if (++finding->lacking <= TOLD_MAX)
		ctd_warn("lines of '%s' are missing: %s", path, why);
}

int ctd_profile_lines_find(struct ctd_profile_lines *lines, const struct ctd_stacks *stacks,
			   uint64_t time_ns, struct ctd_lines *ret_lines)
{
	struct finding finding = {.begin_ns = ctd_monotonic_ns(), .stops = ctd_stop_count()};
	const struct ctd_line_resolving how = {
		.helper = &lines->helper,
		.files = &lines->files,
		.time_ns = time_ns,
		.stop = has_stopped,
		.progress = show_progress,
		.lacks = tell_lack,
		.context = &finding,
	};
	struct ctd_lines found = {0};
	int error;

	/* The first signal may have ended the sampling: the next one ends this. */
	ctd_stop_prepare();
	error = ctd_lines_resolve(&how, stacks, &found);
	if (error) {
		ctd_lines_free(&found);
		return ctd_log_error(error, "--lines: find them");
	}
	if (finding.lacking > TOLD_MAX)
		ctd_warn("lines of %zu more files are missing", finding.lacking - TOLD_MAX);
	if (lines->files.refused)
		ctd_warn("lines of %" PRIu64 " files are missing, if they were sampled: %" PRIu32
			 " are kept open",
			 lines->files.refused, lines->files.open_max);
	if (!lines->files.count)
		ctd_warn(
			"--lines: no file that was sampled has debugging information: see 'Lines' in docs/profile.md");
	ctd_info("lines of %zu instructions in %" PRIu32 " files, in %.2f s", found.chains_count,
		 lines->files.count, (double)(ctd_monotonic_ns() - finding.begin_ns) / 1e9);
	*ret_lines = found;
	return 0;
}

int ctd_profile_lines_add(struct ctd_profile_lines *lines, struct ctd_stacks **stacks)
{
	auto_ctd_lines struct ctd_lines found = {0};
	struct ctd_stacks *with_lines = NULL;
	int error;

	if (!ctd_profile_lines_are_wanted(lines) || !*stacks)
		return 0;
	error = ctd_profile_lines_find(lines, *stacks, CTD_PROFILE_LINES_NS, &found);
	if (error)
		return error;
	error = ctd_stacks_add_lines(*stacks, &found, &with_lines);
	if (error) {
		ctd_stacks_free(with_lines);
		return ctd_log_error(error, "--lines: add them");
	}
	ctd_stacks_free(*stacks);
	*stacks = with_lines;
	return 0;
}

void ctd_profile_lines_end(struct ctd_profile_lines *lines)
{
	ctd_line_helper_end(&lines->helper);
	ctd_line_files_free(&lines->files);
}
