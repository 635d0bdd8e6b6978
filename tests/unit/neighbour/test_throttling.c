/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_throttling.c - a limit that stops a container is tagged while it does, whosever it is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit/neighbour/run.h"

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

/* In each sample: 'S': a limit above stops it, 'o': its own does, '.': none does, ' ': it does
 * nothing. Again and again. */
static void run_in_bursts(struct run *run, const char *pattern, size_t at)
{
	struct ctd_neighbour_sample *victim = &run->samples[VICTIM];
	const struct ctd_neighbour_sample before = *victim;

	switch (pattern[at % strlen(pattern)]) {
	case 'S':
		stop_by_a_limit_above(run, victim->names.cgroup, 4);
		break;
	case 'o':
		victim->throttling.throttled = 5;
		victim->waits.wait_ns = victim->waits.throttled_ns = PERIOD_NS / 100;
		break;
	case ' ':
		*victim = run->samples[THREE]; /* it comes twice */
		break;
	default:
		break;
	}
	assert_int_equal(step(run), 0);
	*victim = before;
}

/* A tag that begins stays for as long as the bursts do, and no longer than three samples. */
static void a_limit_above_that_is_used_up_in_bursts_is_tagged(void **state)
{
	static const struct {
		int line;
		const char *pattern;
		size_t begins; /* with this sample; 0: never */
	} cases[] = {
		{__LINE__, "S", 2},	 {__LINE__, "S.", 3},	  {__LINE__, "SS..", 2},
		{__LINE__, "S..", 4},	 {__LINE__, "S...", 0},	  {__LINE__, "S....", 0},
		{__LINE__, "S.....", 0}, {__LINE__, "So", 3},	  {__LINE__, "S   ", 5},
		{__LINE__, "S. .  ", 7}, {__LINE__, "S. ...", 0}, {__LINE__, ".", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run run = start();
		struct ctd_neighbour_sample *victim = &run.samples[VICTIM];
		const struct ctd_neighbour_tag *tag;

		victim->known |= CTD_NEIGHBOUR_THROTTLING;
		victim->names.cgroup = "/pod/one";
		victim->throttling =
			(struct ctd_neighbour_throttling){.periods = 100, .limit_cpus = .9};
		for (size_t at = 0; at < 60; at++) {
			run_in_bursts(&run, cases[i].pattern, at);
			tag = tag_of(&run, CTD_MECHANISM_THROTTLING);
			if ((tag != NULL) != (cases[i].begins && at + 1 >= cases[i].begins))
				fail_msg("line %d: sample %zu is %s", cases[i].line, at + 1,
					 tag ? "tagged" : "not tagged");
			/* And it is told of that one all the while. */
			if (tag && tag->limit_bytes != 4)
				fail_msg("line %d: sample %zu is of another limit", cases[i].line,
					 at + 1);
		}
		/* It is taken away. */
		if (cases[i].begins)
			assert_in_range(steps_until(&run, CTD_MECHANISM_THROTTLING, false), 1, 3);
		for (int k = 0; k < 20; k++) {
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_own_limit_is_no_neighbour),
		cmocka_unit_test(a_limit_above_it_is_told_from_its_own),
		cmocka_unit_test(a_limit_that_is_gone_is_tagged_no_more),
		cmocka_unit_test(a_limit_above_that_is_used_up_in_bursts_is_tagged),
		cmocka_unit_test(an_own_limit_that_hardly_stops_it_hides_none_above),
		cmocka_unit_test(a_limit_above_that_stops_it_no_more_is_forgotten),
		cmocka_unit_test(a_limit_above_is_others_doing_where_others_have_it_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
