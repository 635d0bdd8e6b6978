/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sample_stacks.h - stacks to make profiles of, beside the interval of a scene. */
#ifndef TESTS_UNIT_PROFILE_SAMPLE_STACKS_H
#define TESTS_UNIT_PROFILE_SAMPLE_STACKS_H

#include <cgtopdown/profile.h>

#include "unit/rollup/scene.h"

#define SAMPLE_PERIOD_NS 10000000
#define SAMPLE_WINDOW_NS 50000
#define SAMPLE_WINDOW_SLOTS (SCENE_SLOTS_PER_MS / 20)

static inline struct ctd_stacks *sample_begin(const struct scene *scene)
{
	struct ctd_stacks *stacks;

	assert_int_equal(ctd_stacks_new(SAMPLE_PERIOD_NS, (int)scene->interval.counters_count,
					(int)scene->interval.groups_count, &stacks),
			 0);
	return stacks;
}

/* The trace of functions of one program, the innermost first: "memcpy|parse|main". */
static inline uint32_t sample_trace(struct ctd_stacks *stacks, const char *names)
{
	uint32_t module, functions[64], trace;
	size_t count = 0;
	char *copy = strdup(names), *rest = copy, *name;

	assert_non_null(copy);
	assert_int_equal(ctd_stacks_module(stacks, "/usr/bin/program", "c0ffee", false, &module),
			 0);
	while ((name = strsep(&rest, "|")))
		assert_int_equal(ctd_stacks_function(stacks, module,
						     0x1000 + (uint64_t)strlen(name), name,
						     &functions[count++]),
				 0);
	assert_int_equal(ctd_stacks_trace(stacks, functions, count, CTD_TRACE_COMPLETE, &trace), 0);
	free(copy);
	return trace;
}

/* Adds samples with windows. Of the windows' slots, the part @p memory is memory bound; the rest
 * are light operations. */
static inline void sample_add(struct ctd_stacks *stacks, uint64_t cgroup_id, const char *names,
			      uint64_t samples, uint64_t windows, double memory)
{
	uint64_t count[CTD_COUNTS_MAX] = {0}, slots = windows * SAMPLE_WINDOW_SLOTS;
	struct ctd_stack stack = {
		.cgroup_id = cgroup_id,
		.kind = cgroup_id ? CTD_ROW_CGROUP : CTD_ROW_KERNEL,
		.trace = sample_trace(stacks, names),
		.samples = samples,
		.windows = windows,
		.windows_ns = windows * SAMPLE_WINDOW_NS,
		.count = count,
	};

	count[0] = slots;
	count[4] = count[8] = (uint64_t)((double)slots * memory);
	count[1] = slots - count[4];
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
}

static inline struct ctd_profile sample_profile(struct scene *scene,
						const struct ctd_stacks *stacks,
						const struct ctd_rollup *rollup)
{
	struct ctd_profile profile;

	assert_int_equal(ctd_profile_make(stacks, &scene->interval, rollup, &profile), 0);
	return profile;
}

#endif
