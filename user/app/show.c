/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.c - turns two snapshots into a report and hands it to the chosen sink. */
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

static int find_model(const struct ctd_record_header *header, struct ctd_show *show)
{
	const char *name = header->model;
	int error = 0;

	if (header->core_types_count > 1 && *name) {
		error = ctd_report_combine(header, &show->combined, &name);
		show->model = show->combined;
	} else if (*name) {
		show->model = ctd_cpu_model_find(name);
		error = show->model ? 0 : -EINVAL;
	}
	if (error == -EINVAL)
		ctd_log(CTD_LOG_ERROR, "unknown CPU model '%s': recorded by another version (%s)?",
			name, header->version);
	else if (error)
		ctd_log_error(error, "put the models of all kinds of cores together");
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
		.report_options =
			{
				.by = options->by,
				.cgroup_glob = options->cgroup_glob,
				.sort = options->sort,
				.top = options->top,
				.level = options->level,
				.tree = options->tree,
			},
		.header = header,
		.identities = identities,
		.first = true,
	};

	if (!show.sink) {
		ctd_log(CTD_LOG_ERROR, "unknown format '%s'; see 'cgtopdown list sinks'",
			options->format);
		return -EINVAL;
	}
	if (!show.report_options.level && strcmp(show.sink->name, "table") == 0)
		show.report_options.level = 1;
	error = find_model(header, &show);
	if (error)
		return error;
	*ret_show = show;
	return 0;
}

static int subtract(const struct ctd_show *show, const struct ctd_snapshot *before,
		    const struct ctd_snapshot *after, struct ctd_interval *ret_interval)
{
	const int *l1_counters = show->model ? show->model->l1_counters : NULL;
	int error = ctd_interval_make(before, after, l1_counters, ret_interval);

	if (error == -EBADMSG)
		ctd_log(CTD_LOG_ERROR,
			"snapshot %" PRIu64 " (%.3f s, %" PRIu32
			" counters) does not follow snapshot %" PRIu64 " (%.3f s, %" PRIu32
			" counters): they are of different runs; -n shows the intervals before them",
			after->sequence, (double)after->monotonic_ns / 1e9, after->counters_count,
			before->sequence, (double)before->monotonic_ns / 1e9,
			before->counters_count);
	else if (error)
		ctd_log_error(error, "subtract two snapshots");
	return error;
}

static int write_report(struct ctd_show *show, const struct ctd_interval *interval)
{
	struct ctd_report report;
	int error = ctd_report_make(interval, show->header, show->model, show->identities,
				    show->comm, show->comm_context, &show->report_options, &report);

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

int ctd_show_interval(struct ctd_show *show, const struct ctd_snapshot *before,
		      const struct ctd_snapshot *after)
{
	struct ctd_interval interval;
	int error = subtract(show, before, after, &interval);

	if (error)
		return error;
	if (!after->in_between && !show->sum.groups_count) {
		error = write_report(show, &interval);
	} else {
		error = ctd_interval_add(&show->sum, &interval);
		if (error)
			ctd_log_error(error, "add up the turns of counters");
		else if (!after->in_between)
			error = write_report(show, &show->sum);
		if (!after->in_between)
			ctd_interval_free(&show->sum);
	}
	ctd_interval_free(&interval);
	return error;
}

int ctd_show_plan(struct ctd_show *show)
{
	free(show->combined);
	show->combined = NULL;
	show->model = NULL;
	show->first = true; /* other columns */
	return find_model(show->header, show);
}

int ctd_show_rest(struct ctd_show *show, bool *ret_shown)
{
	int error;

	*ret_shown = show->sum.groups_count > 0;
	if (!*ret_shown)
		return 0;
	error = write_report(show, &show->sum);
	ctd_interval_free(&show->sum);
	return error;
}

void ctd_show_free(struct ctd_show *show)
{
	ctd_interval_free(&show->sum);
	free(show->combined);
}
