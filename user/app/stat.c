/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stat.c - cgtopdown stat: a table per interval, or of a command's run. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/collect.h"
#include "app/options/options.h"
#include "app/regions/regions.h"
#include "app/remote/stat.h"
#include "app/run/command.h"
#include "app/run/figures.h"
#include "app/run/repeat.h"
#include "app/show.h"
#include "app/stop.h"
#include "app/top/top.h"
#include "app/vendor_count.h"
#include "base/clock.h"
#include "base/log.h"

/* Until the command ends, if no interval was asked for. */
#define FOREVER_NS UINT64_MAX

struct stat_run {
	struct ctd_collector *collector; /* owned */
	struct ctd_confinement confinement;
	struct ctd_command_run command;
	struct ctd_show show;
	struct ctd_run_tally tally;
	struct ctd_vendor_count_run vendor; /* owned; with --metrics-dir */
	struct ctd_drills drills; /* owned; none without --drill */
	uint32_t plan; /* of the last snapshot */
	uint64_t last_ns; /* monotonic, of the last snapshot */
	bool has_command;
};

static void weigh(struct stat_run *run)
{
	const struct ctd_record_header *header = ctd_collector_header(run->collector);
	uint8_t weights[CTD_ROTATION_GROUPS_MAX];
	int groups[CTD_CORE_TYPES_MAX], steps;

	if (!run->show.drills)
		return;
	/* As they rotate: a core type with CPUs that must not be disturbed has one. */
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		groups[type] =
			(int)(header->core_types_count > 1 ? header->core_types[type].groups_count
							   : header->groups_count);
	steps = ctd_drills_weigh(run->show.drills, &run->vendor.countings, groups, weights);
	ctd_collector_weigh(run->collector, weights, steps);
}

static bool has_ended(const struct stat_run *run)
{
	return run->has_command && ctd_command_ended(&run->command);
}

static int take_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct stat_run *run = context;
	int error;

	/* Other counters took the place of those before: what follows is shown with its own
	 * columns. */
	if (snapshot->plan != run->plan) {
		error = ctd_show_plan(&run->show, ctd_collector_header(run->collector));
		if (error) {
			ctd_snapshot_free(snapshot);
			return error;
		}
		run->plan = snapshot->plan;
	}
	run->last_ns = snapshot->monotonic_ns;
	/* It was taken as soon as the command had ended. */
	if (!run->command.ended_ns && has_ended(run))
		run->command.ended_ns = snapshot->monotonic_ns;
	error = ctd_show_snapshot(&run->show, snapshot, NULL);
	weigh(run);
	return error;
}

static int run_intervals(struct stat_run *run, const struct ctd_options *options)
{
	uint64_t interval_ns = options->interval_ns;
	uint64_t next_ns = ctd_monotonic_ns();
	int error = 0;

	if (!interval_ns)
		interval_ns = run->has_command ? FOREVER_NS : CTD_INTERVAL_DEFAULT_NS;
	/* With --drill a round goes on in the next interval. */
	if (!run->show.drills)
		ctd_vendor_count_check_interval(&run->vendor, 0, interval_ns);
	for (uint64_t shown = 0; !options->count || shown < options->count; shown++) {
		bool had_ended = has_ended(run);

		next_ns = interval_ns == FOREVER_NS
				  ? FOREVER_NS
				  : ctd_clock_next_ns(next_ns,
						      ctd_collector_stretch(run->collector,
									    interval_ns),
						      ctd_monotonic_ns());
		error = ctd_collector_interval(run->collector, next_ns, run->command.exit_fd,
					       !run->has_command, take_snapshot, run);
		/* If the command ended while an interval was written, which a slow reader makes
		 * long, there is one more: nothing is lost. */
		if (error || ctd_stop_came() || had_ended ||
		    (has_ended(run) && run->last_ns < next_ns))
			break;
	}
	return error;
}

/* A command's path is that of its whole run. */
static double drill_memory_s(const struct ctd_options *options)
{
	return options->program && !options->interval_ns ? INFINITY : CTD_DRILL_MEMORY_S;
}

static int begin_drill(struct stat_run *run, const struct ctd_options *options)
{
	int error = ctd_drills_new(&run->vendor.countings, drill_memory_s(options), &run->drills);

	if (error == -ENOENT)
		ctd_log(CTD_LOG_ERROR,
			"--drill: no metric that can be counted here is in the vendor's tree");
	else if (error)
		ctd_log_error(error, "prepare --drill");
	return error;
}

static int run_stat(struct stat_run *run, const struct ctd_options *options)
{
	struct ctd_snapshot first;
	int error = ctd_command_prepare(options, &run->command);

	run->has_command = options->program && !error;
	if (!error && options->metrics_dir)
		error = ctd_vendor_count_begin(options, &run->vendor);
	if (!error && options->drill)
		error = begin_drill(run, options);
	if (!error)
		error = ctd_collect_start(options, NULL,
					  options->metrics_dir ? &run->vendor.rotations : NULL,
					  &run->confinement, &run->collector);
	if (!error)
		error = ctd_show_prepare(options, ctd_collector_header(run->collector),
					 ctd_collector_identities(run->collector), &run->show);
	if (error)
		return error;
	ctd_collect_confine(&run->confinement);
	if (options->metrics_dir)
		run->show.report_options.vendor = &run->vendor.countings;
	if (options->drill)
		run->show.drills = run->show.report_options.drills = &run->drills;
	weigh(run);
	if (run->has_command) {
		run->show.rollup_options.cgroup_id_only = run->command.cgroup_id;
		run->show.command = basename(options->program[0]);
		run->show.tally = &run->tally;
		run->tally.vendor = run->show.report_options.vendor;
		run->show.silent = options->repeat;
	}
	run->show.comm = ctd_collector_comm;
	run->show.comm_context = run->collector;
	error = ctd_collector_snapshot(run->collector, &first);
	if (!error)
		error = ctd_show_snapshot(&run->show, &first, NULL);
	if (!error && run->has_command)
		error = ctd_command_begin(&run->command, options->program);
	return error ? error : run_intervals(run, options);
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static int take_figures(const struct stat_run *run, const struct ctd_options *options,
			struct ctd_run_figures *figures)
{
	const struct ctd_command_run *command = &run->command;

	*figures = (struct ctd_run_figures){
		.elapsed_s = (double)(command->ended_ns - command->begun_ns) / 1e9,
		.user_s = seconds(command->usage.ru_utime),
		.system_s = seconds(command->usage.ru_stime),
		.metrics_dir = options->metrics_dir,
	};
	const struct ctd_drill *drill;
	int error = ctd_run_tally_take(&run->tally, figures);

	drill = run->drills.of[figures->core_type];
	figures->drilled = drill && ctd_drill_busiest(drill, &figures->drill);
	return error;
}

/* One run of the command, or one measurement without; see ctd_run_once. */
static int run_once(const struct ctd_options *options, struct ctd_run_figures *ret_figures,
		    bool *ret_complete)
{
	struct stat_run run = {.confinement.sandbox.ruleset_fd = -1};
	int error, status;

	error = run_stat(&run, options);
	status = ctd_command_status(&run.command, run.has_command, error == -EPIPE ? 0 : error);
	*ret_complete = run.has_command && !error;
	if (*ret_complete && take_figures(&run, options, ret_figures)) {
		ctd_log_error(-ENOMEM, "add up the run");
		*ret_complete = false;
	}
	if (*ret_complete && !options->interval_ns && !options->drill)
		ctd_vendor_count_check_command(&run.vendor,
					       run.command.ended_ns - run.command.begun_ns);
	/* Other formats are for programs, which can add up. */
	if (*ret_complete && !options->repeat && strcmp(options->format, "table") == 0)
		ctd_run_summary_write(&run.show.sink_options, options->program, ret_figures, 1);
	ctd_command_free(&run.command);
	ctd_show_free(&run.show);
	ctd_collect_end(run.collector, &run.confinement, status);
	ctd_drills_free(&run.drills);
	ctd_vendor_count_free(&run.vendor);
	return status;
}

int ctd_stat_main(const struct ctd_options *options)
{
	struct ctd_run_figures figures;
	bool complete;
	int error;

	if (options->by == CTD_GROUP_REGION)
		return ctd_regions_main(options);
	if (ctd_top_suits(options))
		return ctd_top_main(options);
	if (options->repeat)
		return ctd_repeat(options, run_once);
	ctd_stop_prepare();
	/* Nothing else can count beside a serve where counters are short. */
	if (!options->metrics_dir && ctd_remote_stat(options, &error))
		return error && error != -EPIPE ? 1 : 0;
	return run_once(options, &figures, &complete);
}
