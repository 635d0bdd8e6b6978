/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_judge.c - counters that lie are told from counters that count. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <cgtopdown/counters.h>

static const struct {
	int line;
	uint64_t count[5];
	uint64_t running_ns;
	const char *want_why; /* NULL: they count */
} cases[] = {
	{__LINE__, {1000000, 300000, 100000, 250000, 350000}, 20000000, NULL},
	{__LINE__, {1000000, 298000, 99000, 249000, 349000}, 20000000, NULL},
	{__LINE__, {1000000, 300000, 100000, 250000, 350000}, 0, "never on the PMU"},
	{__LINE__, {0, 0, 0, 0, 0}, 20000000, "slots stays 0"},
	{__LINE__, {1000000, 0, 1000000, 0, 0}, 20000000, "equals slots"},
	{__LINE__, {1000000, 0, 0, 0, 0}, 20000000, "do not add up"},
	{__LINE__, {1000000, 900000, 800000, 0, 100000}, 20000000, "do not add up"},
};

static void counters_that_lie_are_told_from_counters_that_count(void **state)
{
	struct ctd_counter_plan plan = {.model = ctd_cpu_model_find("golden_cove"),
					.events_count = 5,
					.topdown_refresh = true};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char why[160] = "";
		int err = ctd_counters_judge(&plan, cases[i].count, cases[i].running_ns, why);

		if (err != (cases[i].want_why ? -ENODATA : 0) ||
		    (cases[i].want_why && !strstr(why, cases[i].want_why)))
			fail_msg("line %d: %d, '%s'", cases[i].line, err, why);
	}
}

static void ordinary_counters_are_judged_by_what_their_formulas_say(void **state)
{
	static const struct {
		int line;
		/* slots, retired, not delivered, dropped, back end */
		uint64_t count[5];
		uint64_t running_ns;
		const char *want_why; /* NULL: they count */
	} ordinary[] = {
		{__LINE__, {1000000, 300000, 260000, 10000, 350000}, 20000000, NULL},
		{__LINE__, {1000000, 300000, 200000, 0, 510000}, 20000000, NULL},
		{__LINE__, {1000000, 300000, 260000, 10000, 350000}, 0, "never on the PMU"},
		{__LINE__, {0, 300000, 260000, 10000, 350000}, 20000000, "slots stays 0"},
		{__LINE__, {1000000, 0, 0, 0, 0}, 20000000, "retires nothing"},
		{__LINE__, {1000000, 1000000, 1000000, 0, 0}, 20000000, "more than the whole"},
	};
	struct ctd_counter_plan plan = {.model = ctd_cpu_model_find("golden_cove_gp"),
					.events_count = 5};

	(void)state;
	for (size_t i = 0; i < sizeof(ordinary) / sizeof(*ordinary); i++) {
		char why[160] = "";
		int err = ctd_counters_judge(&plan, ordinary[i].count, ordinary[i].running_ns, why);

		if (err != (ordinary[i].want_why ? -ENODATA : 0) ||
		    (ordinary[i].want_why && !strstr(why, ordinary[i].want_why)))
			fail_msg("line %d: %d, '%s'", ordinary[i].line, err, why);
	}
}

/* QEMU's PMU of a Neoverse N1 offers both stalls and counts none. */
static void cycles_without_any_stall_are_no_counts(void **state)
{
	static const struct {
		int line;
		uint64_t count[3]; /* cycles, stalled by the front end, by the back end */
		const char *want_why; /* NULL: they count */
	} cycles[] = {
		{__LINE__, {1000000, 100000, 200000}, NULL},
		{__LINE__, {1000000, 0, 1}, NULL},
		{__LINE__, {1000000, 0, 0}, "never stalls"},
		{__LINE__, {1000000, 600000, 600000}, "more than the whole"},
		{__LINE__, {0, 0, 0}, "cycles stay 0"},
	};
	struct ctd_counter_plan plan = {.model = ctd_cpu_model_find("neoverse_n1"),
					.events_count = 3};

	(void)state;
	for (size_t i = 0; i < sizeof(cycles) / sizeof(*cycles); i++) {
		char why[160] = "";
		int err = ctd_counters_judge(&plan, cycles[i].count, 20000000, why);

		if (err != (cycles[i].want_why ? -ENODATA : 0) ||
		    (cycles[i].want_why && !strstr(why, cycles[i].want_why)))
			fail_msg("line %d: %d, '%s'", cycles[i].line, err, why);
	}
}

static void other_groups_only_have_to_run(void **state)
{
	struct ctd_counter_plan plan = {.events_count = 1};
	uint64_t nothing = 0;
	char why[160];

	(void)state;
	assert_int_equal(ctd_counters_judge(&plan, &nothing, 1, why), 0);
	assert_int_equal(ctd_counters_judge(&plan, &nothing, 0, why), -ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_that_lie_are_told_from_counters_that_count),
		cmocka_unit_test(ordinary_counters_are_judged_by_what_their_formulas_say),
		cmocka_unit_test(cycles_without_any_stall_are_no_counts),
		cmocka_unit_test(other_groups_only_have_to_run),
	};

	return cmocka_run_group_tests_name("selftest", tests, NULL, NULL);
}
