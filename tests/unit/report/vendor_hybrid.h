/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_hybrid.h - rows of an interval in which P-cores and E-cores counted a vendor's metrics,
 * each its own. */
#ifndef TESTS_UNIT_REPORT_VENDOR_HYBRID_H
#define TESTS_UNIT_REPORT_VENDOR_HYBRID_H

#include "unit/vendor/hybrid.h"

#include "unit/rollup/scene.h"

static const char *const hybrid_no_pmu = "no core PMU has them: cpu 3";

static inline void begin_vendor_hybrid(struct scene *scene)
{
	uint32_t events = (uint32_t)made[ON_P].counting.rotation.events_count;

	scene_begin(scene);
	scene->header = (struct ctd_record_header){
		.source = "vendor",
		.hierarchy = "v2",
		.read = CTD_READ_MIXED,
		.core_types_count = ON_ALL,
		.core_types = {{"P-core", "vendor", "", "", events, 2, 0, false},
			       {"E-core", "vendor", "", "", events, 1, 0, false},
			       {"other", "none", "", "no core PMU has them: cpu 3", 0, 1, 0,
				false}},
	};
	scene->interval.realtime_ns = 1767323045250000000;
	scene->interval.cpus_online = 4;
	scene->interval.counters_count = events;
	scene->interval.groups_count = 2;
	scene->options.vendor = &countings;
}

/* A row on a core type: `first` is @p first per cent of its cycles, what is below that half of it.
 * Each group of a core type counted for as long as any other. */
static inline void run_vendor_hybrid(struct scene *scene, enum ctd_row_kind kind, uint64_t id,
				     uint32_t core, uint64_t cpu_ms, uint64_t first)
{
	struct ctd_interval_row *row = scene_run(scene, kind, id, cpu_ms, 0);
	int groups = core == ON_P ? 2 : core == ON_E ? 1 : 0;
	uint64_t cycles = cpu_ms * 1000000;

	row->core_type = core;
	memset(row->count, 0, SCENE_COUNTS_BYTES);
	if (core == ON_P) {
		hybrid_fill(ON_P, "first", "E1", cycles / 2, 10 * first, row->count);
		hybrid_fill(ON_P, "second", "E5", cycles / 2, 5 * first, row->count);
	} else if (core == ON_E) {
		hybrid_fill(ON_E, "first", "E0", cycles, 5 * first, row->count);
		hybrid_fill(ON_E, "resource", "E1", cycles, 5 * first, row->count);
	} else {
		row->running_ns = 0;
		row->quality = CTD_NO_DATA;
	}
	memcpy(row->raw, row->count, SCENE_COUNTS_BYTES);
	for (int group = 0; group < groups; group++)
		row->group_ns[group] = row->count_ns[group] = row->oncpu_ns / (uint64_t)groups;
}

static inline void fill_vendor_hybrid(struct scene *scene)
{
	scene_name(scene, 2, "/both");
	scene_name(scene, 3, "/p");
	scene_name(scene, 4, "/e");
	run_vendor_hybrid(scene, CTD_ROW_CGROUP, 2, ON_P, 400, 60);
	run_vendor_hybrid(scene, CTD_ROW_CGROUP, 2, ON_E, 200, 20);
	run_vendor_hybrid(scene, CTD_ROW_CGROUP, 3, ON_P, 500, 80);
	run_vendor_hybrid(scene, CTD_ROW_CGROUP, 4, ON_E, 700, 90);
	run_vendor_hybrid(scene, CTD_ROW_CGROUP, 4, ON_OTHER, 100, 0);
	run_vendor_hybrid(scene, CTD_ROW_IDLE, 0, ON_P, 100, 10);
	run_vendor_hybrid(scene, CTD_ROW_IDLE, 0, ON_E, 1100, 10);
	run_vendor_hybrid(scene, CTD_ROW_IDLE, 0, ON_OTHER, 900, 0);
}

#endif
