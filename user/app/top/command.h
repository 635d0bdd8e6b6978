/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* command.h - a command whose output is read for as long as the screen is there. */
#ifndef APP_TOP_COMMAND_H
#define APP_TOP_COMMAND_H

#include <stddef.h>
#include <sys/resource.h>
#include <sys/types.h>

struct ctd_top_command {
	pid_t pid; /* the leader of its process group; 0: none was started */
	int output_fd; /* owned, does not block; -1: closed */
	int input_fd; /* owned: its standard input ends with us; -1: closed */
};
#define CTD_TOP_COMMAND_NONE                    \
	(struct ctd_top_command)                \
	{                                       \
		.output_fd = -1, .input_fd = -1 \
	}

/*
 * Starts a shell with @p text, which may have so many @p files open. When this process ends, however
 * it does, the shell's standard input ends. When the calling thread ends, the shell gets SIGTERM:
 * call it from a thread that lives as long as the shell shall. Logs. @return 0 or negative errno.
 */
int ctd_top_command_begin(const char *text, const struct rlimit *files,
			  struct ctd_top_command *ret_command);
/* @return how many bytes came; 0: it has closed its output; -EAGAIN: none now. */
ssize_t ctd_top_command_read(struct ctd_top_command *command, char *text, size_t bytes);
/* Ends it, and all that it has started in its process group: with SIGTERM, and what is still there
 * after two seconds with SIGKILL. */
void ctd_top_command_end(struct ctd_top_command *command);

#endif
