/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_points.c - what was counted in several ways within a point is told apart where it matters. */
#include "history/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "decode/rows.h"

#define LEVEL1_COUNTERS 5
#define LEVEL2_COUNTERS 9
#define SLOTS 1000

static struct ctd_record_header header_of(uint32_t counters)
{
	return (struct ctd_record_header){.source = "perf_metrics",
					  .model = "golden_cove",
					  .counters_count = counters,
					  .groups_count = 1};
}

/* One cgroup. A quarter of its slots is in each node of level 1, a tenth is memory bound. */
static struct ctd_interval interval_of(uint32_t counters)
{
	struct ctd_interval interval = {
		.window_ns = 10, .counters_count = counters, .groups_count = 1, .cpus_online = 1};
	struct ctd_interval_row *row;

	assert_int_equal(ctd_interval_reserve(&interval, 1), 0);
	assert_int_equal(ctd_interval_reserve_totals(&interval), 0);
	interval.rows_count = 1;
	row = interval.rows;
	row->kind = CTD_ROW_CGROUP;
	row->cgroup_id = 5;
	row->oncpu_ns = row->running_ns = row->group_ns[0] = row->count_ns[0] = 10;
	for (uint32_t k = 0; k < counters; k++) {
		row->raw[k] = row->count[k] = k == 0		    ? SLOTS
					      : k < LEVEL1_COUNTERS ? SLOTS / 4
								    : SLOTS / 10;
		interval.totals[0].total[k] = row->raw[k];
	}
	interval.totals[0].cpus_online = 1;
	return interval;
}

static void add(struct ctd_points *points, struct ctd_identities *identities, uint32_t counters)
{
	const struct ctd_record_header header = header_of(counters);
	struct ctd_interval interval = interval_of(counters);

	assert_int_equal(ctd_points_plan(points, &header, identities), 0);
	assert_int_equal(ctd_points_add(points, 0, &interval), 0);
	ctd_interval_free(&interval);
}

static uint64_t value_of(uint64_t *const *columns, const struct ctd_series *series,
			 const char *name)
{
	int i = ctd_series_find_node(series->nodes, series->nodes_count, name);

	if (i < 0)
		fail_msg("there is no %s", name);
	return columns[i][0];
}

static void a_node_is_of_the_slots_that_were_counted_with_it(void **state)
{
	struct ctd_points points = {.series = {.points = 1, .level = 2, .compares = true}};
	struct ctd_identities *identities;
	const struct ctd_series_row *row;

	(void)state;
	assert_int_equal(ctd_identities_new(&identities), 0);
	add(&points, identities, LEVEL1_COUNTERS);
	add(&points, identities, LEVEL2_COUNTERS);
	assert_int_equal(ctd_points_end(&points), 0);
	assert_int_equal(points.series.rows_count, 1);
	row = &points.series.rows[0];
	assert_int_equal(row->columns[CTD_SERIES_SLOTS][0], 2 * SLOTS);
	assert_int_equal(value_of(row->wholes, &points.series, "backend_bound"), 2 * SLOTS);
	assert_int_equal(value_of(row->wholes, &points.series, "memory_bound"), SLOTS);
	assert_int_equal(value_of(&row->columns[CTD_SERIES_NODES], &points.series, "memory_bound"),
			 SLOTS / 10);
	ctd_points_free(&points);
	ctd_identities_free(identities);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_is_of_the_slots_that_were_counted_with_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
