/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* replay.c - cgtopdown report: shows a recording as stat would have shown the run. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/options/options.h"
#include "app/sandbox/sandbox.h"
#include "app/show.h"
#include "base/auto.h"
#include "base/idmap.h"
#include "base/input.h"
#include "base/log.h"
#include "identity/lookup/pairs.h"

/* Names of processes, by pid, as the recording tells them. */
struct replay {
	struct ctd_record_reader *reader; /* owned */
	struct ctd_record_header header;
	struct ctd_identities *identities; /* owned */
	struct ctd_show show;
	struct ctd_idmap comms; /* pid -> char *, owned */
	const char *file; /* as messages name it */
	uint64_t shown;
};

static const char *find_comm(uint32_t pid, void *context)
{
	struct replay *replay = context;
	uintptr_t comm;

	return ctd_idmap_get(&replay->comms, pid, &comm) ? (const char *)comm : NULL;
}

static int take_name(struct replay *replay, const struct ctd_record_name *name)
{
	uintptr_t old = 0;
	char *comm;
	int error;

	if (!name->pid) {
		if (!name->removed)
			return ctd_identities_add(replay->identities, name->cgroup_id, name->text);
		ctd_identities_remove(replay->identities, name->cgroup_id);
		return 0;
	}
	comm = strdup(name->text);
	if (!comm)
		return -ENOMEM;
	ctd_idmap_get(&replay->comms, name->pid, &old);
	error = ctd_idmap_set(&replay->comms, name->pid, (uintptr_t)comm);
	free(error ? comm : (char *)old);
	return error;
}

/* Facts in a form that is not known here are left aside. */
static int take_facts(struct replay *replay, const struct ctd_record_facts *facts)
{
	struct ctd_names names;
	int error = ctd_names_from_pairs(facts->pairs, facts->bytes, &names);

	if (!error)
		ctd_identities_set_names(replay->identities, facts->cgroup_id, &names,
					 CTD_QOS_UNKNOWN, true);
	return error == -ENOMEM ? error : 0;
}

static int show_rest(struct replay *replay)
{
	bool shown;
	int error = ctd_show_rest(&replay->show, &shown);

	replay->shown += shown;
	return error;
}

/* Ends the interval: what follows was counted otherwise. */
static int take_plan(struct replay *replay, const struct ctd_record_header *header)
{
	int error = show_rest(replay);

	replay->header = *header;
	return error ? error : ctd_show_plan(&replay->show, &replay->header);
}

static int take_snapshot(struct replay *replay, struct ctd_snapshot *snapshot)
{
	bool shown;
	int error = ctd_show_snapshot(&replay->show, snapshot, &shown);

	replay->shown += shown;
	return error;
}

static int take_item(struct replay *replay, struct ctd_record_item *item)
{
	switch (item->kind) {
	case CTD_RECORD_PLAN:
		return take_plan(replay, &item->header);
	case CTD_RECORD_NAME:
		return take_name(replay, &item->name);
	case CTD_RECORD_FACTS:
		return take_facts(replay, &item->facts);
	case CTD_RECORD_SNAPSHOT:
		return take_snapshot(replay, &item->snapshot);
	case CTD_RECORD_PROFILE: /* of profile --input */
	case CTD_RECORD_END:
		break;
	}
	return 0;
}

static int replay_all(struct replay *replay, const struct ctd_options *options)
{
	char why[160] = "";

	while (!options->count || replay->shown < options->count) {
		struct ctd_record_item item;
		int error = ctd_record_next(replay->reader, &item, why);

		if (error == -EBADMSG) {
			/* What came before is whole. */
			show_rest(replay);
			ctd_log(CTD_LOG_ERROR, "'%s': %s", replay->file, why);
			return error;
		}
		if (error)
			return ctd_log_error(error, "read '%s'", replay->file);
		if (item.kind == CTD_RECORD_END)
			return show_rest(replay);
		error = take_item(replay, &item);
		if (error)
			return error;
	}
	return 0;
}

/* @return a descriptor, or negative errno; logs. */
static int open_file(const struct ctd_options *options, const char *name)
{
	autoclose int fd = -1;
	int error;

	if (!ctd_options_is_stream(options)) {
		error = ctd_input_open(options->file);
		return error < 0 ? ctd_log_error(error, "open '%s'", options->file) : error;
	}
	if (isatty(STDIN_FILENO)) {
		ctd_log(CTD_LOG_ERROR,
			"standard input is a terminal: a recording comes from a pipe or a file, as in 'cgtopdown record - | cgtopdown report -'");
		return -EINVAL;
	}
	fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	error = fd < 0 ? -errno : ctd_input_await(fd, name);
	return error ? ctd_log_error(error, "read '%s'", name) : take_fd(fd);
}

static int open_recording(struct replay *replay, const struct ctd_options *options)
{
	char why[160] = "";
	autoclose int fd = open_file(options, replay->file);
	int error;

	if (fd < 0)
		return fd;
	/* What others recorded is read by somebody who can do no more than show it. */
	ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_SHOW);
	error = ctd_record_open(fd, &replay->header, &replay->reader, why);
	if (error == -EBADMSG)
		ctd_log(CTD_LOG_ERROR, "'%s': %s", replay->file, why);
	else if (error)
		ctd_log_error(error, "open '%s'", replay->file);
	if (error)
		return error;
	(void)take_fd(fd);
	error = ctd_identities_new(&replay->identities);
	if (error)
		return ctd_log_error(error, "allocate the table of cgroups");
	return ctd_show_prepare(options, &replay->header, replay->identities, &replay->show);
}

/* Processes were recorded as rows of their own, or not: that cannot be had afterwards. */
static int check_division(const struct replay *replay, const struct ctd_options *options)
{
	enum ctd_by wanted = options->by == CTD_GROUP_PROCESS ? CTD_BY_PROCESS
			     : options->by == CTD_GROUP_TASK  ? CTD_BY_TASK
							      : CTD_BY_CGROUP;

	if (wanted == CTD_BY_CGROUP || wanted == (enum ctd_by)replay->header.by)
		return 0;
	ctd_log(CTD_LOG_ERROR,
		"'%s' was not recorded with this --by: its rows cannot be divided further",
		replay->file);
	return -EINVAL;
}

int ctd_report_main(const struct ctd_options *options)
{
	struct replay replay = {.file = ctd_options_is_stream(options) ? "standard input"
								       : options->file};
	uintptr_t comm;
	uint64_t pid;
	int error = open_recording(&replay, options);

	if (!error)
		error = check_division(&replay, options);
	replay.show.comm = find_comm;
	replay.show.comm_context = &replay;
	if (!error)
		error = replay_all(&replay, options);
	if (!error && !replay.shown) {
		ctd_log(CTD_LOG_ERROR,
			"'%s' holds fewer than two snapshots: there is no interval to show",
			replay.file);
		error = -ENODATA;
	}
	ctd_show_free(&replay.show);
	ctd_identities_free(replay.identities);
	ctd_record_reader_free(replay.reader);
	for (size_t cursor = 0; ctd_idmap_next(&replay.comms, &cursor, &pid, &comm);)
		free((char *)comm);
	ctd_idmap_free(&replay.comms);
	return error && error != -EPIPE ? 1 : 0;
}
