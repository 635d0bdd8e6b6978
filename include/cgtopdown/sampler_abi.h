/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sampler_abi.h - what the BPF sampler and user space share: a CPU's clocks and window, and banks
 * of samples. */
#ifndef CGTOPDOWN_SAMPLER_ABI_H
#define CGTOPDOWN_SAMPLER_ABI_H

#include <cgtopdown/abi.h>

/* How the outermost frame of the kernel's or of the user's part was found. */
enum ctd_stack_end {
	CTD_STACK_COMPLETE, /* the unwinder came to where the thread began, or there is no such part
			     */
	CTD_STACK_TRUNCATED, /* there was no room for more frames */
	CTD_STACK_BROKEN, /* the caller of the outermost frame could not be found */
	/* By frame pointers: functions without one are not in it, and nothing tells. */
	CTD_STACK_FRAME_POINTERS,
	CTD_STACK_ENDS,
};

/* Frames of one part of a stack: the kernel walks no further (sysctl kernel.perf_event_max_stack). */
#define CTD_STACK_FRAMES_MAX 127

/* How well the sampling goes: each a total since it began. */
enum ctd_sampling_health {
	CTD_SAMPLING_SAMPLES,
	CTD_SAMPLING_WINDOWS,
	/* Samples without a window, by their reason. */
	CTD_SAMPLING_UNPAIRED, /* the window's begin was missed, or was not 50 us ago */
	CTD_SAMPLING_SWITCHED, /* the CPU switched to another task in the window */
	CTD_SAMPLING_UNREAD, /* the counters could not be read, or no counters are there */
	/* Samples by how their stacks end: each is in one of four. */
	CTD_SAMPLING_COMPLETE,
	CTD_SAMPLING_TRUNCATED,
	CTD_SAMPLING_BROKEN,
	CTD_SAMPLING_FRAME_POINTERS, /* the user's part by frame pointers alone */
	CTD_SAMPLING_UNKNOWN_PROCESS, /* of these: because no tables were there for the process yet */
	CTD_SAMPLING_OTHER, /* found no room, and are in `other` */
	CTD_SAMPLING_LOST, /* found no room there either: in no figure */
	CTD_SAMPLING_REQUESTS_LOST, /* requests for tables that found no room */
	CTD_SAMPLING_COST_NS, /* no samples: time that the programs took, by their own clocks */
	CTD_SAMPLING_CPU_COUNTERS,
	/* Of the node. */
	CTD_SAMPLING_LOCKS =
		CTD_SAMPLING_CPU_COUNTERS, /* times a CPU's two clocks were set apart */
	CTD_SAMPLING_LOCKS_FAILED, /* of these: they were not 50 us apart afterwards */
	CTD_SAMPLING_HEALTH,
};

/* State of one CPU. Written by that CPU only, except `bank` and, of clocks, `weight`. */
struct ctd_sampler_cpu {
	__u64 window_at_ns; /* monotonic time at which the last window began; 0: none yet */
	__u64 sample_at_ns; /* and of the last sample */
	__u32 bank; /* set by user space: which of the CPU's two takes samples */
	__u32 busy; /* a bank is being written to */
	/* The window, from its begin to the sample. */
	__u32 window; /* enum ctd_sampler_window */
	__u32 group; /* ctd_cpu_state.group */
	__u64 task; /* kernel address; only compared */
	__u64 switches; /* ctd_cpu_state.switches */
	__u32 weight; /* how many samples a sample stands for */
	__u32 marks; /* set by user space: with which perf's call chains begin, 0 or 1 */
	__u64 pc;
	__u64 clock_ns; /* of the reading: this CPU's clock */
	__u64 running_ns;
	__u64 count[CTD_COUNTERS_MAX]; /* counts at the begin; at the end, what was counted since */
	__u64 clock_period; /* set by user space: of a clock as the event; 0: perf says its period */
	/* Where an event is sampled: how many its samples stood for, and of these while it idled. */
	__u64 events, idle_events;
	__u64 overflows; /* times that the event came here, also while it idled */
	__u64 health[CTD_SAMPLING_CPU_COUNTERS];
} __attribute__((aligned(64)));

enum ctd_sampler_window {
	CTD_WINDOW_NONE = 0,
	CTD_WINDOW_OPEN = 1, /* begun, and counters were read */
	CTD_WINDOW_UNREAD = 2, /* begun, but they could not be */
};

/* What makes a sample another sample: words that are hashed, with the frames that follow them. */
struct ctd_sampler_key {
	__u64 cgroup_id; /* 0 of kernel threads */
	__u64 incarnation;
	__u64 begin_pc; /* where the window began; 0: without a window */
	__u32 tgid;
	__u32 group;
	__u16 kernel_frames, user_frames;
	__u8 kernel_thread; /* 1: of the kernel's row */
	__u8 other; /* 1: all that found no room; without frames and process */
	__u8 user_end; /* enum ctd_stack_end */
	__u8 frames_made; /* 1: user frames and begin_pc are CTD_FRAMEs; 0: addresses of the
			     process, and of the kernel */
};

/* Entry of a bank: `frames` are as many as the key says. */
struct ctd_sampler_entry {
	__u64 hash;
	__u64 samples, windows, windows_ns;
	__u64 count[CTD_COUNTERS_MAX];
	struct ctd_sampler_key key;
	__u64 frames[2 * CTD_STACK_FRAMES_MAX];
};
#define CTD_SAMPLER_ENTRY_BYTES(frames) \
	(sizeof(struct ctd_sampler_entry) - sizeof(__u64) * (2 * CTD_STACK_FRAMES_MAX - (frames)))

/*
 * A CPU has two banks: one takes samples while user space reads and empties the other. After this
 * head there is an open hash table, of 32-bit offsets in `data` plus 1; then `data`, in which
 * entries follow each other; then room for one more entry, so that no check is needed within one.
 */
struct ctd_sampler_bank {
	__u32 used; /* bytes of data in use */
	__u32 entries;
	__u64 reserved[7];
};
/* Attempts to find an entry or a free place in the table. */
#define CTD_SAMPLER_PROBES 8
/* End of `data` that is for entries of `other`, which have no frames: some 80 cgroups. */
#define CTD_SAMPLER_OTHER_BYTES 16384

#define CTD_SAMPLER_BANK_BYTES(index, data)                                   \
	(sizeof(struct ctd_sampler_bank) + sizeof(__u32) * (index) + (data) + \
	 sizeof(struct ctd_sampler_entry))

#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
_Static_assert(sizeof(struct ctd_sampler_key) == 40, "whole words, no padding: hashed");
_Static_assert(sizeof(struct ctd_sampler_bank) == 64, "a cache line");
_Static_assert(sizeof(struct ctd_sampler_entry) % 8 == 0, "entries follow each other, aligned");
#endif

#endif
