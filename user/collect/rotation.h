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

/* How long a group counts at a stretch: each has the same number of stretches in an interval, as
 * far as there is room for them. */
uint64_t ctd_rotation_step_ns(uint64_t interval_ns, uint64_t groups_count);

/* The group that counts stops with the next snapshot, on all CPUs that rotate. */
void ctd_rotation_end_step(const struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			   struct ctd_kern *kern);
/* After that snapshot: the next group counts. What fails is opened anew once readings have failed:
 * see ctd_hotplug_revive(). */
void ctd_rotation_begin_step(struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			     struct ctd_kern *kern);

#endif
