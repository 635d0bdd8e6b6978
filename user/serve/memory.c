/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* memory.c - keeps the memory that every interval takes again, and gives back what is beyond it. */
#include "serve/memory.h"

#include <malloc.h>

/* What an interval needs is taken and given back once a second: it stays with the process, as fresh
 * pages take longer than what is written to them. Not where it is large, as texts are, and all of
 * ten thousand containers: that would be twice the memory. */
#define LARGE_BYTES (1 << 20)
#define KEPT_BYTES (8 << 20)

/* What ten thousand cgroups took stays free in the middle of the heap when they are gone, where the
 * allocator does not see it. A look, and the pages that the next interval takes anew, are spread
 * over so many intervals, or so much time. */
#define LOOK_INTERVALS 20
#define LOOK_NS 20000000000ull
/* So much may be free. */
#define FREE_BYTES (4 << 20)

void ctd_memory_prepare(void)
{
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
}

void ctd_memory_give_back(struct ctd_memory *memory, uint64_t now_ns)
{
	struct mallinfo2 info;

	if (++memory->intervals < LOOK_INTERVALS && now_ns < memory->look_ns)
		return;
	memory->intervals = 0;
	memory->look_ns = now_ns + LOOK_NS;
	info = mallinfo2();
	if (info.fordblks >= FREE_BYTES && info.fordblks >= info.uordblks / 2)
		malloc_trim(0);
}
