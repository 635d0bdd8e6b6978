/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_scope.c - who runs on other caches, or on another memory node, is not blamed for what those
 * do that share them. */
#include <cgtopdown/neighbour.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "neighbour/detector.h"

#define PERIOD_NS 10000000000ull
#define SAMPLES 300
#define RETIRED 4e9
#define OTHER 2e9 /* slots */
#define USUAL 2e9 /* of memory */
#define GAIN 2.5 /* of them, while the antagonist presses */
#define PRESSING 4e9
#define QUIET 1e-3 /* of it, at other times */
/* The echo does the same as the antagonist, and more, so many samples later. */
#define ECHO 3
#define LATER 3

enum { ANTAGONIST, ECHOING, DECOY, VICTIM, CONTAINERS };
static const char *const keys[CONTAINERS] = {"antagonist", "echo", "decoy", "victim"};

/* Two on each of two nodes. */
static const struct ctd_caches caches = {.count = 4, .node = {0, 0, 1, 1}};
#define EVERYWHERE 100

static bool is_pressing(int sample, int container)
{
	int late = container == ECHOING ? LATER : 0;

	return sample >= 200 + late && (sample - late) % 25 < 12;
}

static double noise(int sample, int container, int kind)
{
	return 1 + .004 * ((sample * (7 + kind) + container * 3) % 11 - 5);
}

static void make_sample(int sample, int container, int cache, struct ctd_neighbour_sample *to)
{
	bool presses = container == ANTAGONIST || container == ECHOING;
	double load = !presses || is_pressing(sample, container) ? 1 : QUIET;
	double memory = presses ? PRESSING : USUAL;
	double gain = container == VICTIM && is_pressing(sample, ANTAGONIST) ? GAIN : 1;

	load *= container == ECHOING ? ECHO : 1;
	*to = (struct ctd_neighbour_sample){
		.names.key = keys[container],
		.known = CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_MEMORY | CTD_NEIGHBOUR_CACHES,
		.counted_by = 1,
		.cpu_ns = PERIOD_NS,
		.retired_slots = (uint64_t)(load * RETIRED * noise(sample, container, 1)),
		.memory_slots = (uint64_t)(load * memory * gain * noise(sample, container, 2)),
	};
	to->slots = to->retired_slots + to->memory_slots +
		    (uint64_t)(load * OTHER * noise(sample, container, 3));
	for (uint32_t i = 0; i < caches.count; i++)
		if (cache == EVERYWHERE)
			to->cache_ns[i] = PERIOD_NS / 10 * (i + 1);
		else if ((int)i == cache)
			to->cache_ns[i] = PERIOD_NS;
}

/* All samples of containers from the first on, judged; each container stays where it is. */
static struct ctd_neighbours *run_from(int first, const int cache_of[CONTAINERS],
				       const struct ctd_caches *machine)
{
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS, .subjects_max = 8};
	struct ctd_neighbour_sample samples[CONTAINERS];
	struct ctd_neighbours *neighbours;

	assert_int_equal(ctd_neighbours_new(&options, &neighbours), 0);
	for (int i = 1; i <= SAMPLES; i++) {
		const struct ctd_neighbour_batch batch = {.time_ns = (uint64_t)i * PERIOD_NS,
							  .window_ns = PERIOD_NS,
							  .samples = &samples[first],
							  .samples_count =
								  (size_t)(CONTAINERS - first),
							  .caches = machine};

		for (int container = 0; container < CONTAINERS; container++)
			make_sample(i, container, cache_of[container], &samples[container]);
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
		ctd_neighbours_judge(neighbours);
	}
	return neighbours;
}

static struct ctd_neighbours *run(const int cache_of[CONTAINERS], const struct ctd_caches *machine)
{
	return run_from(0, cache_of, machine);
}

static const struct ctd_neighbour_tag *tag_of_victim(const struct ctd_neighbours *neighbours)
{
	size_t count;
	const struct ctd_neighbour_tag *tags = ctd_neighbours_tags(neighbours, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(tags[i].victim->key, "victim") == 0 &&
		    tags[i].mechanism == CTD_MECHANISM_MEMORY)
			return &tags[i];
	fail_msg("the victim has no tag");
	return NULL;
}

/* The pressure that reaches the victim is the antagonist's in part or wholly. */
static void assert_blamed(const struct ctd_neighbours *neighbours, enum ctd_scope scope)
{
	const struct ctd_neighbour_tag *tag = tag_of_victim(neighbours);

	assert_int_equal(tag->blame, CTD_BLAME_NEIGHBOUR);
	assert_string_equal(tag->antagonists[0].names->key, "antagonist");
	assert_string_equal(ctd_scope_name(tag->scope), ctd_scope_name(scope));
}

static void assert_alone(const struct ctd_neighbours *neighbours)
{
	const struct ctd_neighbour_tag *tag = tag_of_victim(neighbours);

	assert_int_equal(tag->antagonists_count, 1);
	assert_true(tag->antagonists[0].share > .95);
	assert_true(tag->confidence > .9);
}

static void what_is_done_on_another_cache_does_not_reach_it(void **state)
{
	static const int cache_of[CONTAINERS] = {0, 1, 2, 0};
	struct ctd_neighbours_status status;
	struct ctd_neighbours *neighbours = run(cache_of, &caches);

	(void)state;
	assert_blamed(neighbours, CTD_SCOPE_CACHE);
	assert_alone(neighbours);
	ctd_neighbours_status(neighbours, &status);
	assert_int_equal(status.caches, 4);
	assert_int_equal(status.nodes, 2);
	ctd_neighbours_free(neighbours);
	/* Where nothing is told apart, what it does is taken to reach the victim. */
	neighbours = run(cache_of, NULL);
	assert_blamed(neighbours, CTD_SCOPE_UNKNOWN);
	assert_true(tag_of_victim(neighbours)->confidence < .8);
	ctd_neighbours_status(neighbours, &status);
	assert_int_equal(status.caches, 0);
	ctd_neighbours_free(neighbours);
}

static void who_loads_the_memory_of_a_node_is_named_there(void **state)
{
	static const int cache_of[CONTAINERS] = {1, 2, 0, 0};
	struct ctd_neighbours *neighbours = run(cache_of, &caches);

	(void)state;
	assert_blamed(neighbours, CTD_SCOPE_NODE);
	assert_alone(neighbours);
	ctd_neighbours_free(neighbours);
}

/* Its memory may be on the other node. */
static void who_is_on_another_node_is_named_if_nobody_is_nearer(void **state)
{
	static const int cache_of[CONTAINERS] = {3, 3, 1, 0};
	struct ctd_neighbours *neighbours = run(cache_of, &caches);

	(void)state;
	assert_blamed(neighbours, CTD_SCOPE_MACHINE);
	ctd_neighbours_free(neighbours);
}

/* Of those that run everywhere, none is nearer than another. */
static void who_runs_everywhere_is_judged_as_without_caches(void **state)
{
	static const int cache_of[CONTAINERS] = {EVERYWHERE, EVERYWHERE, EVERYWHERE, EVERYWHERE};
	struct ctd_neighbours *neighbours = run(cache_of, &caches), *without = run(cache_of, NULL);
	const struct ctd_neighbour_tag *tag = tag_of_victim(neighbours);
	const struct ctd_neighbour_tag *other = tag_of_victim(without);

	(void)state;
	assert_blamed(neighbours, CTD_SCOPE_MACHINE);
	assert_true(fabs(tag->confidence - other->confidence) < 1e-4);
	assert_true(fabs(tag->antagonists[0].share - other->antagonists[0].share) < 1e-4);
	ctd_neighbours_free(neighbours);
	ctd_neighbours_free(without);
}

/* Of many numbers of which one is taken out again, something is left: no pressure. And where nobody
 * else was there, that of others is not known. */
static void who_is_alone_is_pressed_by_nobody(void **state)
{
	static const int cache_of[CONTAINERS] = {EVERYWHERE, EVERYWHERE, EVERYWHERE, EVERYWHERE};
	struct ctd_neighbours *neighbours = run_from(VICTIM, cache_of, &caches);
	const struct ctd_neighbour_tag *tag = tag_of_victim(neighbours);

	(void)state;
	assert_int_equal(tag->blame, CTD_BLAME_INPUT);
	assert_int_equal(tag->scope, CTD_SCOPE_UNKNOWN);
	for (size_t i = 0; i < tag->series->count; i++)
		assert_true(isnan(tag->series->pressure[i]));
	ctd_neighbours_free(neighbours);
}

#define MANY 8
#define UNCOUNTED 295 /* a sample in which they are quiet: who always runs is not counted */

/* Too many to name one, on the victim's cache, with an echo on another one, and who always runs. */
static struct ctd_neighbours *run_beside_many(int cache_of_decoy)
{
	static const char *const many[MANY] = {"1", "2", "3", "4", "5", "6", "7", "8"};
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS};
	struct ctd_neighbour_sample samples[MANY + CONTAINERS];
	struct ctd_neighbours *neighbours;

	assert_int_equal(ctd_neighbours_new(&options, &neighbours), 0);
	for (int i = 1; i <= SAMPLES; i++) {
		struct ctd_neighbour_batch batch = {.time_ns = (uint64_t)i * PERIOD_NS,
						    .window_ns = PERIOD_NS,
						    .samples = samples,
						    .caches = &caches};

		make_sample(i, VICTIM, 0, &samples[batch.samples_count++]);
		make_sample(i, ECHOING, 1, &samples[batch.samples_count++]);
		make_sample(i, DECOY, cache_of_decoy, &samples[batch.samples_count++]);
		if (i == UNCOUNTED)
			samples[2].known = CTD_NEIGHBOUR_CACHES;
		for (int k = 0; k < MANY && is_pressing(i, ANTAGONIST); k++) {
			make_sample(i, ANTAGONIST, 0, &samples[batch.samples_count]);
			samples[batch.samples_count++].names.key = many[k];
		}
		assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
		ctd_neighbours_judge(neighbours);
	}
	return neighbours;
}

/* Who ran without being counted may have pressed on those of its own cache, and on nobody else. */
static void who_was_not_counted_on_another_cache_leaves_nothing_unknown(void **state)
{
	(void)state;
	for (int cache = 0; cache <= 2; cache += 2) {
		struct ctd_neighbours *neighbours = run_beside_many(cache);
		const struct ctd_neighbour_tag *tag = tag_of_victim(neighbours);
		const float *pressure = tag->series->pressure;
		size_t at = tag->series->count - 1 - (SAMPLES - UNCOUNTED);

		assert_int_equal(tag->blame, CTD_BLAME_MACHINE);
		assert_int_equal(tag->antagonists_count, 0);
		assert_string_equal(ctd_scope_name(tag->scope), "cache");
		for (size_t i = 0; i < tag->series->count; i++)
			assert_int_equal(!isnan(pressure[i]), i != at || cache != 0);
		if (cache)
			assert_true(pressure[at] == 0 && pressure[at - 1] == 0);
		ctd_neighbours_free(neighbours);
	}
}

/* As of a recording whose next plan is of another machine. */
static void where_it_ran_on_other_caches_says_nothing_of_these(void **state)
{
	static const struct ctd_caches others = {.count = 2, .node = {0, 1}};
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS, .subjects_max = 8};
	struct ctd_neighbour_sample sample;
	struct ctd_neighbour_batch batch = {
		.window_ns = PERIOD_NS, .samples = &sample, .samples_count = 1, .caches = &caches};
	struct ctd_neighbours *neighbours;
	const float *place;

	(void)state;
	assert_int_equal(ctd_neighbours_new(&options, &neighbours), 0);
	make_sample(1, VICTIM, 1, &sample);
	batch.time_ns = PERIOD_NS;
	assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
	ctd_neighbours_judge(neighbours);
	place = neighbours->subjects[0]->place;
	assert_true(place[0] == 0 && place[1] == 1);
	batch.caches = &others;
	batch.time_ns += PERIOD_NS;
	sample.known &= ~(uint32_t)CTD_NEIGHBOUR_CACHES;
	assert_int_equal(ctd_neighbours_add(neighbours, &batch), 0);
	ctd_neighbours_judge(neighbours);
	assert_true(place[0] == .5F && place[1] == .5F);
	ctd_neighbours_free(neighbours);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_done_on_another_cache_does_not_reach_it),
		cmocka_unit_test(who_loads_the_memory_of_a_node_is_named_there),
		cmocka_unit_test(who_is_on_another_node_is_named_if_nobody_is_nearer),
		cmocka_unit_test(who_runs_everywhere_is_judged_as_without_caches),
		cmocka_unit_test(who_is_alone_is_pressed_by_nobody),
		cmocka_unit_test(who_was_not_counted_on_another_cache_leaves_nothing_unknown),
		cmocka_unit_test(where_it_ran_on_other_caches_says_nothing_of_these),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
