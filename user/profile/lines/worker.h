/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* worker.h - a process that reads debugging information of one file, and ends. Private to
 * user/profile/lines/. */
#ifndef PROFILE_LINES_WORKER_H
#define PROFILE_LINES_WORKER_H

#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>

/* How it ends; none of these is what libraries end with. */
enum ctd_worker_end {
	CTD_WORKER_DONE = 0,
	CTD_WORKER_PART = 40, /* there was more than it may tell */
	CTD_WORKER_NOTHING, /* it is no file with debugging information */
	CTD_WORKER_NO_MEMORY,
	CTD_WORKER_NO_FILTER, /* the kernel filters no system calls: then nothing is read */
	CTD_WORKER_NO_LIMITS, /* nor without limits */
};

/* The system calls of a worker; NULL without memory. */
scmp_filter_ctx ctd_worker_filter(void);
/* A file for elf_memory(3): it takes no memory, and no system call later. Who shortens it ends this
 * process. @return NULL: that cannot be. */
void *ctd_worker_map(int fd, size_t *ret_bytes);
/* Of a process that was forked for it: does not return. */
void ctd_worker_run(scmp_filter_ctx filter, int file, int addresses, int answer, size_t count)
	__attribute__((noreturn));

#endif
