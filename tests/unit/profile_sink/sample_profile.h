/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sample_profile.h - a profile of containers, a plain cgroup and the kernel, for every output. */
#ifndef TESTS_UNIT_PROFILE_SINK_SAMPLE_PROFILE_H
#define TESTS_UNIT_PROFILE_SINK_SAMPLE_PROFILE_H

#include <cgtopdown/profile_sink.h>

#include "base/strbuf.h"
#include "unit/profile/sample_stacks.h"

struct sample {
	struct scene scene;
	struct ctd_rollup rollup;
	struct ctd_stacks *stacks;
	struct ctd_profile profile;
	struct ctd_profile_sink_options options;
};

static inline void sample_kernel_function(struct ctd_stacks *stacks)
{
	uint64_t count[CTD_COUNTS_MAX] = {0};
	uint32_t kernel, function, trace;
	struct ctd_stack stack = {.kind = CTD_ROW_KERNEL, .samples = 2, .count = count};

	assert_int_equal(ctd_stacks_module(stacks, "[kernel]", "", true, &kernel), 0);
	assert_int_equal(ctd_stacks_function(stacks, kernel, 0, "kswapd", &function), 0);
	assert_int_equal(ctd_stacks_trace(stacks, &function, 1, CTD_TRACE_TRUNCATED, &trace), 0);
	stack.trace = trace;
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
}

static inline void sample_run(struct scene *scene, enum ctd_row_kind kind, uint64_t id,
			      uint64_t cpu_ms, double memory)
{
	struct ctd_interval_row *row = scene_run(scene, kind, id, cpu_ms, memory);

	row->count[8] = row->count[4];
}

static inline void sample_finish(struct sample *sample)
{
	sample->profile = sample_profile(&sample->scene, sample->stacks, &sample->rollup);
}

static inline void sample_prepare(struct sample *sample)
{
	struct scene *scene = &sample->scene;
	uint32_t module, function, trace;

	*sample = (struct sample){.options = {.top = 3, .unicode = true, .width = 80}};
	scene_begin(scene);
	scene->interval.realtime_ns = 1767323045250000000;
	scene->header.simulated = 1;
	scene->rollup_options.by = CTD_GROUP_CONTAINER;
	scene_name(scene, 4, SCENE_POD "/" SCENE_ID_A);
	scene_name(scene, 5, SCENE_POD "/" SCENE_ID_B);
	scene_name(scene, 6, "/plain");
	scene_describe(scene, 4, "shop", "web-7d", "nginx");
	sample_run(scene, CTD_ROW_CGROUP, 4, 800, .6);
	sample_run(scene, CTD_ROW_CGROUP, 5, 300, .05);
	sample_run(scene, CTD_ROW_CGROUP, 6, 5, .3);
	sample_run(scene, CTD_ROW_KERNEL, 0, 20, .2);
	sample_run(scene, CTD_ROW_IDLE, 0, 875, .1);
	sample->rollup = scene_rollup(scene);
	sample->stacks = sample_begin(scene);
	sample_add(sample->stacks, 4, "walk<int>|lookup|main", 40, 35, .9);
	sample_add(sample->stacks, 4, "hash|lookup|main", 20, 18, .2);
	sample_add(sample->stacks, 4, "a \"name\"; of [u8; 4]<&>\n]]>|main", 10, 0, 0);
	sample_add(sample->stacks, 4, "rest|main", 9, 9, .1);
	sample_add(sample->stacks, 5, "count|main", 30, 30, .05);
	assert_int_equal(
		ctd_stacks_module(sample->stacks, "/usr/lib/libc.so.6", "ab12", false, &module), 0);
	assert_int_equal(ctd_stacks_function(sample->stacks, module, 0x28150, "", &function), 0);
	assert_int_equal(ctd_stacks_trace(sample->stacks, &function, 1, CTD_TRACE_BROKEN, &trace),
			 0);
	struct ctd_stack stack = {.cgroup_id = 4,
				  .trace = trace,
				  .samples = 1,
				  .count = (uint64_t[CTD_COUNTS_MAX]){0}};

	assert_int_equal(ctd_stacks_add(sample->stacks, &stack), 0);
	sample_kernel_function(sample->stacks);
}

static inline void sample_make(struct sample *sample)
{
	sample_prepare(sample);
	sample_finish(sample);
}

/* The same samples as those of an event. */
static inline void sample_make_event(struct sample *sample)
{
	sample_prepare(sample);
	sample->stacks->period_ns = 0;
	sample->stacks->event = (struct ctd_stacks_event){"MEM_LOAD_RETIRED.L3_MISS", 100007,
							  CTD_PRECISION_EXACT_ASKED, 3};
	sample_finish(sample);
}

/* What it would be of a row that no counter was read of. */
static inline void sample_forget_slots(struct ctd_profile_row *row)
{
	static const uint64_t none[CTD_NODES_MAX];

	row->slots_known = false;
	row->node_slots_known = 0;
	row->slots = 0;
	row->node_slots = none;
	for (size_t i = 0; i < row->stacks_count; i++) {
		row->stacks[i].slots = 0;
		row->stacks[i].node_slots = none;
	}
}

static inline void sample_end(struct sample *sample)
{
	ctd_profile_free(&sample->profile);
	ctd_stacks_free(sample->stacks);
	ctd_rollup_free(&sample->rollup);
	scene_end(&sample->scene);
}

/* One row of CPU time alone, and no sample. */
static inline void sample_make_empty(struct sample *sample)
{
	*sample = (struct sample){.options = {.width = 80}};
	scene_begin(&sample->scene);
	sample->scene.header = (struct ctd_record_header){.source = "none", .groups_count = 1};
	sample->scene.interval.counters_count = 0;
	sample->rollup = scene_rollup(&sample->scene);
	sample->stacks = sample_begin(&sample->scene);
	sample->profile = sample_profile(&sample->scene, sample->stacks, &sample->rollup);
}

static inline struct ctd_strbuf sample_write(const struct sample *sample,
					     const struct ctd_profile_sink *sink)
{
	struct ctd_strbuf out = {0};

	assert_int_equal(sink->write(&sample->options, &sample->profile, &out), 0);
	return out;
}

static inline struct ctd_weight sample_weight(const struct sample *sample, const char *name)
{
	struct ctd_weight weight;

	assert_int_equal(ctd_weight_parse(&sample->profile, name, &weight), 0);
	return weight;
}

#endif
