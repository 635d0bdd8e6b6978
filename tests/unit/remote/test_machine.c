/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_machine.c - a machine has figures of now, or a reason why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "remote/machine.h"
#include "unit/remote/machines.h"

#define SECOND_NS 1000000000ull

static void take(struct ctd_remote_machine *machine, uint64_t second, const char *start)
{
	struct ctd_remote_view view = machine_view(&(struct machine_view){
		.node = "a", .model = "zen4", .second = second, .start = start});

	ctd_remote_machine_take(machine, &view, second * SECOND_NS);
}

static const char *look(const struct ctd_remote_machine *machine, uint64_t second)
{
	static char why[CTD_REMOTE_WHY_BYTES];

	return ctd_remote_machine_is_fresh(machine, SECOND_NS, second * SECOND_NS, why) ? NULL
											: why;
}

static void two_views_make_a_difference(void **state)
{
	struct ctd_remote_machine machine = {0};

	(void)state;
	assert_string_equal(look(&machine, 1), "it has not answered yet");
	take(&machine, 1, NULL);
	assert_string_equal(look(&machine, 1), "its first interval has not ended");
	assert_false(machine.is_new);
	take(&machine, 2, NULL);
	assert_null(look(&machine, 2));
	assert_true(machine.is_new);
	assert_int_equal(machine.after.time_ns - machine.before.time_ns, SECOND_NS);
	take(&machine, 5, NULL);
	assert_int_equal(machine.after.time_ns - machine.before.time_ns, 3 * SECOND_NS);
	ctd_remote_machine_free(&machine);
}

static void one_that_fails_has_no_figures_and_goes_on_from_before(void **state)
{
	struct ctd_remote_machine machine = {0};

	(void)state;
	take(&machine, 1, NULL);
	take(&machine, 2, NULL);
	ctd_remote_machine_fail(&machine, "Connection refused");
	assert_string_equal(look(&machine, 2), "Connection refused");
	take(&machine, 6, NULL);
	assert_null(look(&machine, 6));
	assert_int_equal(machine.after.time_ns - machine.before.time_ns, 4 * SECOND_NS);
	ctd_remote_machine_free(&machine);
}

static void one_that_is_silent_has_no_figures_after_a_while(void **state)
{
	struct ctd_remote_machine machine = {0};

	(void)state;
	take(&machine, 1, NULL);
	take(&machine, 2, NULL);
	assert_null(look(&machine, 6));
	assert_string_equal(look(&machine, 7), "no new figures for 5 s");
	/* The same view again is none that is new. */
	take(&machine, 2, NULL);
	assert_string_equal(look(&machine, 9), "no new figures for 7 s");
	ctd_remote_machine_free(&machine);
}

static void one_whose_intervals_are_long_is_not_late(void **state)
{
	struct ctd_remote_machine machine = {0};

	(void)state;
	take(&machine, 1, NULL);
	take(&machine, 11, NULL);
	machine.after.look_ns = 0;
	machine.after.interval_ns = 10 * SECOND_NS;
	assert_null(look(&machine, 33));
	assert_non_null(look(&machine, 34));
	/* As long as they are for a budget. */
	machine.after.interval_ns = SECOND_NS;
	machine.after.budget.given_up = 1u << CTD_BUDGET_INTERVAL;
	assert_null(look(&machine, 23));
	assert_non_null(look(&machine, 24));
	ctd_remote_machine_free(&machine);
}

static void nothing_is_subtracted_across_a_restart(void **state)
{
	struct ctd_remote_machine machine = {0};

	(void)state;
	take(&machine, 1, NULL);
	take(&machine, 2, NULL);
	machine.is_new = false;
	take(&machine, 3, "2027");
	assert_false(machine.is_new);
	assert_string_equal(look(&machine, 3), "its first interval has not ended");
	take(&machine, 4, "2027");
	assert_null(look(&machine, 4));
	/* Less has elapsed than before: it is another run, whatever it says. */
	take(&machine, 1, "2027");
	assert_false(machine.is_new);
	assert_non_null(look(&machine, 1));
	ctd_remote_machine_free(&machine);
}

static void a_wall_clock_that_is_set_changes_nothing(void **state)
{
	static const int64_t later_s[] = {3600, -1, -30};

	(void)state;
	for (size_t i = 0; i < sizeof(later_s) / sizeof(*later_s); i++) {
		struct ctd_remote_view view = machine_view(
			&(struct machine_view){.node = "a", .model = "zen4", .second = 101});
		struct ctd_remote_machine machine = {0};

		view.time_ns += (uint64_t)later_s[i] * SECOND_NS;
		take(&machine, 100, NULL);
		ctd_remote_machine_take(&machine, &view, 101 * SECOND_NS);
		assert_true(machine.is_new);
		assert_int_equal(machine.after.elapsed_ns - machine.before.elapsed_ns, SECOND_NS);
		ctd_remote_machine_free(&machine);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_views_make_a_difference),
		cmocka_unit_test(one_that_fails_has_no_figures_and_goes_on_from_before),
		cmocka_unit_test(one_that_is_silent_has_no_figures_after_a_while),
		cmocka_unit_test(one_whose_intervals_are_long_is_not_late),
		cmocka_unit_test(nothing_is_subtracted_across_a_restart),
		cmocka_unit_test(a_wall_clock_that_is_set_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
