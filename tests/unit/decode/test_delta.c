/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_delta.c - the difference of two snapshots adds up. */
#include <cgtopdown/interval.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pair.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void rows_are_subtracted(void **state)
{
	const struct ctd_interval_row *row;
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	charge(&pair.rows[0][0], 10 * MS, 4000);
	charge(&pair.rows[1][0], 10 * MS, 4000);
	charge(&pair.rows[1][0], 30 * MS, 8000);
	interval = pair_make(&pair);
	assert_int_equal(interval.realtime_ns, 60);
	assert_int_equal(interval.window_ns, 1000 * MS);
	assert_int_equal(interval.sequence, 2);
	assert_int_equal(interval.counters_count, PAIR_COUNTERS);
	assert_int_equal(interval.cpus_online, 2);
	row = find_row(&interval, CTD_ROW_CGROUP, 5);
	assert_non_null(row);
	assert_int_equal(row->oncpu_ns, 30 * MS);
	assert_int_equal(row->running_ns, 30 * MS);
	assert_int_equal(row->slices, 1);
	assert_int_equal(row->switches, 1);
	assert_int_equal(row->raw[0], 8000);
	assert_int_equal(row->raw[4], 2000);
	assert_int_equal(row->count[0], 8000);
	assert_int_equal(row->quality, CTD_OK);
	ctd_interval_free(&interval);
}

static void rows_that_did_nothing_are_left_out_but_idle_stays(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	charge(&pair.rows[0][1], 10 * MS, 4000);
	charge(&pair.rows[1][1], 10 * MS, 4000);
	interval = pair_make(&pair);
	assert_int_equal(interval.rows_count, 1);
	assert_int_equal(interval.rows[0].kind, CTD_ROW_IDLE);
	ctd_interval_free(&interval);
}

/* A count without time, or a switch without a slice, is still something that happened. */
static void any_trace_of_activity_keeps_a_row(void **state)
{
	static const size_t fields[] = {
		offsetof(struct ctd_snapshot_row, oncpu_ns),
		offsetof(struct ctd_snapshot_row, running_ns),
		offsetof(struct ctd_snapshot_row, slices),
		offsetof(struct ctd_snapshot_row, switches),
		offsetof(struct ctd_snapshot_row, count[0]),
		offsetof(struct ctd_snapshot_row, count[PAIR_COUNTERS - 1]),
	};

	(void)state;
	for (size_t i = 0; i < COUNT(fields); i++) {
		struct ctd_interval interval;
		struct pair pair;

		pair_init(&pair);
		*(uint64_t *)((char *)&pair.rows[1][0] + fields[i]) = 1;
		interval = pair_make(&pair);
		assert_non_null(find_row(&interval, CTD_ROW_CGROUP, 5));
		ctd_interval_free(&interval);
	}
}

static void zero_slots_is_no_data_not_zero_percent(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	charge(&pair.rows[1][0], 10 * MS, 0);
	interval = pair_make(&pair);
	assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 5)->quality, CTD_NO_DATA);
	assert_int_equal(interval.health.l1_sum_over_slots.quality, CTD_NO_DATA);
	assert_true(isnan(interval.health.l1_sum_over_slots.ratio));
	ctd_interval_free(&interval);
}

static void a_new_row_counts_from_zero(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	/* `before` lacks its first row; the others must still find their partners. */
	pair.before.rows++;
	pair.before.rows_count--;
	charge(&pair.rows[1][0], 10 * MS, 4000);
	charge(&pair.rows[0][1], 10 * MS, 4000);
	charge(&pair.rows[1][1], 10 * MS, 4000);
	charge(&pair.rows[1][1], 10 * MS, 400);
	interval = pair_make(&pair);
	assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 5)->raw[0], 4000);
	assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 9)->raw[0], 400);
	ctd_interval_free(&interval);
}

static void a_removed_row_leaves_no_hole(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	pair.after.rows++;
	pair.after.rows_count--;
	charge(&pair.rows[0][0], 10 * MS, 4000);
	charge(&pair.rows[1][1], 10 * MS, 400);
	charge(&pair.rows[1][3], 10 * MS, 44);
	interval = pair_make(&pair);
	assert_int_equal(interval.rows_count, 3);
	assert_null(find_row(&interval, CTD_ROW_CGROUP, 5));
	assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 9)->raw[0], 400);
	assert_int_equal(find_row(&interval, CTD_ROW_OTHER, 0)->raw[0], 44);
	ctd_interval_free(&interval);
}

static void rows_of_other_processes_are_other_rows(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	pair.rows[0][1].pid = 2;
	pair.rows[1][1].pid = 4;
	charge(&pair.rows[0][1], 10 * MS, 40000);
	charge(&pair.rows[1][1], 10 * MS, 400);
	interval = pair_make(&pair);
	assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 9)->raw[0], 400);
	assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 9)->pid, 4);
	ctd_interval_free(&interval);
}

static void a_new_cpu_counts_from_zero(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	/* `before` lacks CPU 0, and then CPU 6. */
	for (int missing = 0; missing < 2; missing++) {
		pair.before.cpus = &pair.cpus[0][1 - missing];
		pair.before.cpus_count = 1;
		pair.cpus[0][1 - missing].total[0] = 100;
		pair.cpus[1][1 - missing].total[0] = 110;
		pair.cpus[1][missing].total[0] = 7;
		interval = pair_make(&pair);
		assert_int_equal(interval.totals[0].total[0], 17);
		ctd_interval_free(&interval);
		pair_init(&pair);
	}
}

static void health_is_added_up_over_cpus(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	pair.cpus[0][0].health[CTD_HEALTH_SWITCHES] = 100;
	for (int i = 0; i < 2; i++) {
		struct ctd_snapshot_cpu *cpu = &pair.cpus[1][i];
		uint64_t unit = i ? 100 : 1;

		cpu->health[CTD_HEALTH_SWITCHES] = 100 + 1 * unit;
		cpu->health[CTD_HEALTH_CLOSED_SLICES] = 2 * unit;
		cpu->health[CTD_HEALTH_READ_ERRORS] = 3 * unit;
		cpu->health[CTD_HEALTH_READ_BUSY] = 4 * unit;
		cpu->health[CTD_HEALTH_LOST_ROWS] = 5 * unit;
		cpu->health[CTD_HEALTH_MOVES_SPLIT] = 6 * unit;
		cpu->health[CTD_HEALTH_SKIPPED_BUSY] = 7 * unit;
		cpu->health[CTD_HEALTH_LOST_SWITCHES] = 9 * unit;
		cpu->health[CTD_HEALTH_REFUSED_ROWS] = 11 * unit;
		cpu->unattributed_ns = 10 * unit;
		cpu->health[CTD_HEALTH_COST_NS] = 8 * unit;
		cpu->health[CTD_HEALTH_COST_SAMPLES] = 2 * unit;
	}
	pair.cpus[1][1].online = 0;
	pair.before.lost_events = 4;
	pair.after.lost_events = 9;
	interval = pair_make(&pair);
	assert_int_equal(interval.cpus_online, 1);
	assert_int_equal(interval.health.count[CTD_HEALTH_SWITCHES], 201);
	assert_int_equal(interval.health.count[CTD_HEALTH_CLOSED_SLICES], 202);
	assert_int_equal(interval.health.count[CTD_HEALTH_READ_ERRORS], 303);
	assert_int_equal(interval.health.count[CTD_HEALTH_READ_BUSY], 404);
	assert_int_equal(interval.health.count[CTD_HEALTH_LOST_ROWS], 505);
	assert_int_equal(interval.health.count[CTD_HEALTH_MOVES_SPLIT], 606);
	assert_int_equal(interval.health.count[CTD_HEALTH_SKIPPED_BUSY], 707);
	assert_int_equal(interval.health.count[CTD_HEALTH_LOST_SWITCHES], 909);
	assert_int_equal(interval.health.count[CTD_HEALTH_REFUSED_ROWS], 1111);
	assert_int_equal(interval.unattributed_ns, 1010);
	assert_int_equal(interval.health.count[CTD_HEALTH_LOST_EVENTS], 5);
	assert_true(interval.health.ns_per_switch == 4);
	ctd_interval_free(&interval);
}

static void snapshots_of_two_plans_are_not_subtracted(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	pair.after.plan = 1;
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, NULL, &interval), -EBADMSG);
	pair.before.plan = 1;
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, NULL, &interval), 0);
	ctd_interval_free(&interval);
}

static void without_cost_samples_there_is_no_cost(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	pair.cpus[0][0].health[CTD_HEALTH_COST_NS] = 10;
	pair.cpus[1][0].health[CTD_HEALTH_COST_NS] = 20;
	pair.cpus[0][0].health[CTD_HEALTH_COST_SAMPLES] =
		pair.cpus[1][0].health[CTD_HEALTH_COST_SAMPLES] = 1;
	interval = pair_make(&pair);
	assert_true(isnan(interval.health.ns_per_switch));
	ctd_interval_free(&interval);
}

static void level_1_is_compared_with_slots_in_raw_counts(void **state)
{
	static const int none[4] = {1, 2, 3, -1}, beyond[4] = {1, 2, 3, PAIR_COUNTERS};
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	charge(&pair.rows[1][0], 10 * MS, 4000);
	charge(&pair.rows[1][2], 10 * MS, 4000);
	pair.rows[1][0].running_ns /= 2;
	pair.rows[1][0].count[1] += 80;
	interval = pair_make(&pair);
	assert_int_equal(interval.health.l1_sum_over_slots.quality, CTD_OK);
	assert_true(fabs(interval.health.l1_sum_over_slots.ratio - 1.01) < 1e-12);
	ctd_interval_free(&interval);

	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, NULL, &interval), 0);
	assert_int_equal(interval.health.l1_sum_over_slots.quality, CTD_UNSUPPORTED);
	ctd_interval_free(&interval);
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, none, &interval), 0);
	assert_int_equal(interval.health.l1_sum_over_slots.quality, CTD_UNSUPPORTED);
	ctd_interval_free(&interval);
	assert_int_equal(ctd_interval_make(&pair.before, &pair.after, beyond, &interval), 0);
	assert_int_equal(interval.health.l1_sum_over_slots.quality, CTD_UNSUPPORTED);
	ctd_interval_free(&interval);
}

static void without_counters_there_is_time_only(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	pair.before.counters_count = pair.after.counters_count = 0;
	pair.rows[1][0].oncpu_ns = 10 * MS;
	interval = pair_make(&pair);
	assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 5)->quality, CTD_UNSUPPORTED);
	assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 5)->oncpu_ns, 10 * MS);
	assert_int_equal(interval.health.l1_sum_over_slots.quality, CTD_UNSUPPORTED);
	ctd_interval_free(&interval);
}

/* Each cumulative figure in turn is larger before than after. */
static void a_row_with_a_total_that_shrank_counts_from_zero_and_the_others_go_on(void **state)
{
	static const size_t row_fields[] = {
		offsetof(struct ctd_snapshot_row, oncpu_ns),
		offsetof(struct ctd_snapshot_row, running_ns),
		offsetof(struct ctd_snapshot_row, slices),
		offsetof(struct ctd_snapshot_row, switches),
		offsetof(struct ctd_snapshot_row, count[0]),
		offsetof(struct ctd_snapshot_row, count[PAIR_COUNTERS - 1]),
	};

	(void)state;
	for (size_t i = 0; i < COUNT(row_fields); i++) {
		struct ctd_interval interval;
		struct pair pair;

		pair_init(&pair);
		charge(&pair.rows[0][1], 10 * MS, 4000);
		charge(&pair.rows[1][1], 10 * MS, 4000);
		charge(&pair.rows[1][1], 2 * MS, 800);
		charge(&pair.rows[0][0], 50 * MS, 8000);
		charge(&pair.rows[1][0], 70 * MS, 9000);
		*(uint64_t *)((char *)&pair.rows[0][0] + row_fields[i]) = 71 * MS;
		interval = pair_make(&pair);
		assert_int_equal(interval.health.count[CTD_HEALTH_RESTARTS], 1);
		assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 5)->oncpu_ns, 70 * MS);
		assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 5)->raw[0], 9000);
		assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 9)->oncpu_ns, 2 * MS);
		assert_int_equal(find_row(&interval, CTD_ROW_CGROUP, 9)->raw[0], 800);
		ctd_interval_free(&interval);
	}
}

/* Two CPUs with a row each, that did 300 since; CPU 6 may have begun anew, and its row with it. */
static void pair_init_with_totals(struct pair *pair, bool began_anew)
{
	pair_init(pair);
	for (int cpu = 0; cpu < 2; cpu++) {
		pair->cpus[0][cpu].total[0] = pair->rows[0][cpu].count[0] = 5000;
		pair->cpus[1][cpu].total[0] = pair->rows[1][cpu].count[0] = 5300;
		pair->cpus[1][cpu].health[CTD_HEALTH_SWITCHES] = 40;
	}
	pair->cpus[0][0].health[CTD_HEALTH_SWITCHES] = 30;
	if (began_anew)
		pair->rows[0][1].count[0] = 6000;
}

static void a_cpu_with_a_total_that_shrank_counts_from_zero_and_the_others_go_on(void **state)
{
	static const size_t cpu_fields[] = {
		offsetof(struct ctd_snapshot_cpu, total[0]),
		offsetof(struct ctd_snapshot_cpu, total[PAIR_COUNTERS - 1]),
		offsetof(struct ctd_snapshot_cpu, unattributed[0]),
		offsetof(struct ctd_snapshot_cpu, unattributed_ns),
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cpu_fields); i++) {
		struct ctd_interval interval;
		struct pair pair;

		pair_init_with_totals(&pair, true);
		*(uint64_t *)((char *)&pair.cpus[0][1] + cpu_fields[i]) = 6000;
		interval = pair_make(&pair);
		assert_int_equal(interval.health.count[CTD_HEALTH_RESTARTS], 2);
		assert_int_equal(interval.totals[0].total[0], 300 + 5300);
		assert_int_equal(interval.totals[0].residual[0], 0);
		assert_int_equal(interval.health.count[CTD_HEALTH_SWITCHES], 10 + 40);
		ctd_interval_free(&interval);
	}
}

static void counts_of_a_cpu_go_on_where_only_its_health_shrank(void **state)
{
	static const size_t cpu_fields[] = {
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_SWITCHES]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_CLOSED_SLICES]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_READ_ERRORS]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_READ_BUSY]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_LOST_ROWS]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_MOVES_SPLIT]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_SKIPPED_BUSY]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_COST_NS]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_COST_SAMPLES]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_LOST_SWITCHES]),
		offsetof(struct ctd_snapshot_cpu, health[CTD_HEALTH_REFUSED_ROWS]),
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cpu_fields); i++) {
		struct ctd_interval interval;
		struct pair pair;

		pair_init_with_totals(&pair, false);
		*(uint64_t *)((char *)&pair.cpus[0][1] + cpu_fields[i]) = 6000;
		interval = pair_make(&pair);
		assert_int_equal(interval.health.count[CTD_HEALTH_RESTARTS], 1);
		assert_int_equal(interval.totals[0].total[0], 300 + 300);
		assert_int_equal(interval.totals[0].residual[0], 0);
		assert_int_equal(interval.health.count[CTD_HEALTH_SWITCHES], 10 + 40);
		ctd_interval_free(&interval);
	}
}

static void a_cpu_that_is_gone_is_told(void **state)
{
	(void)state;
	for (int gone = 0; gone < 2; gone++) {
		struct ctd_interval interval;
		struct pair pair;

		pair_init(&pair);
		pair.after.cpus += gone == 0;
		pair.after.cpus_count = 1;
		pair.after.cpus[0].health[CTD_HEALTH_SWITCHES] = 7;
		interval = pair_make(&pair);
		assert_int_equal(interval.health.count[CTD_HEALTH_RESTARTS], 1);
		assert_int_equal(interval.health.count[CTD_HEALTH_SWITCHES], 7);
		ctd_interval_free(&interval);
	}
}

static void lost_events_that_shrank_count_from_zero(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	pair.before.lost_events = 4;
	pair.after.lost_events = 3;
	interval = pair_make(&pair);
	assert_int_equal(interval.health.count[CTD_HEALTH_LOST_EVENTS], 3);
	ctd_interval_free(&interval);
}

static void expect_refused(const struct pair *pair)
{
	struct ctd_interval interval = {.sequence = 99};

	assert_int_equal(ctd_interval_make(&pair->before, &pair->after, NULL, &interval), -EBADMSG);
	assert_int_equal(interval.sequence, 99);
}

static void snapshots_that_do_not_follow_each_other_are_refused(void **state)
{
	struct pair pair;

	(void)state;
	pair_init(&pair);
	pair.after.monotonic_ns = pair.before.monotonic_ns;
	expect_refused(&pair);
	pair_init(&pair);
	pair.after.counters_count--;
	expect_refused(&pair);
}

static void counters_that_stand_still_while_a_cgroup_runs_are_told(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	charge(&pair.rows[1][0], 30 * MS, 4000);
	charge(&pair.rows[1][1], 20 * MS, 0);
	/* Idle may be halted; what was never on the PMU is another thing. */
	charge(&pair.rows[1][2], 50 * MS, 0);
	charge(&pair.rows[1][3], 10 * MS, 0);
	pair.rows[1][3].running_ns = 0;
	interval = pair_make(&pair);
	assert_int_equal(interval.health.empty_ns, 20 * MS);
	ctd_interval_free(&interval);
}

static void nothing_is_freed_twice(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	pair_init(&pair);
	interval = pair_make(&pair);
	ctd_interval_free(&interval);
	ctd_interval_free(&interval);
	ctd_interval_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_subtracted),
		cmocka_unit_test(rows_that_did_nothing_are_left_out_but_idle_stays),
		cmocka_unit_test(any_trace_of_activity_keeps_a_row),
		cmocka_unit_test(zero_slots_is_no_data_not_zero_percent),
		cmocka_unit_test(a_new_row_counts_from_zero),
		cmocka_unit_test(a_removed_row_leaves_no_hole),
		cmocka_unit_test(rows_of_other_processes_are_other_rows),
		cmocka_unit_test(a_new_cpu_counts_from_zero),
		cmocka_unit_test(health_is_added_up_over_cpus),
		cmocka_unit_test(snapshots_of_two_plans_are_not_subtracted),
		cmocka_unit_test(without_cost_samples_there_is_no_cost),
		cmocka_unit_test(level_1_is_compared_with_slots_in_raw_counts),
		cmocka_unit_test(without_counters_there_is_time_only),
		cmocka_unit_test(
			a_row_with_a_total_that_shrank_counts_from_zero_and_the_others_go_on),
		cmocka_unit_test(
			a_cpu_with_a_total_that_shrank_counts_from_zero_and_the_others_go_on),
		cmocka_unit_test(counts_of_a_cpu_go_on_where_only_its_health_shrank),
		cmocka_unit_test(a_cpu_that_is_gone_is_told),
		cmocka_unit_test(lost_events_that_shrank_count_from_zero),
		cmocka_unit_test(snapshots_that_do_not_follow_each_other_are_refused),
		cmocka_unit_test(counters_that_stand_still_while_a_cgroup_runs_are_told),
		cmocka_unit_test(nothing_is_freed_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
