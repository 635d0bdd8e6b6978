/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_drill_judge.c - confidence is high only if neither noise nor phases made the path. */
#include "drilled.h"

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

/* If they all do the same at the same time. */
static void more_cpus_are_no_more_confidence(void **state)
{
	struct made_row rows[] = {make_row("l3_bound", 1.15, 0.5), {.cpus = 64}};

	(void)state;
	rows[0].truth[find("retiring")] = 0.3;
	memcpy(rows[1].truth, rows[0].truth, sizeof(rows[1].truth));
	for (int second = 0; second < 30; second++) {
		run_second(rows, 2, 0);
		assert_int_not_equal(path_of(0).confidence, CTD_DRILL_HIGH);
		assert_int_not_equal(path_of(1).confidence, CTD_DRILL_HIGH);
	}
	assert_true(ends_at(&(struct ctd_drill_path[]){path_of(1)}[0], find("l3_bound")));
}

/* They may be of the same one of two phases by chance. */
static void a_few_figures_that_agree_are_no_high_confidence(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 4, 0.1);

	(void)state;
	row.cpus = 16;
	row.truth[find("retiring")] = 0.1;
	for (int second = 0; second < 4; second++) {
		run_second(&row, 1, 0);
		assert_int_not_equal(path_of(0).confidence, CTD_DRILL_HIGH);
	}
	assert_true(ends_at(&(struct ctd_drill_path[]){path_of(0)}[0], find("fetch_bandwidth")));
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
	assert_false(ctd_drill_find(drill, 0, &path));
	row.cpus = 0.03;
	for (int second = 0; second < 30; second++)
		run_second(&row, 1, 0.02);
	path = path_of(0);
	assert_int_equal(path.confidence, CTD_DRILL_LOW);
	assert_true(path.steps_count > 0 && path.steps[0].index == find("backend_bound"));
}

/* The end of the path of what a row really does, by @p truth of all metrics. @return -1: none. */
static int end_of_truth(const double *truth)
{
	double values[METRICS_MAX];
	size_t retiring = find("retiring");
	int at = -1, largest;

	for (size_t i = 0; i < counting.metrics_count; i++)
		values[counting.metrics[i].metric] = truth[i];
	do {
		largest = -1;
		for (size_t i = 0; i < counting.metrics_count; i++)
			if (counting.metrics[i].parent == at &&
			    ctd_vendor_hot(set, counting.metrics[i].metric, values) > 0 &&
			    (largest < 0 || largest == (int)retiring ||
			     (i != retiring && truth[i] > truth[largest])))
				largest = (int)i;
		at = largest >= 0 ? largest : at;
	} while (largest >= 0);
	return at;
}

/* Rows that do one thing in one half of their periods and another one in the other, on all their
 * CPUs at once: from far below a step to the length of the memory. */
static void make_phases(struct made_row *rows, double (*others)[METRICS_MAX], size_t shift)
{
	static const double periods_s[] = {0.01, 0.0625, 0.125, 0.25, 0.5, 1, 2, 5, 10};
	size_t leaves_count = sizeof(leaves) / sizeof(*leaves);

	for (size_t i = 0; i < ROWS; i++) {
		struct made_row other =
			make_row(leaves[(i * 7 + shift) % leaves_count], uniform(1.5, 4), 0.7);

		rows[i] = make_row(leaves[i % leaves_count], uniform(1.5, 4), 0.7);
		rows[i].cpus = uniform(0.5, 64);
		rows[i].truth[find("retiring")] = other.truth[find("retiring")] = 0.3;
		memcpy(others[i], other.truth, sizeof(others[i]));
		rows[i].other = others[i];
		rows[i].period_s = periods_s[i % (sizeof(periods_s) / sizeof(*periods_s))];
	}
}

/* Of the second to come, all of it; what was before counts as the drill has it. */
static void add_truth(const struct made_row *row, double *truth)
{
	double begin_s = now_s;

	for (size_t i = 0; i < counting.metrics_count; i++)
		truth[i] *= exp(-1 / CTD_DRILL_MEMORY_S);
	for (int part = 0; part < STEPS; part++, now_s += STEP_S) {
		double other = part_of_other(row);

		for (size_t i = 0; i < counting.metrics_count; i++)
			truth[i] += truth_of(row, i, other) / STEPS;
	}
	now_s = begin_s;
}

/* @return is the path of high confidence? */
static bool check_sure(size_t row, const double *sum, int second)
{
	double truth[METRICS_MAX], fades = exp(-1 / CTD_DRILL_MEMORY_S);
	struct ctd_drill_path path = path_of(row);
	int end;

	for (size_t i = 0; i < counting.metrics_count; i++)
		truth[i] = sum[i] * (1 - fades) / (1 - pow(fades, second + 1));
	end = end_of_truth(truth);
	if (path.confidence == CTD_DRILL_HIGH &&
	    (end < 0 ? path.steps_count > 0 : !ends_at(&path, (size_t)end)))
		fail_msg("row %zu is wrong in second %d, with high confidence", row, second);
	return path.confidence == CTD_DRILL_HIGH;
}

/* Periods that divide the interval would be seen by each group at the same place. */
static void lockstep_phases_are_not_wrong_with_high_confidence(void **state)
{
	static struct made_row rows[ROWS];
	static double others[ROWS][METRICS_MAX], truth[ROWS][METRICS_MAX];
	int sure = 0;

	(void)state;
	for (size_t population = 0; population < 10; population++) {
		begin_drill(CTD_DRILL_MEMORY_S);
		memset(truth, 0, sizeof(truth));
		make_phases(rows, others, population);
		for (int second = 0; second < 30; second++) {
			for (size_t i = 0; i < ROWS; i++)
				add_truth(&rows[i], truth[i]);
			run_second(rows, ROWS, 0.1);
			for (size_t i = 0; i < ROWS; i++)
				sure += check_sure(i, truth[i], second);
		}
	}
	print_message("%d of %d with high confidence\n", sure, 10 * 30 * ROWS);
	/* It is of some, or nothing was tested. */
	assert_in_range(sure, 500, 10 * 30 * ROWS);
}

/* It might be larger than all that is counted. */
static void beside_what_is_not_counted_no_path_is_sure(void **state)
{
	struct made_row rows[] = {make_row("l3_hit_latency", 2, 0.3),
				  make_row("fetch_bandwidth", 2, 0.3)};
	struct ctd_drill_path path;

	(void)state;
	rows[0].truth[find("retiring")] = rows[1].truth[find("retiring")] = 0.3;
	rows[0].truth[find("l3_bound")] = 0.4;
	counting.metrics[find("dram_bound")].group = -1;
	begin_drill(CTD_DRILL_MEMORY_S);
	for (int second = 0; second < 25; second++)
		run_second(rows, 2, 0.02);
	path = path_of(0);
	assert_true(ends_at(&path, find("l3_hit_latency")));
	assert_int_equal(path.confidence, CTD_DRILL_LOW);
	assert_true(path.blind && !path.unfinished);
	assert_int_equal(path.blind_index, find("dram_bound"));
	/* It is nothing to those that do not come there. */
	assert_int_equal(path_of(1).confidence, CTD_DRILL_HIGH);
	assert_false(path_of(1).blind);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, new_drill, end_drill)
		TEST(what_is_near_is_not_sure),
		TEST(more_cpus_are_no_more_confidence),
		TEST(a_few_figures_that_agree_are_no_high_confidence),
		TEST(little_coverage_is_no_high_confidence),
		TEST(lockstep_phases_are_not_wrong_with_high_confidence),
		TEST(beside_what_is_not_counted_no_path_is_sure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
