/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* memory.h - the memory in which another program offers its regions, which may be anything. */
#ifndef REGIONS_MEMORY_H
#define REGIONS_MEMORY_H

#include <cgtopdown/regions_abi.h>
#include <stdbool.h>
#include <stddef.h>

#define CTD_REGION_REFUSAL_BYTES 160
#define CTD_REGION_MEMORY_MAX \
	(sizeof(struct ctd_regions_header) + CTD_REGIONS_MAX * sizeof(struct ctd_regions_record))

/* The state that a record has in a copy of the memory if it changes faster than it can be read:
 * only its name is there. Of a program's own it is none. */
#define CTD_REGION_RESTLESS UINT32_MAX

struct ctd_region_copy {
	char name[CTD_REGIONS_NAME_BYTES];
	bool restless; /* the bank is not known */
	struct ctd_regions_bank bank;
};

/* Is it of the layout that we read? @param ret_why a sentence, where not. @return 0;
 * -EPROTONOSUPPORT: of another version; -EBADMSG. */
int ctd_region_memory_check(const void *memory, size_t bytes, struct ctd_regions_header *ret_header,
			    char ret_why[CTD_REGION_REFUSAL_BYTES]);
/* How many records there are in a copy of one that was checked: as many as there is room for at
 * most, whatever it said by then. */
uint32_t ctd_region_memory_count(const void *memory, size_t bytes);
/* Reads a record of it. @return 0; -ENOENT: it is free; -EBADMSG: it is not what a program of ours
 * writes. */
int ctd_region_memory_read(const void *memory, uint32_t index, struct ctd_region_copy *ret_copy);

#endif
