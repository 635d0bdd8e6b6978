/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.c - turns snapshots into reports and hands them to the chosen sink. */
#include "app/show.h"

#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/options/table.h"
#include "app/text.h"
#include "base/log.h"

#define WIDTH_DEFAULT 80
/* With --drill a long interval is looked at while it goes on, so that steps go to what is needed. */
#define LOOK_NS 500000000ull

static int terminal_width(const struct ctd_sink_options *outlet)
{
	struct winsize size;

	if (outlet->terminal && !ioctl(fileno(outlet->out), TIOCGWINSZ, &size) && size.ws_col)
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
	if (show->drills)
		ctd_drills_begin(show->drills);
	return error;
}

int ctd_show_open(const struct ctd_options *options, struct ctd_sink_options *ret_outlet)
{
	FILE *out = options->output    ? fopen(options->output, "we")
		    : options->program ? stderr
				       : stdout;

	if (!out)
		return ctd_log_error(-errno, "write '%s'", options->output);
	*ret_outlet = (struct ctd_sink_options){
		.out = out,
		.colour = ctd_text_wants_colour(options->colour, out),
		.terminal = isatty(fileno(out)),
		.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
	ret_outlet->width = terminal_width(ret_outlet);
	return 0;
}

void ctd_show_close(struct ctd_sink_options *outlet)
{
	/* All that was written is flushed. */
	if (outlet->out && outlet->out != stdout && outlet->out != stderr)
		fclose(outlet->out);
	outlet->out = NULL;
}

enum ctd_group_by ctd_show_rows(const struct ctd_options *options)
{
	bool is_plain = !options->by_given && options->by == CTD_GROUP_CGROUP && !options->tree &&
			!options->cgroup_glob && !options->program &&
			strcmp(options->format, "table") == 0;

	return is_plain ? CTD_GROUP_CONTAINER : options->by;
}

int ctd_show_prepare(const struct ctd_options *options, const struct ctd_record_header *header,
		     const struct ctd_identities *identities, struct ctd_show *ret_show)
{
	int error;
	struct ctd_show show = {
		.sink = ctd_sink_find(options->format),
		.rollup_options =
			{
				.by = ctd_show_rows(options),
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
	if (!error)
		error = ctd_show_open(options, &show.sink_options);
	if (error) {
		ctd_pipeline_free(&show.pipeline);
		return error;
	}
	*ret_show = show;
	return 0;
}

/* People know a command by its name, not by the cgroup that we made for it. */
static int name_command(const struct ctd_show *show, struct ctd_report *report)
{
	for (size_t i = 0; i < report->rows_count; i++) {
		struct ctd_report_row *row = &report->rows[i];
		char *name;

		if (row->kind != CTD_ROLLUP_CGROUP ||
		    row->cgroup_id != show->rollup_options.cgroup_id_only)
			continue;
		name = strdup(show->command);
		if (!name)
			return -ENOMEM;
		free(row->name);
		row->name = name;
	}
	return 0;
}

static void mark_noisy(struct ctd_noisy *noisy, struct ctd_report *report)
{
	struct ctd_noisy_tags tags;

	ctd_noisy_ask(noisy, &tags);
	ctd_noisy_mark(&tags, report);
	ctd_noisy_tags_free(&tags);
}

/* Only of what there is in the plan, and of what is counted of vendors' metrics. */
static void suggest_sort(const struct ctd_show *show, const struct ctd_rollup_plan *plan,
			 struct ctd_suggestion *suggestion)
{
	const struct ctd_vendor_countings *vendor = show->report_options.vendor;
	const struct ctd_cpu_model *model = plan->model;

	ctd_sort_suggest(suggestion);
	for (int i = 0; model && i < model->nodes_count; i++)
		if (ctd_rollup_plan_counts(plan, i))
			ctd_suggestion_try(suggestion, model->nodes[i].name);
	for (size_t i = 0; vendor && i < vendor->columns_count; i++)
		if (ctd_vendor_column_is_counted(vendor, i))
			ctd_suggestion_try(suggestion, vendor->columns[i].name);
}

/* Of a metric that the plan knows, and does not count. */
static const char *why_not_counted(const struct ctd_rollup_plan *plan, int node)
{
	const struct ctd_node *is = &plan->model->nodes[node];

	if (ctd_node_is_ipc(is) && !plan->ipc)
		return "stat and record count it with --general";
	if (is->level > plan->level)
		return "stat and record count it with --level 2, if there are enough counters";
	return "there are not enough counters for it";
}

/* Of a wrong key. @return -EINVAL. */
static int refuse_sort(const struct ctd_show *show, const struct ctd_rollup_plan *plan)
{
	struct ctd_suggestion suggestion = {.given = show->report_options.sort};
	int node = plan->model ? ctd_cpu_model_find_node(plan->model, suggestion.given) : -1;

	suggest_sort(show, plan, &suggestion);
	if (node >= 0)
		ctd_log(CTD_LOG_ERROR, "--sort %s: it is not counted here: %s", suggestion.given,
			why_not_counted(plan, node));
	else if (suggestion.nearest)
		ctd_log(CTD_LOG_ERROR,
			"--sort %s: there is no such column here, perhaps '%s' is meant",
			suggestion.given, suggestion.nearest);
	else
		ctd_log(CTD_LOG_ERROR,
			"--sort %s: there is no such column here; use cpu, slots, name, or a metric of 'cgtopdown list metrics', some of which take --general or --level 2, or a vendor's that is counted",
			suggestion.given);
	return -EINVAL;
}

/* What rows were sorted by may go in the middle, with the counters: no reason to end a command. */
static int check_sort(struct ctd_show *show, const struct ctd_rollup_plan *plan)
{
	bool can_sort = ctd_report_can_sort(plan, &show->report_options);

	if (!can_sort && !show->has_sorted)
		return refuse_sort(show, plan);
	if (!can_sort && show->sorts)
		ctd_warn("--sort %s is not counted any more: rows are sorted by CPU time meanwhile",
			 show->report_options.sort);
	show->sorts = can_sort;
	show->has_sorted = true;
	return 0;
}

int ctd_show_rollup(struct ctd_show *show, struct ctd_rollup *rollup)
{
	struct ctd_report_options options = show->report_options;
	struct ctd_report report;
	int error = check_sort(show, rollup->plan);

	if (error)
		return error;
	if (!show->sorts)
		options.sort = "cpu";
	error = ctd_report_make(rollup, show->comm, show->comm_context, &options, &report);
	if (error)
		return ctd_log_error(error, "make a report");
	show->sink_options.width = terminal_width(&show->sink_options);
	if (show->noisy && report.by == CTD_GROUP_CONTAINER)
		mark_noisy(show->noisy, &report);
	error = show->command ? name_command(show, &report) : 0;
	if (!error)
		error = show->sink->write(&show->sink_options, &report, show->first);
	show->first = false;
	ctd_report_free(&report);
	if (error && error != -EPIPE)
		ctd_log_error(error, "write the output");
	return error;
}

static int look(struct ctd_show *show, const struct ctd_rollup *rollup)
{
	int error = ctd_report_drill(rollup, show->report_options.vendor, show->drills);

	show->looked_ns = show->pipeline.before.monotonic_ns;
	return error ? ctd_log_error(error, "look at an interval") : 0;
}

/* At what there is of the interval so far. */
static int look_early(struct ctd_show *show)
{
	struct ctd_rollup rollup;
	int error;

	if (!ctd_pipeline_has_rest(&show->pipeline) ||
	    show->pipeline.before.monotonic_ns - show->looked_ns < LOOK_NS)
		return 0;
	error = ctd_pipeline_rollup(&show->pipeline, show->identities, &show->rollup_options,
				    &rollup);
	if (error)
		return ctd_log_error(error, "add up a part of an interval");
	error = look(show, &rollup);
	ctd_rollup_free(&rollup);
	return error;
}

static int write_report(struct ctd_show *show)
{
	struct ctd_rollup rollup;
	int error = ctd_pipeline_rollup(&show->pipeline, show->identities, &show->rollup_options,
					&rollup);

	if (error)
		return ctd_log_error(error, "add up an interval");
	if (show->tally)
		ctd_run_tally_add(show->tally, &rollup);
	error = show->drills ? look(show, &rollup) : 0;
	if (!error && !show->silent)
		error = ctd_show_rollup(show, &rollup);
	if (show->drills)
		ctd_drills_begin(show->drills);
	ctd_rollup_free(&rollup);
	ctd_pipeline_done(&show->pipeline);
	return error;
}

static int take(struct ctd_show *show, struct ctd_snapshot *snapshot, bool *ret_whole)
{
	/* Of the two only what a message says. */
	const struct ctd_snapshot before = show->pipeline.before, after = *snapshot;
	int error = ctd_pipeline_take(&show->pipeline, snapshot, ret_whole);

	if (error == -EBADMSG)
		ctd_log(CTD_LOG_ERROR,
			"snapshot %" PRIu64 " (%.3f s, %" PRIu32
			" counters) does not follow snapshot %" PRIu64 " (%.3f s, %" PRIu32
			" counters): they are of different runs; -n shows the intervals before them",
			after.sequence, (double)after.monotonic_ns / 1e9, after.counters_count,
			before.sequence, (double)before.monotonic_ns / 1e9, before.counters_count);
	else if (error)
		ctd_log_error(error, "subtract two snapshots");
	return error;
}

int ctd_show_snapshot(struct ctd_show *show, struct ctd_snapshot *snapshot, bool *ret_shown)
{
	bool whole = false, is_first = !show->pipeline.has_before;
	int error = take(show, snapshot, &whole);

	/* Here, and not of the interval: before a command runs for a table that cannot be. */
	if (!error && is_first && !show->silent)
		error = check_sort(show, show->pipeline.plan);
	if (ret_shown)
		*ret_shown = whole;
	if (whole)
		return write_report(show);
	return error || !show->drills ? error : look_early(show);
}

int ctd_show_rest(struct ctd_show *show, bool *ret_shown)
{
	*ret_shown = ctd_pipeline_has_rest(&show->pipeline);
	return *ret_shown ? write_report(show) : 0;
}

void ctd_show_free(struct ctd_show *show)
{
	ctd_show_close(&show->sink_options);
	ctd_pipeline_free(&show->pipeline);
}
