/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* waits_abi.h - what the BPF programs and user space share of waits for a CPU: totals, rows, rings.
 */
#ifndef CGTOPDOWN_WAITS_ABI_H
#define CGTOPDOWN_WAITS_ABI_H

#include <cgtopdown/abi.h>

/* What held the CPU while a task waited for it. */
enum ctd_wait_cause {
	CTD_WAIT_OWN, /* other tasks of its own cgroup */
	CTD_WAIT_OTHER, /* other cgroups */
	CTD_WAIT_KERNEL, /* kernel threads */
	CTD_WAIT_IDLE, /* nobody: the CPU was still to wake up, or a sibling's task forced it */
	CTD_WAIT_THROTTLED, /* its cgroup had used up its quota */
	CTD_WAIT_UNKNOWN, /* longer ago than the CPU remembers, or in a slice with a lost switch */
	CTD_WAIT_SHORT, /* not looked into: waits of less than CTD_WAIT_SPLIT_NS */
	CTD_WAIT_CAUSES,
};

/* Shorter waits are a fiftieth of the time and most of the work. */
#define CTD_WAIT_SPLIT_NS 50000

/* Waits by their length: bucket i has those of less than CTD_WAIT_BUCKET_NS << i, the last one all
 * longer ones. */
#define CTD_WAIT_BUCKETS 19
#define CTD_WAIT_BUCKET_BITS 12
#define CTD_WAIT_BUCKET_NS (1ull << CTD_WAIT_BUCKET_BITS)

/* Cumulative totals of a row. What it waited is the sum of the causes, and how often that of the
 * buckets: nothing is kept twice. */
struct ctd_waits {
	__u64 ns[CTD_WAIT_CAUSES];
	/* Times that its tasks were put off a CPU though they could have gone on; of these: for a
	 * task of another cgroup; and times that a task of it took the CPU like that. */
	__u64 preempted, preempted_by_other, preempted_others;
	__u64 histogram[CTD_WAIT_BUCKETS];
};
/* All of its totals, as they are added, subtracted and written. */
#define CTD_WAITS_FIGURES (CTD_WAIT_CAUSES + 3 + CTD_WAIT_BUCKETS)

/*
 * The waits of a row, at its index in an array of their own; behind those, two for each CPU: of
 * kernel threads, and of what found no free row. Two banks by epoch, as in struct ctd_row. Written
 * by the row's CPU; what may be interrupted there says so in state->busy.
 */
struct ctd_wait_row {
	__u64 epoch[2];
	__u64 reserved;
	/* The run queue's total of throttled time when it was last looked at, and one more; 0:
	 * never yet. And its newest part: from when to when. */
	__u64 throttled_seen;
	__u64 throttled_from_ns, throttled_to_ns;
	struct ctd_waits banks[2];
};
enum ctd_wait_own_row { CTD_WAIT_ROW_KERNEL, CTD_WAIT_ROW_OTHER, CTD_WAIT_OWN_ROWS };
#define CTD_WAIT_ROWS(rows_max, cpus) ((rows_max) + CTD_WAIT_OWN_ROWS * (cpus))

/* Who had a CPU: the id of a cgroup, or one of these. */
#define CTD_OCCUPIER_UNKNOWN 0ull
#define CTD_OCCUPIER_IDLE (~0ull)
#define CTD_OCCUPIER_KERNEL (~1ull)

/* What a CPU remembers of who had it. All times by its run queue's clock. A power of two. */
#define CTD_OCCUPIERS 64
struct ctd_wait_cpu {
	struct {
		__u64 id;
		__u64 start_ns;
	} occupiers[CTD_OCCUPIERS]; /* a ring */
	__u32 newest; /* index of the one that has the CPU */
	__u32 number; /* of this CPU */
	__u64 charged_open_ns; /* of the state's open_wait_ns what is in the rows */
	__u64 run_delay_ns; /* the run queue's sum of waits less open_wait_ns, as of the last switch
			       whose wait was not kept with a slice */
	__u64 parts[CTD_WAIT_CAUSES + 1]; /* scratch, of one wait; indices are masked */
	struct {
		__u64 own_id, queued_ns, throttled_from_ns, throttled_to_ns;
		__u64 end_ns; /* what is left of it ends there */
		__u32 wait; /* counts them, in steps of so many as there are CPUs: with the number
			       of its CPU added, each has one of its own */
	} split; /* scratch, likewise */
} __attribute__((aligned(64)));

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct ctd_waits) == sizeof(__u64) * CTD_WAITS_FIGURES,
	       "an array of figures");
_Static_assert(sizeof(struct ctd_wait_row) == 512, "whole cache lines");
_Static_assert(((CTD_WAIT_CAUSES + 1) & CTD_WAIT_CAUSES) == 0, "a mask of indices");
#endif

#endif
