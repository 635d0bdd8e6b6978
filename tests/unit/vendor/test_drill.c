/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_drill.c - each row's way down a tree is found, though groups rotate and figures are noisy. */
#include <cgtopdown/drill.h>

#include <stdlib.h>

#include "collect/rotation.h"
#include "counted.h"

#define MS 1000000.0
#define SECOND 1000000000ull
#define ROWS 50
#define METRICS_MAX 32

/* Made-up rows: what they really do, and what counters show of it. */
struct made_row {
	double truth[METRICS_MAX]; /* by the counting's metrics */
	double cpus;
	size_t deepest;
};

static struct ctd_drill *drill;
static struct ctd_steps steps;
static int step;
static uint64_t random_state;

static double uniform(double from, double to)
{
	random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
	return from + (to - from) * (double)(random_state >> 11) / 9007199254740992.0;
}

/* Of mean 0 and deviation 1, nearly normal. */
static double noise(void)
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

static int end_drill(void **state)
{
	ctd_drill_free(drill);
	drill = NULL;
	return free_table(state);
}

/* An event for each metric, four of which are counted at once. */
static int new_drill(void **state)
{
	assert_int_equal(new_table(state), 0);
	add_event("CPU_CLK_UNHALTED.THREAD", 0x3c, 0xff);
	table.general_counters = 4;
	for (size_t i = 0; i < TREE_COUNT; i++) {
		char name[16], expression[64];

		snprintf(name, sizeof(name), "EVENT%zu", i);
		snprintf(expression, sizeof(expression), "%s / CPU_CLK_UNHALTED.THREAD", name);
		add_event(name, 0x101 + i, 0xff);
		add_metric(tree[i].name, expression, tree[i].threshold, tree[i].level,
			   tree[i].parent);
	}
	assert_int_equal(count(6), 0);
	assert_int_equal(counting.metrics_count, TREE_COUNT);
	assert_in_range(counting.rotation.groups_count, 6, 9);
	assert_int_equal(ctd_drill_new(&counting, &drill), 0);
	steps = (struct ctd_steps){0};
	step = 0;
	random_state = 4711;
	return 0;
}

/*
 * What of a row is seen in an interval of a second: a group is counted in the part of it that the
 * weights give it. The shorter, the noisier: a tenth of a second of a CPU is off by @p spread.
 */
static void show_row(const struct made_row *row, uint64_t key, const int *turns, int all,
		     double spread)
{
	struct ctd_vendor_value values[METRICS_MAX];
	uint64_t count_ns[CTD_ROTATION_GROUPS_MAX] = {0};
	struct ctd_drill_sample sample = {.key = key,
					  .values = values,
					  .count_ns = count_ns,
					  .groups_count = counting.rotation.groups_count,
					  .cpu_ns = (uint64_t)(row->cpus * 1e9),
					  .sound = true};

	for (int i = 0; i < counting.rotation.groups_count; i++)
		count_ns[i] = (uint64_t)(row->cpus * 1e9 * turns[i] / all);
	for (size_t i = 0; i < counting.metrics_count; i++) {
		double ns = (double)count_ns[counting.metrics[i].group], truth = row->truth[i];
		double off = spread * (0.01 + truth) * sqrt(100 * MS / (ns > 0 ? ns : 1));

		values[i] =
			(struct ctd_vendor_value){.value = ns > 0 ? truth + off * noise() : NAN};
		if (values[i].value < 0)
			values[i].value = 0;
	}
	assert_int_equal(ctd_drill_take(drill, &sample), 0);
}

static void run_second(const struct made_row *rows, size_t rows_count, double spread)
{
	int groups = counting.rotation.groups_count, turns[CTD_ROTATION_GROUPS_MAX] = {0}, all = 0;

	ctd_steps_weigh(&steps, ctd_drill_weights(drill), groups);
	for (; all < 16; all++) {
		step = ctd_steps_next(&steps, step, groups);
		turns[step]++;
	}
	ctd_drill_begin(drill, SECOND, true);
	for (size_t i = 0; i < rows_count; i++)
		show_row(&rows[i], i, turns, all, spread);
	ctd_drill_end(drill);
}

static struct ctd_drill_path path_of(uint64_t key)
{
	struct ctd_drill_path path;

	assert_true(ctd_drill_find(drill, key, &path));
	return path;
}

static bool ends_at(const struct ctd_drill_path *path, size_t index)
{
	return path->steps_count && path->steps[path->steps_count - 1].index == index;
}

static double threshold_of(size_t index)
{
	const char *text = table.metrics[counting.metrics[index].metric].threshold;

	return atof(strchr(text, '>') + 1);
}

/* A row that does little, but for the way down to @p deepest: at each level so many times what the
 * threshold is, and the parts of nothing else above theirs. */
static struct made_row make_row(const char *deepest, double above, double below)
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

/* @p ret_sure: of those that are right, of how many that is said to be sure. @return those. */
static int find_bottlenecks_of_fifty(int *ret_sure)
{
	static struct made_row rows[ROWS];
	int right = 0, sure = 0;

	for (size_t i = 0; i < ROWS; i++) {
		rows[i] = make_row(leaves[i % (sizeof(leaves) / sizeof(*leaves))],
				   uniform(1.5, 2.4), 0.7);
		rows[i].cpus = uniform(0.1, 2);
		/* Retiring is above by what is heavy. */
		rows[i].truth[find("retiring")] = uniform(0.3, 0.6);
	}
	for (int second = 0; second < 30; second++) {
		run_second(rows, ROWS, 0.25);
		for (size_t i = 0; i < ROWS; i++) {
			struct ctd_drill_path path = path_of(i);

			if (path.confidence == CTD_DRILL_HIGH && !ends_at(&path, rows[i].deepest))
				fail_msg("row %zu is wrong in second %d, with high confidence", i,
					 second);
		}
	}
	for (size_t i = 0; i < ROWS; i++) {
		struct ctd_drill_path path = path_of(i);

		right += ends_at(&path, rows[i].deepest);
		sure += path.confidence == CTD_DRILL_HIGH;
	}
	*ret_sure = sure;
	return right;
}

static void fifty_containers_bottlenecks_are_found_within_thirty_seconds(void **state)
{
	int least = ROWS, least_sure = ROWS;

	(void)state;
	for (int population = 0; population < 20; population++) {
		int sure, right = find_bottlenecks_of_fifty(&sure);

		least = right < least ? right : least;
		least_sure = sure < least_sure ? sure : least_sure;
		ctd_drill_free(drill);
		assert_int_equal(ctd_drill_new(&counting, &drill), 0);
	}
	print_message("%d of %d right, %d with high confidence\n", least, ROWS, least_sure);
	assert_in_range(least, 48, ROWS);
	assert_in_range(least_sure, ROWS / 4, ROWS);
}

/* Two parts that are nearly as large, or metrics near their thresholds: found or not, that is not
 * said to be sure. */
static void what_is_near_is_not_sure(void **state)
{
	static struct made_row rows[ROWS];

	(void)state;
	for (size_t i = 0; i < ROWS; i++) {
		rows[i] = make_row("mem_latency", 1.6, 0.5);
		rows[i].cpus = uniform(0.5, 2);
		rows[i].truth[find("retiring")] = 0.3;
		if (i % 2)
			rows[i].truth[find("mem_latency")] = 0.1 * uniform(0.98, 1.02);
		else
			rows[i].truth[find("l3_bound")] =
				rows[i].truth[find("dram_bound")] * uniform(0.99, 1.01);
	}
	for (int second = 0; second < 30; second++) {
		run_second(rows, ROWS, 0.3);
		for (size_t i = 0; i < ROWS; i++)
			assert_int_not_equal(path_of(i).confidence, CTD_DRILL_HIGH);
	}
}

static void noise_around_a_threshold_does_not_change_the_way(void **state)
{
	struct made_row row = make_row("l3_bound", 1.5, 0.5);
	size_t l3 = find("l3_bound"), changes = 0;
	bool there = false;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	for (int second = 0; second < 60; second++) {
		struct ctd_drill_path path;

		/* It goes below its threshold each second time, and not below 0.8 of it. */
		row.truth[l3] = second < 10 ? 0.06 : second % 2 ? 0.045 : 0.055;
		run_second(&row, 1, 0.02);
		path = path_of(0);
		changes += ends_at(&path, l3) != there;
		there = ends_at(&path, l3);
	}
	assert_true(there);
	assert_int_equal(changes, 1);
	/* It is gone once it stays below. */
	row.truth[l3] = 0.02;
	for (int second = 0; second < 30; second++)
		run_second(&row, 1, 0.02);
	assert_true(ends_at(&(struct ctd_drill_path[]){path_of(0)}[0], find("memory_bound")));
}

static void steps_are_for_what_is_below_what_is_above_its_threshold(void **state)
{
	struct made_row row = make_row("l3_hit_latency", 2, 0.3);
	const uint8_t *weights = ctd_drill_weights(drill);
	int all = 0;

	(void)state;
	/* Nothing is known: the top of the tree. */
	for (size_t i = 0; i < counting.metrics_count; i++)
		if (counting.metrics[i].depth == 0)
			assert_in_range(weights[counting.metrics[i].group], 1, 16);
	row.truth[find("retiring")] = 0.3;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	for (int i = 0; i < counting.rotation.groups_count; i++)
		all += weights[i];
	assert_int_equal(all, 16);
	for (size_t i = 0; i < counting.metrics_count; i++) {
		bool wanted = false;

		for (size_t k = 0; k < counting.metrics_count; k++) {
			const char *parent =
				counting.metrics[k].parent < 0
					? ""
					: tree[counting.metrics[counting.metrics[k].parent].metric]
						  .name;

			wanted |= counting.metrics[k].group == counting.metrics[i].group &&
				  (!*parent || strcmp(parent, "backend_bound") == 0 ||
				   /* What its threshold asks for. */
				   strcmp(parent, "retiring") == 0 ||
				   strcmp(parent, "memory_bound") == 0 ||
				   strcmp(parent, "l3_bound") == 0);
		}
		assert_int_equal(weights[counting.metrics[i].group] > 0, wanted);
	}
}

static void what_has_no_parts_ends_the_way(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3);
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	path = path_of(0);
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	assert_int_equal(path.steps_count, 2);
	assert_int_equal(path.steps[0].index, find("frontend_bound"));
	assert_true(fabs(path.steps[1].value - 0.4) < 0.03);
	assert_int_equal(path.beside_count, 0);
	assert_false(path.unfinished);
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
}

static void parts_that_are_above_their_thresholds_stand_beside(void **state)
{
	struct made_row row = make_row("l3_bound", 2, 0.3);
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	row.truth[find("l3_bound")] = 0.4;
	row.truth[find("l1_bound")] = 0.15;
	row.truth[find("l2_bound")] = 0.1;
	row.truth[find("dram_bound")] = 0.2;
	row.truth[find("store_bound")] = 0.3;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	path = path_of(0);
	assert_true(ends_at(&path, find("l3_bound")));
	assert_int_equal(path.beside_count, 3);
	assert_int_equal(path.beside[0].index, find("store_bound"));
	assert_int_equal(path.beside[1].index, find("dram_bound"));
	assert_int_equal(path.beside[2].index, find("l1_bound"));
}

/* Its own value is high: the vendor asks for those above it, too. */
static void a_condition_that_does_not_hold_keeps_a_part_out(void **state)
{
	struct made_row row = make_row("memory_bound", 1.5, 0.3);
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	row.truth[find("backend_bound")] = 0.15;
	row.truth[find("l3_bound")] = 0.5;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	path = path_of(0);
	assert_int_equal(path.steps_count, 0);
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
	assert_false(path.unfinished);
}

static void little_coverage_is_no_high_confidence(void **state)
{
	struct made_row row = make_row("l3_bound", 1.6, 0.5);
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	/* A thousandth of a CPU: some microseconds of each group in a second. */
	row.cpus = 0.001;
	for (int second = 0; second < 30; second++)
		run_second(&row, 1, 0.02);
	path = path_of(0);
	assert_int_equal(path.confidence, CTD_DRILL_UNKNOWN);
	assert_int_equal(path.steps_count, 0);
	assert_true(path.unfinished);
	row.cpus = 0.03;
	for (int second = 0; second < 30; second++)
		run_second(&row, 1, 0.02);
	path = path_of(0);
	assert_int_equal(path.confidence, CTD_DRILL_LOW);
	assert_true(path.steps_count > 0 && path.steps[0].index == find("backend_bound"));
}

static void counts_that_are_not_sound_are_no_high_confidence(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3);
	struct ctd_vendor_value values[METRICS_MAX];
	uint64_t count_ns[CTD_ROTATION_GROUPS_MAX];
	struct ctd_drill_sample sample = {.values = values,
					  .count_ns = count_ns,
					  .groups_count = counting.rotation.groups_count,
					  .cpu_ns = SECOND};

	(void)state;
	row.truth[find("retiring")] = 0.3;
	for (size_t i = 0; i < counting.metrics_count; i++)
		values[i].value = row.truth[i];
	for (int i = 0; i < sample.groups_count; i++)
		count_ns[i] = SECOND / 2;
	for (int sound = 0; sound < 2; sound++) {
		sample.sound = sound;
		for (int second = 0; second < 10; second++) {
			ctd_drill_begin(drill, SECOND, true);
			assert_int_equal(ctd_drill_take(drill, &sample), 0);
			ctd_drill_end(drill);
		}
		assert_int_equal(path_of(0).confidence, sound ? CTD_DRILL_HIGH : CTD_DRILL_LOW);
	}
	/* What groups did not count is not known: as where CPUs must not be disturbed. */
	sample.key = 1;
	sample.groups_count = 0;
	ctd_drill_begin(drill, SECOND, true);
	assert_int_equal(ctd_drill_take(drill, &sample), 0);
	ctd_drill_end(drill);
	assert_int_equal(path_of(1).confidence, CTD_DRILL_UNKNOWN);
}

/* Looks at an interval that goes on are each of all of it so far. */
static void a_long_interval_is_not_counted_twice(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3);
	int turns[CTD_ROTATION_GROUPS_MAX];
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = 0.3;
	for (int i = 0; i < CTD_ROTATION_GROUPS_MAX; i++)
		turns[i] = 1;
	for (int look = 1; look <= 20; look++) {
		row.cpus = 0.01 * look;
		ctd_drill_begin(drill, (uint64_t)look * SECOND / 2, false);
		show_row(&row, 0, turns, counting.rotation.groups_count, 0);
		ctd_drill_end(drill);
	}
	path = path_of(0);
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	/* 0.2 s of CPU time in all, shared by the groups: too little, however often it is seen. */
	assert_int_equal(path.confidence, CTD_DRILL_LOW);
	assert_true(ctd_drill_busiest(drill, &path));
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	/* And nothing new was counted: that does not tell twice. */
	ctd_drill_begin(drill, SECOND, false);
	show_row(&row, 1, turns, counting.rotation.groups_count, 0);
	ctd_drill_end(drill);
	ctd_drill_begin(drill, SECOND, false);
	show_row(&row, 1, turns, counting.rotation.groups_count, 0);
	ctd_drill_end(drill);
	assert_int_equal(path_of(1).steps_count, 0);
}

static void rows_that_end_are_forgotten(void **state)
{
	struct made_row rows[3];
	struct ctd_drill_path path;

	(void)state;
	for (int i = 0; i < 3; i++) {
		rows[i] = make_row(leaves[i], 2, 0.3);
		rows[i].truth[find("retiring")] = 0.3;
	}
	for (int second = 0; second < 20; second++)
		run_second(rows, 3, 0.02);
	assert_true(ctd_drill_find(drill, 2, &path));
	for (int second = 0; second < 40; second++)
		run_second(rows, 1, 0.02);
	assert_false(ctd_drill_find(drill, 1, &path));
	assert_false(ctd_drill_find(drill, 2, &path));
	assert_true(ends_at(&(struct ctd_drill_path[]){path_of(0)}[0], rows[0].deepest));
	for (int second = 0; second < 40; second++)
		run_second(rows, 0, 0.02);
	assert_false(ctd_drill_busiest(drill, &path));
	assert_in_range(ctd_drill_weights(drill)[counting.metrics[0].group], 1, 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, new_drill, end_drill)
		TEST(fifty_containers_bottlenecks_are_found_within_thirty_seconds),
		TEST(what_is_near_is_not_sure),
		TEST(noise_around_a_threshold_does_not_change_the_way),
		TEST(steps_are_for_what_is_below_what_is_above_its_threshold),
		TEST(what_has_no_parts_ends_the_way),
		TEST(parts_that_are_above_their_thresholds_stand_beside),
		TEST(a_condition_that_does_not_hold_keeps_a_part_out),
		TEST(little_coverage_is_no_high_confidence),
		TEST(counts_that_are_not_sound_are_no_high_confidence),
		TEST(a_long_interval_is_not_counted_twice),
		TEST(rows_that_end_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
