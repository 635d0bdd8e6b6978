/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_conservation.c - rows, unattributed and residual are the total, exactly. */
#include <cgtopdown/interval.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "pair.h"

/* A machine whose totals are kept as the collector keeps them. */
#define WORLD_CPUS 3
#define WORLD_ROWS 40

struct world {
	struct ctd_snapshot_row rows[WORLD_ROWS];
	struct ctd_snapshot_cpu cpus[WORLD_CPUS];
	uint64_t open[PAIR_COUNTERS]; /* counted, but in no row yet */
};

static void world_init(struct world *world)
{
	*world = (struct world){0};
	for (uint32_t i = 0; i < WORLD_ROWS; i++) {
		world->rows[i].kind = CTD_ROW_CGROUP;
		world->rows[i].cgroup_id = 1 + i / 3;
		world->rows[i].pid = i % 3;
	}
	for (uint32_t kind = CTD_ROW_IDLE; kind < CTD_ROW_KINDS; kind++)
		world->rows[WORLD_ROWS - CTD_ROW_KINDS + kind] =
			(struct ctd_snapshot_row){.kind = kind};
	for (uint32_t cpu = 0; cpu < WORLD_CPUS; cpu++)
		world->cpus[cpu] = (struct ctd_snapshot_cpu){.cpu = 2 * cpu, .online = 1};
}

/* Charges random counts on a random CPU: to a row, to nobody, or to a slice that is still open. */
static void world_step(struct world *world)
{
	struct ctd_snapshot_cpu *cpu = &world->cpus[random() % WORLD_CPUS];
	struct ctd_snapshot_row *row = &world->rows[random() % WORLD_ROWS];
	long fate = random() % 10;

	row->oncpu_ns += fate > 1 ? 1 + (uint64_t)random() : 0;
	row->running_ns = row->oncpu_ns / 2;
	for (int i = 0; i < PAIR_COUNTERS; i++) {
		uint64_t count = (uint64_t)random() << random() % 20;

		cpu->total[i] += count;
		if (fate == 0)
			cpu->unattributed[i] += count;
		if (fate == 1)
			world->open[i] += count;
		if (fate <= 1)
			continue;
		row->count[i] += count;
		cpu->attributed[i] += count;
	}
}

/* Copies the rows that ever ran, as the collector's map has them. */
static struct ctd_snapshot world_snapshot(const struct world *world, uint64_t sequence,
					  struct world *storage)
{
	size_t rows_count = 0;

	*storage = *world;
	for (size_t i = 0; i < WORLD_ROWS; i++) {
		if (world->rows[i].oncpu_ns > 0 || world->rows[i].kind == CTD_ROW_IDLE)
			storage->rows[rows_count++] = world->rows[i];
	}
	return (struct ctd_snapshot){
		.sequence = sequence,
		.monotonic_ns = sequence * 1000 * MS,
		.counters_count = PAIR_COUNTERS,
		.rows = storage->rows,
		.rows_count = rows_count,
		.cpus = storage->cpus,
		.cpus_count = WORLD_CPUS,
	};
}

static void expect_conserved(const struct ctd_interval *interval, const struct world *before,
			     const struct world *after)
{
	for (int i = 0; i < PAIR_COUNTERS; i++) {
		uint64_t sum = interval->totals[0].unattributed[i] +
			       (uint64_t)interval->totals[0].residual[i];

		for (size_t row = 0; row < interval->rows_count; row++)
			sum += interval->rows[row].raw[i];
		assert_true(sum == interval->totals[0].total[i]);
		assert_true((uint64_t)interval->totals[0].residual[i] ==
			    after->open[i] - before->open[i]);
	}
}

static void nothing_is_lost_and_nothing_is_made(void **state)
{
	struct world world, storage[2];

	(void)state;
	srandom(1);
	for (int round = 0; round < 200; round++) {
		struct ctd_snapshot before, after;
		struct ctd_interval interval;

		world_init(&world);
		for (long steps = random() % 30; steps > 0; steps--)
			world_step(&world);
		before = world_snapshot(&world, 1, &storage[0]);
		for (long steps = random() % 30; steps > 0; steps--)
			world_step(&world);
		after = world_snapshot(&world, 2, &storage[1]);
		assert_int_equal(ctd_interval_make(&before, &after, pair_l1_counters, &interval),
				 0);
		expect_conserved(&interval, &storage[0], &storage[1]);
		ctd_interval_free(&interval);
	}
}

/* A slice open at the first snapshot is charged by the second: its CPU gave less than rows got. */
static void the_residual_is_of_either_sign(void **state)
{
	static const uint64_t charged[] = {350, 20};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct ctd_interval interval;
		struct pair pair;

		pair_init(&pair);
		pair.cpus[0][0].total[0] = 1000;
		pair.cpus[1][0].total[0] = 1100;
		pair.cpus[1][1].total[0] = 40;
		pair.cpus[1][1].unattributed[0] = 10;
		charge(&pair.rows[1][0], 10 * MS, charged[i]);
		interval = pair_make(&pair);
		assert_int_equal(interval.totals[0].total[0], 140);
		assert_int_equal(interval.totals[0].unattributed[0], 10);
		assert_true(interval.totals[0].residual[0] == 130 - (int64_t)charged[i]);
		ctd_interval_free(&interval);
	}
}

/* What the collector says of its own sums must not hide what is shown. */
static void a_row_that_is_missing_or_wrong_is_in_the_residual(void **state)
{
	static const int64_t residuals[] = {0, 4000, -7};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct ctd_interval interval;
		struct pair pair;

		pair_init(&pair);
		pair.cpus[1][0].total[0] = pair.cpus[1][0].attributed[0] = 5000;
		charge(&pair.rows[1][0], 10 * MS, 4000);
		charge(&pair.rows[1][2], 10 * MS, 1000);
		if (i == 1) {
			pair.after.rows++;
			pair.after.rows_count--;
		}
		pair.rows[1][2].count[0] += i == 2 ? 7 : 0;
		interval = pair_make(&pair);
		assert_true(interval.totals[0].residual[0] == residuals[i]);
		ctd_interval_free(&interval);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_and_nothing_is_made),
		cmocka_unit_test(the_residual_is_of_either_sign),
		cmocka_unit_test(a_row_that_is_missing_or_wrong_is_in_the_residual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
