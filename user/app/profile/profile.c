/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile.c - cgtopdown profile: samples stacks for a while, and shows which functions lose slots. */
#include <errno.h>
#include <fnmatch.h>
#include <unistd.h>

#include "app/collect.h"
#include "app/options/options.h"
#include "app/options/pids.h"
#include "app/profile/event.h"
#include "app/profile/health.h"
#include "app/profile/input.h"
#include "app/profile/lines.h"
#include "app/profile/output.h"
#include "app/profile/profiler.h"
#include "app/remote/remote.h"
#include "app/run/command.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"
#include "rollup/pipeline.h"

#define DURATION_DEFAULT_NS 10000000000ull
/* Rows of cgroups that ended are the kernel's up to a snapshot. */
#define EPOCH_NS 10000000000ull

struct profile_run {
	const struct ctd_options *options;
	const struct ctd_sampled_event *event; /* without a name: CPU time is sampled */
	struct ctd_collector *collector; /* owned */
	struct ctd_profile_output output; /* owned */
	/* Of its threads: this one reads the files of every process. */
	struct ctd_confinement confinement;
	struct ctd_command_run command;
	bool has_command;
	struct ctd_pids pids; /* none: all */
	struct ctd_pipeline pipeline; /* owned; an interval of the whole run */
	struct ctd_profiler profiler; /* owned */
	struct ctd_profile_lines lines; /* owned */
	struct ctd_stacks *stacks; /* owned; NULL before the first samples */
};

/* A ctd_rank_name. */
static enum ctd_name_rank rank_of(uint64_t cgroup_id, uint32_t tgid, void *context)
{
	const struct profile_run *run = context;
	const struct ctd_profile_wanted *wanted = &run->options->profile.wanted;
	const char *glob = run->options->cgroup_glob;
	const struct ctd_identity *identity;

	if (run->pids.count)
		return ctd_pids_have(&run->pids, tgid) ? CTD_NAME_FIRST : CTD_NAME_NEVER;
	if (run->has_command)
		return cgroup_id == run->command.cgroup_id ? CTD_NAME_FIRST : CTD_NAME_NEVER;
	if (!glob && !wanted->container && !wanted->pod && !wanted->namespace_name)
		return CTD_NAME_LATER;
	identity = ctd_identities_get(ctd_collector_identities(run->collector), cgroup_id);
	if (!identity)
		return CTD_NAME_LATER;
	if (glob && fnmatch(glob, identity->path, 0) != 0)
		return CTD_NAME_NEVER;
	/* Other names may still come. */
	return ctd_profile_is_wanted(wanted, CTD_ROLLUP_CONTAINER, identity) ? CTD_NAME_FIRST
									     : CTD_NAME_LATER;
}

static int take_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct profile_run *run = context;
	bool whole;
	int error = ctd_pipeline_take(&run->pipeline, snapshot, &whole);

	return error ? ctd_log_error(error, "subtract two snapshots") : 0;
}

static int take_samples(struct profile_run *run)
{
	return ctd_profiler_take(&run->profiler, run->collector,
				 ctd_collector_header(run->collector), &run->stacks);
}

/* A ctd_work_beside. */
static int work_beside(void *context)
{
	struct profile_run *run = context;

	return ctd_profiler_work(&run->profiler, run->collector,
				 ctd_collector_header(run->collector), &run->stacks);
}

static int sample(struct profile_run *run)
{
	uint64_t duration_ns = run->options->profile.duration_ns, now_ns = ctd_monotonic_ns();
	uint64_t end_ns;
	int error = 0;

	if (!duration_ns && !run->has_command)
		duration_ns = DURATION_DEFAULT_NS;
	end_ns = duration_ns ? now_ns + duration_ns : UINT64_MAX;
	ctd_collector_work_beside(run->collector, work_beside, run, CTD_PROFILER_TICK_NS);
	while (!error && now_ns < end_ns) {
		uint64_t next_ns = end_ns - now_ns < EPOCH_NS ? end_ns : now_ns + EPOCH_NS;

		error = ctd_collector_interval(run->collector, next_ns, run->command.exit_fd, false,
					       take_snapshot, run);
		/* Cgroups that ended are named when all is over. */
		ctd_collector_keep(run->collector);
		if (ctd_stop_came() || (run->has_command && ctd_command_ended(&run->command)))
			break;
		now_ns = ctd_monotonic_ns();
	}
	if (!error)
		error = take_samples(run);
	return error ? error
		     : ctd_profiler_finish(&run->profiler, run->collector,
					   ctd_collector_header(run->collector), &run->stacks,
					   CTD_PROFILER_PATIENCE_NS);
}

static int leave_others_out(const struct profile_run *run, struct ctd_profile *profile)
{
	uint32_t trace;
	int error = ctd_stacks_not_shown(run->stacks, &trace);

	if (error)
		return ctd_log_error(error, "leave other processes out");
	ctd_profile_leave_out(profile, trace);
	return 0;
}

/* Those that are not there are told before anything is measured. */
static int find_processes(struct profile_run *run)
{
	const char *text = run->options->pids;
	int error = text ? ctd_pids_parse(text, &run->pids) : 0;

	for (size_t i = 0; !error && i < run->pids.count; i++) {
		char path[CTD_PATH_MAX];

		error = ctd_root_path(path, "/proc/%u", run->pids.pids[i]);
		if (!error && access(path, F_OK))
			error = ctd_log_error(-errno, "find the process %u", run->pids.pids[i]);
	}
	return error;
}

static int show(struct profile_run *run)
{
	struct ctd_rollup_options rollup_options = ctd_profile_rows(run->options);
	struct ctd_rollup rollup;
	struct ctd_profile profile;
	int error;

	if (run->has_command)
		rollup_options.cgroup_id_only = run->command.cgroup_id;
	error = ctd_pipeline_rollup(&run->pipeline, ctd_collector_identities(run->collector),
				    &rollup_options, &rollup);
	if (error)
		return ctd_log_error(error, "add up the profile");
	error = ctd_profile_make(run->stacks, &run->pipeline.interval, &rollup, &profile);
	if (error) {
		ctd_rollup_free(&rollup);
		return ctd_log_error(error, "weigh the profile");
	}
	if (run->pids.count)
		error = leave_others_out(run, &profile);
	ctd_profile_health_tell(&run->profiler, run->collector);
	if (!error)
		error = ctd_profile_output_write(&run->output, run->options, &profile);
	ctd_profile_free(&profile);
	ctd_rollup_free(&rollup);
	return error;
}

static int start(struct profile_run *run)
{
	const struct ctd_options *options = run->options;
	const struct ctd_sampler_options sampler =
		ctd_profiler_sampling(&options->profile, run->event);
	const char *unknown;
	struct ctd_snapshot first;
	int error = ctd_command_prepare(options, &run->command);

	run->has_command = options->program && !error;
	if (!error)
		error = ctd_collect_start(options, &sampler, NULL, &run->confinement,
					  &run->collector);
	if (error)
		return error;
	error = ctd_pipeline_replan(&run->pipeline, ctd_collector_header(run->collector), &unknown);
	if (error)
		return ctd_log_error(error, "prepare the profile");
	/* What is sampled instead of a node's event may be without it. */
	if (options->sort && !options->profile.node &&
	    !ctd_weight_is_counted(run->pipeline.plan, options->sort))
		return ctd_profile_output_refuse_sort(options);
	error = ctd_profiler_open(run->event, options->host_root, &run->profiler);
	if (error)
		return error;
	ctd_namer_prefer(run->profiler.namer, rank_of, run);
	ctd_profile_lines_keep(&run->lines, &run->profiler);
	error = ctd_collector_snapshot(run->collector, &first);
	if (error)
		return error;
	error = take_snapshot(&first, run);
	/* Of the time before the first snapshot. */
	if (!error)
		error = ctd_profiler_take(&run->profiler, run->collector, NULL, NULL);
	return error;
}

static int run_profile(struct profile_run *run)
{
	const struct ctd_options *options = run->options;
	int error;

	error = find_processes(run);
	if (!error)
		error = ctd_profile_output_open(options, &run->output);
	if (!error)
		error = start(run);
	if (!error)
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_PROFILE);
	if (!error)
		error = ctd_profile_output_read_base(&run->output, options);
	if (!error && run->has_command)
		error = ctd_command_begin(&run->command, options->program);
	if (!error)
		error = sample(run);
	if (!error)
		error = ctd_profile_lines_add(&run->lines, &run->stacks);
	return error ? error : show(run);
}

int ctd_profile_main(const struct ctd_options *given)
{
	struct ctd_event_choice choice;
	const struct ctd_options *options = &choice.options;
	struct profile_run run = {
		.options = options,
		.event = &choice.event,
		.confinement.sandbox.ruleset_fd = -1,
		.output = CTD_PROFILE_OUTPUT_NONE,
		.lines = CTD_PROFILE_LINES_NONE,
	};
	int error, status;

	if (given->input)
		return ctd_profile_input_main(given);
	if (given->profile.lines && ctd_profile_lines_start(&run.lines))
		return 1;
	ctd_profiler_prepare_memory();
	ctd_stop_prepare();
	if (ctd_event_choose(given, &choice))
		return 1;
	/* Nothing else can count beside a serve where counters are short. It has no lines. */
	if (!*choice.event.name && !options->profile.lines && ctd_remote_profile(options, &status))
		return status;
	error = run_profile(&run);
	status = ctd_command_status(&run.command, run.has_command, error == -EPIPE ? 0 : error);
	ctd_command_free(&run.command);
	ctd_stacks_free(run.stacks);
	ctd_profile_output_close(&run.output);
	ctd_profiler_close(&run.profiler);
	ctd_profile_lines_end(&run.lines);
	ctd_pipeline_free(&run.pipeline);
	ctd_collect_end(run.collector, &run.confinement, status);
	return status;
}
