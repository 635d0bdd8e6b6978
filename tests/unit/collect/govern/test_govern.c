/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_govern.c - what becomes of a measurement whose budget gives parts up, and brings them back. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/log.h"
#include "collect/collector.h"

#define SECOND_NS 1000000000ull
#define WINDOW_NS 1000000
#define CPUS 2
#define FAR_ABOVE_NS (UINT64_C(1) << 60)

/* What replaces counters, and what samples, here only answer. */
static struct {
	int lack, error; /* of replacing */
	bool busy; /* somebody has the sampler */
	int thin_lack; /* of another frequency */
	int changes, thins;
	struct ctd_source_wishes wishes; /* of the last replacement */
	bool waits;
	uint32_t divisor;
	uint64_t sampling_ns;
} told;

int ctd_collector_change(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
			 ctd_take_snapshot *take, void *context, int *ret_lack)
{
	(void)take;
	(void)context;
	told.changes++;
	told.wishes = *wishes;
	told.waits = ctd_collector_has_waits(collector);
	*ret_lack = told.lack;
	return told.error;
}

bool ctd_collector_try_sampler(struct ctd_collector *collector)
{
	(void)collector;
	return !told.busy;
}

void ctd_collector_release_sampler(struct ctd_collector *collector)
{
	(void)collector;
}

uint64_t ctd_sampler_cost_ns(const struct ctd_sampler *of)
{
	(void)of;
	return told.sampling_ns;
}

int ctd_sampler_thin(struct ctd_sampler *sampler, uint32_t divisor)
{
	(void)sampler;
	told.thins++;
	if (!told.thin_lack)
		told.divisor = divisor;
	return told.thin_lack;
}

static struct ctd_sampler_options sampler = {.window_ns = 50000};
static const struct ctd_node nodes[] = {{.level = 1}, {.level = 2, .group = 1}};
static const struct ctd_cpu_model model = {.nodes = nodes, .nodes_count = 2};

/* All that can be given up is there. */
static struct ctd_collector collect(struct ctd_source *source, bool *cpus_online)
{
	struct ctd_collector collector = {
		.options = {.wishes = {.source = "auto", .level = 2, .ipc = true, .pinned = true},
			    .waits = true,
			    .sampler = &sampler,
			    .budget = {.limit_ppm = 1,
				       .window_ns = WINDOW_NS,
				       .interval_ns = SECOND_NS}},
		.caps.answer[CTD_CAP_WAITS].present = true,
		.cpus = {.count = CPUS, .online = cpus_online},
		.counting = {.source = source, .sampler = (struct ctd_sampler *)&told},
	};

	*source = (struct ctd_source){
		.core_types_count = 1,
		.plans[0] = {.model = &model, .groups_count = 3, .ipc = true, .counters_count = 4},
		.counters = {.groups_count = 3},
	};
	for (int cpu = 0; cpu < CPUS; cpu++)
		cpus_online[cpu] = true;
	told = (typeof(told)){};
	ctd_collector_begin_budget(&collector);
	return collector;
}

/* One without waits and without a sampler. */
static struct ctd_collector collect_counts(struct ctd_source *source, bool *cpus_online)
{
	struct ctd_collector collector = collect(source, cpus_online);

	collector.options.waits = false;
	collector.options.sampler = NULL;
	return collector;
}

/* Time passes, in which it cost so much. */
static int pass(struct ctd_collector *collector, uint64_t cost_ns)
{
	/* What the process itself takes is little; but none of it is to count here. */
	collector->budget.begun_ns = 0;
	collector->budget.begun_cost_ns = 0;
	collector->cost.programs_ns = cost_ns;
	return ctd_collector_keep_budget(collector, NULL, NULL);
}

/* @return what was given up, as soon as that is something else than before. */
static uint64_t pass_until_changed(struct ctd_collector *collector)
{
	uint64_t before = collector->budget.state.given_up;

	for (int i = 0; i < 100 && collector->budget.state.given_up == before; i++)
		assert_int_equal(pass(collector, FAR_ABOVE_NS), 0);
	return collector->budget.state.given_up ^ before;
}

/* By hand, as the process itself always costs more than nothing. */
static void bring_back(struct ctd_collector *collector, enum ctd_budget_part part)
{
	collector->options.budget.limit_ppm = 1000000;
	collector->budget.state.limit_ppm = 1000000;
	for (int i = 0; i < 100 && ctd_budget_gave_up(&collector->budget.state, part); i++)
		assert_int_equal(pass(collector, 0), 0);
	assert_false(ctd_budget_gave_up(&collector->budget.state, part));
	collector->budget.state.limit_ppm = 1;
}

static void each_part_is_done_without_in_its_own_way(void **state)
{
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect(&source, cpus_online);

	(void)state;
	assert_true(ctd_collector_has_waits(&collector));
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_WAITS);
	assert_int_equal(told.changes, 1);
	assert_false(told.waits);
	assert_int_equal(told.wishes.level, 2);
	assert_string_equal(told.wishes.source, "auto");
	assert_true(told.wishes.ipc && told.wishes.pinned);

	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_FREQUENCY);
	assert_int_equal(told.changes, 1);
	assert_int_equal(told.divisor, 4);

	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_ROTATION);
	assert_int_equal(told.changes, 1);
	assert_int_equal(collector.steps.length, 5);

	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_GENERAL);
	assert_int_equal(told.changes, 2);
	assert_false(told.wishes.ipc);
	assert_int_equal(told.wishes.level, 2);

	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_LEVEL);
	assert_int_equal(told.changes, 3);
	assert_int_equal(told.wishes.level, 1);
	assert_false(told.wishes.ipc);
	assert_false(told.waits);

	assert_int_equal(ctd_collector_stretch(&collector, SECOND_NS), SECOND_NS);
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_INTERVAL);
	assert_int_equal(told.changes, 3);
	assert_int_equal(told.thins, 1);
	assert_int_equal(ctd_collector_stretch(&collector, SECOND_NS), 5 * SECOND_NS);

	/* Nothing is left: it goes on. */
	assert_int_equal(pass_until_changed(&collector), 0);
	assert_int_equal(collector.shown_budget.exceeded, 1);
	for (int part = CTD_BUDGET_PARTS - 1; part >= 0; part--)
		bring_back(&collector, part);
	assert_int_equal(told.changes, 6);
	assert_true(told.waits);
	assert_int_equal(told.divisor, 1);
	assert_int_equal(told.wishes.level, 2);
	assert_true(told.wishes.ipc);
	assert_int_equal(collector.steps.length, 1);
	assert_int_equal(ctd_collector_stretch(&collector, SECOND_NS), SECOND_NS);
}

static void what_an_option_asked_for_is_given_up_last(void **state)
{
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect(&source, cpus_online);

	(void)state;
	collector.options.budget.asked_for = 1 << CTD_BUDGET_WAITS;
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_FREQUENCY);
	for (int i = 0; i < 4; i++)
		assert_true(ctd_collector_has_waits(&collector) && pass_until_changed(&collector));
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_WAITS);
}

/* 49 us each of a sample's programs, and nothing else. */
static void what_samples_cost_is_spent(void **state)
{
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect(&source, cpus_online);
	uint64_t capacity_ns = 0;

	(void)state;
	collector.options.budget.limit_ppm = collector.budget.state.limit_ppm = 1000000;
	for (int i = 0; i < 2; i++) {
		/* More than this process can have used since, as the rig forgets what was spent. */
		told.sampling_ns = FAR_ABOVE_NS;
		assert_int_equal(pass(&collector, 0), 0);
		capacity_ns = collector.shown_budget.capacity_ns;
	}
	assert_true(capacity_ns > 0);
	assert_true(collector.shown_budget.cost_ns >= FAR_ABOVE_NS);
}

static void intervals_grow_to_five_seconds_and_longer_ones_stay(void **state)
{
	struct ctd_collector collector = {.budget.state.given_up = UINT64_C(1)
								   << CTD_BUDGET_INTERVAL};

	(void)state;
	assert_int_equal(ctd_collector_stretch(&collector, SECOND_NS / 10), SECOND_NS / 2);
	assert_int_equal(ctd_collector_stretch(&collector, 2 * SECOND_NS), 5 * SECOND_NS);
	assert_int_equal(ctd_collector_stretch(&collector, 5 * SECOND_NS), 5 * SECOND_NS);
	assert_int_equal(ctd_collector_stretch(&collector, 60 * SECOND_NS), 60 * SECOND_NS);
	assert_true(ctd_collector_stretch(&collector, 86400 * SECOND_NS) == 86400 * SECOND_NS);
}

static void only_what_is_measured_can_be_given_up(void **state)
{
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect_counts(&source, cpus_online);

	(void)state;
	collector.options.budget.interval_ns = 5 * SECOND_NS;
	source.plans[0] = (struct ctd_counter_plan){.groups_count = 1};
	source.counters.groups_count = 1;
	assert_int_equal(pass_until_changed(&collector), 0);
	assert_int_equal(collector.shown_budget.exceeded, 1);
	/* The kernel does not tell of waits. */
	collector = collect(&source, cpus_online);
	collector.caps.answer[CTD_CAP_WAITS].present = false;
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_FREQUENCY);
}

static void a_recorded_profile_keeps_its_plan(void **state)
{
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect(&source, cpus_online);

	(void)state;
	collector.options.budget.keeps_plan = true;
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_FREQUENCY);
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_ROTATION);
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_INTERVAL);
	assert_int_equal(pass_until_changed(&collector), 0);
	assert_int_equal(told.changes, 0);
}

/* Of a vendor's groups there is no level to give up. */
static void groups_of_a_vendors_metrics_have_fewer_turns_and_that_is_all(void **state)
{
	static const struct ctd_rotation rotation = {.groups_count = 3};
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect_counts(&source, cpus_online);

	(void)state;
	source.plans[0] = (struct ctd_counter_plan){.rotation = &rotation, .groups_count = 3};
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_ROTATION);
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_INTERVAL);
	assert_int_equal(pass_until_changed(&collector), 0);
	/* Beside the tree's group, which has level 1 only, they are no level 2. */
	collector = collect_counts(&source, cpus_online);
	source.plans[0] = (struct ctd_counter_plan){
		.model = &model, .rotation = &rotation, .groups_count = 4, .beside_groups = 3};
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_ROTATION);
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_INTERVAL);
	/* With one of level 2 they are no more. */
	collector = collect_counts(&source, cpus_online);
	source.plans[0] = (struct ctd_counter_plan){
		.model = &model, .rotation = &rotation, .groups_count = 5, .beside_groups = 3};
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_ROTATION);
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_LEVEL);
}

static void what_cannot_be_given_up_stays_and_the_next_part_goes(void **state)
{
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect(&source, cpus_online);

	(void)state;
	told.lack = -EMFILE;
	told.busy = true;
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_ROTATION);
	assert_int_equal(told.changes, 1);
	assert_int_equal(told.thins, 0);
	assert_true(ctd_collector_has_waits(&collector));
	assert_int_equal(collector.shown_budget.changes[CTD_BUDGET_WAITS], 0);
	assert_int_equal(collector.shown_budget.changes[CTD_BUDGET_ROTATION], 1);
	/* The clocks of the sampler cannot be had. */
	collector = collect(&source, cpus_online);
	collector.options.waits = false;
	told.thin_lack = -EMFILE;
	assert_int_equal(pass_until_changed(&collector), 1 << CTD_BUDGET_ROTATION);
	assert_int_equal(told.thins, 1);
	assert_false(ctd_budget_gave_up(&collector.shown_budget, CTD_BUDGET_FREQUENCY));
}

static void a_reader_that_fails_ends_the_interval(void **state)
{
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect(&source, cpus_online);
	int error = 0;

	(void)state;
	told.error = -EPIPE;
	for (int i = 0; i < 100 && !error; i++)
		error = pass(&collector, FAR_ABOVE_NS);
	assert_int_equal(error, -EPIPE);
}

static void snapshots_say_what_is_given_up_only_where_there_is_a_budget(void **state)
{
	bool cpus_online[CPUS];
	struct ctd_source source;
	struct ctd_collector collector = collect(&source, cpus_online);
	struct ctd_snapshot snapshot = {0};

	(void)state;
	pass_until_changed(&collector);
	ctd_collector_tell_budget(&collector, &snapshot);
	assert_int_equal(snapshot.budget.given_up, 1);
	assert_int_equal(snapshot.budget.limit_ppm, 1);
	assert_int_equal(snapshot.budget.changes[CTD_BUDGET_WAITS], 1);
	assert_true(snapshot.budget.capacity_ns > 0);
	collector.options.budget.limit_ppm = 0;
	ctd_collector_begin_budget(&collector);
	assert_int_equal(pass_until_changed(&collector), 0);
	snapshot = (struct ctd_snapshot){0};
	ctd_collector_tell_budget(&collector, &snapshot);
	assert_int_equal(snapshot.budget.limit_ppm, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_part_is_done_without_in_its_own_way),
		cmocka_unit_test(what_an_option_asked_for_is_given_up_last),
		cmocka_unit_test(what_samples_cost_is_spent),
		cmocka_unit_test(intervals_grow_to_five_seconds_and_longer_ones_stay),
		cmocka_unit_test(only_what_is_measured_can_be_given_up),
		cmocka_unit_test(a_recorded_profile_keeps_its_plan),
		cmocka_unit_test(groups_of_a_vendors_metrics_have_fewer_turns_and_that_is_all),
		cmocka_unit_test(what_cannot_be_given_up_stays_and_the_next_part_goes),
		cmocka_unit_test(a_reader_that_fails_ends_the_interval),
		cmocka_unit_test(snapshots_say_what_is_given_up_only_where_there_is_a_budget),
	};

	ctd_log_set_level(CTD_LOG_ERROR);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
