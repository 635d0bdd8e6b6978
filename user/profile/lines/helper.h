/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* helper.h - a process that may do nothing but read debugging information of files that it is
 * handed. */
#ifndef PROFILE_LINES_HELPER_H
#define PROFILE_LINES_HELPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "profile/lines/lines.h"

/*
 * Files are of containers, and libdw reads them: so none is read in a process that has anything to
 * lose. The helper is forked while there is nothing of value in memory, and gives up its rights and
 * all that is open. For each file it forks a worker, which has that file, the instructions that are
 * asked for and a pipe for its answer, may read, write and take memory, and ends with that file. So
 * what a file does to its worker costs its own lines.
 */
struct ctd_line_helper {
	int fd; /* owned; -1: there is none */
	pid_t pid;
	bool is_busy; /* a worker of a question that was given up */
};
#define CTD_LINE_HELPER_NONE \
	{                    \
		.fd = -1     \
	}

/* Of one file, whatever it is. */
#define CTD_LINE_WORKER_CPU_S 5
#define CTD_LINE_WORKER_NS UINT64_C(10000000000)
#define CTD_LINE_WORKER_BYTES ((size_t)512 << 20)
#define CTD_LINE_ADDRESSES_MAX (1U << 18)

/* Before there are threads, and before anything is open that is not everybody's. @return 0 or
 * negative errno. */
int ctd_line_helper_start(struct ctd_line_helper *ret_helper);
struct ctd_line_question {
	int fd; /* of the file */
	const uint64_t *addresses; /* in order */
	size_t count; /* up to CTD_LINE_ADDRESSES_MAX */
	uint64_t limit_ns; /* CTD_LINE_WORKER_NS, or less */
	bool (*stop)(void *context); /* asked some times a second: give up? */
	void *context;
};
/*
 * Finds the lines of the addresses; keys of the chains are their indices, and grow. It takes the
 * limit at most, but for what it takes to end a process.
 * @return 0, also with *ret_why, half a sentence, where it is not all that there is; -ETIME: in
 * more time there may be more, -ENODATA: there are none, or -EMFILE: it could not be asked, with
 * *ret_why; -EINTR: given up; -ENOMEM; or another negative errno: there is no helper any more.
 */
int ctd_line_helper_ask(struct ctd_line_helper *helper, const struct ctd_line_question *question,
			struct ctd_lines *ret_lines, const char **ret_why);
/* Also of CTD_LINE_HELPER_NONE. */
void ctd_line_helper_end(struct ctd_line_helper *helper);

#endif
