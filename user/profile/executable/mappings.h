/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* mappings.h - what code a process has where, for the unwinder in the kernel. */
#ifndef PROFILE_EXECUTABLE_MAPPINGS_H
#define PROFILE_EXECUTABLE_MAPPINGS_H

#include <cgtopdown/profile_abi.h>
#include <sys/types.h>

#include "profile/executable/executables.h"

/*
 * Reads the executable mappings of a process, in the order of their addresses, and adds files that
 * are new. One whose file cannot be read is of executable 0; those beyond CTD_PROCESS_MAPPINGS_MAX
 * are left out.
 * @return 0, -ENOMEM, or another negative errno: the process is gone.
 */
int ctd_mappings_read(struct ctd_executables *executables, pid_t pid,
		      struct ctd_mapping ret_mappings[CTD_PROCESS_MAPPINGS_MAX], size_t *ret_count);

#endif
