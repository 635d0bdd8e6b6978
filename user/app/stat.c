/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stat.c - cgtopdown stat: a table per interval, or of a command's run. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/collect.h"
#include "app/command.h"
#include "app/options/options.h"
#include "app/remote_stat.h"
#include "app/show.h"
#include "app/stop.h"
#include "app/top.h"
#include "base/clock.h"
#include "base/log.h"

/* Until the command ends, if no interval was asked for. */
#define FOREVER_NS UINT64_MAX

struct stat_run {
	struct ctd_collector *collector; /* owned */
	struct ctd_confinement confinement;
	struct ctd_command_run command;
	struct ctd_show show;
	bool has_command;
};

static int take_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct stat_run *run = context;

	return ctd_show_snapshot(&run->show, snapshot, NULL);
}

static int run_intervals(struct stat_run *run, const struct ctd_options *options)
{
	uint64_t interval_ns = options->interval_ns;
	uint64_t next_ns = ctd_monotonic_ns();
	int error = 0;

	if (!interval_ns)
		interval_ns = run->has_command ? FOREVER_NS : CTD_INTERVAL_DEFAULT_NS;
	for (uint64_t shown = 0; !options->count || shown < options->count; shown++) {
		/* On a fixed grid, so that intervals do not drift; a late one does not shorten the
		 * next. */
		next_ns = interval_ns == FOREVER_NS ? FOREVER_NS : next_ns + interval_ns;
		if (next_ns < ctd_monotonic_ns())
			next_ns = ctd_monotonic_ns() + interval_ns;
		error = ctd_collector_interval(run->collector, next_ns, run->command.exit_fd,
					       !run->has_command, take_snapshot, run);
		if (error || ctd_stop_signal() ||
		    (run->has_command && ctd_command_ended(&run->command)))
			break;
	}
	return error;
}

static int run_stat(struct stat_run *run, const struct ctd_options *options)
{
	struct ctd_snapshot first;
	int error = ctd_command_prepare(options, &run->command);

	run->has_command = options->program && !error;
	if (!error)
		error = ctd_collect_start(options, NULL, &run->confinement, &run->collector);
	if (!error)
		error = ctd_show_prepare(options, ctd_collector_header(run->collector),
					 ctd_collector_identities(run->collector), &run->show);
	if (error)
		return error;
	ctd_collect_confine(&run->confinement);
	run->show.rollup_options.cgroup_id_only = run->has_command ? run->command.cgroup_id : 0;
	run->show.comm = ctd_collector_comm;
	run->show.comm_context = run->collector;
	error = ctd_collector_snapshot(run->collector, &first);
	if (!error)
		error = ctd_show_snapshot(&run->show, &first, NULL);
	if (!error && run->has_command)
		error = ctd_command_begin(&run->command, options->program);
	return error ? error : run_intervals(run, options);
}

int ctd_stat_main(const struct ctd_options *options)
{
	struct stat_run run = {.confinement.sandbox.ruleset_fd = -1};
	int error, status;

	if (ctd_top_suits(options))
		return ctd_top_main(options);
	ctd_stop_prepare();
	/* Nothing else can count beside a serve where counters are short. */
	if (ctd_remote_stat(options, &error))
		return error && error != -EPIPE ? 1 : 0;
	error = run_stat(&run, options);
	status = ctd_command_status(&run.command, run.has_command, error == -EPIPE ? 0 : error);
	ctd_command_free(&run.command);
	ctd_show_free(&run.show);
	ctd_collect_end(run.collector, &run.confinement, status);
	return status;
}
