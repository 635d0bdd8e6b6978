/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_detector.c - tags begin and end as they should, and say whose doing a loss is. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "unit/neighbour/run.h"

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

static void restart(struct run *run)
{
	const struct ctd_neighbours_options options = {.period_ns = PERIOD_NS, .subjects_max = 16};
	const char *why;
	size_t bytes;
	void *saved;

	assert_int_equal(ctd_neighbours_save(run->neighbours, &saved, &bytes), 0);
	ctd_neighbours_free(run->neighbours);
	assert_int_equal(ctd_neighbours_new(&options, &run->neighbours), 0);
	assert_int_equal(ctd_neighbours_load(run->neighbours, saved, bytes, &why), 0);
	free(saved);
}

/* What has no name yet, just after a restart, is in no batch. */
static void a_tag_goes_on_after_a_restart_though_its_victim_comes_late(void **state)
{
	(void)state;
	for (int late = 0; late <= 7; late++) {
		struct run run = start();
		struct ctd_neighbour_batch batch = {.window_ns = PERIOD_NS,
						    .samples = run.samples + 1,
						    .samples_count = CONTAINERS - 1};
		uint64_t since_ns;

		wait_for(&run, 0, 0, 0, 20, 0, 0);
		assert_in_range(steps_until(&run, CTD_MECHANISM_RUN_QUEUE, true), 2, 6);
		since_ns = tag_of(&run, CTD_MECHANISM_RUN_QUEUE)->since_ns;
		restart(&run);
		run.time_ns += 10 * PERIOD_NS;
		for (int i = 0; i < late; i++) {
			batch.time_ns = run.time_ns += PERIOD_NS;
			assert_int_equal(ctd_neighbours_add(run.neighbours, &batch), 0);
			ctd_neighbours_judge(run.neighbours);
			assert_null(tag_of(&run, CTD_MECHANISM_RUN_QUEUE));
		}
		assert_in_range(steps_until(&run, CTD_MECHANISM_RUN_QUEUE, true), 1, 6);
		if ((tag_of(&run, CTD_MECHANISM_RUN_QUEUE)->since_ns == since_ns) != (late < 6))
			fail_msg("%d late", late);
		ctd_neighbours_free(run.neighbours);
	}
}

/* As of a cgroup that found no row in the kernel, whose waits are not the victim's. */
static void shares_of_pairs_that_have_more_than_the_waits_come_to_one(void **state)
{
	struct run run = start();
	const struct ctd_neighbour_tag *tag;

	(void)state;
	wait_for(&run, 0, 0, 0, 20, 0, 0);
	run.pairs[ONE].wait_ns *= 3;
	run.pairs[TWO].wait_ns = run.pairs[ONE].wait_ns / 3;
	assert_in_range(steps_until(&run, CTD_MECHANISM_RUN_QUEUE, true), 2, 6);
	tag = tag_of(&run, CTD_MECHANISM_RUN_QUEUE);
	assert_int_equal(tag->antagonists_count, 2);
	assert_true(fabs(tag->antagonists[0].share - .75) < .01);
	assert_true(fabs(tag->antagonists[1].share - .25) < .01);
	ctd_neighbours_free(run.neighbours);
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

/* One whose memory-bound slots are those of a load that hardly swings. */
static void count_slots(struct ctd_neighbour_sample *sample, int i, double load, double memory)
{
	sample->known = CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_MEMORY;
	sample->retired_slots = (uint64_t)(load * 4e6 * (1 + .004 * (i * 7 % 11 - 5)));
	sample->memory_slots = (uint64_t)(load * memory * (1 + .004 * (i * 3 % 13 - 6)));
	sample->slots = sample->retired_slots + sample->memory_slots + (uint64_t)(load * 2e6);
}

/* The work of the victim changes with sample 200. */
static void change_input(struct run *run, int i)
{
	count_slots(&run->samples[VICTIM], i, 1, i < 200 ? 2e6 : i % 3 ? 5e6 : 7e6);
}

static void input_is_blamed_only_where_it_is_known_what_others_do(void **state)
{
	static const struct {
		int line;
		uint32_t domain; /* of the others */
		double part; /* of their samples, that are counted */
		bool follows; /* they do more when the victim's work is another one */
		bool tagged;
	} cases[] = {
		{__LINE__, 0, 1, false, true},	 {__LINE__, 0, .95, false, true},
		{__LINE__, 0, .5, false, false}, {__LINE__, 0, 0, false, false},
		{__LINE__, 1, 1, false, true},	 {__LINE__, 1, 1, true, false},
		{__LINE__, 1, 0, false, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct run run = start();
		int tagged = 0;

		for (int sample = 0; sample < 300; sample++) {
			const struct ctd_neighbour_tag *tag;

			change_input(&run, sample);
			for (int other = ONE; other <= THREE; other++) {
				run.samples[other].domain = cases[i].domain;
				count_slots(&run.samples[other], sample + other,
					    cases[i].follows && sample >= 200 ? 3 : 1, 2e6);
				if ((sample * 7 + other) % 100 >= 100 * cases[i].part)
					run.samples[other].known = 0;
			}
			assert_int_equal(step(&run), 0);
			tag = tag_of(&run, CTD_MECHANISM_MEMORY);
			tagged += tag && tag->blame == CTD_BLAME_INPUT;
			if (tag && tag->blame != CTD_BLAME_INPUT)
				fail_msg("line %d: %s", cases[i].line, ctd_blame_name(tag->blame));
		}
		if ((tagged > 0) != cases[i].tagged)
			fail_msg("line %d: %d tags", cases[i].line, tagged);
		ctd_neighbours_free(run.neighbours);
	}
}

/* Until its own past is mostly of that input, when the tag fades. */
static void another_input_is_nobody_elses_doing_to_the_end_of_its_tag(void **state)
{
	struct run run = start();
	int tagged = 0;

	(void)state;
	for (int i = 0; i < 700; i++) {
		const struct ctd_neighbour_tag *tag;

		change_input(&run, i);
		for (int other = ONE; other <= THREE; other++)
			count_slots(&run.samples[other], i + other, 1, 2e6);
		assert_int_equal(step(&run), 0);
		tag = tag_of(&run, CTD_MECHANISM_MEMORY);
		if (tag)
			assert_int_equal(tag->blame, CTD_BLAME_INPUT);
		tagged += tag != NULL;
	}
	assert_in_range(tagged, 60, 300);
	assert_null(tag_of(&run, CTD_MECHANISM_MEMORY));
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
		cmocka_unit_test(a_tag_goes_on_after_a_restart_though_its_victim_comes_late),
		cmocka_unit_test(shares_of_pairs_that_have_more_than_the_waits_come_to_one),
		cmocka_unit_test(who_runs_beside_it_on_the_core_is_named_with_the_slowdown),
		cmocka_unit_test(slots_lost_are_those_of_time_in_which_they_were_counted),
		cmocka_unit_test(another_input_is_nobody_elses_doing_to_the_end_of_its_tag),
		cmocka_unit_test(input_is_blamed_only_where_it_is_known_what_others_do),
		cmocka_unit_test(nothing_is_tagged_from_data_that_is_not_there),
		cmocka_unit_test(a_clock_that_steps_back_costs_one_batch),
		cmocka_unit_test(what_finds_no_room_is_counted),
		cmocka_unit_test(who_is_not_there_any_more_is_let_go),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
