/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_cpus.c - which CPUs have counters. */
#include "app/cpus.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CPUS 6

/* A turn is begun and ended by what disturbs a CPU: one that came fenced would go on with the group
 * that it began with, and its counts be taken for another's. */
static void counters_are_of_online_cpus_with_a_source_that_may_take_their_turns(void **state)
{
	static const struct ctd_counter_plan plans[CTD_CORES_MAX] = {
		{.read = CTD_READ_LEADER, .groups_count = 1},
		{.read = CTD_READ_EACH, .groups_count = 2},
		{.read = CTD_READ_NONE, .groups_count = 1},
	};
	static const uint8_t core_of[CPUS] = {0, 0, 1, 1, 2, 1};
	static const bool online[CPUS] = {true, true, true, true, true, false};
	static const bool fenced[CPUS] = {false, true, false, true, false, false};
	bool countable[CPUS];

	(void)state;
	ctd_cpus_countable(plans, core_of, online, fenced, CPUS, countable);
	assert_memory_equal(countable, ((bool[]){true, true, true, false, false, false}), CPUS);
	ctd_cpus_countable(plans, NULL, online, fenced, CPUS, countable);
	assert_memory_equal(countable, ((bool[]){true, true, true, true, true, false}), CPUS);
	ctd_cpus_countable(&plans[1], NULL, online, fenced, CPUS, countable);
	assert_memory_equal(countable, ((bool[]){true, false, true, false, true, false}), CPUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			counters_are_of_online_cpus_with_a_source_that_may_take_their_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
