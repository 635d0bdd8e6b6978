/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* scene.h - an interval and its cgroups, to make rollups and reports of. */
#ifndef TESTS_UNIT_ROLLUP_SCENE_H
#define TESTS_UNIT_ROLLUP_SCENE_H

#include <cgtopdown/report.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct ctd_cpu_model ctd_cpu_sim;

#define SCENE_SLOTS_PER_MS 24000000
#define SCENE_ROWS_MAX 32
#define SCENE_PLANS_MAX 16
#define SCENE_COUNTS_BYTES (sizeof(uint64_t) * CTD_COUNTS_MAX)
#define SCENE_ID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define SCENE_ID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define SCENE_POD "/kubepods/burstable/pod11112222-3333-4444-5555-666677778888"
#define SCENE_POD_UID "11112222-3333-4444-5555-666677778888"

struct scene {
	struct ctd_interval interval;
	struct ctd_interval_row rows[SCENE_ROWS_MAX];
	uint64_t raw[SCENE_ROWS_MAX][CTD_COUNTS_MAX], count[SCENE_ROWS_MAX][CTD_COUNTS_MAX];
	uint64_t group_ns[SCENE_ROWS_MAX][CTD_GROUPS_MAX], count_ns[SCENE_ROWS_MAX][CTD_GROUPS_MAX];
	uint64_t totals[CTD_CORE_TYPES_MAX][2][CTD_COUNTS_MAX]; /* of each core type */
	int64_t residuals[CTD_CORE_TYPES_MAX][CTD_COUNTS_MAX];
	struct ctd_identities *identities;
	struct ctd_record_header header;
	struct ctd_rollup_options rollup_options;
	struct ctd_report_options options;
	struct ctd_rollup_plan *plans[SCENE_PLANS_MAX]; /* owned; of the reports that were made */
	struct ctd_record_header planned; /* of the last of them */
	int plans_count;
};

static inline void scene_begin(struct scene *scene)
{
	*scene = (struct scene){
		.interval = {.window_ns = 1000000000,
			     .counters_count = 9,
			     .groups_count = 1,
			     .cpus_online = 2},
		.header = {.source = "sim",
			   .model = "sim",
			   .simulated = 1,
			   .counters_count = 9,
			   .groups_count = 1},
	};
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		scene->interval.totals[type].total = scene->totals[type][0];
		scene->interval.totals[type].unattributed = scene->totals[type][1];
		scene->interval.totals[type].residual = scene->residuals[type];
	}
	assert_int_equal(ctd_identities_new(&scene->identities), 0);
}

static inline void scene_end(struct scene *scene)
{
	ctd_identities_free(scene->identities);
	for (int i = 0; i < scene->plans_count; i++)
		ctd_rollup_plan_free(scene->plans[i]);
}

static inline void scene_name(struct scene *scene, uint64_t id, const char *path)
{
	assert_int_equal(ctd_identities_add(scene->identities, id, path), 0);
}

/* Sets what metadata readers would: namespace, pod and container. */
static inline void scene_describe(struct scene *scene, uint64_t id, const char *namespace_name,
				  const char *pod, const char *container)
{
	const struct ctd_identity *identity = ctd_identities_get(scene->identities, id);
	struct ctd_names names = {
		.namespace_name = namespace_name ? strdup(namespace_name) : NULL,
		.pod_name = pod ? strdup(pod) : NULL,
		.container_name = container ? strdup(container) : NULL,
	};

	ctd_identities_set_names(scene->identities, id, &names, CTD_QOS_UNKNOWN,
				 identity->names_settled);
}

/* A row of @p cpu_ms, of whose slots @p backend is back-end bound and the rest retiring. */
static inline struct ctd_interval_row *scene_run(struct scene *scene, enum ctd_row_kind kind,
						 uint64_t id, uint64_t cpu_ms, double backend)
{
	size_t at = scene->interval.rows_count++;
	struct ctd_interval_row *row = &scene->rows[at];
	uint64_t slots = cpu_ms * SCENE_SLOTS_PER_MS;

	assert_true(at < SCENE_ROWS_MAX);
	memset(scene->count[at], 0, SCENE_COUNTS_BYTES);
	memset(scene->group_ns[at], 0, sizeof(scene->group_ns[at]));
	memset(scene->count_ns[at], 0, sizeof(scene->count_ns[at]));
	*row = (struct ctd_interval_row){.cgroup_id = id,
					 .kind = kind,
					 .oncpu_ns = cpu_ms * 1000000,
					 .running_ns = cpu_ms * 1000000,
					 .slices = 2,
					 .switches = 3,
					 .raw = scene->raw[at],
					 .count = scene->count[at],
					 .group_ns = scene->group_ns[at],
					 .count_ns = scene->count_ns[at]};
	row->count[0] = slots;
	row->count[4] = (uint64_t)((double)slots * backend);
	row->count[1] = slots - row->count[4];
	memcpy(row->raw, row->count, SCENE_COUNTS_BYTES);
	scene->interval.rows = scene->rows;
	return row;
}

static inline const char *scene_comm(uint32_t pid, void *context)
{
	(void)context;
	return pid == 42 ? "worker" : NULL;
}

/* The plan of the header, which the interval is counted by; the scene's. */
static inline const struct ctd_rollup_plan *scene_plan(struct scene *scene)
{
	const char *unknown;

	scene->header.counters_count = scene->interval.counters_count;
	scene->header.groups_count = scene->interval.groups_count;
	if (scene->plans_count &&
	    memcmp(&scene->planned, &scene->header, sizeof(scene->header)) == 0)
		return scene->plans[scene->plans_count - 1];
	assert_true(scene->plans_count < SCENE_PLANS_MAX);
	assert_int_equal(ctd_rollup_plan_new(&scene->header, &scene->plans[scene->plans_count],
					     &unknown),
			 0);
	scene->planned = scene->header;
	return scene->plans[scene->plans_count++];
}

static inline struct ctd_rollup scene_rollup(struct scene *scene)
{
	struct ctd_rollup rollup;

	assert_int_equal(ctd_rollup_make(scene_plan(scene), &scene->interval, scene->identities,
					 &scene->rollup_options, &rollup),
			 0);
	return rollup;
}

static inline struct ctd_report scene_report(struct scene *scene)
{
	struct ctd_rollup rollup = scene_rollup(scene);
	struct ctd_report report;

	assert_int_equal(ctd_report_make(&rollup, scene_comm, NULL, &scene->options, &report), 0);
	ctd_rollup_free(&rollup);
	return report;
}

/* The names of the rows, in order, with blanks between. */
static inline const char *scene_names(const struct ctd_report *report)
{
	static char names[2048];
	size_t bytes = 0;

	names[0] = '\0';
	for (size_t i = 0; i < report->rows_count; i++)
		bytes += (size_t)snprintf(names + bytes, sizeof(names) - bytes, "%s%s",
					  i ? " " : "", report->rows[i].name);
	return names;
}

#endif
