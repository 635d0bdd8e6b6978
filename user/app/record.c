/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record.c - cgtopdown record: snapshots to a file, to be replayed anywhere. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/collect.h"
#include "app/options/options.h"
#include "app/profile/event.h"
#include "app/profile/health.h"
#include "app/profile/stack_recorder.h"
#include "app/remote/remote.h"
#include "app/run/command.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "app/vendor_count.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "base/log.h"
#include "base/strbuf.h"

/* How long an interval that has ended waits for names of what was sampled in it, and half of its
 * length at most. Where counters rotate a snapshot ends no interval: then names may come later. */
#define PATIENCE_MOST_NS 1000000000ull

struct record_run {
	const char *file; /* as messages name it */
	bool is_stream; /* standard output: its reader may go when it has enough */
	struct ctd_collector *collector; /* owned */
	const struct ctd_sampled_event *event; /* without a name: CPU time is sampled */
	struct ctd_confinement confinement;
	struct ctd_command_run command;
	struct ctd_record_writer *writer; /* owned */
	struct ctd_profile_lines lines; /* owned */
	struct ctd_stack_recorder stacks; /* owned; has none without --profile */
	struct ctd_vendor_count_run vendor; /* owned; counts nothing without --metrics-dir */
	struct ctd_idmap comms; /* pid -> hash of the name that was recorded last */
	struct ctd_idmap processes; /* of tasks, as they were recorded last */
	uint32_t plan; /* of the last snapshot */
	uint64_t snapshots;
	uint64_t last_ns; /* monotonic, of the last one */
	uint64_t patience_ns; /* of an interval, for names; 0: no stacks are sampled */
	bool has_command;
};

/* The name of a process or task, if it is new, or was changed. */
static int record_comm(struct record_run *run, uint32_t pid)
{
	struct ctd_record_name name = {.pid = pid, .text = ctd_collector_comm(pid, run->collector)};
	uintptr_t recorded, hash;
	int error;

	if (!name.text)
		return 0;
	hash = (uintptr_t)ctd_hash(name.text, strlen(name.text));
	if (ctd_idmap_get(&run->comms, pid, &recorded) && recorded == hash)
		return 0;
	error = ctd_idmap_set(&run->comms, pid, hash);
	return error ? error : ctd_record_write_name(run->writer, &name);
}

/* The process of a task, with its name, likewise. */
static int record_process(struct record_run *run, uint32_t pid)
{
	struct ctd_record_task task = {pid, ctd_collector_process(run->collector, pid)};
	uintptr_t recorded;
	int error;

	if (!task.process ||
	    (ctd_idmap_get(&run->processes, pid, &recorded) && recorded == task.process))
		return 0;
	error = ctd_idmap_set(&run->processes, pid, task.process);
	if (!error)
		error = ctd_record_write_task(run->writer, &task);
	return error ? error : record_comm(run, task.process);
}

static int record_names(struct record_run *run, const struct ctd_snapshot *snapshot)
{
	bool of_tasks = ctd_collector_header(run->collector)->by == CTD_BY_TASK;
	int error = 0;

	for (size_t i = 0; !error && i < snapshot->rows_count; i++) {
		uint32_t pid = snapshot->rows[i].pid;

		error = pid ? record_comm(run, pid) : 0;
		if (!error && pid && of_tasks)
			error = record_process(run, pid);
	}
	return error;
}

/* A reader that has gone is nobody's loss. */
static int tell_failure(const struct record_run *run, int error)
{
	if (run->is_stream && error == -EPIPE)
		return error;
	return ctd_log_error(error, "write '%s'", run->file);
}

/* A report at the other end of the pipe has the same terminal. */
static bool shows_progress(const struct record_run *run)
{
	return !run->is_stream && isatty(STDERR_FILENO);
}

/* Behind each plan. */
static int record_vendor(const struct record_run *run)
{
	uint32_t planned = ctd_collector_header(run->collector)->core_types_count;
	int count = run->vendor.countings.core_types_count, error = 0;

	/* Where cores were told apart and no counters are left, there is one core type. */
	if (count > 1 && planned <= 1)
		return 0;
	for (int type = 0; !error && type < count; type++) {
		const struct ctd_strbuf *text = &run->vendor.core_types[type].block;
		const struct ctd_record_vendor block = {
			.payload = text->text,
			.bytes = text->bytes,
			.of_core_type = count > 1,
			.core_type = (uint32_t)type,
		};

		if (block.bytes)
			error = ctd_record_write_vendor(run->writer, &block);
	}
	return error;
}

static int record_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct record_run *run = context;
	int error = 0;

	if (snapshot->plan != run->plan) {
		error = ctd_record_write_plan(run->writer, ctd_collector_header(run->collector));
		if (!error)
			error = record_vendor(run);
	}
	run->plan = snapshot->plan;
	run->last_ns = snapshot->monotonic_ns;
	if (!error)
		error = record_names(run, snapshot);
	/* What was sampled before a snapshot is of the interval that it ends. */
	if (!error && run->patience_ns && run->snapshots && snapshot->groups_count <= 1)
		error = ctd_stack_recorder_finish(&run->stacks, run->patience_ns);
	if (!error)
		error = ctd_stack_recorder_write(&run->stacks, run->writer);
	if (!error)
		error = ctd_record_write_snapshot(run->writer, snapshot);
	ctd_snapshot_free(snapshot);
	if (error)
		return tell_failure(run, error);
	run->snapshots++;
	if (shows_progress(run))
		fprintf(stderr, "\r%" PRIu64 " snapshots", run->snapshots);
	return 0;
}

/* Where groups rotate stacks get their names beside the intervals, the last ones here. Else the
 * last snapshot has all of its interval with it, and what was sampled since is of none. */
static int write_last_stacks(struct record_run *run)
{
	int error;

	if (ctd_collector_header(run->collector)->groups_count <= 1)
		return 0;
	error = ctd_stack_recorder_finish(&run->stacks, CTD_PROFILER_PATIENCE_NS);
	return error ? error : ctd_stack_recorder_write(&run->stacks, run->writer);
}

static int record(struct record_run *run, const struct ctd_options *options)
{
	uint64_t interval_ns =
		options->interval_ns ? options->interval_ns : CTD_INTERVAL_DEFAULT_NS;
	uint64_t next_ns = ctd_monotonic_ns();
	struct ctd_snapshot first;
	bool ended = false;
	int error = ctd_collector_snapshot(run->collector, &first);

	if (error)
		return error;
	ctd_vendor_count_check_interval(&run->vendor, 0, interval_ns);
	if (options->with_profile) {
		run->patience_ns =
			interval_ns / 2 < PATIENCE_MOST_NS ? interval_ns / 2 : PATIENCE_MOST_NS;
		error = ctd_stack_recorder_begin(&run->stacks);
	}
	if (error)
		ctd_snapshot_free(&first);
	else
		error = record_snapshot(&first, run);
	if (!error && run->has_command)
		error = ctd_command_begin(&run->command, options->program);
	for (uint64_t taken = 0; !error && (!options->count || taken < options->count); taken++) {
		next_ns = ctd_clock_next_ns(next_ns,
					    ctd_collector_stretch(run->collector, interval_ns),
					    ctd_monotonic_ns());
		/* The last one ends where we were stopped, or the command ended: nothing is lost.
		 * If that was while this one was written, for whose names may be waited, there is
		 * one more. */
		error = ctd_collector_interval(run->collector, next_ns, run->command.exit_fd, false,
					       record_snapshot, run);
		if (ended)
			break;
		ended = ctd_stop_came() || (run->has_command && ctd_command_ended(&run->command));
		if (ended && run->last_ns < next_ns)
			break;
	}
	if (!error && options->with_profile)
		error = write_last_stacks(run);
	if (shows_progress(run))
		fputc('\n', stderr);
	if (!error)
		error = ctd_stack_recorder_write_lines(&run->stacks, run->writer,
						       CTD_PROFILE_LINES_NS);
	return error;
}

static int open_writer(struct record_run *run, const struct ctd_options *options)
{
	const struct ctd_record_header *header = ctd_collector_header(run->collector);
	autoclose int fd = -1;
	int error;

	if (!run->is_stream)
		return ctd_record_create(options->file, header, &run->writer);
	fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	error = fd < 0 ? -errno : ctd_record_begin(fd, header, &run->writer);
	if (!error)
		(void)take_fd(fd);
	return error;
}

static int start(struct record_run *run, const struct ctd_options *options)
{
	const struct ctd_sampler_options sampler =
		ctd_profiler_sampling(&options->profile, run->event);
	int error;

	if (run->is_stream && isatty(STDOUT_FILENO)) {
		ctd_log(CTD_LOG_ERROR,
			"standard output is a terminal, and a recording is no text: send it to a pipe or a file, as in 'cgtopdown record - | cgtopdown report -'");
		return -EINVAL;
	}
	ctd_remote_tell_record();
	error = ctd_command_prepare(options, &run->command);
	run->has_command = options->program && !error;
	if (!error && options->metrics_dir)
		error = ctd_vendor_count_begin(options, &run->vendor);
	if (!error)
		error = ctd_collect_start(options, options->with_profile ? &sampler : NULL,
					  options->metrics_dir ? &run->vendor.rotations : NULL,
					  &run->confinement, &run->collector);
	if (error)
		return error;
	error = open_writer(run, options);
	if (!error)
		error = record_vendor(run);
	if (!error && options->with_profile &&
	    ctd_stack_recorder_open(run->collector, run->event, options->host_root, &run->lines,
				    &run->stacks))
		return -EIO;
	/* Names of stacks are in files of all processes. */
	if (options->with_profile)
		ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_PROFILE);
	else
		ctd_collect_confine(&run->confinement);
	if (!error)
		error = ctd_collector_record_names(run->collector, run->writer);
	if (error == -EEXIST) {
		ctd_log(CTD_LOG_ERROR,
			"write '%s': it is not a recording, and is left as it is: remove it, or name another file",
			options->file);
		return error;
	}
	return error ? tell_failure(run, error) : 0;
}

int ctd_record_main(const struct ctd_options *given)
{
	struct ctd_event_choice choice;
	const struct ctd_options *options = &choice.options;
	struct record_run run = {.event = &choice.event,
				 .file = given->file,
				 .is_stream = ctd_options_is_stream(given),
				 .confinement.sandbox.ruleset_fd = -1,
				 .lines = CTD_PROFILE_LINES_NONE};
	int error, closed, status;

	if (run.is_stream)
		run.file = "standard output";
	if (given->profile.lines && ctd_profile_lines_start(&run.lines))
		return 1;
	if (given->with_profile)
		ctd_profiler_prepare_memory();
	ctd_stop_prepare();
	if (ctd_event_choose(given, &choice))
		return 1;
	error = start(&run, options);
	if (!error)
		error = record(&run, options);
	if (!error && options->with_profile)
		ctd_profile_health_tell(&run.stacks.profiler, run.collector);
	ctd_stack_recorder_close(&run.stacks);
	ctd_profile_lines_end(&run.lines);
	closed = ctd_record_close(run.writer);
	if (!error && closed)
		error = tell_failure(&run, closed);
	if (run.is_stream && error == -EPIPE)
		error = 0;
	if (!error)
		ctd_info("%" PRIu64 " snapshots in '%s'", run.snapshots, run.file);
	status = ctd_command_status(&run.command, run.has_command, error);
	ctd_command_free(&run.command);
	ctd_collect_end(run.collector, &run.confinement, status);
	ctd_vendor_count_free(&run.vendor);
	ctd_idmap_free(&run.comms);
	ctd_idmap_free(&run.processes);
	return status;
}
