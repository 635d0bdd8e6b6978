/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recording.c - opens a recording, and takes in the names of cgroups and processes that it tells. */
#include "app/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/input.h"
#include "base/log.h"
#include "identity/lookup/pairs.h"

const char *ctd_recording_comm(uint32_t pid, void *context)
{
	const struct ctd_recording *recording = context;
	uintptr_t comm;

	return ctd_idmap_get(&recording->comms, pid, &comm) ? (const char *)comm : NULL;
}

static int take_name(struct ctd_recording *recording, const struct ctd_record_name *name)
{
	uintptr_t old = 0;
	char *comm;
	int error;

	if (!name->pid) {
		if (!name->removed)
			return ctd_identities_add(recording->identities, name->cgroup_id,
						  name->text);
		if (!recording->keeps_removed)
			ctd_identities_remove(recording->identities, name->cgroup_id);
		return 0;
	}
	comm = strdup(name->text);
	if (!comm)
		return -ENOMEM;
	ctd_idmap_get(&recording->comms, name->pid, &old);
	error = ctd_idmap_set(&recording->comms, name->pid, (uintptr_t)comm);
	free(error ? comm : (char *)old);
	return error;
}

/* Facts in a form that is not known here are left aside. */
static int take_facts(struct ctd_recording *recording, const struct ctd_record_facts *facts)
{
	struct ctd_names names;
	int error = ctd_names_from_pairs(facts->pairs, facts->bytes, &names);

	if (!error)
		ctd_identities_set_names(recording->identities, facts->cgroup_id, &names,
					 CTD_QOS_UNKNOWN, true);
	return error == -ENOMEM ? error : 0;
}

int ctd_recording_next(struct ctd_recording *recording, struct ctd_record_item *ret_item)
{
	char why[160] = "";

	for (;;) {
		int error = ctd_record_next(recording->reader, ret_item, why);

		if (error == -EBADMSG)
			ctd_log(CTD_LOG_ERROR, "'%s': %s", recording->name, why);
		else if (error)
			ctd_log_error(error, "read '%s'", recording->name);
		if (error)
			return error;
		if (ret_item->kind == CTD_RECORD_NAME)
			error = take_name(recording, &ret_item->name);
		else if (ret_item->kind == CTD_RECORD_TASK)
			error = ctd_identities_set_process(
				recording->identities, ret_item->task.task, ret_item->task.process);
		else if (ret_item->kind == CTD_RECORD_FACTS)
			error = take_facts(recording, &ret_item->facts);
		else
			break;
		if (error)
			return ctd_log_error(error, "take in names");
	}
	if (ret_item->kind == CTD_RECORD_INTERVAL) {
		ctd_log(CTD_LOG_ERROR,
			"'%s' is a part of a history: 'cgtopdown report DIR' shows the directory that it is in",
			recording->name);
		return -EINVAL;
	}
	if (ret_item->kind == CTD_RECORD_PLAN)
		recording->header = ret_item->header;
	return 0;
}

/* @return a descriptor, or negative errno; logs. */
static int open_file(const char *file, bool is_stream, const char *name)
{
	autoclose int fd = -1;
	int error;

	if (!is_stream) {
		error = ctd_input_open(file);
		return error < 0 ? ctd_log_error(error, "open '%s'", file) : error;
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

int ctd_recording_open(const char *file, struct ctd_recording *ret_recording)
{
	bool is_stream = strcmp(file, "-") == 0;
	struct ctd_recording recording = {.name = is_stream ? "standard input" : file};

	recording.fd = open_file(file, is_stream, recording.name);
	if (recording.fd < 0)
		return recording.fd;
	*ret_recording = recording;
	return 0;
}

int ctd_recording_begin(struct ctd_recording *recording)
{
	char why[160] = "";
	int error = ctd_record_open(recording->fd, &recording->header, &recording->reader, why);

	if (error == -EBADMSG)
		ctd_log(CTD_LOG_ERROR, "'%s': %s", recording->name, why);
	else if (error)
		ctd_log_error(error, "open '%s'", recording->name);
	if (error)
		return error;
	(void)take_fd(recording->fd);
	error = ctd_identities_new(&recording->identities);
	return error ? ctd_log_error(error, "allocate the table of cgroups") : 0;
}

void ctd_recording_close(struct ctd_recording *recording)
{
	uintptr_t comm;
	uint64_t pid;

	for (size_t cursor = 0; ctd_idmap_next(&recording->comms, &cursor, &pid, &comm);)
		free((char *)comm);
	ctd_idmap_free(&recording->comms);
	ctd_identities_free(recording->identities);
	ctd_record_reader_free(recording->reader);
	if (recording->fd >= 0)
		close(recording->fd);
	*recording = (struct ctd_recording)CTD_RECORDING_NONE;
}
