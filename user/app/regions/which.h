/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* which.h - of which processes regions are wanted. */
#ifndef APP_REGIONS_WHICH_H
#define APP_REGIONS_WHICH_H

#include <stdbool.h>
#include <stddef.h>

#include "app/options/pids.h"
#include "regions/programs.h"

struct ctd_region_wanted {
	struct ctd_pids pids; /* none: all */
	const char *cgroup_glob; /* borrowed; NULL: in any cgroup */
	const char *directory; /* borrowed; of the cgroup that a COMMAND is in; NULL: none */
};

struct ctd_region_looked {
	size_t there; /* processes that were looked at */
	size_t denied; /* those that may not be */
	uint32_t denied_pid; /* one of them */
};

/* Looks at all of them. @return 0 or negative errno. */
int ctd_region_look(const struct ctd_region_wanted *wanted, struct ctd_region_programs *programs,
		    struct ctd_region_looked *ret_looked);

#endif
