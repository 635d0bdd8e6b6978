/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unwind_ranges.h - which places of the kernel's array of mappings are free. */
#ifndef APP_PROFILE_UNWIND_RANGES_H
#define APP_PROFILE_UNWIND_RANGES_H

#include <cgtopdown/profile_abi.h>
#include <stdint.h>

/* Begin with {0}. */
struct ctd_unwind_ranges {
	unsigned char places[CTD_MAPPINGS_MAX]; /* private */
	uint32_t next;
	uint32_t given_back_first, given_back_end; /* such places are between them */
	uint32_t lacking; /* so many were looked for in vain since any came free; 0: none */
};

/* @return 0, or -ENOSPC: so many that follow each other are not free. */
int ctd_unwind_ranges_take(struct ctd_unwind_ranges *ranges, uint32_t count, uint32_t *ret_first);
/* A program may be reading them: they are free when a drain has begun after that, and is over. */
void ctd_unwind_ranges_give_back(struct ctd_unwind_ranges *ranges, uint32_t first, uint32_t count);
/* Another drain is over. */
void ctd_unwind_ranges_drained(struct ctd_unwind_ranges *ranges);

#endif
