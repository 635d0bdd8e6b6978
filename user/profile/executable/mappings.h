/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* mappings.h - what code a process has where, for the unwinder in the kernel. */
#ifndef PROFILE_EXECUTABLE_MAPPINGS_H
#define PROFILE_EXECUTABLE_MAPPINGS_H

#include <cgtopdown/profile_abi.h>
#include <sys/types.h>

#include "profile/executable/executables.h"

struct ctd_mappings_facts {
	size_t count;
	bool lacks_numbers; /* of some file there is no number before the next round */
	bool has_memory; /* there is code of no file that can be read: a JIT's, perhaps */
};

/*
 * Reads the executable mappings of a process, which is in a cgroup, in the order of their
 * addresses, and adds files that are new. One whose file cannot be read is of executable 0; those
 * beyond CTD_PROCESS_MAPPINGS_MAX are left out.
 * @return 0, -ENOMEM, or another negative errno: the process is gone.
 */
int ctd_mappings_read(struct ctd_executables *executables, pid_t pid, uint64_t cgroup_id,
		      struct ctd_mapping ret_mappings[CTD_PROCESS_MAPPINGS_MAX],
		      struct ctd_mappings_facts *ret_facts);

#endif
