/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* jit.h - the functions that a process's JIT says it has made, in a file of the process. */
#ifndef PROFILE_EXECUTABLE_JIT_H
#define PROFILE_EXECUTABLE_JIT_H

#include <sys/types.h>

#include "profile/symbols/symbols.h"

/* Of a longer file the end is read, which is the newest: of it so many lines, which take 4 MB of
 * memory at most. */
#define CTD_PERF_MAP_BYTES_MAX (3 << 20)
#define CTD_PERF_MAP_LINES_MAX (1 << 16)

/*
 * Opens /tmp/perf-PID.map of the process's own root, with the PID that it has in its own namespace:
 * JVMs, node and python write such files when asked to. Quick; the process may end then.
 * @return 0, -ENOENT (it writes none) or another negative errno.
 */
int ctd_jit_symbols_open(pid_t pid, int *ret_fd);
/* @return 0, -ENOMEM or another negative errno. */
int ctd_jit_symbols_read(int fd, struct ctd_symbols *ret_symbols);

#endif
