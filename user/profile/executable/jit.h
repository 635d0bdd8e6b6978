/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* jit.h - the functions that a process's JIT says it has made, in a file of the process. */
#ifndef PROFILE_EXECUTABLE_JIT_H
#define PROFILE_EXECUTABLE_JIT_H

#include <sys/types.h>

#include "profile/symbols/symbols.h"

/* Of a longer file the end is read, which is the newest. */
#define CTD_PERF_MAP_BYTES_MAX (32 << 20)

/*
 * Reads /tmp/perf-PID.map of the process's own root, with the PID that it has in its own namespace:
 * JVMs, node and python write such files when asked to.
 * @return 0, -ENOENT (it writes none), -ENOMEM or another negative errno.
 */
int ctd_jit_symbols_read(pid_t pid, struct ctd_symbols *ret_symbols);

#endif
