/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* abi.h - the map keys, map values and knob values that the BPF programs and the loader share. */
#ifndef CGTOPDOWN_ABI_H
#define CGTOPDOWN_ABI_H

#ifndef __bpf__
#include <linux/types.h>
#endif

/* Counters of one group: the leader is counter 0. Intel level 2 takes 9; the largest planned
 * group 14. */
#define CTD_COUNTERS_MAX 16
/* The kernel's NR_CPUS goes to 8192; a machine with more CPUs than this is refused with a message. */
#define CTD_CPUS_MAX 4096
/* TRACE_CGROUP_PATH_LEN of the kernel: no cgroup tracepoint gives a longer path. */
#define CTD_PATH_BYTES_MAX 1024
/* TASK_COMM_LEN of the kernel. */
#define CTD_COMM_BYTES 16

/* Owner of a slice: one of these tokens, or the address of a cgroup. No pointer is that small. */
enum ctd_owner {
	CTD_OWNER_NONE = 0, /* nothing measured yet on this CPU */
	CTD_OWNER_IDLE = 1,
	CTD_OWNER_KERNEL = 2,
	CTD_OWNER_TOKENS, /* every larger token is a cgroup */
};

/* How a cgroup is divided into rows: cfg_by. */
enum ctd_by { CTD_BY_CGROUP = 0, CTD_BY_PROCESS = 1, CTD_BY_TASK = 2 };

/* Where counts come from: cfg_read. */
enum ctd_read {
	CTD_READ_NONE = 0, /* no counters: time, slices and switches only */
	CTD_READ_LEADER = 1, /* the leader by helper, its siblings from struct perf_event */
	CTD_READ_EACH = 2, /* every member by helper */
	CTD_READ_SIM = 3, /* counts derived from on-CPU time and a profile by comm */
	CTD_READ_MIXED = 4, /* each CPU as its ctd_cpu_state.read says, one of the first three */
};

/* What the core's other hardware thread did during a slice. */
enum ctd_sibling {
	CTD_SIBLING_IDLE, /* or there is none */
	CTD_SIBLING_SAME, /* ran the same cgroup, or container */
	CTD_SIBLING_OTHER,
	CTD_SIBLING_MIXED, /* changed within the slice, or is not known */
	CTD_SIBLINGS,
};

/* Key of a row: a cgroup on one CPU, so that no two CPUs ever write the same row. */
struct ctd_row_key {
	__u64 cgroup_id;
	__u32 cpu;
	__u32 pid; /* 0, or the tgid or tid under CTD_BY_PROCESS or CTD_BY_TASK */
};

/* What is remembered of a row's task under CTD_BY_PROCESS and CTD_BY_TASK. */
struct ctd_task_name {
	char comm[CTD_COMM_BYTES];
	__u32 process; /* its tgid */
};

/* Cumulative totals. */
struct ctd_bank {
	__u64 oncpu_ns; /* time this row held a CPU */
	__u64 running_ns; /* the part of it during which the counters were counting */
	__u64 slices; /* closed slices charged here */
	__u64 switches; /* times the scheduler switched away from a task of this row */
	__u64 count[CTD_COUNTERS_MAX];
};

/*
 * One row: two banks of totals, each of an epoch. A charge goes into the bank of the CPU's current
 * epoch; the first charge in a new epoch copies the newer bank over the older one and continues
 * there. So the bank with the largest epoch below the current one stands still, and a reader takes
 * it without a lock and without a torn value.
 * Where slices are told apart by what the sibling did, each of the two is CTD_SIBLINGS banks, by
 * enum ctd_sibling, whose sum is the row's. Else each is one: `parts` below says how many.
 * Banks are cut to the counters in use: each begins CTD_BANK_BYTES() after the one before.
 */
struct ctd_row {
	struct ctd_row_key key; /* cgroup_id 0: the row is free */
	__u64 epoch[2];
	__u64 tenant; /* whose row it is: 1 + index into the tenants; 0: of none */
	struct ctd_bank banks[2 * CTD_SIBLINGS]; /* room for the most; use ctd_row_bank() */
};

#define CTD_BANK_BYTES(counters) (32 + 8 * (__u64)(counters))
/* Size of a row with so many counters: whole cache lines, so that CPUs do not share any. */
#define CTD_ROW_BYTES(counters, parts) \
	((40 + CTD_BANK_BYTES(counters) * 2 * (parts) + 63) / 64 * 64)

/* @p bank: 0 or 1; @p part: below @p parts. Masked and not multiplied: to the verifier of 5.10 a
 * constant times an unknown 0 or 1 is anything, and so is a negated constant: what one part leaves
 * out is masked by `parts`. */
static inline struct ctd_bank *ctd_row_bank(const struct ctd_row *row, __u32 bank, __u32 part,
					    __u32 counters, __u32 parts)
{
	return (struct ctd_bank *)((char *)row->banks +
				   (-(__u64)bank & parts * CTD_BANK_BYTES(counters)) +
				   (-(__u64)(part & 1) &
				    ((parts - 1) & 1) * CTD_BANK_BYTES(counters)) +
				   (-(__u64)(part >> 1 & 1) &
				    ((parts - 1) & 2) * CTD_BANK_BYTES(counters)));
}

/*
 * Containers and delegations make as many cgroups as they like, each of which takes rows. Such a
 * tenant has at most as many rows as are free: one alone at most half of all, two at most a third
 * each, and so on, which always leaves some for everything else.
 */
struct ctd_row_tenant {
	__u64 cgroup_id; /* the outermost of its cgroups; 0: the place is free. The loader's */
	__u64 rows; /* taken by a CPU, given back by the loader: both atomically */
	__u64 refused; /* times that it had to do without one */
};
#define CTD_TENANTS_MAX 4096
/* How deep the outermost cgroup of a tenant may lie to be found. */
#define CTD_TENANT_LEVELS 16

/* Cache of the rows that a CPU used last, by a hash of their key: most closings need no map
 * look-up. */
#define CTD_RECENT_BITS 8
#define CTD_RECENT_ROWS (1 << CTD_RECENT_BITS)

/* A key that found its tenant to have its share: until the next epoch the answer is the same, as
 * rows are only freed with a snapshot. */
struct ctd_refused_row {
	__u64 cgroup_id;
	__u32 pid;
	__u32 epoch; /* its lower half */
};

/*
 * What tells how well the accounting goes: each a total that only grows. user/format/health.c says
 * what outputs call them. Most are a CPU's, counted by the BPF programs; the others a node's.
 * Recordings have a CPU's in this order: a new one is the last of them.
 */
enum ctd_health {
	CTD_HEALTH_SWITCHES, /* every pass of the scheduler through a CPU */
	CTD_HEALTH_CLOSED_SLICES,
	CTD_HEALTH_READ_ERRORS, /* slices whose counters could not be read */
	CTD_HEALTH_READ_BUSY, /* of these: the pinned group was not on the PMU (-EBUSY) */
	CTD_HEALTH_LOST_ROWS, /* charges to `other` because there was no row to be had */
	CTD_HEALTH_MOVES_SPLIT, /* slices split in time: their task was moved from another CPU */
	CTD_HEALTH_SKIPPED_BUSY, /* long-slice closings skipped because a flush was at work */
	CTD_HEALTH_COST_NS, /* time inside cgtd_switch, summed over the sampled calls */
	CTD_HEALTH_COST_SAMPLES,
	CTD_HEALTH_LOST_SWITCHES, /* passes to another owner that the kernel did not tell of */
	CTD_HEALTH_REFUSED_ROWS, /* rows that a tenant did not get, as it has its share */
	CTD_HEALTH_CPU_COUNTERS,
	/* Of the node. */
	CTD_HEALTH_LOST_EVENTS = CTD_HEALTH_CPU_COUNTERS, /* of cgroups, for want of room */
	CTD_HEALTH_RESTARTS, /* rows and CPUs of which a total was smaller than before: they count
				from 0 */
	CTD_HEALTH_COUNTERS,
};

/* Waits that are charged with the slice in which they ended, by their length in steps of
 * CTD_WAIT_BUCKET_NS: longer ones, and those that end where a slice begins, are charged at once. A
 * power of two. */
#define CTD_OPEN_WAITS 4

/* State of one CPU. Written by that CPU only, except the fields under "from outside". */
struct ctd_cpu_state {
	/* The slice that is open. */
	__u64 owner; /* enum ctd_owner, or the kernel address of the cgroup: compared, never
			followed */
	__u64 owner_id; /* cgroup id; unused for idle and kernel */
	__u32 owner_pid;
	__u32 busy; /* a program that an interrupt may interrupt is at work on this state */
	__u64 start_ns; /* this CPU's clock at the last closing: see clock_offset_ns */
	__u64 start_running_ns; /* the leader's running time then */
	__u64 start_switches;
	__u64 running_task; /* kernel address of the task that runs; only compared and probed */
	__u64 switches; /* CTD_HEALTH_SWITCHES */
	__u64 epoch; /* charges go into this epoch: the one wanted at the last closing */
	/* From outside. */
	__u64 wanted_epoch; /* set by the loader: the next closing ends its slice in `epoch`, then
			       moves here */
	__u64 live; /* 0: the next closing only takes a baseline. Cleared by the loader, set here */
	__u64 moved_ns; /* monotonic time at which another CPU moved the running task; 0: not moved */
	/* With waits, from inside again: see open_wait() in bpf/waits.bpf.h. In this cache line, as
	 * a switch that closes no slice needs nothing else of what is below. */
	__u64 waits_owner; /* the owner, as the CPU's ring of occupiers has it; none: not known */
	__u64 open_wait_ns; /* waits that were kept with their slices, ever: only grows */
	union {
		__u32 count[CTD_OPEN_WAITS];
		__u64 any[CTD_OPEN_WAITS / 2];
	} open_waits; /* those of the open slice */
	/* Monotonic time minus this CPU's clock. The clock is the leader's enabled time: it comes
	 * with the reading and saves one of the two clock reads of a closing. */
	__u64 clock_offset_ns;
	__u64 clock_lost; /* the last reading failed: the clock ran on by monotonic time */
	__u64 counted; /* start_count is of the events now open: cleared with `live` */
	__u32 rotating; /* set by the loader while it changes the group of events: from the next
			  epoch on readings are not used, until the loader clears it */
	__u32 read; /* set by the loader, with CTD_READ_MIXED: enum ctd_read of this CPU's core type
		       and of the group that counts */
	__u64 closed_slices; /* CTD_HEALTH_CLOSED_SLICES */

	__u64 start_count[CTD_COUNTERS_MAX]; /* raw counts at the last good reading */
	__u64 event_address[CTD_COUNTERS_MAX]; /* kernel addresses of this CPU's struct perf_event */
	struct ctd_row idle;
	struct ctd_row kernel;
	struct ctd_row other; /* what found no free row */
	__u32 recent_row[CTD_RECENT_ROWS]; /* indices into the map of rows */
	struct ctd_refused_row refused[CTD_RECENT_ROWS]; /* at the same places */

	__u64 unattributed[CTD_COUNTERS_MAX]; /* counted across a failed reading, or in a slice with
						 a lost switch: charged to no row */
	__u64 unattributed_ns; /* time of the slices with lost switches */
	__u64 base_count[CTD_COUNTERS_MAX]; /* start_count + base_count = total since the start */
	__u64 epoch_total[CTD_COUNTERS_MAX]; /* that total when the epoch last changed */
	__u64 epoch_unattributed[CTD_COUNTERS_MAX]; /* unattributed when the epoch last changed */
	__u64 epoch_ns; /* monotonic time at which the epoch last changed */
	__u64 measured_offset_ns; /* clock_offset_ns as it was measured last */
	__u64 epoch_unattributed_ns;
	__u64 epoch_lost_switches;
	__u64 simulated_count[CTD_COUNTERS_MAX]; /* CTD_READ_SIM: the counters themselves */
	__u64 simulated_ns; /* monotonic time up to which they have advanced */
	/* Scratch of the rare closings, too large for the stack: the charge to the owner, and to
	 * the owner before a move. */
	struct ctd_bank charge, charge_before;

	/* All but `switches` and `closed_slices`, which are in cache lines that every closing
	 * touches anyway: their places here stay 0. */
	__u64 health[CTD_HEALTH_CPU_COUNTERS];
	__u32 rows_end; /* one more than the largest row index this CPU has taken */
	__u32 no_free_rows; /* set here when there was none; cleared by the loader when it frees
			       some */
	__u32 group; /* set by the loader: the group of counters that counts */
} __attribute__((aligned(64)));

/* A cgroup came or went: record of the ring buffer `cgtd_events`. `path` is cut to its length. */
enum ctd_cgroup_change { CTD_CGROUP_MADE = 1, CTD_CGROUP_REMOVED = 2, CTD_CGROUP_RENAMED = 3 };

struct ctd_cgroup_event {
	__u64 cgroup_id;
	__u32 change; /* enum ctd_cgroup_change */
	__u32 path_bytes; /* with the final NUL */
	char path[CTD_PATH_BYTES_MAX];
};

/* Profile of one comm for CTD_READ_SIM. Counter 0 is slots; 1 to 4 add up to the whole. */
#define CTD_SIM_PARTS_WHOLE 100000
struct ctd_sim_profile {
	__u32 parts[CTD_COUNTERS_MAX]; /* counter i grows by slots * parts[i] / CTD_SIM_PARTS_WHOLE */
};
/* Slots that a simulated CPU offers in a nanosecond: 4 GHz, 6 wide. */
#define CTD_SIM_SLOTS_PER_NS 24

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct ctd_row_key) == 16, "two 64-bit words: hashed on every closing");
_Static_assert(sizeof(struct ctd_bank) == CTD_BANK_BYTES(CTD_COUNTERS_MAX), "no padding");
_Static_assert(sizeof(struct ctd_row) == 40 + sizeof(struct ctd_bank) * 2 * CTD_SIBLINGS,
	       "no padding");
_Static_assert(sizeof(struct ctd_cpu_state) % 64 == 0, "no cache line shared between CPUs");
#endif

#endif
