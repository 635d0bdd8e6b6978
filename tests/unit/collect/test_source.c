/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_source.c - which CPUs have counters, and what is remembered of sources that were refused. */
#include "collect/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/root.h"

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
	static const struct ctd_cpu_set cpus = {.count = CPUS, .online = online, .fenced = fenced};
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

/* What made a source be refused: what it counted, or somebody else's use of the PMU. */
static const struct {
	int line;
	struct ctd_trial trial;
	const char *want; /* the source that is planned next */
} refusals[] = {
	{__LINE__, {.full = 4, .lie = "slots stays 0"}, "gp_slots"},
	{__LINE__, {.full = 3, .pushed_off = 1, .lie = "never on the PMU"}, "perf_metrics"},
	{__LINE__, {.full = 3, .never = 1, .lie = "never on the PMU"}, "perf_metrics"},
	{__LINE__, {.error = -16}, "perf_metrics"},
};

static void a_source_that_lied_is_passed_over_and_one_that_was_held_is_not(void **state)
{
	static const struct ctd_source_wishes wishes = {.source = "auto", .pinned = true};
	struct ctd_source *before = calloc(1, sizeof(*before)), *after = malloc(sizeof(*after));

	(void)state;
	assert_non_null(before);
	assert_non_null(after);
	ctd_root_set("tests/machines/sapphire_rapids");
	for (size_t i = 0; i < sizeof(refusals) / sizeof(*refusals); i++) {
		assert_int_equal(ctd_source_plan(&wishes, NULL, before), 0);
		assert_string_equal(before->plans[0].source, "perf_metrics");
		before->choices[0].attempts_count = 1;
		before->choices[0].attempts[0] = (struct ctd_source_attempt){
			.plan = before->plans[0], .trial = refusals[i].trial, .refused = true};
		assert_int_equal(ctd_source_plan(&wishes, before, after), 0);
		if (strcmp(after->plans[0].source, refusals[i].want) != 0)
			fail_msg("line %d: %s", refusals[i].line, after->plans[0].source);
		ctd_source_free(after);
		ctd_source_free(before);
	}
	ctd_root_set(NULL);
	free(before);
	free(after);
}

/* The second change is planned by what the first one found, which did not try the liar. */
static void a_lie_is_remembered_through_any_number_of_changes(void **state)
{
	static const struct ctd_source_wishes wishes = {.source = "auto", .pinned = true},
					      others = {.source = "none"};
	struct ctd_source *before = calloc(1, sizeof(*before)), *after = malloc(sizeof(*after)),
			  *spare;

	(void)state;
	assert_non_null(before);
	assert_non_null(after);
	ctd_root_set("tests/machines/sapphire_rapids");
	assert_int_equal(ctd_source_plan(&wishes, NULL, before), 0);
	before->choices[0].attempts_count = 1;
	before->choices[0].attempts[0] = (struct ctd_source_attempt){
		.plan = before->plans[0], .trial.lie = "slots stays 0", .refused = true};
	for (int change = 0; change < 4; change++) {
		assert_int_equal(ctd_source_plan(change == 2 ? &others : &wishes, before, after),
				 0);
		assert_string_equal(after->plans[0].source, change == 2 ? "none" : "gp_slots");
		ctd_source_free(before);
		spare = before;
		before = after;
		after = spare;
	}
	ctd_source_free(before);
	ctd_root_set(NULL);
	free(before);
	free(after);
}

/* It would open, and count nothing. */
static void a_source_that_is_still_held_waits_while_another_is_taken(void **state)
{
	static const struct ctd_source_wishes wishes = {.source = "auto", .pinned = true};
	struct ctd_source *before = calloc(1, sizeof(*before)), *after = malloc(sizeof(*after));
	struct ctd_source_attempt *attempts;

	(void)state;
	assert_non_null(before);
	assert_non_null(after);
	ctd_root_set("tests/machines/sapphire_rapids");
	assert_int_equal(ctd_source_plan(&wishes, NULL, before), 0);
	attempts = before->choices[0].attempts;
	before->choices[0].attempts_count = 2;
	attempts[0] = (struct ctd_source_attempt){
		.plan = before->plans[0], .trial.never = 1, .refused = true, .held = true};
	attempts[1] = (struct ctd_source_attempt){.trial.never = 1, .refused = true};
	assert_int_equal(ctd_source_plan(&wishes, before, after), 0);
	assert_string_equal(after->plans[0].source, "gp_slots");
	/* It is sought on. */
	assert_int_equal(after->choices[0].attempts_count, 1);
	assert_true(after->choices[0].attempts[0].refused);
	assert_string_equal(after->choices[0].attempts[0].plan.source, "perf_metrics");
	ctd_source_free(before);
	after->choices[0].attempts[0].held = false;
	assert_int_equal(ctd_source_plan(&wishes, after, before), 0);
	assert_string_equal(before->plans[0].source, "perf_metrics");
	assert_int_equal(before->choices[0].attempts_count, 0);
	ctd_source_free(after);
	ctd_source_free(before);
	ctd_root_set(NULL);
	free(before);
	free(after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_are_of_online_cpus_with_a_source_that_may_rotate),
		cmocka_unit_test(a_source_that_lied_is_passed_over_and_one_that_was_held_is_not),
		cmocka_unit_test(a_source_that_is_still_held_waits_while_another_is_taken),
		cmocka_unit_test(a_lie_is_remembered_through_any_number_of_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
