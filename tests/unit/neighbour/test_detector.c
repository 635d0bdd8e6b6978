/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_detector.c - tags begin and end as they should, and say whose doing a loss is. */
#include <cgtopdown/neighbour.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PERIOD_NS 100000000ull
#define CONTAINERS 4
enum { VICTIM, ONE, TWO, THREE };

static const char *const keys[CONTAINERS] = {"victim", "one", "two", "three"};

struct run {
	struct ctd_neighbours *neighbours;
	uint64_t time_ns;
	struct ctd_neighbour_sample samples[CONTAINERS];
	struct ctd_neighbour_pair pairs[CONTAINERS];
};

static struct run start(void)
{
	struct run run = {.time_ns = 1000 * PERIOD_NS};
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS, .subjects_max = 16};

	assert_int_equal(ctd_neighbours_new(&options, &run.neighbours), 0);
	for (size_t i = 0; i < CONTAINERS; i++) {
		run.samples[i] = (struct ctd_neighbour_sample){
			.names = {.key = keys[i], .pod = keys[i]},
			.known = CTD_NEIGHBOUR_WAITS,
			.cpu_ns = PERIOD_NS / 4,
		};
		run.pairs[i] = (struct ctd_neighbour_pair){.victim = VICTIM, .other = (uint32_t)i};
	}
	return run;
}

/* @return what add() said. */
static int step(struct run *run)
{
	const struct ctd_neighbour_batch batch = {
		.time_ns = run->time_ns += PERIOD_NS,
		.window_ns = PERIOD_NS,
		.samples = run->samples,
		.samples_count = CONTAINERS,
		.pairs = run->pairs,
		.pairs_count = CONTAINERS,
	};
	int error = ctd_neighbours_add(run->neighbours, &batch);

	if (!error)
		ctd_neighbours_judge(run->neighbours);
	return error;
}

static const struct ctd_neighbour_tag *tag_of(const struct run *run, enum ctd_mechanism mechanism)
{
	size_t count;
	const struct ctd_neighbour_tag *tags = ctd_neighbours_tags(run->neighbours, &count);

	for (size_t i = 0; i < count; i++)
		if (tags[i].mechanism == mechanism && strcmp(tags[i].victim->key, "victim") == 0)
			return &tags[i];
	return NULL;
}

/* @return samples until the tag is there, or is not; 100: it never is. */
static int steps_until(struct run *run, enum ctd_mechanism mechanism, bool tagged)
{
	for (int i = 1; i < 100; i++) {
		assert_int_equal(step(run), 0);
		if ((tag_of(run, mechanism) != NULL) == tagged)
			return i;
	}
	return 100;
}

/* The victim waits; @p parts are of kinds of waits, and of others. In per cent of the period. */
static void wait_for(struct run *run, unsigned int own, unsigned int kernel, unsigned int shorts,
		     unsigned int one, unsigned int two, unsigned int three)
{
	const uint64_t unit = PERIOD_NS / 100;
	struct ctd_neighbour_waits *waits = &run->samples[VICTIM].waits;

	run->pairs[ONE].wait_ns = one * unit;
	run->pairs[TWO].wait_ns = two * unit;
	run->pairs[THREE].wait_ns = three * unit;
	*waits = (struct ctd_neighbour_waits){
		.count = 10,
		.own_ns = own * unit,
		.kernel_ns = kernel * unit,
		.short_ns = shorts * unit,
		.other_ns = (one + two + three) * unit,
		.wait_ns = (own + kernel + shorts + one + two + three) * unit,
	};
}

static double evidence(const struct ctd_neighbour_tag *tag, const char *name)
{
	for (size_t i = 0; i < tag->evidence_count; i++)
		if (strcmp(tag->evidence[i].name, name) == 0)
			return tag->evidence[i].value;
	fail_msg("there is no evidence '%s'", name);
	return NAN;
}

static void who_has_the_cpu_is_tagged_within_six_samples_and_let_go(void **state)
{
	struct run run = start();
	const struct ctd_neighbour_tag *tag;
	uint64_t began_ns;

	(void)state;
	for (int i = 0; i < 20; i++)
		assert_int_equal(step(&run), 0);
	assert_null(tag_of(&run, CTD_MECHANISM_RUN_QUEUE));
	wait_for(&run, 5, 1, 2, 20, 2, 0);
	began_ns = run.time_ns + PERIOD_NS;
	assert_in_range(steps_until(&run, CTD_MECHANISM_RUN_QUEUE, true), 2, 6);
	for (int i = 0; i < 40; i++)
		assert_int_equal(step(&run), 0);
	tag = tag_of(&run, CTD_MECHANISM_RUN_QUEUE);
	assert_int_equal(tag->blame, CTD_BLAME_NEIGHBOUR);
	assert_int_equal(tag->antagonists_count, 1);
	assert_string_equal(tag->antagonists[0].names->key, "one");
	assert_string_equal(tag->antagonists[0].names->pod, "one");
	/* 20 of the 23 hundredths that are neither its own nor short. */
	assert_true(fabs(tag->antagonists[0].share - 20. / 23) < .01);
	assert_true(fabs(tag->loss_cpus - .22) < .005);
	assert_false(tag->loss_slots_known);
	assert_true(fabs(evidence(tag, "slowed_ratio") - .22 / .47) < .01);
	assert_in_range(tag->since_ns, began_ns, began_ns + 3 * PERIOD_NS);
	wait_for(&run, 5, 1, 2, 0, 0, 0);
	assert_in_range(steps_until(&run, CTD_MECHANISM_RUN_QUEUE, false), 3, 30);
	ctd_neighbours_free(run.neighbours);
}

static void the_blame_is_that_of_the_waits(void **state)
{
	static const struct {
		int line;
		unsigned int own, kernel, shorts, one, two, three;
		bool tagged;
		enum ctd_blame blame;
		size_t antagonists;
	} cases[] = {
		{__LINE__, 0, 0, 0, 20, 0, 0, true, CTD_BLAME_NEIGHBOUR, 1},
		{__LINE__, 0, 0, 0, 8, 7, 6, true, CTD_BLAME_NEIGHBOUR, 3},
		{__LINE__, 0, 40, 0, 4, 3, 3, true, CTD_BLAME_MACHINE, 0},
		{__LINE__, 30, 0, 0, 0, 0, 0, true, CTD_BLAME_SELF, 0},
		{__LINE__, 0, 0, 60, 0, 0, 0, false, CTD_BLAME_SELF, 0},
		{__LINE__, 2, 0, 0, 1, 0, 0, false, CTD_BLAME_SELF, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run run = start();
		const struct ctd_neighbour_tag *tag;

		wait_for(&run, cases[i].own, cases[i].kernel, cases[i].shorts, cases[i].one,
			 cases[i].two, cases[i].three);
		for (int k = 0; k < 20; k++)
			assert_int_equal(step(&run), 0);
		tag = tag_of(&run, CTD_MECHANISM_RUN_QUEUE);
		if ((tag != NULL) != cases[i].tagged ||
		    (tag && (tag->blame != cases[i].blame ||
			     tag->antagonists_count != cases[i].antagonists)))
			fail_msg("line %d: %s, blame %s, %zu antagonists", cases[i].line,
				 tag ? "tagged" : "not tagged",
				 tag ? ctd_blame_name(tag->blame) : "-",
				 tag ? tag->antagonists_count : 0);
		ctd_neighbours_free(run.neighbours);
	}
}

static void its_own_limit_is_no_neighbour(void **state)
{
	struct run run = start();
	const struct ctd_neighbour_tag *tag;

	(void)state;
	run.samples[VICTIM].known |= CTD_NEIGHBOUR_THROTTLING;
	run.samples[VICTIM].throttling = (struct ctd_neighbour_throttling){
		.periods = 10, .throttled = 4, .throttled_ns = PERIOD_NS / 5, .limit_cpus = .2};
	run.samples[VICTIM].waits = (struct ctd_neighbour_waits){
		.count = 3, .wait_ns = PERIOD_NS / 5, .throttled_ns = PERIOD_NS / 5};
	assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, true), 2, 6);
	tag = tag_of(&run, CTD_MECHANISM_THROTTLING);
	assert_int_equal(tag->blame, CTD_BLAME_SELF);
	assert_true(fabs(evidence(tag, "throttled_ratio") - .4) < .01);
	assert_true(fabs(evidence(tag, "limit_cpus") - .2) < 1e-9);
	assert_true(fabs(tag->loss_cpus - .2) < .01);
	assert_null(tag_of(&run, CTD_MECHANISM_RUN_QUEUE));
	/* It is raised, and nothing is stopped any more; */
	run.samples[VICTIM].waits = (struct ctd_neighbour_waits){0};
	run.samples[VICTIM].throttling.throttled = 0;
	run.samples[VICTIM].throttling.throttled_ns = 0;
	assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, false), 3, 30);
	/* or it is taken away. */
	run.samples[VICTIM].throttling.throttled = 4;
	run.samples[VICTIM].throttling.throttled_ns = PERIOD_NS / 5;
	assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, true), 2, 6);
	run.samples[VICTIM].throttling = (struct ctd_neighbour_throttling){0};
	assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, false), 3, 4);
	ctd_neighbours_free(run.neighbours);
}

static void a_limit_above_it_is_told_from_its_own(void **state)
{
	struct run run = start();
	struct ctd_neighbour_sample *victim = &run.samples[VICTIM];
	const struct ctd_neighbour_tag *tag;

	(void)state;
	/* Its own limit hardly ever stops it; in a fifth of its time that of its pod does. */
	victim->known |= CTD_NEIGHBOUR_THROTTLING;
	victim->names.cgroup = "/pod/one";
	victim->throttling = (struct ctd_neighbour_throttling){.periods = 100,
							       .throttled = 1,
							       .limit_cpus = .9,
							       .above_bytes = 4,
							       .above_limit_cpus = .5};
	victim->waits = (struct ctd_neighbour_waits){
		.count = 3, .wait_ns = PERIOD_NS / 16, .throttled_ns = PERIOD_NS / 16};
	assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, true), 2, 6);
	tag = tag_of(&run, CTD_MECHANISM_THROTTLING);
	assert_int_equal(tag->blame, CTD_BLAME_SELF);
	assert_int_equal(tag->limit_bytes, 4);
	assert_true(fabs(evidence(tag, "stopped_ratio") - .2) < .001);
	assert_true(fabs(evidence(tag, "limit_cpus") - .5) < 1e-9);
	assert_true(fabs(tag->loss_cpus - 1. / 16) < .001);
	assert_null(tag_of(&run, CTD_MECHANISM_RUN_QUEUE));
	/* From here on its own does. */
	victim->throttling.throttled = 10;
	for (int i = 0; i < 20; i++)
		assert_int_equal(step(&run), 0);
	tag = tag_of(&run, CTD_MECHANISM_THROTTLING);
	assert_int_equal(tag->limit_bytes, 0);
	assert_true(fabs(evidence(tag, "limit_cpus") - .9) < 1e-9);
	/* And then neither: without waits for it the limit above stops nothing. */
	victim->throttling = (struct ctd_neighbour_throttling){0};
	victim->waits = (struct ctd_neighbour_waits){0};
	assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, false), 3, 4);
	ctd_neighbours_free(run.neighbours);
}

/* A fifth of its time it waits for a limit above it. */
static void stop_by_a_limit_above(struct run *run, const char *cgroup, size_t above_bytes)
{
	struct ctd_neighbour_sample *victim = &run->samples[VICTIM];

	victim->names.cgroup = cgroup;
	victim->throttling.above_bytes = above_bytes;
	victim->throttling.above_limit_cpus = .5;
	victim->waits = (struct ctd_neighbour_waits){
		.count = 3, .wait_ns = PERIOD_NS / 16, .throttled_ns = PERIOD_NS / 16};
}

/* The ratio of what it was stopped to what it ran gets less no faster than both do. */
static void a_limit_that_is_gone_is_tagged_no_more(void **state)
{
	(void)state;
	for (int own = 0; own < 2; own++) {
		struct run run = start();
		struct ctd_neighbour_sample *victim = &run.samples[VICTIM];

		if (own) {
			victim->known |= CTD_NEIGHBOUR_THROTTLING;
			victim->throttling = (struct ctd_neighbour_throttling){
				.periods = 10, .throttled = 8, .limit_cpus = .2};
		}
		stop_by_a_limit_above(&run, "/pod/one", own ? 0 : 4);
		victim->cpu_ns = PERIOD_NS / 5;
		victim->waits.wait_ns = victim->waits.throttled_ns = PERIOD_NS * 4 / 5;
		assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, true), 2, 6);
		for (int i = 0; i < 20; i++)
			assert_int_equal(step(&run), 0);
		victim->throttling = (struct ctd_neighbour_throttling){0};
		victim->waits = (struct ctd_neighbour_waits){0};
		victim->cpu_ns = PERIOD_NS;
		assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, false), 3, 4);
		for (int i = 0; i < 20; i++) {
			assert_int_equal(step(&run), 0);
			assert_null(tag_of(&run, CTD_MECHANISM_THROTTLING));
		}
		ctd_neighbours_free(run.neighbours);
	}
}

static void an_own_limit_that_hardly_stops_it_hides_none_above(void **state)
{
	struct run run = start();

	(void)state;
	run.samples[VICTIM].known |= CTD_NEIGHBOUR_THROTTLING;
	run.samples[VICTIM].throttling =
		(struct ctd_neighbour_throttling){.periods = 100, .throttled = 3, .limit_cpus = .9};
	stop_by_a_limit_above(&run, "/pod/one", 4);
	assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, true), 2, 6);
	assert_int_equal(tag_of(&run, CTD_MECHANISM_THROTTLING)->limit_bytes, 4);
	ctd_neighbours_free(run.neighbours);
}

/* Once it was stopped by one above, and from here on by its own. */
static void a_limit_above_that_stops_it_no_more_is_forgotten(void **state)
{
	struct run run = start();
	struct ctd_neighbour_sample *victim = &run.samples[VICTIM];

	(void)state;
	victim->known |= CTD_NEIGHBOUR_THROTTLING;
	stop_by_a_limit_above(&run, "/pod/one", 4);
	assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, true), 2, 6);
	/* Not often enough for a tag by its periods, and in a fifth of its time. */
	victim->throttling =
		(struct ctd_neighbour_throttling){.periods = 100, .throttled = 3, .limit_cpus = .9};
	for (int i = 0; i < 20; i++)
		assert_int_equal(step(&run), 0);
	assert_int_equal(tag_of(&run, CTD_MECHANISM_THROTTLING)->limit_bytes, 0);
	assert_true(fabs(evidence(tag_of(&run, CTD_MECHANISM_THROTTLING), "limit_cpus") - .9) <
		    1e-9);
	ctd_neighbours_free(run.neighbours);
}

static void a_limit_above_is_others_doing_where_others_have_it_too(void **state)
{
#define PODS "/kubepods/burstable"
#define POD "/pod01234567-89ab-cdef-0123-456789abcdef"
#define ID_A "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define ID_B "/bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	static const struct {
		int line;
		const char *limit, *below, *other;
		enum ctd_blame blame;
	} cases[] = {
		/* All containers of a pod are of one owner; */
		{__LINE__, PODS POD, ID_A, PODS POD ID_B, CTD_BLAME_SELF},
		/* what is above is of other pods. */
		{__LINE__, PODS, POD ID_A, NULL, CTD_BLAME_MACHINE},
		{__LINE__, "/docker", ID_A, "/docker" ID_B, CTD_BLAME_MACHINE},
		{__LINE__, "/docker", ID_A, "/docker" ID_A, CTD_BLAME_SELF},
		{__LINE__, "/some.slice", "/a.service", "/some.slice/b.service", CTD_BLAME_MACHINE},
		{__LINE__, "/some.slice", "/a.service", "/other.slice/b.service", CTD_BLAME_SELF},
		{__LINE__, "/some.slice", "/a.service", "/some.slices/b.service", CTD_BLAME_SELF},
		{__LINE__, "/some.slice/a.service", "/one", "/some.slice/a.service/two",
		 CTD_BLAME_SELF},
		{__LINE__, "/plain", "/one", "/plain/two", CTD_BLAME_MACHINE},
		{__LINE__, "/plain", "/one", "/plain/one/below", CTD_BLAME_SELF},
		{__LINE__, "/plain", "/one", "/plain", CTD_BLAME_SELF},
		{__LINE__, "/plain", "/one", NULL, CTD_BLAME_SELF},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run run = start();
		const struct ctd_neighbour_tag *tag;
		char cgroup[256];

		snprintf(cgroup, sizeof(cgroup), "%s%s", cases[i].limit, cases[i].below);
		stop_by_a_limit_above(&run, cgroup, strlen(cases[i].limit));
		run.samples[ONE].names.cgroup = cases[i].other;
		assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, true), 2, 6);
		tag = tag_of(&run, CTD_MECHANISM_THROTTLING);
		if (tag->blame != cases[i].blame || tag->limit_bytes != strlen(cases[i].limit))
			fail_msg("line %d: blame %s", cases[i].line, ctd_blame_name(tag->blame));
		ctd_neighbours_free(run.neighbours);
	}
}

static void who_runs_beside_it_on_the_core_is_named_with_the_slowdown(void **state)
{
	struct run run = start();
	struct ctd_neighbour_sample *victim = &run.samples[VICTIM];
	const struct ctd_neighbour_tag *tag;

	(void)state;
	victim->known |= CTD_NEIGHBOUR_SIBLINGS | CTD_NEIGHBOUR_SLOTS;
	victim->slots = 1000000;
	victim->retired_slots = 400000;
	/* At 2 slots per ns alone, at 1 beside others. */
	victim->siblings[CTD_SIBLING_IDLE] =
		(struct ctd_neighbour_sibling){PERIOD_NS / 8, PERIOD_NS / 4};
	victim->siblings[CTD_SIBLING_OTHER] =
		(struct ctd_neighbour_sibling){PERIOD_NS / 8, PERIOD_NS / 8};
	run.pairs[ONE].together_ns = PERIOD_NS / 10;
	run.pairs[TWO].together_ns = PERIOD_NS / 40;
	assert_in_range(steps_until(&run, CTD_MECHANISM_SMT, true), 3, 6);
	tag = tag_of(&run, CTD_MECHANISM_SMT);
	assert_int_equal(tag->blame, CTD_BLAME_NEIGHBOUR);
	assert_int_equal(tag->antagonists_count, 2);
	assert_string_equal(tag->antagonists[0].names->key, "one");
	assert_true(fabs(tag->antagonists[0].share - .8) < .01);
	assert_true(fabs(evidence(tag, "slower_beside_others_ratio") - .5) < .01);
	assert_true(fabs(tag->loss_cpus - .25 * .25) < .005);
	victim->siblings[CTD_SIBLING_OTHER].retired_slots = PERIOD_NS / 4;
	assert_in_range(steps_until(&run, CTD_MECHANISM_SMT, false), 6, 60);
	ctd_neighbours_free(run.neighbours);
}

/* Half of the samples are without them, as another program has the counters. */
static void slots_lost_are_those_of_time_in_which_they_were_counted(void **state)
{
	static const enum ctd_mechanism mechanisms[] = {
		CTD_MECHANISM_RUN_QUEUE, CTD_MECHANISM_THROTTLING, CTD_MECHANISM_SMT};
	/* It has a slot in each 25 ns that it runs. */
	const double in_a_period = PERIOD_NS / 4 / 25., per_ns = in_a_period / (PERIOD_NS / 4.);
	struct run run = start();
	struct ctd_neighbour_sample *victim = &run.samples[VICTIM];

	(void)state;
	victim->known |= CTD_NEIGHBOUR_SIBLINGS | CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_THROTTLING;
	victim->slots = (uint64_t)in_a_period;
	victim->retired_slots = victim->slots / 2;
	/* Half as fast for half of its time: a quarter is lost. */
	victim->siblings[CTD_SIBLING_IDLE] = (struct ctd_neighbour_sibling){PERIOD_NS / 8, 400000};
	victim->siblings[CTD_SIBLING_OTHER] = (struct ctd_neighbour_sibling){PERIOD_NS / 8, 200000};
	wait_for(&run, 0, 0, 0, 20, 0, 0);
	victim->waits.throttled_ns = PERIOD_NS / 10;
	victim->throttling = (struct ctd_neighbour_throttling){
		.periods = 10, .throttled = 4, .throttled_ns = PERIOD_NS / 10};
	for (int i = 0; i < 68 * 30; i++) {
		if (i % 30 == 0)
			victim->known ^= CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_SIBLINGS;
		assert_int_equal(step(&run), 0);
	}
	for (size_t i = 0; i < sizeof(mechanisms) / sizeof(mechanisms[0]); i++) {
		/* The sums of what decays by 1/n a sample are those of n samples. */
		const double wanted[CTD_MECHANISMS] = {
			[CTD_MECHANISM_RUN_QUEUE] = 6 * (PERIOD_NS / 5.) * per_ns,
			[CTD_MECHANISM_THROTTLING] = 6 * (PERIOD_NS / 10.) * per_ns,
			[CTD_MECHANISM_SMT] = 30 * (PERIOD_NS / 16.) * per_ns,
		};
		const struct ctd_neighbour_tag *tag = tag_of(&run, mechanisms[i]);

		assert_non_null(tag);
		assert_true(tag->loss_slots_known);
		if (fabs(tag->loss_slots / wanted[mechanisms[i]] - 1) > 1e-9)
			fail_msg("%s: %f slots for %f", ctd_mechanism_name(mechanisms[i]),
				 tag->loss_slots, wanted[mechanisms[i]]);
	}
	ctd_neighbours_free(run.neighbours);
}

static void nothing_is_tagged_from_data_that_is_not_there(void **state)
{
	struct run run = start();
	size_t count;

	(void)state;
	wait_for(&run, 0, 0, 0, 50, 0, 0);
	run.samples[VICTIM].throttling =
		(struct ctd_neighbour_throttling){.periods = 10, .throttled = 10};
	run.samples[VICTIM].known = 0;
	for (int i = 0; i < 200; i++)
		assert_int_equal(step(&run), 0);
	ctd_neighbours_tags(run.neighbours, &count);
	assert_int_equal(count, 0);
	ctd_neighbours_free(run.neighbours);
}

static void a_clock_that_steps_back_costs_one_batch(void **state)
{
	struct run run = start();
	struct ctd_neighbours_status status;

	(void)state;
	assert_int_equal(step(&run), 0);
	run.time_ns -= 10 * PERIOD_NS;
	assert_int_equal(step(&run), -EINVAL);
	assert_int_equal(step(&run), 0);
	/* And one that steps on by a year is a gap. */
	run.time_ns += 365ull * 86400 * 1000000000;
	assert_int_equal(step(&run), 0);
	ctd_neighbours_status(run.neighbours, &status);
	assert_int_equal(status.refused_batches, 1);
	assert_int_equal(status.batches, 3);
	assert_int_equal(status.subjects, CONTAINERS);
	ctd_neighbours_free(run.neighbours);
}

static void what_finds_no_room_is_counted(void **state)
{
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS, .subjects_max = 2};
	struct run run = start();
	struct ctd_neighbours_status status;

	(void)state;
	ctd_neighbours_free(run.neighbours);
	assert_int_equal(ctd_neighbours_new(&options, &run.neighbours), 0);
	assert_int_equal(step(&run), 0);
	assert_int_equal(step(&run), 0);
	ctd_neighbours_status(run.neighbours, &status);
	assert_int_equal(status.subjects, 2);
	assert_int_equal(status.refused_samples, 4);
	/* Those that are gone give way. */
	for (int i = 0; i < 3; i++) {
		run.samples[VICTIM].names.key = "four";
		run.samples[ONE].names.key = "five";
		assert_int_equal(step(&run), 0);
	}
	ctd_neighbours_status(run.neighbours, &status);
	assert_true(status.refused_samples < 4 + 3 * 4);
	ctd_neighbours_free(run.neighbours);
}

/* What it waited is less with each sample, but no smaller part of what it ran. */
static void who_is_not_there_any_more_is_let_go(void **state)
{
	struct run run = start();

	(void)state;
	wait_for(&run, 0, 0, 0, 60, 0, 0);
	assert_true(steps_until(&run, CTD_MECHANISM_RUN_QUEUE, true) <= 6);
	run.samples[VICTIM] = run.samples[THREE];
	wait_for(&run, 0, 0, 0, 0, 0, 0);
	assert_int_equal(steps_until(&run, CTD_MECHANISM_RUN_QUEUE, false), 6);
	ctd_neighbours_free(run.neighbours);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_has_the_cpu_is_tagged_within_six_samples_and_let_go),
		cmocka_unit_test(the_blame_is_that_of_the_waits),
		cmocka_unit_test(its_own_limit_is_no_neighbour),
		cmocka_unit_test(a_limit_above_it_is_told_from_its_own),
		cmocka_unit_test(a_limit_that_is_gone_is_tagged_no_more),
		cmocka_unit_test(an_own_limit_that_hardly_stops_it_hides_none_above),
		cmocka_unit_test(a_limit_above_that_stops_it_no_more_is_forgotten),
		cmocka_unit_test(a_limit_above_is_others_doing_where_others_have_it_too),
		cmocka_unit_test(who_runs_beside_it_on_the_core_is_named_with_the_slowdown),
		cmocka_unit_test(slots_lost_are_those_of_time_in_which_they_were_counted),
		cmocka_unit_test(nothing_is_tagged_from_data_that_is_not_there),
		cmocka_unit_test(a_clock_that_steps_back_costs_one_batch),
		cmocka_unit_test(what_finds_no_room_is_counted),
		cmocka_unit_test(who_is_not_there_any_more_is_let_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
