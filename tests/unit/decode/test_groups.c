/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_groups.c - some groups of an interval are an interval: what they had, and nothing else. */
#include <cgtopdown/interval.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pair.h"

#define GROUPS 3

/* An interval of all groups in turn; the first cgroup ran 100 ms in each. */
static struct ctd_interval rotate(void)
{
	struct ctd_interval sum = {0};

	for (uint32_t group = 0; group < GROUPS; group++) {
		struct ctd_waits waits[2][4] = {0};
		struct ctd_interval part;
		struct pair pair;

		pair_init(&pair);
		pair.before.waits = waits[0];
		pair.after.waits = waits[1];
		waits[1][0].ns[CTD_WAIT_OTHER] = 5;
		pair.before.groups_count = pair.after.groups_count = GROUPS;
		pair.after.group = group;
		charge(&pair.rows[1][0], 100 * MS, 4000 * (group + 1));
		for (int i = 0; i < PAIR_COUNTERS; i++) {
			pair.cpus[1][0].total[i] = pair.rows[1][0].count[i] + 7;
			pair.cpus[1][0].unattributed[i] = 5;
		}
		part = pair_make(&pair);
		assert_int_equal(ctd_interval_add(&sum, &part), 0);
		ctd_interval_free(&part);
	}
	return sum;
}

static void groups_keep_their_counts_and_rows_their_time(void **state)
{
	static const struct ctd_group_place first[GROUPS] = {{0, 3}};
	static const struct ctd_group_place others[GROUPS] = {
		{0, 0}, {0, PAIR_COUNTERS}, {1, PAIR_COUNTERS}};
	struct ctd_interval interval = rotate(), own, beside;

	(void)state;
	assert_int_equal(ctd_interval_place_groups(&interval, first, 1, 3, true, &own), 0);
	assert_int_equal(
		ctd_interval_place_groups(&interval, others, 2, PAIR_COUNTERS, false, &beside), 0);
	assert_int_equal(own.rows_count, interval.rows_count);
	assert_int_equal(beside.rows_count, interval.rows_count);
	assert_int_equal(own.groups_count, 1);
	assert_int_equal(own.counters_count, 3);
	assert_int_equal(own.rows[0].cgroup_id, 5);
	assert_int_equal(own.rows[0].oncpu_ns, 300 * MS);
	assert_int_equal(own.rows[0].group_ns[0], 100 * MS);
	assert_int_equal(own.rows[0].count_ns[0], 100 * MS);
	assert_int_equal(own.rows[0].raw[0], 4000);
	assert_int_equal(own.rows[0].count[2], 1000);
	assert_int_equal(own.totals[0].total[0], 4007);
	assert_int_equal(own.totals[0].unattributed[2], 5);
	assert_int_equal(own.totals[0].residual[0], 2);
	assert_int_equal(own.rows[0].waits->ns[CTD_WAIT_OTHER], 15);
	assert_int_equal(own.window_ns, interval.window_ns);
	assert_int_equal(beside.rows[0].cgroup_id, 5);
	assert_int_equal(beside.rows[0].group_ns[1], 100 * MS);
	assert_int_equal(beside.rows[0].raw[0], 8000);
	assert_int_equal(beside.rows[0].raw[PAIR_COUNTERS], 12000);
	assert_int_equal(beside.rows[0].count[2 * PAIR_COUNTERS - 1], 3000);
	assert_int_equal(beside.totals[0].total[PAIR_COUNTERS], 12007);
	assert_null(beside.rows[0].waits);
	assert_false(beside.has_waits);
	/* Memory of their own. */
	ctd_interval_free(&interval);
	assert_int_equal(beside.rows[0].raw[0], 8000);
	ctd_interval_free(&own);
	ctd_interval_free(&beside);
}

/* The leaders of groups that are not the model's are in its balance. */
static void several_groups_may_be_one(void **state)
{
	static const struct ctd_group_place places[GROUPS] = {{0, 3}, {1, 1}, {1, 1}};
	struct ctd_interval interval = rotate(), sum;

	(void)state;
	assert_int_equal(ctd_interval_place_groups(&interval, places, 2, 3, true, &sum), 0);
	assert_int_equal(sum.rows[0].raw[0], 4000);
	assert_int_equal(sum.rows[0].raw[2], 1000);
	assert_int_equal(sum.rows[0].raw[3], 20000);
	assert_int_equal(sum.rows[0].raw[4], 0);
	assert_int_equal(sum.rows[0].group_ns[1], 200 * MS);
	assert_int_equal(sum.totals[0].total[3], 20014);
	assert_int_equal(sum.totals[0].residual[3], 4);
	ctd_interval_free(&sum);
	ctd_interval_free(&interval);
}

/* A model counts fewer than were opened, and may count more than others. */
static void what_is_wider_is_filled_up_by_0(void **state)
{
	static const struct ctd_group_place places[GROUPS] = {{0, 0}, {0, PAIR_COUNTERS}, {0, 0}};
	static const struct ctd_group_place none[GROUPS] = {{0, 0}};
	struct ctd_interval interval = rotate(), wider;

	(void)state;
	assert_int_equal(ctd_interval_place_groups(&interval, places, 1, PAIR_COUNTERS + 2, false,
						   &wider),
			 0);
	assert_int_equal(wider.rows[0].raw[0], 8000);
	assert_int_equal(wider.rows[0].raw[PAIR_COUNTERS - 1], 2000);
	assert_int_equal(wider.rows[0].raw[PAIR_COUNTERS], 0);
	assert_int_equal(wider.rows[0].raw[PAIR_COUNTERS + 1], 0);
	ctd_interval_free(&wider);
	/* There may be no counters at all. */
	assert_int_equal(ctd_interval_place_groups(&interval, none, 1, 0, true, &wider), 0);
	assert_int_equal(wider.rows[0].oncpu_ns, 300 * MS);
	ctd_interval_free(&wider);
	ctd_interval_free(&interval);
}

/* What others missed or scaled is nothing to these, and theirs nothing to others. */
static void each_is_judged_by_its_own_groups(void **state)
{
	static const struct ctd_group_place first[GROUPS] = {{0, PAIR_COUNTERS}};
	static const struct ctd_group_place second[GROUPS] = {{0, 0}, {0, PAIR_COUNTERS}};
	struct ctd_interval interval = rotate(), own, others;
	struct ctd_interval_row *row = &interval.rows[0];

	(void)state;
	/* The second group was on the PMU for half of its time. */
	row->quality = CTD_LOW_CONFIDENCE;
	row->group_ns[1] = row->count_ns[1] / 2;
	row->count[PAIR_COUNTERS] = 2 * row->raw[PAIR_COUNTERS];
	assert_int_equal(ctd_interval_place_groups(&interval, first, 1, PAIR_COUNTERS, true, &own),
			 0);
	assert_int_equal(own.rows[0].quality, CTD_OK);
	ctd_interval_free(&own);
	assert_int_equal(ctd_interval_place_groups(&interval, second, 1, PAIR_COUNTERS, true, &own),
			 0);
	assert_int_equal(own.rows[0].quality, CTD_SCALED);
	assert_int_equal(own.rows[0].count[0], 16000);
	assert_int_equal(own.rows[0].count_ns[0], 100 * MS);
	ctd_interval_free(&own);
	/* Where @p whole is false, counts and times are not scaled up: their ratio, the rate, is
	 * right. */
	assert_int_equal(
		ctd_interval_place_groups(&interval, second, 1, PAIR_COUNTERS, false, &others), 0);
	assert_int_equal(others.rows[0].count[0], 8000);
	assert_int_equal(others.rows[0].group_ns[0], 50 * MS);
	assert_int_equal(others.rows[0].count_ns[0], 50 * MS);
	ctd_interval_free(&others);
	ctd_interval_free(&interval);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups_keep_their_counts_and_rows_their_time),
		cmocka_unit_test(several_groups_may_be_one),
		cmocka_unit_test(each_is_judged_by_its_own_groups),
		cmocka_unit_test(what_is_wider_is_filled_up_by_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
