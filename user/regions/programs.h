/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* programs.h - the processes that offer regions, as they come and go. */
#ifndef REGIONS_PROGRAMS_H
#define REGIONS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "regions/memory.h"
#include "regions/sums.h"

/* So many at most: memory of others is not to fill ours. */
#define CTD_REGION_PROGRAMS_MAX 1024
#define CTD_REGION_SUMS_MAX 65536
#define CTD_REGION_FILES_MAX 4 /* of one process */
#define CTD_REGION_COMM_BYTES 64
#define CTD_REGION_CGROUP_BYTES 1024

struct ctd_region_program {
	uint32_t pid; /* as we see it */
	char comm[CTD_REGION_COMM_BYTES], cgroup[CTD_REGION_CGROUP_BYTES];
	dev_t device;
	ino_t inode;
	int fd; /* of its memory, owned; -1: refused */
	size_t bytes;
	struct ctd_region_sums sums;
	bool seen; /* in the last look */
	bool hidden; /* it is there, and was not looked at: as in a cgroup that is not wanted */
	bool began_before; /* it is to be counted from its first reading on */
	char why[CTD_REGION_REFUSAL_BYTES]; /* why it was refused; "": it was not */
	bool told; /* for who tells people */
};

struct ctd_region_programs {
	struct ctd_region_program *items; /* owned */
	size_t count, capacity;
	bool of_command; /* they begin after us: each is counted from its beginning */
	uint64_t looks;
	uint64_t begun_ns; /* wall clock of the first look: what was offered before, and is found
			      later, is counted from its first reading on */
	bool too_many; /* some had no room */
};

/* A look begins: what it does not see has ended, or offers nothing any more. */
void ctd_region_programs_begin(struct ctd_region_programs *programs);
/* Looks at one process. @return 0, also if it offers nothing; -ENOENT: there is none; -ENOMEM; or
 * another negative errno: it cannot be looked at. */
int ctd_region_programs_look(struct ctd_region_programs *programs, uint32_t pid);
/* Reads all. One that is not to be believed is refused from then on. @return 0 or -ENOMEM. */
int ctd_region_programs_read(struct ctd_region_programs *programs);
/* What comes is to be counted from now on; forgets those that have ended, and hides those that go
 * on and were not looked at: if they come back, nothing is counted again. */
void ctd_region_programs_done(struct ctd_region_programs *programs);
void ctd_region_programs_free(struct ctd_region_programs *programs);

/* The cgroup of a process, from the text of /proc/PID/cgroup: of v2 unless that is the root. */
void ctd_region_cgroup_of(const char *text, char ret_cgroup[CTD_REGION_CGROUP_BYTES]);

#endif
