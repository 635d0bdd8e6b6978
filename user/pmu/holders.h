/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* holders.h - finds the processes that have perf events open, and so may hold the counters. */
#ifndef PMU_HOLDERS_H
#define PMU_HOLDERS_H

#include <stddef.h>

/*
 * Names other processes that have perf events open: "perf (pid 4711), cgtopdown (pid 12) and 1
 * more";
 * "": none is known. Only those can be seen that this process may trace: with CAP_SYS_PTRACE all.
 */
void ctd_holders_name(char *ret_text, size_t bytes);

#endif
