/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_source.c - which CPUs have counters. */
#include "collect/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CPUS 6

/* A rotation step is begun and ended by what disturbs a CPU: a CPU that came fenced would go on
 * with the group that it began with, and its counts be taken for another's. */
static void counters_are_of_online_cpus_with_a_source_that_may_rotate(void **state)
{
	static struct ctd_source source = {
		.plans =
			{
				{.read = CTD_READ_LEADER, .groups_count = 1},
				{.read = CTD_READ_EACH, .groups_count = 2},
				{.read = CTD_READ_NONE, .groups_count = 1},
			},
		.core_types_count = 3,
		.machine.core_type_of = {0, 0, 1, 1, 2, 1},
	};
	static bool online[CPUS] = {true, true, true, true, true, false};
	static bool fenced[CPUS] = {false, true, false, true, false, false};
	static const struct ctd_cpu_set cpus = {CPUS, online, fenced};
	bool countable[CPUS];

	(void)state;
	source.countable = countable;
	ctd_source_find_countable(&source, &cpus);
	assert_memory_equal(countable, ((bool[]){true, true, true, false, false, false}), CPUS);
	source.core_types_count = 1;
	ctd_source_find_countable(&source, &cpus);
	assert_memory_equal(countable, ((bool[]){true, true, true, true, true, false}), CPUS);
	source.plans[0] = source.plans[1];
	ctd_source_find_countable(&source, &cpus);
	assert_memory_equal(countable, ((bool[]){true, false, true, false, true, false}), CPUS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_of_online_cpus_with_a_source_that_may_rotate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
