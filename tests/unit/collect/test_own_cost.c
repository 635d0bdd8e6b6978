/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_own_cost.c - what programs and processes of ours took, added up over plans. */
#include "collect/own_cost.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"

/* A machine of two CPUs, the second of which has twice as much of all. */
static void take(struct ctd_own_cost *cost, uint32_t plan, uint64_t switches, uint64_t sampled_ns,
		 uint64_t samples)
{
	struct ctd_snapshot_cpu cpus[2] = {};
	const struct ctd_snapshot snapshot = {.plan = plan, .cpus = cpus, .cpus_count = 2};

	for (uint64_t i = 0; i < 2; i++) {
		cpus[i].health[CTD_HEALTH_SWITCHES] = (i + 1) * switches;
		cpus[i].health[CTD_HEALTH_COST_NS] = (i + 1) * sampled_ns;
		cpus[i].health[CTD_HEALTH_COST_SAMPLES] = (i + 1) * samples;
	}
	ctd_own_cost_take(cost, &snapshot);
}

static void programs_took_as_long_as_the_calls_that_were_timed(void **state)
{
	struct ctd_own_cost cost = {0};

	(void)state;
	take(&cost, 0, 6400, 20000, 100);
	assert_int_equal(cost.programs_ns, 3 * 6400 * 200);
	take(&cost, 0, 6400 + 640, 20000 + 5000, 100 + 10);
	assert_int_equal(cost.programs_ns, 3 * 6400 * 200 + 3 * 640 * 500);
	/* None was timed since: as long as the last ones. */
	take(&cost, 0, 6400 + 640 + 10, 20000 + 5000, 100 + 10);
	assert_int_equal(cost.programs_ns, 3 * 6400 * 200 + 3 * 650 * 500);
	take(&cost, 0, 6400 + 640 + 10, 20000 + 5000, 100 + 10);
	assert_int_equal(cost.programs_ns, 3 * 6400 * 200 + 3 * 650 * 500);
}

static void other_programs_count_from_0_and_the_sum_goes_on(void **state)
{
	struct ctd_own_cost cost = {0};

	(void)state;
	take(&cost, 0, 640, 1000, 10);
	/* More than before, but of others. */
	take(&cost, 1, 1280, 4000, 20);
	assert_int_equal(cost.programs_ns, 3 * 640 * 100 + 3 * 1280 * 200);
	/* A CPU began anew. */
	take(&cost, 1, 640, 3000, 10);
	assert_int_equal(cost.programs_ns, 3 * 640 * 100 + 3 * 1280 * 200 + 3 * 640 * 300);
}

static void nothing_that_was_timed_is_no_cost_yet(void **state)
{
	struct ctd_own_cost cost = {0};

	(void)state;
	take(&cost, 0, 63, 0, 0);
	assert_int_equal(cost.programs_ns, 0);
}

static void the_time_of_this_process_and_of_one_beside_it_is_in_it(void **state)
{
	static const uint64_t spun_ns = 20000000;
	struct ctd_own_cost cost = {.programs_ns = UINT64_C(1) << 60};
	uint64_t before_ns = ctd_own_cost_ns(&cost, 0), after_ns, nobody_ns;
	pid_t nobody;

	(void)state;
	assert_true(before_ns >= UINT64_C(1) << 60);
	do
		ctd_spin_ns(spun_ns);
	while ((after_ns = ctd_own_cost_ns(&cost, 0)) < before_ns + spun_ns);
	/* Ourselves once more; and a process that has ended, which costs nothing. */
	assert_true(ctd_own_cost_ns(&cost, getpid()) >= after_ns + spun_ns);
	nobody = fork();
	if (!nobody)
		_exit(0);
	assert_int_equal(waitpid(nobody, NULL, 0), nobody);
	after_ns = ctd_own_cost_ns(&cost, 0);
	nobody_ns = ctd_own_cost_ns(&cost, nobody);
	assert_in_range(nobody_ns, after_ns, ctd_own_cost_ns(&cost, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_took_as_long_as_the_calls_that_were_timed),
		cmocka_unit_test(other_programs_count_from_0_and_the_sum_goes_on),
		cmocka_unit_test(nothing_that_was_timed_is_no_cost_yet),
		cmocka_unit_test(the_time_of_this_process_and_of_one_beside_it_is_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
