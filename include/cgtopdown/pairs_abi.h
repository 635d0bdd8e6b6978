/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs_abi.h - what the BPF programs and user space share of pairs: who waited, and who had the
 * CPU meanwhile; who ran on the core's other hardware thread. */
#ifndef CGTOPDOWN_PAIRS_ABI_H
#define CGTOPDOWN_PAIRS_ABI_H

#include <cgtopdown/abi.h>

/* What a table has pairs of. Each CPU has two of each kind. */
enum ctd_pairs_of {
	CTD_PAIRS_WAITS, /* the victim waited while the other one had the CPU */
	CTD_PAIRS_BESIDE, /* both ran, on the hardware threads of one core: the smaller id first */
};

/* In one epoch, on one CPU. */
struct ctd_pair_slot {
	__u64 victim_id; /* of its cgroup, or CTD_OCCUPIER_KERNEL; 0: the slot is free */
	__u64 occupier_id; /* of a cgroup */
	__u64 ns;
	__u32 waits; /* a wait over a CPU's change is one on each */
	__u32 preempted; /* the victim was put off for a task of the other one */
};

#define CTD_PAIR_BITS 9
#define CTD_PAIR_SLOTS (1 << CTD_PAIR_BITS)

struct ctd_pair_table {
	struct ctd_pair_slot slots[CTD_PAIR_SLOTS];
	__u32 newest_wait[CTD_PAIR_SLOTS]; /* that was charged to each: it counts once */
	/* Of pairs that gave way to others. */
	__u64 evicted_ns;
	__u32 evicted_waits, evicted_preempted;
	__u64 used; /* 0: the table is empty */
};

/* Two tables: that of the CPU's epoch, and one that the loader reads and empties. */
struct ctd_pair_cpu {
	struct ctd_pair_table tables[2];
	__u64 current; /* epoch << 1 | the table that was written to last, and when */
} __attribute__((aligned(64)));

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct ctd_pair_slot) == 32, "a power of two: what verifiers multiply well");
#endif

#endif
