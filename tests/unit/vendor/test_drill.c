/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_drill.c - each row's path down a tree is found, and nothing is kept that is not needed. */
#include "drilled.h"

#include <errno.h>

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
		begin_drill(CTD_DRILL_MEMORY_S);
	}
	print_message("%d of %d right, %d with high confidence\n", least, ROWS, least_sure);
	assert_in_range(least, 48, ROWS);
	assert_in_range(least_sure, ROWS / 4, ROWS);
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

static void counts_that_are_not_sound_are_left_out(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3),
			wrong = make_row("l3_bound", 3, 0.3);
	struct ctd_drill_path path;

	(void)state;
	row.truth[find("retiring")] = wrong.truth[find("retiring")] = 0.3;
	counted_all = false;
	for (int second = 0; second < 20; second++)
		run_second(&wrong, 1, 0);
	assert_int_equal(path_of(0).confidence, CTD_DRILL_UNKNOWN);
	counted_all = true;
	for (int second = 0; second < 20; second++)
		run_second(&row, 1, 0.05);
	path = path_of(0);
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
	assert_true(fabs(path.steps[1].value - 0.4) < 0.03);
}

static void a_group_that_is_held_spoils_no_other(void **state)
{
	struct made_row rows[] = {make_row("fetch_bandwidth", 2, 0.3),
				  make_row("l3_bound", 3, 0.3)};
	struct ctd_drill_path path;

	(void)state;
	rows[0].truth[find("retiring")] = rows[1].truth[find("retiring")] = 0.3;
	held = counting.metrics[find("l3_bound")].group;
	for (int second = 0; second < 20; second++)
		run_second(rows, 2, 0.05);
	held = -1;
	path = path_of(0);
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
	path = path_of(1);
	assert_true(ends_at(&path, find("memory_bound")));
}

/* A command's run is one interval. */
static void counters_that_were_lost_for_a_moment_do_not_spoil_the_rest(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3);
	struct ctd_drill_sample sample = {.key = 0};
	struct ctd_drill_path path;

	(void)state;
	begin_drill(INFINITY);
	row.truth[find("retiring")] = 0.3;
	begin_interval(&row, 1);
	/* Half a second of which nothing was counted. */
	sample.cpu_ns = SECOND / 2;
	assert_int_equal(ctd_drill_look(drill, &sample, 1, SECOND / 2), 0);
	assert_int_equal(path_of(0).confidence, CTD_DRILL_UNKNOWN);
	for (uint64_t half = 2; half <= 40; half++)
		run_half(&row, 1, 0.05, half * SECOND / 2);
	path = path_of(0);
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	assert_int_equal(path.confidence, CTD_DRILL_HIGH);
}

static void without_a_tree_there_is_nothing_to_go_down(void **state)
{
	struct ctd_drill *none = NULL;

	(void)state;
	for (size_t i = 0; i < counting.metrics_count; i++) {
		if (counting.metrics[i].parent < 0)
			metric_named(table.metrics[counting.metrics[i].metric].name)->level = 0;
	}
	assert_int_equal(ctd_drill_new(&counting, INFINITY, &none), -ENOENT);
	assert_null(none);
}

/* Looks at an interval that goes on are each of all of it so far. */
static void a_long_interval_is_not_counted_twice(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3);
	struct ctd_drill_path path;

	(void)state;
	begin_drill(INFINITY);
	row.truth[find("retiring")] = 0.3;
	row.cpus = 0.02;
	begin_interval(&row, 1);
	for (uint64_t half = 1; half <= 20; half++)
		run_half(&row, 1, 0, half * SECOND / 2);
	path = path_of(0);
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	/* 0.2 s of CPU time in all, shared by the groups: too little, however often it is seen. */
	assert_int_equal(path.confidence, CTD_DRILL_LOW);
	assert_true(path.unfinished && path.scarce);
	/* Nothing new was counted: that tells nothing new. */
	row.truth[find("fetch_bandwidth")] = 0;
	look(&row, 1, 21 * SECOND / 2);
	look(&row, 1, 22 * SECOND / 2);
	assert_true(ctd_drill_busiest(drill, &path));
	assert_true(ends_at(&path, find("fetch_bandwidth")));
	assert_true(fabs(path.steps[1].value - 0.4) < 1e-3);
}

/* A command is looked at all its life: what it did at first counts as much as what it does last. */
static void without_fading_a_path_is_of_the_whole_run(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3),
			end = make_row("l3_bound", 2, 0.3);
	struct ctd_drill_path path;

	(void)state;
	begin_drill(INFINITY);
	row.truth[find("retiring")] = end.truth[find("retiring")] = 0.3;
	row.other = end.truth;
	row.period_s = 160; /* of which it runs for 100 s */
	begin_interval(&row, 1);
	for (uint64_t half = 1; half <= 200; half++)
		run_half(&row, 1, 0.05, half * SECOND / 2);
	path = path_of(0);
	assert_int_equal(path.steps[0].index, find("frontend_bound"));
	assert_true(fabs(path.steps[0].value - (0.8 * row.truth[find("frontend_bound")] +
						0.2 * end.truth[find("frontend_bound")])) < 0.01);
}

/* However little is known of them: they never have the CPU time for more. */
static void rows_that_hardly_run_do_not_take_the_steps(void **state)
{
	static struct made_row rows[11];
	int of_idle = 0, of_busy = 0;

	(void)state;
	for (size_t i = 0; i < 11; i++) {
		rows[i] = make_row(i ? "mem_latency" : "l3_hit_latency", 2, 0.3);
		rows[i].cpus = i ? 0.03 : 4;
		rows[i].truth[find("retiring")] = 0.3;
	}
	for (int second = 0; second < 20; second++) {
		const uint8_t *weights = ctd_drill_weights(drill);

		run_second(rows, 11, 0.02);
		of_idle += weights[counting.metrics[find("mem_latency")].group];
		of_busy += weights[counting.metrics[find("l3_hit_latency")].group];
	}
	assert_true(ends_at(&(struct ctd_drill_path[]){path_of(0)}[0], find("l3_hit_latency")));
	assert_in_range(of_idle, 1, of_busy - 1);
}

/* Many processes that each live for less than an interval. */
static void what_is_kept_does_not_grow_with_rows_that_end(void **state)
{
	struct made_row row = make_row("fetch_bandwidth", 2, 0.3);
	size_t count = 5000;
	struct ctd_drill_sample *samples = calloc(count, sizeof(*samples));
	struct ctd_drill_path path;

	(void)state;
	assert_non_null(samples);
	row.truth[find("retiring")] = 0.3;
	for (uint64_t interval = 0; interval < 6; interval++) {
		begin_interval(&row, 1);
		run_half(&row, 1, 0, 10 * SECOND);
		for (size_t i = 0; i < count; i++)
			samples[i] = (struct ctd_drill_sample){
				.key = i ? interval * count + i : 0,
				.counted = {counting.rotation.groups_count, row.counts,
					    row.count_ns},
				/* Some are too small to be known. */
				.cpu_ns = i % 10 == 9 ? 9000000 : SECOND / 10,
				.running_ns = SECOND / 10};
		samples[0].cpu_ns = 11 * SECOND;
		assert_int_equal(ctd_drill_look(drill, samples, count, 11 * SECOND), 0);
		assert_in_range(drill->rows_count, 2048, 4096);
		assert_true(ctd_drill_find(drill, 0, &path));
		assert_false(ctd_drill_find(drill, interval * count + 9, &path));
	}
	ctd_drill_begin(drill);
	ctd_drill_begin(drill);
	assert_in_range(drill->rows_count, 1, 4096);
	/* Time counts, and not how many intervals it has. */
	assert_int_equal(ctd_drill_look(drill, samples, 1, 31 * SECOND), 0);
	ctd_drill_begin(drill);
	assert_int_equal(drill->rows_count, 1);
	free(samples);
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
		TEST(steps_are_for_what_is_below_what_is_above_its_threshold),
		TEST(counts_that_are_not_sound_are_left_out),
		TEST(a_group_that_is_held_spoils_no_other),
		TEST(counters_that_were_lost_for_a_moment_do_not_spoil_the_rest),
		TEST(without_a_tree_there_is_nothing_to_go_down),
		TEST(a_long_interval_is_not_counted_twice),
		TEST(without_fading_a_path_is_of_the_whole_run),
		TEST(rows_that_hardly_run_do_not_take_the_steps),
		TEST(what_is_kept_does_not_grow_with_rows_that_end),
		TEST(rows_that_end_are_forgotten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
