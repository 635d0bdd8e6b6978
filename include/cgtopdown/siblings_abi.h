/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* siblings_abi.h - what the BPF programs and the loader share of hardware threads of one core: what
 * each runs. */
#ifndef CGTOPDOWN_SIBLINGS_ABI_H
#define CGTOPDOWN_SIBLINGS_ABI_H

#include <cgtopdown/abi.h>

/* Of one CPU. Written by that CPU, but for `sibling`; its sibling reads it without a lock. */
struct ctd_sibling_cpu {
	__u64 id; /* what runs: CTD_OCCUPIER_..., or of a cgroup */
	__u64 stays; /* how often that became another one, counted before it is there */
	__u64 closed_ns; /* monotonic time of the last closing */
	__u64 seen; /* the sibling's stays at this CPU's last closing */
	__u32 sibling; /* 1 + the CPU of the core's other hardware thread; 0: none. The loader's */
	__u32 reserved[7];
} __attribute__((aligned(64)));

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct ctd_sibling_cpu) == 64, "a cache line");
#endif

#endif
