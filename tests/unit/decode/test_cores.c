/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cores.c - core types have rows, totals and rotations of their own. */
#include <cgtopdown/interval.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pair.h"

/* The first cgroup ran on both kinds; CPU 6 is of the second one. */
static void prepare(struct pair *pair)
{
	pair_init(pair);
	for (int i = 0; i < 2; i++) {
		pair->rows[i][1] = (struct ctd_snapshot_row){
			.kind = CTD_ROW_CGROUP, .cgroup_id = 5, .core_type = 1};
		pair->cpus[i][1].core_type = 1;
	}
	charge(&pair->rows[1][0], 100 * MS, 4000);
	charge(&pair->rows[1][1], 200 * MS, 600);
	for (int i = 0; i < PAIR_COUNTERS; i++) {
		pair->cpus[1][0].total[i] = pair->rows[1][0].count[i] + 7;
		pair->cpus[1][0].unattributed[i] = 5;
		pair->cpus[1][1].total[i] = pair->rows[1][1].count[i] - 3;
	}
}

static void totals_add_up_kind_by_kind_and_not_only_in_all(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	prepare(&pair);
	interval = pair_make(&pair);
	assert_int_equal(interval.rows[0].core_type, 0);
	assert_int_equal(interval.rows[0].raw[0], 4000);
	assert_int_equal(interval.rows[1].core_type, 1);
	assert_int_equal(interval.rows[1].raw[0], 600);
	for (int i = 0; i < PAIR_COUNTERS; i++) {
		assert_int_equal(interval.totals[0].residual[i], 2);
		assert_int_equal(interval.totals[1].residual[i], -3);
		assert_int_equal(interval.totals[0].unattributed[i], 5);
		assert_int_equal(interval.totals[1].unattributed[i], 0);
	}
	assert_int_equal(interval.totals[0].cpus_online, 1);
	assert_int_equal(interval.totals[1].cpus_online, 1);
	assert_int_equal(interval.cpus_online, 2);
	ctd_interval_free(&interval);
}

static void a_kind_with_one_group_counts_in_every_turn(void **state)
{
	struct ctd_interval sum = {0};

	(void)state;
	for (uint32_t turn = 0; turn < 2; turn++) {
		struct ctd_interval interval;
		struct pair pair;

		prepare(&pair);
		pair.before.groups_count = pair.after.groups_count = 2;
		pair.after.core_type_groups[0] = 1;
		pair.after.core_type_groups[1] = 2;
		pair.after.group = turn;
		interval = pair_make(&pair);
		assert_int_equal(ctd_interval_add(&sum, &interval), 0);
		ctd_interval_free(&interval);
	}
	assert_int_equal(sum.rows[0].raw[0], 8000);
	assert_int_equal(sum.rows[0].raw[PAIR_COUNTERS], 0);
	assert_int_equal(sum.rows[0].group_ns[0], 200 * MS);
	assert_int_equal(sum.rows[1].raw[0], 600);
	assert_int_equal(sum.rows[1].raw[PAIR_COUNTERS], 600);
	assert_int_equal(sum.rows[1].group_ns[0], 200 * MS);
	assert_int_equal(sum.rows[1].group_ns[1], 200 * MS);
	assert_int_equal(sum.totals[0].residual[0], 4);
	assert_int_equal(sum.totals[0].residual[PAIR_COUNTERS], 0);
	assert_int_equal(sum.totals[1].residual[0], -3);
	assert_int_equal(sum.totals[1].residual[PAIR_COUNTERS], -3);
	assert_int_equal(sum.totals[1].cpus_online, 1);
	ctd_interval_free(&sum);
}

static void a_kind_without_counters_has_no_data_but_time(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	prepare(&pair);
	pair.rows[1][1].running_ns = 0;
	for (int i = 0; i < PAIR_COUNTERS; i++)
		pair.rows[1][1].count[i] = pair.cpus[1][1].total[i] = 0;
	interval = pair_make(&pair);
	assert_int_equal(interval.rows[0].quality, CTD_OK);
	assert_int_equal(interval.rows[1].quality, CTD_NO_DATA);
	assert_int_equal(interval.rows[1].oncpu_ns, 200 * MS);
	assert_int_equal(interval.rows[1].count[0], 0);
	assert_int_equal(interval.totals[1].residual[0], 0);
	ctd_interval_free(&interval);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_add_up_kind_by_kind_and_not_only_in_all),
		cmocka_unit_test(a_kind_with_one_group_counts_in_every_turn),
		cmocka_unit_test(a_kind_without_counters_has_no_data_but_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
