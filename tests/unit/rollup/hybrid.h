/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* hybrid.h - an interval of a machine with P-cores, E-cores and cores without a source. */
#ifndef TESTS_UNIT_ROLLUP_HYBRID_H
#define TESTS_UNIT_ROLLUP_HYBRID_H

#include "unit/rollup/scene.h"

extern const struct ctd_cpu_model ctd_cpu_golden_cove, ctd_cpu_gracemont;

enum { HYBRID_P, HYBRID_E, HYBRID_OTHER };

/* A row of @p cpu_ms: on P-cores half of its slots retire, a tenth is of the front end, the rest of
 * the back end; on E-cores a tenth retires, the front end has six of ten. */
static inline void hybrid_run(struct scene *scene, enum ctd_row_kind kind, uint64_t id,
			      uint32_t core, uint64_t cpu_ms)
{
	struct ctd_interval_row *row = scene_run(scene, kind, id, cpu_ms, 0);
	uint64_t leader = cpu_ms * 3000000 * (core == HYBRID_P ? 6 : 1), slots = leader * 5;

	row->core_type = core;
	memset(row->count, 0, SCENE_COUNTS_BYTES);
	if (core == HYBRID_P)
		memcpy(row->count,
		       (uint64_t[]){leader, leader / 2, 0, leader / 10, leader - leader * 6 / 10},
		       5 * sizeof(*row->count));
	else if (core == HYBRID_E)
		memcpy(row->count, (uint64_t[]){leader, slots * 6 / 10, slots * 3 / 10, slots / 10},
		       4 * sizeof(*row->count));
	if (core == HYBRID_OTHER) {
		row->running_ns = 0;
		row->quality = CTD_NO_DATA;
	}
	memcpy(row->raw, row->count, SCENE_COUNTS_BYTES);
	row->group_ns[0] = row->count_ns[0] = row->running_ns;
}

static inline void hybrid_begin(struct scene *scene)
{
	scene_begin(scene);
	scene->header = (struct ctd_record_header){
		.source = "perf_metrics+atom",
		.model = "golden_cove",
		.counters_count = 9,
		.groups_count = 1,
		.read = CTD_READ_MIXED,
		.hierarchy = "v2",
		.core_types_count = 3,
		.core_types = {{"P-core", "perf_metrics", "golden_cove", "", 5, 1, 0, false},
			       {"E-core", "atom", "gracemont", "", 4, 1, 0, false},
			       {"other", "none", "", "no core PMU has them: cpu 3", 0, 1, 0,
				false}},
	};
	scene->interval.realtime_ns = 1767323045250000000;
	scene->interval.cpus_online = 4;
	scene->interval.totals[HYBRID_P].cpus_online = 1;
	scene->interval.totals[HYBRID_P].unattributed[0] = 60;
	scene->interval.totals[HYBRID_P].residual[0] = 6;
	scene->interval.totals[HYBRID_E].cpus_online = 2;
	scene->interval.totals[HYBRID_E].residual[0] = -6;
	scene->interval.totals[HYBRID_OTHER].cpus_online = 1;
	scene->interval.health.ns_per_switch = 100;
	scene->options.level = 1;
	scene_name(scene, 1, "/");
	scene_name(scene, 2, "/both");
	scene_name(scene, 3, "/p");
	scene_name(scene, 4, "/e");
	scene_name(scene, 5, "/both/below");
	hybrid_run(scene, CTD_ROW_CGROUP, 2, HYBRID_P, 400);
	hybrid_run(scene, CTD_ROW_CGROUP, 2, HYBRID_E, 200);
	hybrid_run(scene, CTD_ROW_CGROUP, 3, HYBRID_P, 500);
	hybrid_run(scene, CTD_ROW_CGROUP, 4, HYBRID_E, 700);
	hybrid_run(scene, CTD_ROW_CGROUP, 4, HYBRID_OTHER, 100);
	hybrid_run(scene, CTD_ROW_CGROUP, 5, HYBRID_OTHER, 50);
	hybrid_run(scene, CTD_ROW_IDLE, 0, HYBRID_P, 100);
	hybrid_run(scene, CTD_ROW_IDLE, 0, HYBRID_E, 1100);
	hybrid_run(scene, CTD_ROW_IDLE, 0, HYBRID_OTHER, 850);
}

#endif
