/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* memory.h - how much memory a service keeps: what an interval takes again, and no more. */
#ifndef SERVE_MEMORY_H
#define SERVE_MEMORY_H

#include <stdint.h>

struct ctd_memory {
	uint64_t look_ns; /* monotonic time of the next look */
	unsigned intervals; /* since the last look */
};

/* To be called once, before there are threads. */
void ctd_memory_prepare(void);
/* To be called after each interval: now and then, gives back to the kernel what is free beyond what
 * intervals take again. */
void ctd_memory_give_back(struct ctd_memory *memory, uint64_t now_ns);

#endif
