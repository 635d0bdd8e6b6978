/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_scene.h - rows of an interval in which two groups of a vendor's metrics were counted. */
#ifndef TESTS_UNIT_REPORT_VENDOR_SCENE_H
#define TESTS_UNIT_REPORT_VENDOR_SCENE_H

#include "unit/vendor/counted.h"

#include "unit/rollup/scene.h"

static inline void begin_vendor_scene(struct scene *scene)
{
	add_two_groups();
	scene_begin(scene);
	scene->header = (struct ctd_record_header){.source = "vendor"};
	scene->interval.counters_count = (uint32_t)counting.rotation.events_count;
	scene->interval.groups_count = 2;
	scene->options.vendor = &countings;
}

/* A row of which `first` is such a part of its cycles, and `second` half of that; in per cent. Each
 * group was counted for @p group_ns of its CPU time. */
static inline void run_vendor_row(struct scene *scene, enum ctd_row_kind kind, uint64_t id,
				  uint64_t cpu_ms, uint64_t group_ns, uint64_t first)
{
	struct ctd_interval_row *row = scene_run(scene, kind, id, cpu_ms, 0);
	size_t at = scene->interval.rows_count - 1;
	uint64_t cycles = cpu_ms * 1000;
	int events = counting.rotation.events_count;

	memset(scene->count[at], 0, SCENE_COUNTS_BYTES);
	for (int group = 0; group < 2; group++) {
		scene->count[at][group * events] = cycles;
		scene->group_ns[at][group] = scene->count_ns[at][group] = group_ns;
	}
	scene->count[at][place_of(counting.metrics[find("first")].group, "E1")] =
		cycles * first / 100;
	scene->count[at][place_of(counting.metrics[find("second")].group, "E5")] =
		cycles * first / 200;
	memcpy(row->raw, row->count, SCENE_COUNTS_BYTES);
}

#endif
