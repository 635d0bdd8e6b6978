/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_pack.c - metrics are packed into the fewest groups that counters allow. */
#include "vendor/pack.h"

#include <stdlib.h>
#include <string.h>

#include "unit/vendor/files.h"

#define LEADER 0
#define FIXED(number) (UINT64_C(1) << (CTD_PACK_FIXED + (number)))
#define GENERAL(count) ((UINT64_C(1) << (count)) - 1)
#define METRIC(...)                                                                \
	{                                                                          \
		(const uint32_t[]){__VA_ARGS__},                                   \
			sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t) \
	}

static struct ctd_pack_core core_of(int general)
{
	return (struct ctd_pack_core){.counters = GENERAL(general) | FIXED(0),
				      .room = CTD_COUNTERS_MAX,
				      .leader = LEADER};
}

/* Each metric's events are all in its group, which the core can count. */
static void check(const struct ctd_pack_core *core, const struct ctd_pack_event *events,
		  const struct ctd_pack_metric *metrics, size_t count, const struct ctd_pack *pack)
{
	for (size_t i = 0; i < pack->groups_count; i++) {
		const struct ctd_pack_group *group = &pack->groups[i];

		assert_int_equal(group->events[0], core->leader);
		assert_int_equal(ctd_pack_try(core, events, group->events, group->events_count),
				 CTD_PACK_FITS);
		assert_true(group->metrics_count > 0);
	}
	for (size_t i = 0; i < count; i++) {
		const struct ctd_pack_group *group;

		assert_true((pack->group_of[i] < 0) == (pack->lack_of[i] != CTD_PACK_FITS));
		if (pack->group_of[i] < 0)
			continue;
		assert_true((size_t)pack->group_of[i] < pack->groups_count);
		group = &pack->groups[pack->group_of[i]];
		for (size_t event = 0; event < metrics[i].events_count; event++) {
			size_t at = 0;

			while (at < group->events_count &&
			       group->events[at] != metrics[i].events[event])
				at++;
			assert_true(at < group->events_count);
		}
	}
}

static void metrics_that_share_events_share_a_group(void **state)
{
	const struct ctd_pack_event events[] = {{.counters = FIXED(0)},
						{.counters = GENERAL(2)},
						{.counters = GENERAL(2)},
						{.counters = GENERAL(2)},
						{.counters = GENERAL(2)}};
	const struct ctd_pack_metric metrics[] = {METRIC(1, 2), METRIC(3, 4), METRIC(0, 2),
						  METRIC(4)};
	const struct ctd_pack_core core = core_of(2);
	struct ctd_pack pack;

	(void)state;
	assert_int_equal(ctd_pack(&core, events, metrics, 4, &pack), 0);
	check(&core, events, metrics, 4, &pack);
	assert_int_equal(pack.groups_count, 2);
	assert_int_equal(pack.group_of[0], pack.group_of[2]);
	assert_int_equal(pack.group_of[1], pack.group_of[3]);
	ctd_pack_free(&pack);
}

static void an_event_gives_way_to_one_that_has_fewer_counters(void **state)
{
	const struct ctd_pack_event events[] = {{.counters = FIXED(0)},
						{.counters = GENERAL(3)},
						{.counters = GENERAL(2)},
						{.counters = GENERAL(1)},
						{.counters = GENERAL(1)}};
	const uint32_t fit[] = {0, 1, 2, 3}, not [] = {0, 1, 3, 4};
	const struct ctd_pack_core core = core_of(3);

	(void)state;
	assert_int_equal(ctd_pack_try(&core, events, fit, 4), CTD_PACK_FITS);
	assert_int_equal(ctd_pack_try(&core, events, not, 4), CTD_PACK_LACKS_COUNTERS);
}

static void an_event_may_be_on_a_fixed_counter_or_another(void **state)
{
	const struct ctd_pack_event events[] = {{.counters = FIXED(0) | GENERAL(1)},
						{.counters = GENERAL(1)}};
	const uint32_t both[] = {0, 1};
	struct ctd_pack_core core = core_of(1);

	(void)state;
	assert_int_equal(ctd_pack_try(&core, events, both, 2), CTD_PACK_FITS);
	core.counters &= ~FIXED(0); /* the watchdog has it */
	assert_int_equal(ctd_pack_try(&core, events, both, 2), CTD_PACK_LACKS_COUNTERS);
}

static void parts_of_perf_metrics_take_no_counter(void **state)
{
	struct ctd_pack_event events[CTD_COUNTERS_MAX] = {{.counters = FIXED(0)},
							  {.counters = GENERAL(1)}};
	uint32_t all[CTD_COUNTERS_MAX];
	const struct ctd_pack_core core = core_of(1);

	(void)state;
	for (uint32_t i = 0; i < CTD_COUNTERS_MAX; i++)
		all[i] = i;
	assert_int_equal(ctd_pack_try(&core, events, all, CTD_COUNTERS_MAX), CTD_PACK_FITS);
}

static void registers_hold_so_many_values(void **state)
{
	const struct ctd_pack_event events[] = {
		{.counters = FIXED(0)},
		{.counters = GENERAL(8), .needs = CTD_PACK_RESPONSES, .value = 1},
		{.counters = GENERAL(8), .needs = CTD_PACK_RESPONSES, .value = 2},
		{.counters = GENERAL(8), .needs = CTD_PACK_RESPONSES, .value = 2},
		{.counters = GENERAL(8), .needs = CTD_PACK_RESPONSES, .value = 3},
		{.counters = GENERAL(8), .needs = CTD_PACK_ALONE, .value = 1},
		{.counters = GENERAL(8), .needs = CTD_PACK_ALONE, .value = 1},
		{.counters = GENERAL(8), .needs = CTD_PACK_ALONE, .value = 2},
	};
	const uint32_t two[] = {0, 1, 2, 3, 5, 6}, three[] = {0, 1, 2, 4}, alone[] = {0, 5, 7};
	const struct ctd_pack_core core = core_of(8);

	(void)state;
	assert_int_equal(ctd_pack_try(&core, events, two, 6), CTD_PACK_FITS);
	assert_int_equal(ctd_pack_try(&core, events, three, 4), CTD_PACK_LACKS_RESPONSES);
	assert_int_equal(ctd_pack_try(&core, events, alone, 3), CTD_PACK_LACKS_REGISTER);
}

static void large_increments_take_an_even_counter_and_the_next(void **state)
{
	const struct ctd_pack_event events[] = {{.counters = FIXED(0)},
						{.counters = GENERAL(5), .pair = true},
						{.counters = GENERAL(5), .pair = true},
						{.counters = GENERAL(5)},
						{.counters = GENERAL(5)}};
	const uint32_t fit[] = {0, 1, 2, 3}, not [] = {0, 1, 2, 3, 4};
	struct ctd_pack_core core = core_of(5);

	(void)state;
	assert_int_equal(ctd_pack_try(&core, events, fit, 4), CTD_PACK_FITS);
	assert_int_equal(ctd_pack_try(&core, events, not, 5), CTD_PACK_LACKS_COUNTERS);
	core.counters = 6; /* 1 and 2 are no such two */
	assert_int_equal(ctd_pack_try(&core, events, (const uint32_t[]){1}, 1),
			 CTD_PACK_LACKS_COUNTERS);
}

static void what_fits_nowhere_says_why_and_leaves_the_rest(void **state)
{
	const struct ctd_pack_event events[] = {{.counters = FIXED(0)},
						{.counters = GENERAL(2)},
						{.counters = GENERAL(2)},
						{.counters = GENERAL(2)},
						{.counters = UINT64_C(1) << 7}};
	const struct ctd_pack_metric metrics[] = {METRIC(1, 2, 3), METRIC(4), METRIC(1)};
	struct ctd_pack_core core = core_of(2);
	struct ctd_pack pack;

	(void)state;
	assert_int_equal(ctd_pack(&core, events, metrics, 3, &pack), 0);
	check(&core, events, metrics, 3, &pack);
	assert_int_equal(pack.lack_of[0], CTD_PACK_LACKS_COUNTERS);
	assert_int_equal(pack.lack_of[1], CTD_PACK_LACKS_COUNTER);
	assert_int_equal(pack.groups_count, 1);
	ctd_pack_free(&pack);
	core.room = 2;
	core.counters = GENERAL(8) | FIXED(0);
	assert_int_equal(ctd_pack(&core, events, metrics, 3, &pack), 0);
	assert_int_equal(pack.lack_of[0], CTD_PACK_LACKS_ROOM);
	assert_int_equal(pack.groups_count, 2);
	ctd_pack_free(&pack);
}

static void nothing_makes_no_group(void **state)
{
	const struct ctd_pack_event events[] = {{.counters = FIXED(0)}};
	const struct ctd_pack_core core = core_of(2);
	struct ctd_pack pack;

	(void)state;
	assert_int_equal(ctd_pack(&core, events, NULL, 0, &pack), 0);
	assert_int_equal(pack.groups_count, 0);
	ctd_pack_free(&pack);
}

/* The fewest groups of all ways to divide the metrics. */
struct search {
	const struct ctd_pack_core *core;
	const struct ctd_pack_event *events;
	const struct ctd_pack_metric *metrics;
	size_t metrics_count, groups_count, best;
	uint32_t group[8][CTD_COUNTERS_MAX];
	size_t events_count[8];
};

static bool add(const struct search *search, size_t group, size_t metric, uint32_t *ret_events,
		size_t *ret_count)
{
	size_t count = search->events_count[group];

	memcpy(ret_events, search->group[group], count * sizeof(*ret_events));
	for (size_t i = 0; i < search->metrics[metric].events_count; i++) {
		uint32_t event = search->metrics[metric].events[i];
		size_t at = 0;

		while (at < count && ret_events[at] != event)
			at++;
		if (at == count)
			ret_events[count++] = event;
	}
	*ret_count = count;
	return ctd_pack_try(search->core, search->events, ret_events, count) == CTD_PACK_FITS;
}

static void divide(struct search *search, size_t metric)
{
	if (search->groups_count >= search->best)
		return;
	if (metric == search->metrics_count) {
		search->best = search->groups_count;
		return;
	}
	for (size_t group = 0; group <= search->groups_count; group++) {
		uint32_t before[CTD_COUNTERS_MAX], after[CTD_COUNTERS_MAX];
		size_t before_count = search->events_count[group], after_count;
		bool is_new = group == search->groups_count;

		memcpy(before, search->group[group], sizeof(before));
		if (!add(search, group, metric, after, &after_count))
			continue;
		memcpy(search->group[group], after, sizeof(after));
		search->events_count[group] = after_count;
		search->groups_count += is_new;
		divide(search, metric + 1);
		search->groups_count -= is_new;
		memcpy(search->group[group], before, sizeof(before));
		search->events_count[group] = before_count;
	}
}

#define EVENTS 12
#define METRICS 7
#define CASES 300

static uint32_t chance(uint64_t *seed, uint32_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*seed >> 33) % below;
}

static void make_case(uint64_t *seed, struct ctd_pack_event *events, uint32_t (*of)[3],
		      struct ctd_pack_metric *metrics)
{
	events[LEADER] = (struct ctd_pack_event){.counters = FIXED(0)};
	for (size_t i = 1; i < EVENTS; i++) {
		uint32_t kind = chance(seed, 8);

		events[i] = (struct ctd_pack_event){
			.counters = kind == 0	? 0
				    : kind == 1 ? GENERAL(1)
						: GENERAL(4),
			.needs = kind == 2   ? CTD_PACK_ALONE
				 : kind == 3 ? CTD_PACK_RESPONSES
					     : CTD_PACK_NO_REGISTER,
			.value = i,
		};
	}
	for (size_t i = 0; i < METRICS; i++) {
		size_t count = 1 + chance(seed, 3);

		for (size_t event = 0; event < count; event++)
			of[i][event] = 1 + (chance(seed, 3) * 4 + (uint32_t)event) % (EVENTS - 1);
		metrics[i] = (struct ctd_pack_metric){of[i], count};
	}
}

/* It is not proven to find the fewest: of these it does. */
static void no_division_has_fewer_groups(void **state)
{
	const struct ctd_pack_core core = core_of(4);
	uint64_t seed = 1;
	int worse = 0;

	(void)state;
	for (int i = 0; i < CASES; i++) {
		struct ctd_pack_event events[EVENTS];
		struct ctd_pack_metric metrics[METRICS], fitting[METRICS];
		struct search search = {&core, events, fitting, 0, 0, METRICS + 1, {{0}}, {0}};
		uint32_t of[METRICS][3];
		struct ctd_pack pack;

		make_case(&seed, events, of, metrics);
		assert_int_equal(ctd_pack(&core, events, metrics, METRICS, &pack), 0);
		check(&core, events, metrics, METRICS, &pack);
		for (size_t metric = 0; metric < METRICS; metric++)
			if (pack.group_of[metric] >= 0)
				fitting[search.metrics_count++] = metrics[metric];
		for (size_t group = 0; group < 8; group++)
			search.events_count[group] = 1;
		divide(&search, 0);
		assert_true(pack.groups_count >= search.best);
		worse += pack.groups_count > search.best;
		ctd_pack_free(&pack);
	}
	assert_int_equal(worse, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_that_share_events_share_a_group),
		cmocka_unit_test(an_event_gives_way_to_one_that_has_fewer_counters),
		cmocka_unit_test(an_event_may_be_on_a_fixed_counter_or_another),
		cmocka_unit_test(parts_of_perf_metrics_take_no_counter),
		cmocka_unit_test(registers_hold_so_many_values),
		cmocka_unit_test(large_increments_take_an_even_counter_and_the_next),
		cmocka_unit_test(what_fits_nowhere_says_why_and_leaves_the_rest),
		cmocka_unit_test(nothing_makes_no_group),
		cmocka_unit_test(no_division_has_fewer_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
