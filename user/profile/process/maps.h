/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* maps.h - the executable mappings in the text of /proc/PID/maps. */
#ifndef PROFILE_PROCESS_MAPS_H
#define PROFILE_PROCESS_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/root.h"

struct ctd_map {
	uint64_t start, end;
	uint64_t offset; /* in the file */
	uint64_t inode; /* 0: of no file */
	bool deleted;
	/* As the process names it: "[vdso]", "" for memory. Cut if it is longer; newlines are as
	 * they were. */
	char path[CTD_PATH_MAX];
};

/* The next executable mapping; moves the cursor behind it. @return whether there is one. Lines that
 * are none are left out. */
bool ctd_maps_next(const char **cursor, struct ctd_map *ret_map);

#endif
