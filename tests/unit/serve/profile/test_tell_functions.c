/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_tell_functions.c - functions of each ten seconds are told once, if they are asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "serve/profile/functions.h"
#include "unit/serve/profile/seconds.h"

/* Takes what was told. @return the container's CPU time in it, in ms. */
static uint64_t take_told(struct fixture *fixture, size_t *ret_count)
{
	struct ctd_functions *functions = ctd_profiles_take_functions(fixture->profiles), *next;
	uint64_t cpu_ns = 0;

	for (*ret_count = 0; functions; functions = next, ++*ret_count) {
		for (size_t i = 0; i < functions->rows_count; i++) {
			const struct ctd_function_row *row = &functions->rows[i];

			for (size_t k = 0; k < row->parts_count && row->cgroup_id == ID; k++)
				cpu_ns += row->parts[k].figures.cpu_ns;
		}
		next = functions->next;
		ctd_functions_free(functions);
	}
	return cpu_ns / 1000000;
}

static void functions_are_told_of_every_ten_seconds_once(void **state)
{
	struct fixture *fixture = *state;
	size_t count;

	for (int i = 0; i < 9; i++)
		pass(fixture, 100);
	assert_int_equal(take_told(fixture, &count), 0);
	assert_int_equal(count, 0);
	pass(fixture, 100);
	assert_int_equal(take_told(fixture, &count), 1000);
	assert_int_equal(count, 1);
	/* Nobody takes them meanwhile. */
	for (int i = 0; i < 25; i++)
		pass(fixture, 100);
	assert_int_equal(take_told(fixture, &count), 2000);
	assert_int_equal(count, 2);
	/* A plan ends what had begun, and the next one begins. */
	snprintf(fixture->scene.header.source, sizeof(fixture->scene.header.source), "none");
	fixture->scene.header.model[0] = '\0';
	fixture->scene.header.counters_count = fixture->scene.interval.counters_count = 0;
	assert_int_equal(ctd_profiles_replan(fixture->profiles, &fixture->scene.header), 0);
	for (int i = 0; i < 10; i++)
		pass(fixture, 100);
	assert_int_equal(take_told(fixture, &count), 1500);
	assert_int_equal(count, 2);
	/* Those that are left are freed. */
	for (int i = 0; i < 10; i++)
		pass(fixture, 100);
}

static void nobody_is_told_of_functions_who_did_not_ask(void **state)
{
	struct fixture *fixture = *state;
	const struct ctd_profiles_options options = {.period_ns = SAMPLE_PERIOD_NS,
						     .interval_ns = INTERVAL_S * S,
						     .end_interval = end_interval,
						     .context = fixture};
	size_t count;

	ctd_profiles_free(fixture->profiles);
	assert_int_equal(ctd_profiles_new(&options, &fixture->scene.header, &fixture->profiles), 0);
	for (int i = 0; i < 20; i++)
		pass(fixture, 100);
	assert_int_equal(take_told(fixture, &count), 0);
	assert_int_equal(count, 0);
}

static void a_plan_that_ends_with_ten_seconds_tells_of_them_once(void **state)
{
	struct fixture *fixture = *state;
	size_t count;

	for (int i = 0; i < 10; i++)
		pass(fixture, 100);
	assert_int_equal(ctd_profiles_replan(fixture->profiles, &fixture->scene.header), 0);
	pass(fixture, 100);
	assert_int_equal(take_told(fixture, &count), 1000);
	assert_int_equal(count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nobody_is_told_of_functions_who_did_not_ask, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(functions_are_told_of_every_ten_seconds_once,
						set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_plan_that_ends_with_ten_seconds_tells_of_them_once, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
