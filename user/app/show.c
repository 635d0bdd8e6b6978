/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.c - turns snapshots into reports and hands them to the chosen sink. */
#include "app/show.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/text.h"
#include "base/log.h"

#define WIDTH_DEFAULT 80

static int terminal_width(bool terminal)
{
	struct winsize size;

	if (terminal && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return WIDTH_DEFAULT;
}

int ctd_show_plan(struct ctd_show *show, const struct ctd_record_header *header)
{
	const char *unknown;
	int error = ctd_pipeline_replan(&show->pipeline, header, &unknown);

	if (error == -EINVAL)
		ctd_log(CTD_LOG_ERROR, "unknown CPU model '%s': recorded by another version (%s)?",
			unknown, header->version);
	else if (error)
		ctd_log_error(error, "look up the CPU models");
	show->first = true; /* other columns */
	return error;
}

int ctd_show_prepare(const struct ctd_options *options, const struct ctd_record_header *header,
		     const struct ctd_identities *identities, struct ctd_show *ret_show)
{
	bool terminal = isatty(STDOUT_FILENO);
	int error;
	struct ctd_show show = {
		.sink = ctd_sink_find(options->format),
		.sink_options =
			{
				.out = stdout,
				.colour = ctd_text_wants_colour(options->colour, stdout),
				.terminal = terminal,
				.width = terminal_width(terminal),
				.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
			},
		.rollup_options =
			{
				.by = options->by,
				.cgroup_glob = options->cgroup_glob,
				.tree = options->tree,
			},
		.report_options =
			{
				.sort = options->sort,
				.top = options->top,
				.level = options->level,
				.waits = options->waits,
			},
		.identities = identities,
	};

	if (!show.sink) {
		ctd_log(CTD_LOG_ERROR, "unknown format '%s'; see 'cgtopdown list sinks'",
			options->format);
		return -EINVAL;
	}
	if (!show.report_options.level && strcmp(show.sink->name, "table") == 0)
		show.report_options.level = 1;
	error = header ? ctd_show_plan(&show, header) : 0;
	if (error)
		return error;
	*ret_show = show;
	return 0;
}

int ctd_show_rollup(struct ctd_show *show, struct ctd_rollup *rollup)
{
	struct ctd_report report;
	int error = ctd_report_make(rollup, show->comm, show->comm_context, &show->report_options,
				    &report);

	if (error == -EINVAL)
		ctd_log(CTD_LOG_ERROR,
			"--sort %s: there is no such column here; use cpu, slots, name, or a metric of 'cgtopdown list metrics', some of which take --general",
			show->report_options.sort);
	else if (error)
		ctd_log_error(error, "make a report");
	if (error)
		return error;
	show->sink_options.width = terminal_width(show->sink_options.terminal);
	error = show->sink->write(&show->sink_options, &report, show->first);
	show->first = false;
	ctd_report_free(&report);
	if (error && error != -EPIPE)
		ctd_log_error(error, "write the output");
	return error;
}

static int write_report(struct ctd_show *show)
{
	struct ctd_rollup rollup;
	int error = ctd_pipeline_rollup(&show->pipeline, show->identities, &show->rollup_options,
					&rollup);

	if (error)
		return ctd_log_error(error, "add up an interval");
	error = ctd_show_rollup(show, &rollup);
	ctd_rollup_free(&rollup);
	ctd_pipeline_done(&show->pipeline);
	return error;
}

int ctd_show_snapshot(struct ctd_show *show, struct ctd_snapshot *snapshot, bool *ret_shown)
{
	/* Of the two only what a message says. */
	const struct ctd_snapshot before = show->pipeline.before, after = *snapshot;
	bool whole = false;
	int error = ctd_pipeline_take(&show->pipeline, snapshot, &whole);

	if (error == -EBADMSG)
		ctd_log(CTD_LOG_ERROR,
			"snapshot %" PRIu64 " (%.3f s, %" PRIu32
			" counters) does not follow snapshot %" PRIu64 " (%.3f s, %" PRIu32
			" counters): they are of different runs; -n shows the intervals before them",
			after.sequence, (double)after.monotonic_ns / 1e9, after.counters_count,
			before.sequence, (double)before.monotonic_ns / 1e9, before.counters_count);
	else if (error)
		ctd_log_error(error, "subtract two snapshots");
	if (ret_shown)
		*ret_shown = whole;
	return whole ? write_report(show) : error;
}

int ctd_show_rest(struct ctd_show *show, bool *ret_shown)
{
	*ret_shown = ctd_pipeline_has_rest(&show->pipeline);
	return *ret_shown ? write_report(show) : 0;
}

void ctd_show_free(struct ctd_show *show)
{
	ctd_pipeline_free(&show->pipeline);
}
