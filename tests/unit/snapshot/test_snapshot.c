/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_snapshot.c - the order of rows and CPUs. */
#include <cgtopdown/snapshot.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct ctd_snapshot_row ordered[] = {
	{.kind = CTD_ROW_CGROUP, .cgroup_id = 1, .pid = 0},
	{.kind = CTD_ROW_CGROUP, .cgroup_id = 1, .pid = UINT32_MAX},
	{.kind = CTD_ROW_CGROUP, .cgroup_id = 2, .pid = 1},
	{.kind = CTD_ROW_CGROUP, .cgroup_id = UINT64_MAX, .pid = 0},
	{.kind = CTD_ROW_IDLE},
	{.kind = CTD_ROW_KERNEL},
	{.kind = CTD_ROW_OTHER},
};

static void rows_are_ordered_by_kind_then_cgroup_then_pid(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ordered); i++) {
		for (size_t j = 0; j < COUNT(ordered); j++) {
			int order = ctd_snapshot_row_compare(&ordered[i], &ordered[j]);

			assert_int_equal(order, (i > j) - (i < j));
		}
	}
}

static void rows_out_of_order_or_twice_are_seen(void **state)
{
	struct ctd_snapshot_row rows[3] = {ordered[0], ordered[1], ordered[2]};
	struct ctd_snapshot snapshot = {.rows = rows, .rows_count = 3};

	(void)state;
	assert_true(ctd_snapshot_is_ordered(&snapshot));
	rows[1] = ordered[0];
	assert_false(ctd_snapshot_is_ordered(&snapshot));
	rows[1] = ordered[3];
	assert_false(ctd_snapshot_is_ordered(&snapshot));
}

static void cpus_out_of_order_or_twice_are_seen(void **state)
{
	struct ctd_snapshot_cpu cpus[2] = {{.cpu = 1}, {.cpu = 4}};
	struct ctd_snapshot snapshot = {.cpus = cpus, .cpus_count = 2};

	(void)state;
	assert_true(ctd_snapshot_is_ordered(&snapshot));
	cpus[1].cpu = 1;
	assert_false(ctd_snapshot_is_ordered(&snapshot));
	cpus[1].cpu = 0;
	assert_false(ctd_snapshot_is_ordered(&snapshot));
}

static void nothing_and_a_half_built_snapshot_are_freed(void **state)
{
	struct ctd_snapshot snapshot = {.rows = malloc(1), .rows_count = 9};

	(void)state;
	ctd_snapshot_free(NULL);
	ctd_snapshot_free(&snapshot);
	assert_null(snapshot.rows);
	assert_int_equal(snapshot.rows_count, 0);
	ctd_snapshot_free(&snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_ordered_by_kind_then_cgroup_then_pid),
		cmocka_unit_test(rows_out_of_order_or_twice_are_seen),
		cmocka_unit_test(cpus_out_of_order_or_twice_are_seen),
		cmocka_unit_test(nothing_and_a_half_built_snapshot_are_freed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
