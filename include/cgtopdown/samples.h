/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* samples.h - what was sampled on the CPUs: stacks of addresses with their counts, as plain data. */
#ifndef CGTOPDOWN_SAMPLES_H
#define CGTOPDOWN_SAMPLES_H

#include <cgtopdown/abi.h>
#include <cgtopdown/sampler_abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Each CPU is sampled once a period while it is not idle. A sample stands for period_ns of CPU
 * time. Around it there is a window, some 50 us long, at both ends of which the counters are read.
 * A window is used only if one task ran in all of it and its counters were read twice, from one
 * group: so there are fewer windows than samples, and sums of counts are of the windows only.
 *
 *   CPU time of a stack    samples * period_ns
 *   its slots              CPU time * count[0] / window_ns, in the unit of the leader
 *   its shares             count[i] / count[0], of windows whose two ends are of one function:
 *                          begin_frame and the innermost frame
 *
 * The exact figures are those of the cgroup's row in the interval between the two snapshots.
 */

struct ctd_idmap;

/* What was sampled of one stack of one process, in one cgroup, on one core type, with one group of
 * counters, in windows that began in one place. */
struct ctd_sample {
	uint64_t cgroup_id; /* 0 unless kind is CTD_ROW_CGROUP */
	uint32_t kind; /* enum ctd_row_kind: CTD_ROW_CGROUP or CTD_ROW_KERNEL */
	uint32_t core_type; /* index */
	uint32_t group; /* of counters, that counts in the windows; 0 where they do not rotate */
	uint32_t tgid; /* in the initial pid namespace; 0: kernel threads, and in `other` */
	/* What the unwinder's requests and ctd_process (profile_abi.h) call by this name: it tells
	 * processes with one tgid apart. */
	uint64_t incarnation;

	/*
	 * Frames from the innermost to the outermost: the kernel's, then the user's. Each is a
	 * CTD_FRAME (profile_abi.h): an address of the kernel, an executable with an address in its
	 * file, or, with executable 0, an address of the process. Return addresses stand minus 1.
	 */
	size_t first_frame; /* index into ctd_samples.frames */
	uint16_t kernel_frames, user_frames; /* each up to CTD_STACK_FRAMES_MAX */
	uint8_t kernel_end, user_end; /* enum ctd_stack_end */
	/* Where the task was when the windows began, as a CTD_FRAME; 0: windows is 0. */
	uint64_t begin_frame;
	/* All stacks of this cgroup that found no room: without frames, process and begin_frame. */
	bool other;

	uint64_t samples;
	uint64_t windows; /* of these, with a window that can be used */
	uint64_t windows_ns; /* how long these windows were */
	uint64_t count[CTD_COUNTERS_MAX]; /* what the counters counted in them; 0 is the leader */
};

/* Begin with {0}. */
struct ctd_samples {
	uint64_t period_ns; /* CPU time between two samples of one CPU; 0: they are of an event */
	uint32_t counters_count;
	size_t samples_max; /* at most so many: others are added to `other`; 0: no limit */
	struct ctd_sample *samples; /* owned; each key once, in no order */
	size_t samples_count;
	uint64_t *frames; /* owned */
	size_t frames_count;
	struct ctd_idmap *index; /* owned, private */
};

/* Adds what was sampled, with its frames, to what has the same key. Frames and counts are copied,
 * first_frame is not looked at. @return 0 or -ENOMEM; then nothing was added. */
int ctd_samples_add(struct ctd_samples *samples, const struct ctd_sample *sample,
		    const uint64_t *frames);
/* Releases all samples; what was set of them stays. */
void ctd_samples_clear(struct ctd_samples *samples);

#endif
