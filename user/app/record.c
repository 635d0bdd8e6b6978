/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* record.c - cgtopdown record: snapshots to a file, to be replayed anywhere. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/collect.h"
#include "app/command.h"
#include "app/options/options.h"
#include "app/stop.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "base/log.h"

#define INTERVAL_DEFAULT_NS 1000000000ull

struct record_run {
	const char *file;
	struct ctd_collector *collector; /* owned */
	struct ctd_command_run command;
	struct ctd_record_writer *writer; /* owned */
	struct ctd_idmap comms; /* pid -> hash of the name that was recorded last */
	uint32_t plan; /* of the last snapshot */
	uint64_t snapshots;
	bool has_command;
};

/* Names of processes or tasks in the snapshot that are new, or were changed. */
static int record_comms(struct record_run *run, const struct ctd_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->rows_count; i++) {
		struct ctd_record_name name = {.pid = snapshot->rows[i].pid};
		uintptr_t recorded, hash;
		int error;

		if (!name.pid)
			continue;
		name.text = ctd_collector_comm(name.pid, run->collector);
		if (!name.text)
			continue;
		hash = (uintptr_t)ctd_hash(name.text, strlen(name.text));
		if (ctd_idmap_get(&run->comms, name.pid, &recorded) && recorded == hash)
			continue;
		error = ctd_idmap_set(&run->comms, name.pid, hash);
		if (!error)
			error = ctd_record_write_name(run->writer, &name);
		if (error)
			return error;
	}
	return 0;
}

static int record_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct record_run *run = context;
	int error = 0;

	if (snapshot->plan != run->plan)
		error = ctd_record_write_plan(run->writer, ctd_collector_header(run->collector));
	run->plan = snapshot->plan;
	if (!error)
		error = record_comms(run, snapshot);
	if (!error)
		error = ctd_record_write_snapshot(run->writer, snapshot);
	ctd_snapshot_free(snapshot);
	if (error)
		return ctd_log_error(error, "write '%s'", run->file);
	run->snapshots++;
	if (isatty(STDERR_FILENO))
		fprintf(stderr, "\r%" PRIu64 " snapshots", run->snapshots);
	return 0;
}

static int record(struct record_run *run, const struct ctd_options *options)
{
	uint64_t interval_ns = options->interval_ns ? options->interval_ns : INTERVAL_DEFAULT_NS;
	uint64_t next_ns = ctd_monotonic_ns();
	struct ctd_snapshot first;
	int error = ctd_collector_snapshot(run->collector, &first);

	if (!error)
		error = record_snapshot(&first, run);
	if (!error && run->has_command)
		error = ctd_command_begin(&run->command, options->program);
	for (uint64_t taken = 0; !error && (!options->count || taken < options->count); taken++) {
		next_ns += interval_ns;
		/* The last one ends where we were stopped: nothing is lost. */
		error = ctd_collector_interval(run->collector, next_ns, run->command.exit_fd, false,
					       record_snapshot, run);
		if (ctd_stop_signal() || (run->has_command && ctd_command_ended(&run->command)))
			break;
	}
	if (isatty(STDERR_FILENO))
		fputc('\n', stderr);
	return error;
}

static int start(struct record_run *run, const struct ctd_options *options)
{
	int error = ctd_command_prepare(options, &run->command);

	run->has_command = options->program && !error;
	if (!error)
		error = ctd_collect_start(options, &run->collector);
	if (error)
		return error;
	error = ctd_record_create(options->file, ctd_collector_header(run->collector),
				  &run->writer);
	if (!error)
		error = ctd_collector_record_names(run->collector, run->writer);
	if (error == -EEXIST) {
		ctd_log(CTD_LOG_ERROR,
			"write '%s': it is not a recording, and is left as it is: remove it, or name another file",
			options->file);
		return error;
	}
	if (error)
		return ctd_log_error(error, "write '%s'", options->file);
	return 0;
}

int ctd_record_main(const struct ctd_options *options)
{
	struct record_run run = {.file = options->file};
	int error, closed, status;

	ctd_stop_prepare();
	error = start(&run, options);
	if (!error)
		error = record(&run, options);
	closed = ctd_record_close(run.writer);
	if (!error && closed)
		error = ctd_log_error(closed, "write '%s'", options->file);
	if (!error)
		ctd_info("%" PRIu64 " snapshots in '%s'", run.snapshots, options->file);
	status = ctd_command_status(&run.command, run.has_command, error);
	ctd_command_free(&run.command);
	ctd_collect_end(run.collector, status);
	ctd_idmap_free(&run.comms);
	return status;
}
