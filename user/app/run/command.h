/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* command.h - a command in a cgroup of its own, both gone when we are, however we end. */
#ifndef APP_RUN_COMMAND_H
#define APP_RUN_COMMAND_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "app/options/options.h"

struct ctd_command_run {
	pid_t pid; /* of the command; 0: not started or reaped */
	pid_t janitor; /* ends what is left and removes the cgroup once we are gone */
	int go_fd; /* a byte lets the command begin; -1 after that */
	int failure_fd; /* an errno, if exec fails */
	int janitor_fd; /* its end tells the janitor to work */
	int exit_fd; /* readable when the command has ended */
	int refused; /* why it could not be executed; 0: it could */
	uint64_t cgroup_id;
	uint64_t begun_ns; /* monotonic: when it was let begin */
	uint64_t ended_ns; /* as soon as its end was seen; 0: not yet */
	struct rusage usage; /* of it and its ended children, once it has ended */
	char directory[512];
};

/*
 * Makes a cgroup in the accounted hierarchy and a process in it that waits to become
 * options->program; nothing where there is none. Logs. ctd_command_free() is due in any case.
 * @return 0 or negative errno.
 */
int ctd_command_prepare(const struct ctd_options *options, struct ctd_command_run *ret_run);
/* Lets it begin. Logs if it cannot be executed. @return 0 or negative errno. */
int ctd_command_begin(struct ctd_command_run *run, char **argv);
/* @return true once it has ended. */
bool ctd_command_ended(const struct ctd_command_run *run);
/* Waits for its end. @return its exit status, 128 + the signal that ended it, or negative errno. */
int ctd_command_end(struct ctd_command_run *run);
/*
 * The exit status of the whole program: the command's if there is one and nothing else failed,
 * 127 or 126 if there is no such command or it could not be executed.
 * Waits for the command; if we were asked to stop, asks it, too, and kills it after a grace time.
 */
int ctd_command_status(struct ctd_command_run *run, bool has_command, int error);
/* Ends what is left of it and removes its cgroup. */
void ctd_command_free(struct ctd_command_run *run);

#endif
