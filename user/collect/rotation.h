/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rotation.h - groups of counters that do not fit beside each other count one after the other. */
#ifndef COLLECT_ROTATION_H
#define COLLECT_ROTATION_H

#include <cgtopdown/counters.h>
#include <cgtopdown/kern.h>

#include "collect/cpu_set.h"

/* Shorter than this times the groups, an interval is of one of them. */
#define CTD_ROTATION_STEP_LEAST_NS 20000000ull
/* In an interval without an end, such as of a command's whole run. */
#define CTD_ROTATION_STEP_NS 100000000ull

/* Of groups without weights: where the present round is. */
struct ctd_round {
	int groups_count; /* of the round; 0: none has begun */
	int first; /* the group that it began with */
	int taken; /* steps of it */
	int rounds; /* since another group was first */
};

/* Which group is next. Start from a zeroed struct: each as often as any other. */
struct ctd_steps {
	struct ctd_round round;
	uint8_t weight[CTD_ROTATION_GROUPS_MAX]; /* steps of each group in a round */
	uint8_t left[CTD_ROTATION_GROUPS_MAX]; /* of those of the present round */
	int groups_count; /* that have weights; 0: they are all alike */
	uint64_t random;
	unsigned int length; /* steps are so many times as long, where there is room; 0: once */
};

/* @p weights: of @p groups_count groups, not all 0. They are of the next round; which begins at
 * once if other groups have steps than before. */
void ctd_steps_weigh(struct ctd_steps *steps, const uint8_t *weights, int groups_count);
/* The group that is to count after that of @p step, of @p groups_count. A round has another order
 * each time: in the same one, a group would see the same part of each second of a load that repeats
 * itself. */
int ctd_steps_next(struct ctd_steps *steps, int step, int groups_count);

/* An interval begins, with a step of the group @p step. If it has room for a round that is the
 * first step of a new one, so that the interval is of whole rounds. */
void ctd_steps_begin(struct ctd_steps *steps, int step, uint64_t interval_ns, int groups_count);

/* How long a group counts at a stretch: in an interval each has as many stretches as it has steps
 * in a round, or a multiple of that, as far as there is room for them. */
uint64_t ctd_rotation_step_ns(const struct ctd_steps *steps, uint64_t interval_ns,
			      uint64_t groups_count);

/* The group that counts stops with the next snapshot, on all CPUs on which that of step @p next is
 * another one. */
void ctd_rotation_end_step(const struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			   struct ctd_kern *kern, int next);
/* After that snapshot: the next group counts. What fails is opened anew once readings have failed:
 * see ctd_hotplug_revive(). */
void ctd_rotation_begin_step(struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			     struct ctd_kern *kern, int next);

#endif
