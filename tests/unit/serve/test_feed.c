/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_feed.c - whichever allocation fails, what was counted meanwhile is entered later. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/log.h"
#include "failing_memory.h"
#include "serve/feed.h"
#include "serve/profile/functions.h"

#define MS 1000000ull
#define CGROUPS 3

static const struct ctd_record_header header = {
	.source = "none", .hierarchy = "v2", .core_types_count = 1};

struct fixture {
	struct ctd_identities *identities;
	struct ctd_feed feed;
};

/* Each cgroup has run for so long since the beginning, and a CPU was idle for as long. */
static struct ctd_snapshot make_snapshot(uint64_t sequence, uint64_t oncpu_ns)
{
	struct ctd_snapshot snapshot = {
		.sequence = sequence,
		.realtime_ns = sequence * 1000 * MS,
		.monotonic_ns = sequence * 1000 * MS,
		.rows = calloc(CGROUPS + 1, sizeof(*snapshot.rows)),
		.rows_count = CGROUPS + 1,
		.cpus = calloc(1, sizeof(*snapshot.cpus)),
		.cpus_count = 1,
	};

	assert_non_null(snapshot.rows);
	assert_non_null(snapshot.cpus);
	snapshot.cpus[0].online = 1;
	for (size_t i = 0; i <= CGROUPS; i++)
		snapshot.rows[i] = (struct ctd_snapshot_row){
			.kind = i < CGROUPS ? CTD_ROW_CGROUP : CTD_ROW_IDLE,
			.cgroup_id = i < CGROUPS ? i + 1 : 0,
			.oncpu_ns = oncpu_ns,
			.slices = 1,
		};
	return snapshot;
}

static void set_up(struct fixture *fixture)
{
	static const struct ctd_ledger_options options = {.accounts_max = 100, .functions_max = 1};
	static const char *const paths[CGROUPS] = {"/a", "/b", "/c"};
	struct ctd_snapshot first = make_snapshot(1, 0);

	assert_int_equal(ctd_identities_new(&fixture->identities), 0);
	for (size_t i = 0; i < CGROUPS; i++) {
		assert_int_equal(ctd_identities_add(fixture->identities, i + 1, paths[i]), 0);
		ctd_identities_set_names(fixture->identities, i + 1, NULL, CTD_QOS_UNKNOWN, true);
	}
	assert_int_equal(ctd_feed_open(&options, &header, (struct ctd_collect_groups){0},
				       fixture->identities, &first, &fixture->feed),
			 0);
}

static void tear_down(struct fixture *fixture)
{
	ctd_feed_close(&fixture->feed);
	ctd_identities_free(fixture->identities);
}

/* Every one of a view's accounts has this much, and all are there. */
static void check_view(const struct ctd_ledger_view *view, uint64_t cpu_ns, long failing)
{
	if (!view)
		fail_msg("allocation %ld: no view", failing);
	assert_int_equal(view->accounts_count, CGROUPS + 1);
	for (size_t i = 0; i < view->accounts_count; i++)
		if (view->accounts[i].cpu_ns != cpu_ns)
			fail_msg("allocation %ld: '%s' has %llu ns, not %llu", failing,
				 view->accounts[i].who->key_text,
				 (unsigned long long)view->accounts[i].cpu_ns,
				 (unsigned long long)cpu_ns);
	assert_int_equal(view->totals.residual_slots, 0);
}

/* The second interval meets a failure; @p in_between: it is but a turn of the third. @return
 * whether there was one. */
static bool fail_once(long failing, bool in_between)
{
	struct fixture fixture;
	struct ctd_snapshot second, third;
	const struct ctd_ledger_view *view;
	bool failed;

	set_up(&fixture);
	second = make_snapshot(2, 100 * MS);
	second.in_between = in_between;
	third = make_snapshot(3, 250 * MS);
	fail_allocation(failing);
	view = ctd_feed_enter(&fixture.feed, &second);
	failed = failing >= 0 && allocation_failed();
	fail_allocation(-1);
	assert_true(!view || !in_between);
	if (view)
		check_view(view, 100 * MS, failing);
	ctd_ledger_view_release(view);
	view = ctd_feed_enter(&fixture.feed, &third);
	check_view(view, 250 * MS, failing);
	ctd_ledger_view_release(view);
	assert_false(fixture.feed.failing);
	tear_down(&fixture);
	return failed;
}

static void no_failure_loses_what_was_counted_or_counts_it_twice(void **state)
{
	long failing;

	(void)state;
	ctd_log_set_level(CTD_LOG_ERROR);
	for (int in_between = 0; in_between < 2; in_between++) {
		for (failing = 0; fail_once(failing, in_between); failing++)
			;
#if CAN_FAIL
		assert_true(failing >= (in_between ? 1 : 10));
#endif
	}
}

static void a_turn_is_entered_with_the_interval_that_it_is_of(void **state)
{
	(void)state;
	fail_once(-1, true);
}

/* One of another plan cannot be subtracted: the ledger goes on after it. */
static void what_does_not_fit_is_left_out(void **state)
{
	struct ctd_snapshot second = make_snapshot(2, 100 * MS), third = make_snapshot(3, 250 * MS);
	const struct ctd_ledger_view *view;
	struct fixture fixture;

	(void)state;
	set_up(&fixture);
	second.plan = 1;
	assert_null(ctd_feed_enter(&fixture.feed, &second));
	assert_true(fixture.feed.failing && fixture.feed.lost);
	third.plan = 1;
	view = ctd_feed_enter(&fixture.feed, &third);
	check_view(view, 150 * MS, -1);
	assert_false(fixture.feed.failing || fixture.feed.lost);
	ctd_ledger_view_release(view);
	tear_down(&fixture);
}

/* What the first cgroup's only function had in a time. */
static struct ctd_functions *make_functions(uint64_t cpu_ns)
{
	struct ctd_functions *functions = calloc(1, sizeof(*functions));

	assert_non_null(functions);
	functions->rows = calloc(1, sizeof(*functions->rows));
	functions->parts = calloc(1, sizeof(*functions->parts));
	assert_non_null(functions->rows);
	assert_non_null(functions->parts);
	functions->rows_count = 1;
	functions->parts[0] = (struct ctd_function_part){"work", 9, {.cpu_ns = cpu_ns}};
	functions->rows[0] = (struct ctd_function_row){
		.cgroup_id = 1, .key = "", .core = "", .parts = functions->parts, .parts_count = 1};
	return functions;
}

static void what_functions_had_waits_for_memory_and_is_added_once(void **state)
{
	struct ctd_snapshot second = make_snapshot(2, 100 * MS), third = make_snapshot(3, 250 * MS);
	struct ctd_functions *first = make_functions(40 * MS);
	const struct ctd_account_functions *functions = NULL;
	const struct ctd_ledger_view *view;
	struct fixture fixture;

	(void)state;
	set_up(&fixture);
	ctd_ledger_view_release(ctd_feed_enter(&fixture.feed, &second));
	first->next = make_functions(2 * MS);
	fail_allocation(0);
	ctd_feed_add_functions(&fixture.feed, first);
	fail_allocation(-1);
#if CAN_FAIL
	assert_ptr_equal(fixture.feed.functions, first);
#endif
	ctd_feed_add_functions(&fixture.feed, make_functions(MS));
	assert_null(fixture.feed.functions);
	ctd_feed_add_functions(&fixture.feed, NULL);
	view = ctd_feed_enter(&fixture.feed, &third);
	check_view(view, 250 * MS, -1);
	for (size_t i = 0; i < view->accounts_count; i++)
		if (view->accounts[i].functions)
			functions = view->accounts[i].functions;
	assert_non_null(functions);
	assert_int_equal(functions->count, 3);
	assert_string_equal(functions->items[2].name, "work");
	assert_int_equal(functions->items[2].figures.cpu_ns, 43 * MS);
	ctd_ledger_view_release(view);
	/* Those that the ledger never got are freed. */
	fixture.feed.functions = make_functions(1);
	tear_down(&fixture);
}

static void the_ledger_goes_on_with_another_plan(void **state)
{
	struct ctd_snapshot second = make_snapshot(2, 100 * MS), third = make_snapshot(3, 900 * MS),
			    fourth = make_snapshot(4, 950 * MS);
	const struct ctd_ledger_view *view;
	struct fixture fixture;

	(void)state;
	set_up(&fixture);
	view = ctd_feed_enter(&fixture.feed, &second);
	check_view(view, 100 * MS, -1);
	ctd_ledger_view_release(view);
	third.plan = fourth.plan = 1;
	assert_int_equal(ctd_feed_replan(&fixture.feed, &header, (struct ctd_collect_groups){0}),
			 0);
	/* The first of the new plan is subtracted from nothing. */
	assert_null(ctd_feed_enter(&fixture.feed, &third));
	assert_false(fixture.feed.failing);
	view = ctd_feed_enter(&fixture.feed, &fourth);
	check_view(view, 150 * MS, -1);
	ctd_ledger_view_release(view);
	tear_down(&fixture);
}

/* The last interval of a plan meets a failure. @return whether there was one. */
static bool fail_before_another_plan(long failing)
{
	struct ctd_snapshot second = make_snapshot(2, 100 * MS), third = make_snapshot(3, 900 * MS),
			    fourth = make_snapshot(4, 950 * MS);
	const struct ctd_ledger_view *view;
	struct fixture fixture;
	bool failed, subtracted;

	set_up(&fixture);
	fail_allocation(failing);
	ctd_ledger_view_release(ctd_feed_enter(&fixture.feed, &second));
	failed = allocation_failed();
	fail_allocation(-1);
	/* What could not be subtracted is lost with the plan. */
	subtracted = fixture.feed.pipeline.before.sequence == 2;
	third.plan = fourth.plan = 1;
	assert_int_equal(ctd_feed_replan(&fixture.feed, &header, (struct ctd_collect_groups){0}),
			 0);
	assert_null(ctd_feed_enter(&fixture.feed, &third));
	view = ctd_feed_enter(&fixture.feed, &fourth);
	check_view(view, (subtracted ? 150 : 50) * MS, failing);
	ctd_ledger_view_release(view);
	assert_false(fixture.feed.failing);
	tear_down(&fixture);
	return failed;
}

static void what_failed_to_be_entered_is_entered_before_another_plan(void **state)
{
	long failing;

	(void)state;
	ctd_log_set_level(CTD_LOG_ERROR);
	for (failing = 0; fail_before_another_plan(failing); failing++)
		;
#if CAN_FAIL
	assert_true(failing >= 10);
#endif
}

static struct ctd_snapshot make_step(uint64_t sequence, uint32_t group, uint64_t count)
{
	struct ctd_snapshot step = make_snapshot(sequence, sequence * 50 * MS);

	step.group = group;
	step.groups_count = 2;
	step.counters_count = 1;
	step.in_between = 1;
	for (size_t i = 0; i < step.rows_count; i++) {
		step.rows[i].running_ns = step.rows[i].oncpu_ns;
		step.rows[i].count[0] = count;
	}
	return step;
}

/* The end of a step meets a failure. @return whether there was one. */
static bool fail_in_rotation(long failing)
{
	static const struct ctd_record_header rotating = {
		.source = "software", .counters_count = 1, .groups_count = 2};
	struct ctd_snapshot steps[] = {make_step(2, 1, 100), make_step(3, 0, 1100),
				       make_step(4, 1, 1110)};
	const struct ctd_interval *interval;
	struct fixture fixture;
	bool failed;

	set_up(&fixture);
	assert_int_equal(ctd_feed_replan(&fixture.feed, &rotating, (struct ctd_collect_groups){0}),
			 0);
	assert_null(ctd_feed_enter(&fixture.feed, &steps[0]));
	fail_allocation(failing);
	assert_null(ctd_feed_enter(&fixture.feed, &steps[1]));
	failed = allocation_failed();
	fail_allocation(-1);
	assert_int_equal(fixture.feed.lost, failed);
	assert_null(ctd_feed_enter(&fixture.feed, &steps[2]));
	interval = &fixture.feed.pipeline.interval;
	assert_int_equal(interval->rows_count, CGROUPS + 1);
	for (size_t i = 0; i < interval->rows_count; i++) {
		assert_int_equal(interval->rows[i].raw[0], failed ? 0 : 1000);
		assert_int_equal(interval->rows[i].raw[1], 10);
	}
	tear_down(&fixture);
	return failed;
}

static void counts_of_a_group_are_never_taken_for_anothers(void **state)
{
	long failing;

	(void)state;
	ctd_log_set_level(CTD_LOG_ERROR);
	for (failing = 0; fail_in_rotation(failing); failing++)
		;
#if CAN_FAIL
	assert_true(failing >= 1);
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_failure_loses_what_was_counted_or_counts_it_twice),
		cmocka_unit_test(a_turn_is_entered_with_the_interval_that_it_is_of),
		cmocka_unit_test(what_functions_had_waits_for_memory_and_is_added_once),
		cmocka_unit_test(what_does_not_fit_is_left_out),
		cmocka_unit_test(the_ledger_goes_on_with_another_plan),
		cmocka_unit_test(what_failed_to_be_entered_is_entered_before_another_plan),
		cmocka_unit_test(counts_of_a_group_are_never_taken_for_anothers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
