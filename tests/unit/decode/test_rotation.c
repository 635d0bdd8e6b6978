/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rotation.c - intervals of rotating groups, added up. */
#include <cgtopdown/interval.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "pair.h"

/* An interval of one second in which the first cgroup ran @p ms, of @p group's turn; with as many
 * samples of a latency as slots. */
static struct ctd_interval turn(uint32_t group, uint64_t ms, uint64_t slots)
{
	struct pair pair;

	pair_init(&pair);
	pair.before.groups_count = pair.after.groups_count = 2;
	pair.after.group = group;
	pair.after.latencies = (struct ctd_latencies){1, 1, {{{slots, 1}}}};
	charge(&pair.rows[1][0], ms * MS, slots);
	pair.cpus[1][0].health[CTD_HEALTH_SWITCHES] = ms;
	pair.cpus[1][0].health[CTD_HEALTH_COST_NS] = ms * (group ? 30 : 10);
	pair.cpus[1][0].health[CTD_HEALTH_COST_SAMPLES] = ms;
	pair.cpus[1][0].health[CTD_HEALTH_READ_ERRORS] = 1;
	for (int i = 0; i < PAIR_COUNTERS; i++) {
		pair.cpus[1][0].total[i] = pair.rows[1][0].count[i] + 7;
		pair.cpus[1][0].unattributed[i] = 5;
	}
	return pair_make(&pair);
}

static struct ctd_interval add(struct ctd_interval a, struct ctd_interval b)
{
	struct ctd_interval sum = {0};

	assert_int_equal(ctd_interval_add(&sum, &a), 0);
	assert_int_equal(ctd_interval_add(&sum, &b), 0);
	ctd_interval_free(&a);
	ctd_interval_free(&b);
	return sum;
}

static void counts_of_each_group_stay_its_own(void **state)
{
	struct ctd_interval sum = add(turn(0, 100, 4000), turn(1, 300, 8000));
	const struct ctd_interval_row *row = &sum.rows[0];

	(void)state;
	assert_int_equal(row->cgroup_id, 5);
	assert_int_equal(row->oncpu_ns, 400 * MS);
	assert_int_equal(row->slices, 2);
	assert_int_equal(row->raw[0], 4000);
	assert_int_equal(row->raw[1], 1000);
	assert_int_equal(row->raw[PAIR_COUNTERS], 8000);
	assert_int_equal(row->raw[PAIR_COUNTERS + 1], 2000);
	assert_int_equal(row->raw[2 * PAIR_COUNTERS - 1], 2000);
	assert_memory_equal(row->count, row->raw, 2 * PAIR_COUNTERS * sizeof(*row->raw));
	/* Not those of what was added. */
	assert_ptr_equal(row->raw, sum.counts);
	assert_ptr_equal(row->count, sum.counts + 2 * PAIR_COUNTERS);
	assert_int_equal(row->group_ns[0], 100 * MS);
	assert_int_equal(row->group_ns[1], 300 * MS);
	assert_int_equal(row->count_ns[0], 100 * MS);
	assert_int_equal(row->count_ns[1], 300 * MS);
	assert_int_equal(row->quality, CTD_OK);
	ctd_interval_free(&sum);
}

/* Cycles by that time are the clock, whether they are scaled up or not. */
static void the_time_of_counts_is_scaled_as_they_are(void **state)
{
	static const struct {
		uint64_t oncpu_ms, running_ms, want_ms;
	} cases[] = {{100, 100, 100}, {1000, 999, 999}, {100, 50, 100}, {100, 5, 100}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pair pair;

		pair_init(&pair);
		charge(&pair.rows[1][0], cases[i].oncpu_ms * MS, cases[i].running_ms * 3000);
		pair.rows[1][0].running_ns = cases[i].running_ms * MS;
		struct ctd_interval interval = pair_make(&pair);

		assert_int_equal(interval.rows[0].count_ns[0], cases[i].want_ms * MS);
		assert_int_equal(interval.rows[0].count[0], cases[i].want_ms * 3000);
		ctd_interval_free(&interval);
	}
}

static void totals_of_each_group_add_up(void **state)
{
	struct ctd_interval sum = add(turn(1, 100, 4000), turn(0, 300, 8000));

	(void)state;
	assert_int_equal(sum.totals[0].total[0], 8007);
	assert_int_equal(sum.totals[0].total[PAIR_COUNTERS], 4007);
	for (int group = 0; group < 2; group++) {
		assert_int_equal(sum.totals[0].unattributed[group * PAIR_COUNTERS], 5);
		assert_int_equal(sum.totals[0].residual[group * PAIR_COUNTERS], 2);
	}
	ctd_interval_free(&sum);
}

static void the_window_is_both_and_ends_with_the_later(void **state)
{
	struct ctd_interval sum = add(turn(0, 100, 4000), turn(1, 300, 8000));

	(void)state;
	assert_int_equal(sum.window_ns, 2000 * MS);
	assert_int_equal(sum.sequence, 2);
	assert_int_equal(sum.counters_count, PAIR_COUNTERS);
	assert_int_equal(sum.groups_count, 2);
	assert_int_equal(sum.health.count[CTD_HEALTH_READ_ERRORS], 2);
	assert_int_equal(sum.health.count[CTD_HEALTH_SWITCHES], 400);
	/* 10 ns in a quarter of the switches, 30 in the rest. */
	assert_true(fabs(sum.health.ns_per_switch - 25) < 1e-9);
	ctd_interval_free(&sum);
}

/* They are sums since the beginning, as in a snapshot. */
static void latencies_are_those_of_the_later(void **state)
{
	struct ctd_interval sum = add(turn(0, 100, 4000), turn(1, 300, 8000));

	(void)state;
	assert_int_equal(sum.health.latencies.count, 1);
	assert_int_equal(sum.health.latencies.of[0][0].samples, 8000);
	ctd_interval_free(&sum);
}

static void time_of_counters_that_stood_still_is_added_up(void **state)
{
	struct ctd_interval sum = add(turn(0, 100, 0), turn(1, 300, 0));

	(void)state;
	assert_int_equal(sum.health.empty_ns, 400 * MS);
	ctd_interval_free(&sum);
}

/* With many groups each row is some kilobytes, and turns are many. */
static void rows_that_are_there_are_not_copied(void **state)
{
	struct ctd_interval sum = {0};
	const struct ctd_interval_row *rows;
	uint64_t *counts;

	(void)state;
	for (uint32_t i = 0; i < 4; i++) {
		struct ctd_interval part = turn(i % 2, 100 << i, 4000 << i);

		assert_int_equal(ctd_interval_add(&sum, &part), 0);
		if (i == 0) {
			rows = sum.rows;
			counts = sum.counts;
		}
		assert_ptr_equal(sum.rows, rows);
		assert_ptr_equal(sum.counts, counts);
		ctd_interval_free(&part);
	}
	assert_int_equal(sum.rows[0].oncpu_ns, 1500 * MS);
	assert_int_equal(sum.rows[0].raw[0], 20000);
	assert_int_equal(sum.rows[0].raw[PAIR_COUNTERS], 40000);
	assert_int_equal(sum.rows[0].group_ns[1], 1000 * MS);
	ctd_interval_free(&sum);
}

static void rows_of_either_are_rows_of_the_sum_in_order(void **state)
{
	struct ctd_interval a = turn(0, 100, 4000), b = turn(1, 300, 8000), sum;

	(void)state;
	/* As if another cgroup had run in the second. */
	b.rows[0].cgroup_id = 4;
	sum = add(a, b);
	assert_int_equal(sum.rows_count, 3);
	assert_int_equal(sum.rows[0].cgroup_id, 4);
	assert_int_equal(sum.rows[0].group_ns[0], 0);
	assert_int_equal(sum.rows[1].cgroup_id, 5);
	assert_int_equal(sum.rows[1].group_ns[1], 0);
	assert_int_equal(sum.rows[2].kind, CTD_ROW_IDLE);
	ctd_interval_free(&sum);
}

static void a_turn_without_counts_makes_the_whole_doubtful(void **state)
{
	static const struct {
		int line;
		enum ctd_quality first, second, want;
	} cases[] = {
		{__LINE__, CTD_OK, CTD_SCALED, CTD_SCALED},
		{__LINE__, CTD_SCALED, CTD_OK, CTD_SCALED},
		{__LINE__, CTD_OK, CTD_NO_DATA, CTD_LOW_CONFIDENCE},
		{__LINE__, CTD_NO_DATA, CTD_OK, CTD_LOW_CONFIDENCE},
		{__LINE__, CTD_NO_DATA, CTD_NO_DATA, CTD_NO_DATA},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_interval a = turn(0, 100, 4000), b = turn(1, 300, 8000), sum;

		a.rows[0].quality = cases[i].first;
		b.rows[0].quality = cases[i].second;
		sum = add(a, b);
		if (sum.rows[0].quality != cases[i].want)
			fail_msg("line %d: %s", cases[i].line,
				 ctd_quality_name(sum.rows[0].quality));
		ctd_interval_free(&sum);
	}
}

static void a_turn_in_which_a_row_did_not_run_says_nothing_of_it(void **state)
{
	struct ctd_interval a = turn(0, 0, 0), b = turn(1, 300, 8000), sum;

	(void)state;
	a.rows[0].quality = CTD_NO_DATA;
	sum = add(a, b);
	assert_int_equal(sum.rows[0].quality, CTD_OK);
	ctd_interval_free(&sum);
}

/* Where others had the PMU for a part of the time, that part is not covered. */
static void time_without_counters_is_not_covered(void **state)
{
	struct pair pair;
	struct ctd_interval interval;

	(void)state;
	pair_init(&pair);
	charge(&pair.rows[1][0], 100 * MS, 4000);
	pair.rows[1][0].running_ns = 30 * MS;
	interval = pair_make(&pair);
	assert_int_equal(interval.rows[0].quality, CTD_SCALED);
	assert_int_equal(interval.rows[0].group_ns[0], 30 * MS);
	ctd_interval_free(&interval);
}

/* A recording may say what it likes. */
/* The second group's counts have other events in the places of level 1. */
static void level_1_is_checked_in_its_own_turn_only(void **state)
{
	struct ctd_interval tree = turn(0, 100, 4000), other = turn(1, 300, 8000);

	(void)state;
	assert_int_equal(other.health.l1_sum_over_slots.quality, CTD_UNSUPPORTED);
	for (int i = 0; i < 2; i++) {
		struct ctd_interval sum = {0};

		assert_int_equal(ctd_interval_add(&sum, i ? &other : &tree), 0);
		assert_int_equal(ctd_interval_add(&sum, i ? &tree : &other), 0);
		assert_int_equal(sum.health.l1_sum_over_slots.quality, CTD_OK);
		assert_true(fabs(sum.health.l1_sum_over_slots.ratio - 1) < 1e-12);
		ctd_interval_free(&sum);
	}
	ctd_interval_free(&tree);
	ctd_interval_free(&other);
}

static void no_residual_is_too_large_to_be_added(void **state)
{
	struct ctd_interval a = turn(0, 100, 4000), b = turn(0, 100, 4000);

	(void)state;
	a.totals[0].residual[0] = INT64_MAX;
	b.totals[0].residual[0] = 1;
	assert_int_equal(ctd_interval_add(&a, &b), 0);
	assert_int_equal(a.totals[0].residual[0], INT64_MIN);
	ctd_interval_free(&a);
	ctd_interval_free(&b);
}

static void other_counters_are_refused(void **state)
{
	struct ctd_interval a = turn(0, 100, 4000), b = turn(1, 300, 8000);

	(void)state;
	b.groups_count = 3;
	assert_int_equal(ctd_interval_add(&a, &b), -EBADMSG);
	b.groups_count = 2;
	b.counters_count--;
	assert_int_equal(ctd_interval_add(&a, &b), -EBADMSG);
	ctd_interval_free(&a);
	ctd_interval_free(&b);
}

/* What failed is tried again, with a later part that begins where the interval ends. */
static void without_memory_nothing_is_added(void **state)
{
	struct ctd_pair waited = {.victim_id = 5, .occupier_id = 6, .wait_ns = 7, .waits = 1};
	struct ctd_interval first = turn(0, 100, 4000), later = turn(1, 300, 8000), sum = {0};
	const struct ctd_pairs pairs = {&waited, 1};
	long tried = 0;
	int error;

	(void)state;
	assert_int_equal(ctd_pairs_copy(&pairs, &first.pairs), 0);
	assert_int_equal(ctd_pairs_copy(&pairs, &later.pairs), 0);
	assert_int_equal(ctd_interval_add(&sum, &first), 0);
	for (;; tried++) {
		fail_allocation(tried);
		error = ctd_interval_add(&sum, &later);
		if (!allocation_failed())
			break;
		assert_int_equal(error, -ENOMEM);
		assert_int_equal(sum.rows[0].oncpu_ns, 100 * MS);
		assert_int_equal(sum.rows[0].raw[PAIR_COUNTERS], 0);
		assert_int_equal(sum.pairs.items[0].wait_ns, 7);
	}
	fail_allocation(-1);
	assert_int_equal(error, 0);
	assert_true(tried > 0 || !CAN_FAIL);
	assert_int_equal(sum.rows[0].oncpu_ns, 400 * MS);
	assert_int_equal(sum.pairs.items[0].wait_ns, 14);
	ctd_interval_free(&first);
	ctd_interval_free(&later);
	ctd_interval_free(&sum);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_of_each_group_stay_its_own),
		cmocka_unit_test(the_time_of_counts_is_scaled_as_they_are),
		cmocka_unit_test(totals_of_each_group_add_up),
		cmocka_unit_test(the_window_is_both_and_ends_with_the_later),
		cmocka_unit_test(latencies_are_those_of_the_later),
		cmocka_unit_test(time_of_counters_that_stood_still_is_added_up),
		cmocka_unit_test(rows_that_are_there_are_not_copied),
		cmocka_unit_test(rows_of_either_are_rows_of_the_sum_in_order),
		cmocka_unit_test(a_turn_without_counts_makes_the_whole_doubtful),
		cmocka_unit_test(a_turn_in_which_a_row_did_not_run_says_nothing_of_it),
		cmocka_unit_test(time_without_counters_is_not_covered),
		cmocka_unit_test(level_1_is_checked_in_its_own_turn_only),
		cmocka_unit_test(no_residual_is_too_large_to_be_added),
		cmocka_unit_test(other_counters_are_refused),
		cmocka_unit_test(without_memory_nothing_is_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
