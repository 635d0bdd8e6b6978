/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_waits.c - an interval has the waits of its own time, or none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pair.h"

static struct ctd_waits waits[2][4];

static void begin(struct pair *pair)
{
	pair_init(pair);
	memset(waits, 0, sizeof(waits));
	pair->before.waits = waits[0];
	pair->after.waits = waits[1];
}

static void waits_are_the_difference_and_make_a_row(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	begin(&pair);
	/* This row did nothing but wait. */
	waits[0][1].ns[CTD_WAIT_OTHER] = 100;
	waits[1][1].ns[CTD_WAIT_OTHER] = 350;
	waits[1][1].histogram[3] = 1;
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, NULL, &interval), 0);
	assert_int_equal(interval.rows_count, 2);
	assert_int_equal(interval.rows[0].cgroup_id, 9);
	assert_int_equal(interval.rows[0].waits->ns[CTD_WAIT_OTHER], 250);
	assert_int_equal(ctd_waits_count(interval.rows[0].waits), 1);
	ctd_interval_free(&interval);
}

static void a_row_whose_waits_shrank_began_anew(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	begin(&pair);
	pair.rows[0][0].oncpu_ns = 5;
	pair.rows[1][0].oncpu_ns = 8;
	waits[0][0].preempted = 7;
	waits[1][0].preempted = 2;
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, NULL, &interval), 0);
	assert_int_equal(interval.rows[0].waits->preempted, 2);
	assert_int_equal(interval.rows[0].oncpu_ns, 8);
	assert_int_equal(interval.health.count[CTD_HEALTH_RESTARTS], 1);
	ctd_interval_free(&interval);
}

static void without_one_snapshots_waits_there_are_none(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	begin(&pair);
	pair.before.waits = NULL;
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, NULL, &interval), 0);
	assert_false(interval.has_waits);
	assert_null(interval.rows[0].waits);
	ctd_interval_free(&interval);
}

static void intervals_add_up_with_their_waits(void **state)
{
	struct ctd_interval first, second;
	struct pair pair;

	(void)state;
	begin(&pair);
	waits[1][1].ns[CTD_WAIT_OWN] = 30;
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, NULL, &first), 0);
	waits[1][0].ns[CTD_WAIT_IDLE] = 5;
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, NULL, &second), 0);
	assert_int_equal(ctd_interval_add(&first, &second), 0);
	assert_int_equal(first.rows[0].waits->ns[CTD_WAIT_IDLE], 5);
	assert_int_equal(first.rows[1].waits->ns[CTD_WAIT_OWN], 60);
	ctd_interval_free(&first);
	ctd_interval_free(&second);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(waits_are_the_difference_and_make_a_row),
		cmocka_unit_test(a_row_whose_waits_shrank_began_anew),
		cmocka_unit_test(without_one_snapshots_waits_there_are_none),
		cmocka_unit_test(intervals_add_up_with_their_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
