/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sample.h - reports to be written, and the text that a sink makes of them. */
#ifndef TESTS_UNIT_SINK_SAMPLE_H
#define TESTS_UNIT_SINK_SAMPLE_H

#include <cgtopdown/sink.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics.h"

extern const struct ctd_cpu_model ctd_cpu_sim, ctd_cpu_golden_cove;

#define SAMPLE_ID "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define SAMPLE_POD "/kubepods.slice/kubepods-pod11112222_3333_4444_5555_666677778888.slice"

static struct ctd_identity sample_redis = {.cgroup_id = 10, .path = "/system.slice/redis.service"};
static struct ctd_identity sample_container = {
	.cgroup_id = 20,
	.path = SAMPLE_POD "/cri-containerd-" SAMPLE_ID ".scope",
	.kind = CTD_IS_CONTAINER,
	.qos = CTD_QOS_BURSTABLE,
	.runtime = "containerd",
	.container_id = SAMPLE_ID,
	.pod_uid = "11112222-3333-4444-5555-666677778888",
	.names.namespace_name = "shop",
	.names.pod_name = "cart-0",
	.names.container_name = "web",
	.names.image = "registry.example/web:1",
};
static struct ctd_identity sample_getty = {.cgroup_id = 30,
					   .path = "/system.slice/serial\\x2dgetty@ttyS0.service"};

/* Level-1 shares, then of each the first half. */
struct sample_shares {
	double retiring, bad, frontend, backend, heavy, mispredict, latency, memory;
};

static inline struct ctd_report_row *sample_add(struct ctd_report *report,
						enum ctd_rollup_kind kind, const char *name,
						double cpu_s, struct sample_shares shares,
						enum ctd_quality quality)
{
	struct ctd_report_row *row;
	uint64_t slots = (uint64_t)(cpu_s * 24e9), count[CTD_COUNTERS_MAX] = {slots};
	const double *share = &shares.retiring;

	report->rows = realloc(report->rows, (report->rows_count + 1) * sizeof(*row));
	row = &report->rows[report->rows_count++];
	*row = (struct ctd_report_row){.kind = kind,
				       .name = strdup(name),
				       .parent = -1,
				       .cpu_ns = (uint64_t)(cpu_s * 1e9 + .5),
				       .slices = (uint64_t)(cpu_s * 1000),
				       .switches = (uint64_t)(cpu_s * 4000),
				       .slots = slots,
				       .slots_known = quality <= CTD_LOW_CONFIDENCE,
				       .quality = quality,
				       .dominant = -1};
	for (int i = 0; i < CTD_NODES_MAX; i++)
		row->values[i].quality = CTD_UNSUPPORTED;
	if (!report->model)
		return row;
	for (int i = 0; i < 8; i++)
		count[i + 1] = (uint64_t)((double)slots * share[i]);
	ctd_metric_evaluate(metrics_of(report->model), count, 9, 1, quality, row->values);
	for (int i = 0; i < report->model->nodes_count; i++)
		if (!ctd_metric_hot(metrics_of(report->model), row->values, i))
			row->cool |= 1u << i;
	if (kind != CTD_ROLLUP_IDLE)
		row->dominant =
			ctd_metric_dominant(metrics_of(report->model), row->values, report->level);
	if (quality <= CTD_LOW_CONFIDENCE)
		report->totals.slots += slots;
	return row;
}

static inline struct ctd_report sample_empty(const char *source, int level)
{
	bool none = strcmp(source, "none") == 0;

	return (struct ctd_report){
		.source = source,
		.simulated = strcmp(source, "sim") == 0,
		.method = source,
		.scope = "thread",
		.core_types_count = 1,
		.groups_count = 1,
		.hierarchy = "v2",
		.model = none ? NULL : &ctd_cpu_sim,
		.level = none ? 0 : level,
		.realtime_ns = 1767323045250000000,
		.window_ns = 1000300000,
		.totals = {.cpus_online = 2, .slots_known = !none},
		.health =
			{.count = {[CTD_HEALTH_SWITCHES] = 12345, [CTD_HEALTH_CLOSED_SLICES] = 4321},
			 .l1_sum_over_slots = {0.9996, none ? CTD_NO_DATA : CTD_OK},
			 .ns_per_switch = none ? NAN : 113.26},
	};
}

/* One of each: bottlenecks, a good one, marks of quality, no data, no name. */
static inline struct ctd_report sample_report(const char *source, int level)
{
	struct ctd_report report = sample_empty(source, level);
	enum ctd_quality ok = report.model ? CTD_OK : CTD_UNSUPPORTED;
	enum ctd_quality scaled = report.model ? CTD_SCALED : CTD_UNSUPPORTED;
	enum ctd_quality low = report.model ? CTD_LOW_CONFIDENCE : CTD_UNSUPPORTED;
	enum ctd_quality no = report.model ? CTD_NO_DATA : CTD_UNSUPPORTED;
	struct ctd_report_row *row;

	row = sample_add(&report, CTD_ROLLUP_CGROUP, sample_redis.path, 0.92,
			 (struct sample_shares){.12, .03, .08, .77, .01, .02, .05, .62}, ok);
	row->identity = &sample_redis;
	row->cgroup_id = 10;
	row = sample_add(&report, CTD_ROLLUP_CONTAINER, "cart-0/web", 0.41,
			 (struct sample_shares){.31, .05, .52, .12, .05, .03, .38, .05}, scaled);
	row->identity = &sample_container;
	row->cgroup_id = 20;
	row = sample_add(&report, CTD_ROLLUP_CGROUP, "cgroup:40", 0.2,
			 (struct sample_shares){.78, .04, .08, .10, .02, .02, .05, .05}, ok);
	row->cgroup_id = 40;
	row = sample_add(&report, CTD_ROLLUP_CGROUP, sample_getty.path, 0.03,
			 (struct sample_shares){0}, no);
	row->identity = &sample_getty;
	row->cgroup_id = 30;
	row = sample_add(&report, CTD_ROLLUP_OTHER, "(12 more)", 0.02,
			 (struct sample_shares){.2, .35, .25, .2, .02, .3, .1, .1}, low);
	row->hidden_sum = true;
	report.filtered = true;
	sample_add(&report, CTD_ROLLUP_KERNEL, "(kernel)", 0.05,
		   (struct sample_shares){.2, .05, .25, .5, 0, .03, .2, .3}, ok);
	row = sample_add(&report, CTD_ROLLUP_IDLE, "(idle)", 0.25,
			 (struct sample_shares){.1, 0, .1, .8, 0, 0, 0, .5}, ok);
	if (report.model) {
		report.totals.idle_slots = row->slots;
		report.totals.unattributed_slots = 24000;
		report.totals.residual_slots = -3;
		report.totals.slots += 24000 - 3;
		report.health.count[CTD_HEALTH_READ_ERRORS] = 2;
		report.health.count[CTD_HEALTH_LOST_SWITCHES] = 1;
		report.health.count[CTD_HEALTH_LOST_EVENTS] = 4;
		report.unattributed_ns = 20300000;
	}
	return report;
}

/* The same with the IPC metrics, which took half of the time: instructions by what retired,
 * at 3 GHz. */
static inline struct ctd_report sample_ipc(int level)
{
	struct ctd_report report = sample_report("perf_metrics", level);

	report.model = &ctd_cpu_golden_cove; /* the nodes of sim, and these */
	report.groups_count = 2;
	report.ipc = true;
	for (size_t i = 0; i < report.rows_count; i++) {
		struct ctd_report_row *row = &report.rows[i];
		double cycles = 1.5 * (double)row->cpu_ns;
		double instructions = 6 * cycles * row->values[0].ratio;
		uint64_t count[] = {(uint64_t)(6 * cycles), (uint64_t)cycles,
				    row->slots_known ? (uint64_t)instructions : 0,
				    row->slots_known ? (uint64_t)(0.004 * instructions) : 0,
				    row->slots_known ? (uint64_t)(0.0123 * instructions) : 0};

		ctd_metric_evaluate_ipc(metrics_of(report.model), count, 5, row->cpu_ns / 2,
					row->quality, row->values);
		row->coverage[0] = 0.5;
		row->coverage[CTD_IPC_GROUP] = row->slots_known ? 0.45 : 0;
	}
	return report;
}

/* Of cores that are alike. Made once: its columns stay. */
static inline const struct ctd_vendor_countings *
sample_countings(const struct ctd_vendor_counting *vendor, struct ctd_vendor_countings *to)
{
	to->core_types_count = 1;
	to->of[0] = vendor;
	assert_true(to->columns || ctd_vendor_countings_join(to) == 0);
	return to;
}

/* Vendors' metrics in two groups: large, small and none; one that was not counted, one that rests
 * on a measured latency, and one on an assumed one, too. */
static inline struct ctd_report sample_vendor(void)
{
	static struct ctd_vendor_metric metrics[] = {
		{.name = "tma_bound", .scale = 100, .unit = "%"},
		{.name = "rate, of all", .scale = 1, .unit = "per_instr"},
		{.name = "tma_uncore", .scale = 1, .unit = ""}};
	static const struct ctd_vendor_table table = {.metrics = metrics, .metrics_count = 3};
	static struct ctd_vendor_counted counted[] = {
		{.metric = 1, .parent = -1, .group = 1, .latencies = 1},
		{.metric = 2, .parent = -1, .group = -1, .why = (char *)"it is of the uncore"},
		{.metric = 0, .parent = -1, .group = 0, .latencies = 3}};
	static const struct ctd_vendor_counting vendor = {.table = &table,
							  .metrics = counted,
							  .metrics_count = 3,
							  .latencies_count = 2,
							  .rotation = {.groups_count = 2}};
	/* Rates may be of any size; what is 0 has no sign. */
	static const struct ctd_vendor_value values[] = {
		{1234567.25, true}, {NAN, false}, {0.625, true}, {4.2e-7, false}, {NAN, false},
		{-0.0, false},	    {NAN, false}, {NAN, false},	 {1.0 / 3, false}};
	static const double coverage[] = {0.5, 0.25, 1, 0.125, 1, 0};
	static struct ctd_vendor_countings of_all;
	struct ctd_report report = sample_empty("none", 0);

	sample_add(&report, CTD_ROLLUP_CGROUP, "/a", 0.5, (struct sample_shares){0},
		   CTD_UNSUPPORTED);
	sample_add(&report, CTD_ROLLUP_CGROUP, "/b", 0.25, (struct sample_shares){0},
		   CTD_UNSUPPORTED);
	sample_add(&report, CTD_ROLLUP_KERNEL, "(kernel)", 0.25, (struct sample_shares){0},
		   CTD_UNSUPPORTED);
	report.source = report.method = "vendor";
	report.groups_count = 2;
	report.health.latencies.of[0][0] = (struct ctd_latency){20, 400};
	report.health.latencies.of[0][1] = (struct ctd_latency){19, 400};
	report.vendor = sample_countings(&vendor, &of_all);
	report.vendor_values[0] = malloc(sizeof(values));
	report.vendor_coverage[0] = malloc(sizeof(coverage));
	assert_non_null(report.vendor_values[0]);
	assert_non_null(report.vendor_coverage[0]);
	memcpy(report.vendor_values[0], values, sizeof(values));
	for (size_t i = 0; i < report.rows_count; i++)
		report.rows[i].vendor_place = i;
	memcpy(report.vendor_coverage[0], coverage, sizeof(coverage));
	return report;
}

/* A vendor's tree with the path of each row: of high confidence, of low as something cannot be
 * counted, and empty; of one row nothing was counted, and one is the sum of several. */
static inline struct ctd_report sample_drill(void)
{
	static char why[] = "no counter that is free can count one of its events";
	static struct ctd_vendor_metric metrics[] = {
		{.name = "tma_backend_bound", .level = 1},
		{.name = "tma_memory_bound", .level = 2},
		{.name = "tma_l3_bound",
		 .level = 3,
		 .sample_with = "MEM_LOAD_RETIRED.L3_HIT,MEM_LOAD_RETIRED.L2_MISS"},
		{.name = "tma_dram_bound", .level = 3},
		{.name = "tma_core_bound", .level = 2, .next = "Operation_Mix"},
		{.name = "tma_divider", .level = 3},
		{.name = "tma_retiring", .level = 1},
		{.name = "tma_heavy_operations", .level = 2},
		{.name = "tma_fp_divider", .level = 4}};
	static const struct ctd_vendor_table table = {.metrics = metrics, .metrics_count = 9};
	static struct ctd_vendor_counted counted[] = {
		{.metric = 0, .parent = -1},
		{.metric = 1, .parent = 0, .depth = 1},
		{.metric = 2, .parent = 1, .depth = 2, .group = 1},
		{.metric = 3, .parent = 1, .depth = 2, .group = 1},
		{.metric = 4, .parent = 0, .depth = 1},
		{.metric = 5, .parent = 4, .depth = 2, .group = -1, .why = why},
		{.metric = 8, .parent = 5, .depth = 3, .group = 2},
		{.metric = 6, .parent = -1},
		{.metric = 7, .parent = 7, .depth = 1}};
	static const struct ctd_vendor_counting vendor = {.table = &table,
							  .metrics = counted,
							  .metrics_count = 9,
							  .rotation = {.groups_count = 3}};
	static const struct ctd_drill_path paths[] = {{.confidence = CTD_DRILL_HIGH,
						       .steps = {{0, .617}, {1, .48}, {2, .21}},
						       .steps_count = 3,
						       .beside = {{3, .2}},
						       .beside_count = 1},
						      {.confidence = CTD_DRILL_LOW,
						       .steps = {{0, .5}, {4, .4}},
						       .steps_count = 2,
						       .beside = {{1, .25}},
						       .beside_count = 1,
						       .blind = true,
						       .blind_index = 5},
						      {.confidence = CTD_DRILL_HIGH},
						      {.unfinished = true},
						      {.unfinished = true}};
	static struct ctd_vendor_countings of_all;
	/* There is one, which nobody asks. */
	static const struct ctd_drills drills = {.of = {(struct ctd_drill *)&of_all}};
	struct ctd_report report = sample_empty("none", 0);
	struct ctd_vendor_value *values;
	double *coverage;

	for (size_t i = 0; i < 9; i++) {
		struct ctd_vendor_metric *metric = &metrics[i];

		metric->scale = 100;
		metric->unit = "%";
		metric->sample_with = metric->sample_with ? metric->sample_with : "";
		metric->next = metric->next ? metric->next : "";
	}
	sample_add(&report, CTD_ROLLUP_CGROUP, "/a", 0.5, (struct sample_shares){0},
		   CTD_UNSUPPORTED);
	sample_add(&report, CTD_ROLLUP_CGROUP, "/b", 0.25, (struct sample_shares){0},
		   CTD_UNSUPPORTED);
	sample_add(&report, CTD_ROLLUP_CGROUP, "/c", 0.25, (struct sample_shares){0},
		   CTD_UNSUPPORTED);
	sample_add(&report, CTD_ROLLUP_CGROUP, "/d", 0.0001, (struct sample_shares){0},
		   CTD_UNSUPPORTED);
	sample_add(&report, CTD_ROLLUP_OTHER, "(2 more)", 0.1, (struct sample_shares){0},
		   CTD_UNSUPPORTED)
		->hidden_sum = true;
	report.source = report.method = "vendor";
	report.groups_count = 3;
	report.vendor = sample_countings(&vendor, &of_all);
	report.drills = &drills;
	report.vendor_values[0] = values = calloc(5 * 9, sizeof(*values));
	report.vendor_coverage[0] = coverage = calloc(5 * 3, sizeof(*coverage));
	report.drill_paths = malloc(sizeof(paths));
	assert_non_null(values);
	assert_non_null(coverage);
	assert_non_null(report.drill_paths);
	memcpy(report.drill_paths, paths, sizeof(paths));
	for (size_t row = 0; row < 5; row++) {
		report.rows[row].vendor_place = row;
		for (size_t group = 0; group < 3; group++)
			coverage[row * 3 + group] = row == group || !group ? 0.5 : 0;
		for (size_t i = 0; i < 9; i++)
			values[row * 9 + i].value =
				counted[i].group >= 0 &&
						coverage[row * 3 + (size_t)counted[i].group] > 0
					? 0.1 + 0.0625 * (double)(8 - i)
					: NAN;
	}
	return report;
}

/* What @p sink writes, the caller's. Inlined, gcc 12 takes the stream's text for a local's. */
static __attribute__((noinline)) char *sample_write(const struct ctd_sink *sink,
						    const struct ctd_report *report, int width,
						    bool unicode, bool colour)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);
	struct ctd_sink_options options = {
		.out = out, .colour = colour, .terminal = true, .width = width, .unicode = unicode};

	assert_non_null(out);
	assert_int_equal(sink->write(&options, report, true), 0);
	fclose(out);
	return text;
}

#endif
