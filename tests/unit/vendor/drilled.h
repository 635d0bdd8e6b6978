/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drilled.h - made-up rows whose groups rotate and whose figures are noisy, for a drill to look at.
 */
#ifndef TESTS_VENDOR_DRILLED_H
#define TESTS_VENDOR_DRILLED_H

#include <cgtopdown/drill.h>

#include <stdlib.h>

#include "collect/rotation.h"
#include "counted.h"
#include "vendor/drill.h"

#define SECOND 1000000000ull
#define STEPS 16
#define STEP_S (1.0 / STEPS)
#define ROWS 50
#define METRICS_MAX 32
#define COUNTS_MAX 128

/* Made-up rows: what they really do, and what counters show of it. */
struct made_row {
	double truth[METRICS_MAX]; /* by the counting's metrics */
	double cpus;
	size_t deepest;
	/* All its CPUs do this instead in the second half of each period. NULL: never. */
	const double *other;
	double period_s;
	/* Of the interval so far. */
	uint64_t counts[COUNTS_MAX], count_ns[CTD_ROTATION_GROUPS_MAX];
};

static struct ctd_drill *drill;
static struct ctd_steps steps;
static int step;
static double now_s;
static uint64_t random_state;
static bool counted_all; /* else counters were lost meanwhile */
static const char *without_threshold = "";

static inline double uniform(double from, double to)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return from + (to - from) * (double)(random_state >> 11) / 9007199254740992.0;
}

/* Of mean 0 and deviation 1, nearly normal. */
static inline double noise(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(0, 1);
	return sum;
}

/* As Sapphire Rapids has it, in part. */
static const struct made_metric {
	const char *name;
	int level, parent;
	const char *threshold;
} tree[] = {
	{"frontend_bound", 1, -1, "frontend_bound > 0.15"},
	{"bad_speculation", 1, -1, "bad_speculation > 0.15"},
	{"backend_bound", 1, -1, "backend_bound > 0.2"},
	{"retiring", 1, -1, "retiring > 0.7 | heavy_operations > 0.1"},
	{"fetch_latency", 2, 0, "fetch_latency > 0.1 & frontend_bound > 0.15"},
	{"fetch_bandwidth", 2, 0, "fetch_bandwidth > 0.2"},
	{"branch_mispredicts", 2, 1, "branch_mispredicts > 0.1 & bad_speculation > 0.15"},
	{"machine_clears", 2, 1, "machine_clears > 0.1 & bad_speculation > 0.15"},
	{"memory_bound", 2, 2, "memory_bound > 0.2 & backend_bound > 0.2"},
	{"core_bound", 2, 2, "core_bound > 0.1 & backend_bound > 0.2"},
	{"heavy_operations", 2, 3, "heavy_operations > 0.1"},
	{"icache_misses", 3, 4,
	 "icache_misses > 0.05 & (fetch_latency > 0.1 & frontend_bound > 0.15)"},
	{"itlb_misses", 3, 4, "itlb_misses > 0.05 & (fetch_latency > 0.1 & frontend_bound > 0.15)"},
	{"branch_resteers", 3, 4,
	 "branch_resteers > 0.05 & (fetch_latency > 0.1 & frontend_bound > 0.15)"},
	{"l1_bound", 3, 8, "l1_bound > 0.1 & (memory_bound > 0.2 & backend_bound > 0.2)"},
	{"l2_bound", 3, 8, "l2_bound > 0.05 & (memory_bound > 0.2 & backend_bound > 0.2)"},
	{"l3_bound", 3, 8, "l3_bound > 0.05 & (memory_bound > 0.2 & backend_bound > 0.2)"},
	{"dram_bound", 3, 8, "dram_bound > 0.1 & (memory_bound > 0.2 & backend_bound > 0.2)"},
	{"store_bound", 3, 8, "store_bound > 0.2 & (memory_bound > 0.2 & backend_bound > 0.2)"},
	{"divider", 3, 9, "divider > 0.2 & (core_bound > 0.1 & backend_bound > 0.2)"},
	{"ports_utilization", 3, 9,
	 "ports_utilization > 0.15 & (core_bound > 0.1 & backend_bound > 0.2)"},
	{"fb_full", 4, 14, "fb_full > 0.3"},
	{"l3_hit_latency", 4, 16,
	 "l3_hit_latency > 0.1 & (l3_bound > 0.05 & (memory_bound > 0.2 & backend_bound > 0.2))"},
	{"mem_bandwidth", 4, 17,
	 "mem_bandwidth > 0.2 & (dram_bound > 0.1 & (memory_bound > 0.2 & backend_bound > 0.2))"},
	{"mem_latency", 4, 17,
	 "mem_latency > 0.1 & (dram_bound > 0.1 & (memory_bound > 0.2 & backend_bound > 0.2))"},
};
#define TREE_COUNT (sizeof(tree) / sizeof(*tree))

static inline int end_drill(void **state)
{
	ctd_drill_free(drill);
	drill = NULL;
	return free_table(state);
}

static inline void begin_drill(double memory_s)
{
	ctd_drill_free(drill);
	assert_int_equal(ctd_drill_new(&counting, memory_s, &drill), 0);
	steps = (struct ctd_steps){0};
	step = 0;
	now_s = 0;
	counted_all = true;
	ctd_steps_weigh(&steps, ctd_drill_weights(drill), counting.rotation.groups_count);
}

/* An event for each metric, four of which are counted at once. */
static inline int new_drill(void **state)
{
	assert_int_equal(new_table(state), 0);
	add_event("CPU_CLK_UNHALTED.THREAD", 0x3c, 0xff);
	table.general_counters = 4;
	for (size_t i = 0; i < TREE_COUNT; i++) {
		char name[16], expression[64];

		snprintf(name, sizeof(name), "EVENT%zu", i);
		snprintf(expression, sizeof(expression), "%s / CPU_CLK_UNHALTED.THREAD", name);
		add_event(name, 0x101 + i, 0xff);
		add_metric(tree[i].name, expression,
			   strcmp(tree[i].name, without_threshold) ? tree[i].threshold : "",
			   tree[i].level, tree[i].parent);
	}
	assert_int_equal(count(6), 0);
	assert_int_equal(counting.metrics_count, TREE_COUNT);
	assert_in_range(counting.rotation.groups_count, 6, 9);
	assert_in_range(counting.rotation.groups_count * counting.rotation.events_count, 1,
			COUNTS_MAX);
	begin_drill(CTD_DRILL_MEMORY_S);
	random_state = 4711;
	return 0;
}

/* The part of a step that lies in the second half of periods. */
static inline double part_of_other(const struct made_row *row)
{
	const int slices = 100;
	int other = 0;

	for (int i = 0; row->other && i < slices; i++)
		other += fmod(now_s + (i + 0.5) * STEP_S / slices, row->period_s) >=
			 row->period_s / 2;
	return (double)other / slices;
}

/* What a row does in this step. */
static inline double truth_of(const struct made_row *row, size_t index, double other)
{
	return row->truth[index] +
	       (other > 0 ? other * (row->other[index] - row->truth[index]) : 0);
}

/* The group that another program keeps from counting; -1: none. */
static int held = -1;

/* A step of the group whose turn it is: a tenth of a second is off by @p spread, half of which all
 * metrics of a row have in common. More CPUs do not make it less: they do the same. */
static inline void count_step(struct made_row *row, double spread)
{
	double ns = row->cpus * STEP_S * 1e9, common = noise(), other = part_of_other(row);
	double off = spread / sqrt(2) * sqrt(0.1 / STEP_S / (row->cpus < 1 ? row->cpus : 1));
	int events = counting.rotation.events_count;

	if (step == held)
		return;
	row->count_ns[step] += (uint64_t)ns;
	row->counts[step * events] += (uint64_t)ns;
	for (size_t i = 0; i < counting.metrics_count; i++) {
		double truth = truth_of(row, i, other), value;
		char name[16];

		if (counting.metrics[i].group != step)
			continue;
		value = truth + off * (0.01 + truth) * (noise() + common);
		snprintf(name, sizeof(name), "EVENT%zu", counting.metrics[i].metric);
		row->counts[place_of(step, name)] += (uint64_t)(ns * (value > 0 ? value : 0));
	}
}

static inline void look(const struct made_row *rows, size_t rows_count, uint64_t elapsed_ns)
{
	static struct ctd_drill_sample samples[ROWS];

	for (size_t i = 0; i < rows_count; i++)
		samples[i] = (struct ctd_drill_sample){
			.key = i,
			.counted = {counting.rotation.groups_count, rows[i].counts,
				    rows[i].count_ns},
			.cpu_ns = (uint64_t)(rows[i].cpus * (double)elapsed_ns),
			.running_ns =
				counted_all ? (uint64_t)(rows[i].cpus * (double)elapsed_ns) : 0};
	assert_int_equal(ctd_drill_look(drill, samples, rows_count, elapsed_ns), 0);
	ctd_steps_weigh(&steps, ctd_drill_weights(drill), counting.rotation.groups_count);
}

static inline void begin_interval(struct made_row *rows, size_t rows_count)
{
	ctd_drill_begin(drill);
	ctd_steps_begin(&steps, step, SECOND, counting.rotation.groups_count);
	for (size_t i = 0; i < rows_count; i++) {
		memset(rows[i].counts, 0, sizeof(rows[i].counts));
		memset(rows[i].count_ns, 0, sizeof(rows[i].count_ns));
	}
}

/* Half a second, as stat looks at it. */
static inline void run_half(struct made_row *rows, size_t rows_count, double spread,
			    uint64_t elapsed_ns)
{
	for (int i = 0; i < STEPS / 2; i++) {
		for (size_t row = 0; row < rows_count; row++)
			count_step(&rows[row], spread);
		now_s += STEP_S;
		step = ctd_steps_next(&steps, step, counting.rotation.groups_count);
	}
	look(rows, rows_count, elapsed_ns);
}

static inline void run_second(struct made_row *rows, size_t rows_count, double spread)
{
	begin_interval(rows, rows_count);
	run_half(rows, rows_count, spread, SECOND / 2);
	run_half(rows, rows_count, spread, SECOND);
}

static inline struct ctd_drill_path path_of(uint64_t key)
{
	struct ctd_drill_path path;

	assert_true(ctd_drill_find(drill, key, &path));
	return path;
}

static inline bool ends_at(const struct ctd_drill_path *path, size_t index)
{
	return path->steps_count && path->steps[path->steps_count - 1].index == index;
}

static inline double threshold_of(size_t index)
{
	const char *text = table.metrics[counting.metrics[index].metric].threshold;

	return atof(strchr(text, '>') + 1);
}

/* A row that does little, but for the path down to @p deepest: at each level so many times what the
 * threshold is, and the parts of nothing else above theirs. */
static inline struct made_row make_row(const char *deepest, double above, double below)
{
	struct made_row row = {.cpus = 1, .deepest = find(deepest)};

	for (size_t i = 0; i < counting.metrics_count; i++)
		row.truth[i] = threshold_of(i) * uniform(0.1, below);
	for (int i = (int)row.deepest; i >= 0; i = counting.metrics[i].parent)
		row.truth[i] = threshold_of((size_t)i) * above;
	return row;
}

static const char *const leaves[] = {"icache_misses",	   "branch_resteers", "fetch_bandwidth",
				     "branch_mispredicts", "l1_bound",	      "l2_bound",
				     "l3_hit_latency",	   "mem_bandwidth",   "mem_latency",
				     "store_bound",	   "divider",	      "ports_utilization",
				     "heavy_operations"};

static inline struct ctd_vendor_metric *metric_named(const char *name)
{
	return &table.metrics[counting.metrics[find(name)].metric];
}

#endif
