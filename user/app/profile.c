/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profile.c - cgtopdown profile: samples stacks for a while, and shows which functions lose slots. */
#include <cgtopdown/profile_sink.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/collect.h"
#include "app/command.h"
#include "app/options/options.h"
#include "app/profiler.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "app/text.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "format/format.h"
#include "rollup/pipeline.h"

#define DURATION_DEFAULT_NS 10000000000ull
/* Rows of cgroups that ended are the kernel's up to a snapshot. */
#define EPOCH_NS 10000000000ull
/* How long names are looked for when all is over. */
#define PATIENCE_NS 10000000000ull
#define TOP_DEFAULT 5
#define WIDTH_DEFAULT 80
#define WINDOW_NS_PER_US 1000

struct profile_run {
	const struct ctd_options *options;
	const struct ctd_profile_sink *sink;
	struct ctd_sampler_options sampler;
	struct ctd_collector *collector; /* owned */
	FILE *out; /* owned, but for stdout */
	/* Of its threads: this one reads the files of every process. */
	struct ctd_confinement confinement;
	struct ctd_command_run command;
	bool has_command;
	struct ctd_pipeline pipeline; /* owned; an interval of the whole run */
	struct ctd_profiler profiler; /* owned */
	uint64_t tick_ns; /* when samples are taken again */
	struct ctd_stacks *stacks; /* owned; NULL before the first samples */
};

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
	uint64_t now_ns = ctd_monotonic_ns();

	if (now_ns < run->tick_ns)
		return ctd_profiler_answer(&run->profiler, run->collector);
	run->tick_ns = now_ns + CTD_PROFILER_TICK_NS;
	return take_samples(run);
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
		if (ctd_stop_signal() || (run->has_command && ctd_command_ended(&run->command)))
			break;
		now_ns = ctd_monotonic_ns();
	}
	if (!error)
		error = take_samples(run);
	return error ? error
		     : ctd_profiler_finish(&run->profiler, ctd_collector_header(run->collector),
					   &run->stacks, PATIENCE_NS);
}

static int terminal_width(void)
{
	struct winsize size;

	if (isatty(STDOUT_FILENO) && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return WIDTH_DEFAULT;
}

/* Before anything is measured, and while it may be done. What is in it stays there until then. */
static int open_output(struct profile_run *run)
{
	const char *path = run->options->profile.output;
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : STDOUT_FILENO;

	run->out = fd < 0 ? NULL : path ? fdopen(fd, "w") : stdout;
	return run->out ? 0 : ctd_log_error(-errno, "write '%s'", path);
}

static int write_output(struct profile_run *run, const struct ctd_strbuf *out)
{
	const char *path = run->options->profile.output;
	FILE *file = take_ptr(run->out);
	struct stat status;
	int error;

	/* A pipe or a device has nothing to cut off. */
	if (path && !fstat(fileno(file), &status) && S_ISREG(status.st_mode) &&
	    ftruncate(fileno(file), 0))
		ctd_log_error(-errno, "empty '%s'", path);
	error = ctd_format_write(file, out->text, out->bytes);
	if (path && fclose(file) && !error)
		error = -errno;
	if (path && error)
		return ctd_log_error(error, "write '%s'", path);
	return error && error != -EPIPE ? ctd_log_error(error, "write the output") : error;
}

static int write_profile(struct profile_run *run, const struct ctd_profile *profile)
{
	const struct ctd_options *options = run->options;
	auto_ctd_strbuf struct ctd_strbuf out = {0};
	struct ctd_weight weight;
	struct ctd_profile_sink_options wanted = {
		.top = options->top ? options->top : TOP_DEFAULT,
		.colour = ctd_text_wants_colour(options->colour, stdout),
		.unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
		.width = terminal_width(),
	};
	int error;

	if (options->sort && ctd_weight_parse(profile, options->sort, &weight)) {
		ctd_log(CTD_LOG_ERROR,
			"--sort %s: the profile has no such figure; use cpu, slots, or a metric of 'cgtopdown list metrics' that was counted: --level 2 counts more",
			options->sort);
		return -EINVAL;
	}
	wanted.weight = options->sort ? &weight : NULL;
	error = run->sink->write(&wanted, profile, &out);
	if (error)
		return ctd_log_error(error, "make the profile");
	return write_output(run, &out);
}

static void tell_namer_health(const struct ctd_namer *namer)
{
	struct ctd_namer_health health;

	ctd_namer_health(namer, &health);
	ctd_info("%" PRIu64 " processes read, %" PRIu64 " again, %" PRIu64 " gone before; %" PRIu64
		 " files in %" PRIu64 " kB, %" PRIu64 " forgotten, %" PRIu64 " without room",
		 health.processes_read, health.processes_read_again, health.processes_gone,
		 health.executables.made, health.executables.bytes / 1024,
		 health.executables.evicted, health.executables.refused);
}

/* What a reader of the figures has to know of the sampling. */
static void tell_health(const struct profile_run *run)
{
	uint64_t health[CTD_SAMPLING_HEALTH];

	ctd_sampler_health(ctd_collector_hold_sampler(run->collector), health);
	ctd_collector_release_sampler(run->collector);
	if (health[CTD_SAMPLING_LOST])
		ctd_log(CTD_LOG_WARNING, "%" PRIu64 " samples found no room and are in no figure",
			health[CTD_SAMPLING_LOST]);
	ctd_info("%" PRIu64 " samples, %" PRIu64 " with a window; %" PRIu64
		 " by frame pointers, %" PRIu64 " truncated, %" PRIu64 " broken, %" PRIu64
		 " in [other]",
		 health[CTD_SAMPLING_SAMPLES], health[CTD_SAMPLING_WINDOWS],
		 health[CTD_SAMPLING_FRAME_POINTERS], health[CTD_SAMPLING_TRUNCATED],
		 health[CTD_SAMPLING_BROKEN], health[CTD_SAMPLING_OTHER]);
	tell_namer_health(run->profiler.namer);
}

static int show(struct profile_run *run)
{
	const struct ctd_rollup_options rollup_options = {
		.by = CTD_GROUP_CONTAINER,
		.cgroup_glob = run->options->cgroup_glob,
		.cgroup_id_only = run->has_command ? run->command.cgroup_id : 0,
	};
	struct ctd_rollup rollup;
	struct ctd_profile profile;
	int error = ctd_pipeline_rollup(&run->pipeline, ctd_collector_identities(run->collector),
					&rollup_options, &rollup);

	if (error)
		return ctd_log_error(error, "add up the profile");
	error = ctd_profile_make(run->stacks, &run->pipeline.interval, &rollup, &profile);
	if (error) {
		ctd_rollup_free(&rollup);
		return ctd_log_error(error, "weigh the profile");
	}
	ctd_profile_keep_wanted(&run->options->profile.wanted, &profile);
	tell_health(run);
	error = write_profile(run, &profile);
	ctd_profile_free(&profile);
	ctd_rollup_free(&rollup);
	return error;
}

static int start(struct profile_run *run)
{
	const char *unknown;
	struct ctd_snapshot first;
	int error = ctd_command_prepare(run->options, &run->command);

	run->has_command = run->options->program && !error;
	if (!error)
		error = ctd_collect_start(run->options, &run->sampler, &run->confinement,
					  &run->collector);
	if (error)
		return error;
	error = ctd_pipeline_replan(&run->pipeline, ctd_collector_header(run->collector), &unknown);
	if (error)
		return ctd_log_error(error, "prepare the profile");
	error = ctd_profiler_open(&run->profiler);
	if (error)
		return error;
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

	run->sink = options->profile.output ? ctd_profile_sink_find(options->profile.output)
					    : &ctd_profile_summary;
	if (!run->sink) {
		ctd_log(CTD_LOG_ERROR,
			"--output '%s': the name ends with none of .svg, .pb.gz, .folded, .speedscope.json",
			options->profile.output);
		return -EINVAL;
	}
	error = open_output(run);
	if (!error)
		error = start(run);
	if (!error)
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_PROFILE);
	if (!error && run->has_command)
		error = ctd_command_begin(&run->command, options->program);
	if (!error)
		error = sample(run);
	return error ? error : show(run);
}

int ctd_profile_main(const struct ctd_options *options)
{
	struct profile_run run = {
		.options = options,
		.confinement.sandbox.ruleset_fd = -1,
		.sampler = {.frequency_hz = options->profile.frequency_hz,
			    .window_ns = options->profile.window_us * WINDOW_NS_PER_US},
	};
	int error, status;

	ctd_stop_prepare();
	error = run_profile(&run);
	status = ctd_command_status(&run.command, run.has_command, error == -EPIPE ? 0 : error);
	ctd_command_free(&run.command);
	ctd_stacks_free(run.stacks);
	if (run.out && run.out != stdout)
		fclose(run.out);
	ctd_profiler_close(&run.profiler);
	ctd_pipeline_free(&run.pipeline);
	ctd_collect_end(run.collector, &run.confinement, status);
	return status;
}
