/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* parts.h - the files of a history's directory. */
#ifndef HISTORY_PARTS_H
#define HISTORY_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Room for a name: "0badcafe-00000012-00000034-600s.ctdrec". */
#define CTD_PART_NAME_BYTES 80

/*
 * A file: what was once the segments `first` to `last`, in steps of so many seconds. Its name says
 * so, so that a part whose sources were not removed any more, as the writer was killed, is known.
 */
struct ctd_part {
	uint32_t boot; /* of which boot of the machine: cgroup ids are only its own */
	uint32_t first, last; /* numbers of segments, from 1 */
	uint32_t step_s; /* 1: as they were counted */
	uint64_t bytes;
	uint64_t begin_ns, end_ns; /* since 1970; 0: not looked at */
	bool covered; /* another part has all of it */
	bool left; /* cannot be read: it is left as it is */
};

void ctd_part_name(const struct ctd_part *part, char ret_name[CTD_PART_NAME_BYTES]);
/* @return false: @p name is not that of a part. */
bool ctd_part_parse(const char *name, struct ctd_part *ret_part);
/* All in the directory, by their numbers; *ret_parts: free(3). @return 0 or negative errno. */
int ctd_parts_list(int directory_fd, struct ctd_part **ret_parts, size_t *ret_count);
/* @return 0 or negative errno; -EFBIG: none of ours is as large. */
int ctd_part_read(int fd, struct ctd_strbuf *ret_data);
/* A number for the boot that this is. */
uint32_t ctd_part_boot(void);

#endif
