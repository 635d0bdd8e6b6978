/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_budget.c - what is given up for a budget, when it comes back, and how often that may change.
 */
#include "collect/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SECOND_NS 1000000000ull
#define WINDOW_NS CTD_BUDGET_WINDOW_NS
#define CPUS 4
#define LIMIT_PPM 5000
#define ALL ((UINT64_C(1) << CTD_BUDGET_PARTS) - 1)
/* Of each window, in which 4 CPUs have 20 s. */
#define ALLOWED_NS (SECOND_NS / 10)
/* What there is to choose between 0 and the limit. */
#define FAR_BELOW_NS (ALLOWED_NS / 2)
#define JUST_BELOW_NS (ALLOWED_NS * 9 / 10)
#define ABOVE_NS (ALLOWED_NS + 1)

/* A machine of which time and cost are made up. */
struct rig {
	struct ctd_budget budget;
	uint64_t now_ns, cost_ns;
	struct ctd_budget_parts parts;
	unsigned int windows; /* since the beginning */
	unsigned int changed_at; /* the window of the last change */
};

static void begin(struct rig *rig, uint64_t measured)
{
	*rig = (struct rig){.now_ns = 77 * SECOND_NS, .cost_ns = 12345, .parts = {measured, 0}};
	ctd_budget_begin(&rig->budget, LIMIT_PPM, 0);
	ctd_budget_settle(&rig->budget, rig->now_ns, rig->cost_ns);
}

static bool is_of_part(const struct ctd_budget_change *change)
{
	return change->step == CTD_BUDGET_GIVE_UP || change->step == CTD_BUDGET_BRING_BACK;
}

/* A window of which so much was spent. */
static struct ctd_budget_change pass(struct rig *rig, uint64_t window_ns, uint64_t cost_ns)
{
	struct ctd_budget_change change;

	rig->now_ns += window_ns;
	rig->cost_ns += cost_ns;
	rig->windows++;
	change = ctd_budget_look(&rig->budget, rig->now_ns, rig->cost_ns, CPUS, &rig->parts);
	if (is_of_part(&change)) {
		rig->changed_at = rig->windows;
		ctd_budget_settle(&rig->budget, rig->now_ns, rig->cost_ns);
	}
	return change;
}

/* @return how many windows of that cost it took until something was changed; 0: nothing was. */
static unsigned int pass_until(struct rig *rig, uint64_t cost_ns, unsigned int most,
			       struct ctd_budget_change *ret_change)
{
	for (unsigned int i = 1; i <= most; i++) {
		*ret_change = pass(rig, WINDOW_NS, cost_ns);
		if (is_of_part(ret_change))
			return i;
	}
	return 0;
}

/* The first window settles. */
#define TO_GIVE_UP (1 + CTD_BUDGET_OVER_WINDOWS)
#define TO_BRING_BACK (1 + CTD_BUDGET_WAIT_LEAST)

static void
parts_are_given_up_one_at_a_time_in_their_order_and_come_back_in_the_opposite_one(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, ALL);
	for (int part = 0; part < CTD_BUDGET_PARTS; part++) {
		assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
		assert_int_equal(change.step, CTD_BUDGET_GIVE_UP);
		assert_int_equal(change.part, part);
		assert_int_equal(rig.budget.state.given_up, (UINT64_C(1) << (part + 1)) - 1);
	}
	for (int part = CTD_BUDGET_PARTS - 1; part >= 0; part--) {
		assert_int_equal(pass_until(&rig, FAR_BELOW_NS, 100, &change), TO_BRING_BACK);
		assert_int_equal(change.step, CTD_BUDGET_BRING_BACK);
		assert_int_equal(change.part, part);
		assert_int_equal(rig.budget.state.given_up, (UINT64_C(1) << part) - 1);
	}
	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		assert_int_equal(rig.budget.state.changes[part], 2);
	assert_int_equal(pass_until(&rig, 0, 1000, &change), 0);
}

static void only_what_is_measured_is_given_up(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, UINT64_C(1) << CTD_BUDGET_LEVEL);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(change.part, CTD_BUDGET_LEVEL);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), 0);
	assert_int_equal(rig.budget.state.given_up, UINT64_C(1) << CTD_BUDGET_LEVEL);
}

static void what_was_asked_for_is_given_up_last_and_comes_back_first(void **state)
{
	static const enum ctd_budget_part order[] = {CTD_BUDGET_FREQUENCY, CTD_BUDGET_ROTATION,
						     CTD_BUDGET_LEVEL, CTD_BUDGET_WAITS,
						     CTD_BUDGET_GENERAL};
	const int count = sizeof(order) / sizeof(*order);
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, ALL & ~(UINT64_C(1) << CTD_BUDGET_INTERVAL));
	rig.parts.asked_for = 1 << CTD_BUDGET_WAITS | 1 << CTD_BUDGET_GENERAL;
	for (int i = 0; i < count; i++) {
		assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
		assert_int_equal(change.part, order[i]);
	}
	for (int i = count - 1; i >= 0; i--) {
		assert_int_equal(pass_until(&rig, FAR_BELOW_NS, 100, &change), TO_BRING_BACK);
		assert_int_equal(change.part, order[i]);
	}
}

static void nothing_changes_within_the_budget_or_without_one(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, ALL);
	assert_int_equal(pass_until(&rig, ALLOWED_NS, 10000, &change), 0);
	assert_int_equal(rig.budget.state.cost_ns, ALLOWED_NS);
	assert_int_equal(rig.budget.state.capacity_ns, CPUS * WINDOW_NS);
	ctd_budget_begin(&rig.budget, 0, 0);
	ctd_budget_settle(&rig.budget, rig.now_ns, rig.cost_ns);
	assert_true(ctd_budget_next_ns(&rig.budget) == UINT64_MAX);
	assert_int_equal(pass_until(&rig, CPUS * WINDOW_NS, 10000, &change), 0);
	assert_int_equal(rig.budget.state.capacity_ns, 0);
}

static void a_peak_of_one_window_gives_up_nothing(void **state)
{
	struct rig rig;

	(void)state;
	begin(&rig, ALL);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(
			pass(&rig, WINDOW_NS, i % 2 ? CPUS * WINDOW_NS : JUST_BELOW_NS).step,
			CTD_BUDGET_STAY);
}

static void a_look_before_its_time_judges_nothing(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, ALL);
	assert_true(ctd_budget_next_ns(&rig.budget) == rig.now_ns + WINDOW_NS);
	for (int i = 0; i < 1000; i++) {
		uint64_t now_ns = rig.now_ns + WINDOW_NS - 1;

		change = ctd_budget_look(&rig.budget, now_ns, rig.cost_ns + WINDOW_NS, CPUS,
					 &rig.parts);
		assert_int_equal(change.step, CTD_BUDGET_STAY);
	}
	assert_int_equal(rig.budget.state.capacity_ns, 0);
}

/* A change loads programs: that is none of what the measurement takes with it. */
static void what_a_change_takes_is_not_judged(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, ALL);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	pass(&rig, WINDOW_NS, CPUS * WINDOW_NS);
	assert_int_equal(rig.budget.state.cost_ns, ABOVE_NS);
	assert_int_equal(pass_until(&rig, JUST_BELOW_NS, 1000, &change), 0);
	assert_int_equal(rig.budget.state.given_up, 1);
}

/* Gives part 0 up and brings it back until the wait is as long as it gets. @return how long that
 * is. */
static unsigned int make_impatient(struct rig *rig)
{
	struct ctd_budget_change change;
	unsigned int windows = 0;

	begin(rig, ALL);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(pass_until(rig, ABOVE_NS, 100, &change) > 0, 1);
		windows = pass_until(rig, FAR_BELOW_NS, 10000, &change);
		assert_int_equal(change.step, CTD_BUDGET_BRING_BACK);
	}
	return windows;
}

static void what_does_not_stay_is_waited_for_longer_each_time_up_to_an_hour(void **state)
{
	struct ctd_budget_change change;
	unsigned int wait = CTD_BUDGET_WAIT_LEAST;
	struct rig rig;

	(void)state;
	begin(&rig, ALL);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	for (int i = 0; i < 20; i++) {
		/* An hour of quiet halves it: then it is over at once. */
		unsigned int expected = wait < CTD_BUDGET_HOUR ? wait : CTD_BUDGET_HOUR;

		assert_int_equal(pass_until(&rig, FAR_BELOW_NS, 10000, &change), 1 + expected);
		assert_int_equal(change.step, CTD_BUDGET_BRING_BACK);
		assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
		assert_int_equal(change.part, 0);
		wait = 2 * wait < CTD_BUDGET_WAIT_MOST ? 2 * wait : CTD_BUDGET_WAIT_MOST;
	}
	assert_int_equal(CTD_BUDGET_HOUR * WINDOW_NS, 3600 * SECOND_NS);
}

static void what_stays_for_hours_is_soon_waited_for_no_longer(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	assert_int_equal(make_impatient(&rig), 1 + CTD_BUDGET_HOUR);
	/* Seven hours: six halve the wait from the most to the least. */
	assert_int_equal(pass_until(&rig, FAR_BELOW_NS, 7 * CTD_BUDGET_HOUR, &change), 0);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), CTD_BUDGET_OVER_WINDOWS);
	assert_int_equal(pass_until(&rig, FAR_BELOW_NS, 100, &change),
			 1 + 2 * CTD_BUDGET_WAIT_LEAST);
	assert_int_equal(change.step, CTD_BUDGET_BRING_BACK);
}

/* One window in @p every is of @p cost_ns, all others are far below the limit. @return how many it
 * took for something to come back; 0: nothing did. */
static unsigned int pass_with_peaks(struct rig *rig, unsigned int every, uint64_t cost_ns,
				    unsigned int most)
{
	for (unsigned int i = 1; i <= most; i++) {
		struct ctd_budget_change change =
			pass(rig, WINDOW_NS, i % every ? FAR_BELOW_NS : cost_ns);

		if (change.step == CTD_BUDGET_BRING_BACK)
			return i;
	}
	return 0;
}

static void a_peak_now_and_then_delays_what_comes_back_and_no_more(void **state)
{
	static const uint64_t peaks[] = {JUST_BELOW_NS, ABOVE_NS, CPUS * WINDOW_NS};

	(void)state;
	for (size_t i = 0; i < sizeof(peaks) / sizeof(*peaks); i++) {
		struct ctd_budget_change change;
		unsigned int windows;
		struct rig rig;

		begin(&rig, ALL);
		assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
		/* Seven of eight are far below: four more than are needed for the peak. */
		windows = pass_with_peaks(&rig, 8, peaks[i], 1000);
		assert_in_range(windows, TO_BRING_BACK + 1, 4 * TO_BRING_BACK);
		/* Also after it did not stay, eight times. */
		make_impatient(&rig);
		assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
		windows = pass_with_peaks(&rig, 8, peaks[i], 10000);
		assert_in_range(windows, CTD_BUDGET_HOUR / 2, 2 * CTD_BUDGET_HOUR);
	}
}

/* Just below the limit what was given up would only have to be given up again. */
static void nothing_comes_back_just_below_the_limit(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, ALL);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(pass_until(&rig, ALLOWED_NS * 3 / 4, 10000, &change), 0);
	/* Nor where half of the windows are. */
	assert_int_equal(pass_with_peaks(&rig, 2, JUST_BELOW_NS, 10000), 0);
}

static unsigned int count_told(struct rig *rig, uint64_t cost_ns)
{
	unsigned int told = 0;

	for (int i = 0; i < 100; i++) {
		struct ctd_budget_change change = pass(rig, WINDOW_NS, cost_ns);

		told += change.step == CTD_BUDGET_EXCEEDED || change.step == CTD_BUDGET_WITHIN;
	}
	return told;
}

static void a_budget_that_cannot_be_kept_is_said_once_until_it_is_kept(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, 1);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(rig.budget.state.exceeded, 0);
	assert_int_equal(count_told(&rig, ABOVE_NS), 1);
	assert_int_equal(rig.budget.state.exceeded, 1);
	assert_int_equal(count_told(&rig, JUST_BELOW_NS), 1);
	assert_int_equal(rig.budget.state.exceeded, 0);
	for (int i = 0; i < 3; i++)
		pass(&rig, WINDOW_NS, ABOVE_NS);
	assert_int_equal(rig.budget.state.exceeded, 1);
	/* More can be given up now: whether that is enough, the next windows tell. */
	rig.parts.measured = 3;
	assert_int_equal(pass_until(&rig, ABOVE_NS, 1, &change), 1);
	assert_int_equal(change.part, 1);
	assert_int_equal(rig.budget.state.exceeded, 1);
	pass(&rig, WINDOW_NS, 0);
	for (int i = 1; i < CTD_BUDGET_WAIT_LEAST; i++)
		pass(&rig, WINDOW_NS, JUST_BELOW_NS);
	assert_int_equal(rig.budget.state.exceeded, 1);
	assert_int_equal(pass(&rig, WINDOW_NS, JUST_BELOW_NS).step, CTD_BUDGET_WITHIN);
	assert_int_equal(rig.budget.state.exceeded, 0);
}

static void a_part_that_cannot_be_changed_is_left_alone_for_a_while(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, 3);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(change.part, 0);
	ctd_budget_refuse(&rig.budget, &change, CTD_BUDGET_BARRED_WINDOWS);
	assert_int_equal(rig.budget.state.given_up, 0);
	assert_int_equal(rig.budget.state.changes[0], 0);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(change.part, 1);
	assert_int_equal(pass_until(&rig, ABOVE_NS, CTD_BUDGET_BARRED_WINDOWS - 3, &change), 0);
	/* What is left cannot be had: a trial that fails changes nothing of that. */
	assert_int_equal(rig.budget.state.exceeded, 1);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 2, &change), 2);
	assert_int_equal(change.part, 0);
	ctd_budget_refuse(&rig.budget, &change, CTD_BUDGET_BARRED_WINDOWS);
	assert_int_equal(rig.budget.state.exceeded, 1);
	assert_int_equal(pass_until(&rig, ABOVE_NS, CTD_BUDGET_BARRED_WINDOWS + 1, &change),
			 CTD_BUDGET_BARRED_WINDOWS + 1);
	assert_int_equal(change.part, 0);
	/* The way back, too. */
	assert_true(pass_until(&rig, 0, 100, &change) >= TO_BRING_BACK);
	assert_int_equal(change.part, 1);
	ctd_budget_refuse(&rig.budget, &change, CTD_BUDGET_BARRED_WINDOWS);
	assert_int_equal(rig.budget.state.given_up, 3);
	assert_int_equal(pass_until(&rig, 0, 100, &change), TO_BRING_BACK);
	assert_int_equal(change.part, 0);
}

/* The two are left alone for times of their own. */
static void a_part_that_is_busy_is_tried_again_soon(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, 3);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	ctd_budget_refuse(&rig.budget, &change, CTD_BUDGET_BARRED_WINDOWS);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(change.part, 1);
	ctd_budget_refuse(&rig.budget, &change, CTD_BUDGET_BUSY_WINDOWS);
	assert_int_equal(rig.budget.state.given_up, 0);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), CTD_BUDGET_BUSY_WINDOWS + 1);
	assert_int_equal(change.part, 1);
	assert_int_equal(rig.budget.state.given_up, 2);
}

/* Part 0 came back, and cannot be given up again: it stays, so nothing has to be waited for longer.
 */
static void what_could_not_be_given_up_again_makes_no_wait_longer(void **state)
{
	struct ctd_budget_change change;
	struct rig rig;

	(void)state;
	begin(&rig, 3);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(pass_until(&rig, FAR_BELOW_NS, 100, &change), TO_BRING_BACK);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(change.part, 0);
	ctd_budget_refuse(&rig.budget, &change, CTD_BUDGET_BARRED_WINDOWS);
	assert_int_equal(pass_until(&rig, ABOVE_NS, 100, &change), TO_GIVE_UP);
	assert_int_equal(change.part, 1);
	assert_int_equal(pass_until(&rig, FAR_BELOW_NS, 100, &change), TO_BRING_BACK);
	assert_int_equal(change.part, 1);
}

/* From here on loads that nobody made up by hand. */

static uint32_t draw(uint64_t *random, uint32_t below)
{
	*random = *random * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(*random >> 33) % below;
}

struct world {
	uint64_t random;
	struct rig rig;
	uint64_t base_ns, part_ns[CTD_BUDGET_PARTS]; /* of a window, at a load of 100 */
	uint32_t load;
};

static uint64_t cost_of(const struct world *world)
{
	uint64_t cost_ns = world->base_ns;

	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		if (world->rig.parts.measured >> part & 1 &&
		    !ctd_budget_gave_up(&world->rig.budget.state, part))
			cost_ns += world->part_ns[part];
	return cost_ns * world->load / 100;
}

/* The next window, with what must hold whenever something changes. */
static void live(struct world *world, unsigned int *windows_over, unsigned int *changes)
{
	struct rig *rig = &world->rig;
	uint64_t before = rig->budget.state.given_up, noise = draw(&world->random, 5);
	uint64_t window_ns = WINDOW_NS + draw(&world->random, 2) * draw(&world->random, 1000000);
	uint64_t cost_ns = cost_of(world);
	unsigned int since = rig->windows + 1 - rig->changed_at;
	struct ctd_budget_change change = pass(rig, window_ns, cost_ns + cost_ns * noise / 400);
	uint64_t changed = before ^ rig->budget.state.given_up;

	*windows_over += cost_ns > ALLOWED_NS;
	*changes += is_of_part(&change);
	if (!is_of_part(&change)) {
		assert_int_equal(changed, 0);
		return;
	}
	assert_int_equal(changed, UINT64_C(1) << change.part);
	if (change.step == CTD_BUDGET_GIVE_UP)
		assert_true(changed & rig->budget.state.given_up & rig->parts.measured);
	/* No change sooner than its bound. */
	if (since < (change.step == CTD_BUDGET_GIVE_UP ? TO_GIVE_UP : TO_BRING_BACK))
		fail_msg("window %u: step %d after %u", rig->windows, change.step, since);
}

/* From the shortest wait to the longest. */
#define DOUBLINGS 6

static void make_world(struct world *world, uint64_t seed)
{
	*world = (struct world){.random = seed, .load = 100};
	begin(&world->rig, draw(&world->random, (uint32_t)ALL + 1));
	world->base_ns = draw(&world->random, ALLOWED_NS);
	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		world->part_ns[part] = draw(&world->random, (uint32_t)ALLOWED_NS);
}

static bool can_be_kept(const struct world *world)
{
	/* With all noise. */
	return (world->base_ns + world->base_ns / 100) * world->load / 100 < ALLOWED_NS;
}

/* Lives that are tried. Sanitizers look for other faults, and take ten times as long. */
#ifdef __SANITIZE_ADDRESS__
#define WORLDS 200
#else
#define WORLDS 2000
#endif

static void whatever_the_load_changes_keep_their_distance_and_end_within_the_budget(void **state)
{
	int kept = 0, tight = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= WORLDS; seed++) {
		unsigned int over = 0, changes = 0;
		struct world world;

		make_world(&world, seed);
		for (int i = 0; i < 3000; i++) {
			if (!draw(&world.random, 30))
				world.load = draw(&world.random, 300);
			live(&world, &over, &changes);
		}
		/* A load that lasts: all that it takes is given up in so many windows. */
		world.load = 20 + draw(&world.random, 200);
		for (int i = 0; i < TO_GIVE_UP * (CTD_BUDGET_PARTS + 1); i++)
			live(&world, &over, &changes);
		over = changes = 0;
		for (int i = 0; i < 20000; i++)
			live(&world, &over, &changes);
		/* Also where noise decides. */
		if (changes > 2 * 20000 / CTD_BUDGET_HOUR + 2 * DOUBLINGS + CTD_BUDGET_PARTS)
			fail_msg("seed %llu: %u changes", (unsigned long long)seed, changes);
		if (!can_be_kept(&world)) {
			tight++;
			continue;
		}
		kept++;
		/* Above it only while something was tried that does not fit. */
		if (over > changes / 2 * TO_GIVE_UP + TO_GIVE_UP)
			fail_msg("seed %llu: %u windows of 20000 above the budget, %u changes",
				 (unsigned long long)seed, over, changes);
		assert_int_equal(world.rig.budget.state.exceeded, 0);
	}
	/* The traces are of both kinds. */
	assert_true(kept > WORLDS / 4 && tight > WORLDS / 20);
}

static void what_there_is_room_for_is_there_in_the_end(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		unsigned int over = 0, changes = 0;
		struct world world;

		make_world(&world, seed);
		world.load = 300;
		for (int i = 0; i < 200; i++)
			live(&world, &over, &changes);
		/* All of it costs half of what is allowed. */
		world.base_ns = FAR_BELOW_NS / 2;
		memset(world.part_ns, 0, sizeof(world.part_ns));
		world.load = 100;
		for (unsigned int i = 0; i < CTD_BUDGET_WAIT_MOST * (CTD_BUDGET_PARTS + 1); i++)
			live(&world, &over, &changes);
		assert_int_equal(world.rig.budget.state.given_up, 0);
	}
}

static void every_part_has_a_name_of_its_own(void **state)
{
	(void)state;
	for (int part = 0; part < CTD_BUDGET_PARTS; part++) {
		assert_true(*ctd_budget_part_text(part));
		for (int other = 0; other < part; other++)
			assert_string_not_equal(ctd_budget_part_name(part),
						ctd_budget_part_name(other));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			parts_are_given_up_one_at_a_time_in_their_order_and_come_back_in_the_opposite_one),
		cmocka_unit_test(only_what_is_measured_is_given_up),
		cmocka_unit_test(what_was_asked_for_is_given_up_last_and_comes_back_first),
		cmocka_unit_test(nothing_changes_within_the_budget_or_without_one),
		cmocka_unit_test(a_peak_of_one_window_gives_up_nothing),
		cmocka_unit_test(a_look_before_its_time_judges_nothing),
		cmocka_unit_test(what_a_change_takes_is_not_judged),
		cmocka_unit_test(what_does_not_stay_is_waited_for_longer_each_time_up_to_an_hour),
		cmocka_unit_test(what_stays_for_hours_is_soon_waited_for_no_longer),
		cmocka_unit_test(a_peak_now_and_then_delays_what_comes_back_and_no_more),
		cmocka_unit_test(nothing_comes_back_just_below_the_limit),
		cmocka_unit_test(a_budget_that_cannot_be_kept_is_said_once_until_it_is_kept),
		cmocka_unit_test(a_part_that_cannot_be_changed_is_left_alone_for_a_while),
		cmocka_unit_test(a_part_that_is_busy_is_tried_again_soon),
		cmocka_unit_test(what_could_not_be_given_up_again_makes_no_wait_longer),
		cmocka_unit_test(
			whatever_the_load_changes_keep_their_distance_and_end_within_the_budget),
		cmocka_unit_test(what_there_is_room_for_is_there_in_the_end),
		cmocka_unit_test(every_part_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
