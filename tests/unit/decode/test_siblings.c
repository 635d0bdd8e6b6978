/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_siblings.c - the parts of a row are the row, to the last count, however it was counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pair.h"

static struct ctd_sibling_part parts[2][4 * CTD_SIBLINGS];

static void begin(struct pair *pair)
{
	pair_init(pair);
	memset(parts, 0, sizeof(parts));
	pair->before.siblings = parts[0];
	pair->after.siblings = parts[1];
}

/* The first row's part, and with it the row. */
static void charge_part(struct pair *pair, enum ctd_sibling sibling, uint64_t oncpu_ns,
			uint64_t running_ns, uint64_t slots)
{
	struct ctd_snapshot_row *row = &pair->rows[1][0];
	struct ctd_sibling_part *part = &parts[1][sibling];

	row->oncpu_ns += oncpu_ns;
	row->running_ns += running_ns;
	part->oncpu_ns += oncpu_ns;
	part->running_ns += running_ns;
	for (int i = 0; i < PAIR_COUNTERS; i++) {
		row->count[i] += slots / (uint64_t)(i + 1);
		part->count[i] += slots / (uint64_t)(i + 1);
	}
}

static void assert_whole(const struct ctd_interval_row *row)
{
	uint64_t cpu_ns = 0, leader = 0, count[PAIR_COUNTERS] = {0};

	assert_non_null(row->siblings);
	for (int part = 0; part < CTD_SIBLINGS; part++) {
		cpu_ns += row->siblings[part].cpu_ns;
		leader += row->siblings[part].leader_count;
		for (int i = 0; i < PAIR_COUNTERS; i++)
			count[i] += row->siblings[part].count[i];
	}
	assert_int_equal(cpu_ns, row->oncpu_ns);
	assert_int_equal(leader, row->count[0]);
	for (int i = 0; i < PAIR_COUNTERS; i++)
		assert_int_equal(count[i], row->count[i]);
}

static void scaled_parts_are_the_scaled_row(void **state)
{
	(void)state;
	/* Counted all the time, two thirds of it, and so little that it is a guess. */
	for (int i = 0; i < 3; i++) {
		static const uint64_t running_ns[] = {1000, 667, 7};
		struct ctd_interval interval;
		struct pair pair;

		begin(&pair);
		for (int part = 0; part < CTD_SIBLINGS; part++)
			charge_part(&pair, part, 1000, running_ns[i],
				    1000003 * (uint64_t)(part + 1));
		interval = pair_make(&pair);
		assert_int_equal(interval.rows[0].cgroup_id, 5);
		assert_int_equal(interval.rows[0].siblings[CTD_SIBLING_SAME].cpu_ns, 1000);
		assert_whole(&interval.rows[0]);
		ctd_interval_free(&interval);
	}
}

/* One part of 1000 ns, counted by a group of so many. */
static struct ctd_interval count_part(uint64_t running_ns, uint64_t slots, uint32_t group,
				      uint32_t groups_count)
{
	struct pair pair;

	begin(&pair);
	pair.before.groups_count = pair.after.groups_count = groups_count;
	pair.after.group = group;
	charge_part(&pair, CTD_SIBLING_OTHER, 1000, running_ns, slots);
	return pair_make(&pair);
}

static void parts_without_counts_have_no_counted_time(void **state)
{
	struct ctd_interval first = count_part(0, 0, 0, 1), second = count_part(500, 4000, 0, 1);

	(void)state;
	assert_int_equal(first.rows[0].quality, CTD_NO_DATA);
	assert_int_equal(second.rows[0].quality, CTD_SCALED);
	assert_int_equal(first.rows[0].siblings[CTD_SIBLING_OTHER].cpu_ns, 1000);
	assert_int_equal(first.rows[0].siblings[CTD_SIBLING_OTHER].counted_ns, 0);
	assert_int_equal(ctd_interval_add(&first, &second), 0);
	assert_int_equal(first.rows[0].siblings[CTD_SIBLING_OTHER].cpu_ns, 2000);
	assert_int_equal(first.rows[0].siblings[CTD_SIBLING_OTHER].counted_ns, 1000);
	ctd_interval_free(&first);
	ctd_interval_free(&second);
}

static void a_row_of_which_a_part_shrank_began_anew(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	begin(&pair);
	pair.rows[0][0].oncpu_ns = 5;
	parts[0][CTD_SIBLING_OTHER].oncpu_ns = 5;
	charge_part(&pair, CTD_SIBLING_IDLE, 9, 9, 90);
	interval = pair_make(&pair);
	assert_int_equal(interval.rows[0].oncpu_ns, 9);
	assert_int_equal(interval.rows[0].siblings[CTD_SIBLING_IDLE].cpu_ns, 9);
	assert_int_equal(interval.rows[0].siblings[CTD_SIBLING_OTHER].cpu_ns, 0);
	assert_int_equal(interval.health.count[CTD_HEALTH_RESTARTS], 1);
	ctd_interval_free(&interval);
}

static void steps_of_other_groups_have_time_and_slots_alone(void **state)
{
	struct ctd_interval first = count_part(1000, 4000, 0, 2);
	struct ctd_interval second = count_part(1000, 4000, 1, 2);

	(void)state;
	assert_int_equal(ctd_interval_add(&first, &second), 0);
	assert_int_equal(first.rows[0].siblings[CTD_SIBLING_OTHER].cpu_ns, 2000);
	assert_int_equal(first.rows[0].siblings[CTD_SIBLING_OTHER].leader_count, 8000);
	assert_int_equal(first.rows[0].siblings[CTD_SIBLING_OTHER].count[0], 4000);
	assert_int_equal(first.rows[0].siblings[CTD_SIBLING_OTHER].count[1], 2000);
	ctd_interval_free(&first);
	ctd_interval_free(&second);
}

static void without_one_snapshots_parts_there_are_none(void **state)
{
	struct ctd_interval interval;
	struct pair pair;

	(void)state;
	begin(&pair);
	pair.before.siblings = NULL;
	charge_part(&pair, CTD_SIBLING_IDLE, 9, 9, 90);
	interval = pair_make(&pair);
	assert_false(interval.has_siblings);
	assert_null(interval.rows[0].siblings);
	ctd_interval_free(&interval);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scaled_parts_are_the_scaled_row),
		cmocka_unit_test(parts_without_counts_have_no_counted_time),
		cmocka_unit_test(a_row_of_which_a_part_shrank_began_anew),
		cmocka_unit_test(steps_of_other_groups_have_time_and_slots_alone),
		cmocka_unit_test(without_one_snapshots_parts_there_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
