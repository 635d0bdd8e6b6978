/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_replace.c - when a source gives way to another one, and that no failure ends a measurement. */
#include "collect/source_back.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/clock.h"
#include "collect/collector.h"

#define SECOND_NS 1000000000ull

/* What opens and attaches, and takes snapshots, here only answers. */
static struct {
	int open, attach, take; /* what they return */
	int opened, freed, taken;
	int looked, given_up;
} told;

bool ctd_source_is_back(struct ctd_source *source, struct ctd_kern *kern,
			const struct ctd_cpu_set *cpus, uint64_t trial_ns)
{
	(void)source;
	(void)kern;
	(void)cpus;
	(void)trial_ns;
	told.looked++;
	return true;
}

struct ctd_source_attempt *ctd_source_in_use(struct ctd_source *source, int type)
{
	struct ctd_source_attempt *attempt = &source->choices[type].attempts[0];

	return attempt->refused ? NULL : attempt;
}

void ctd_source_give_up(struct ctd_source *source, struct ctd_kern *kern,
			const struct ctd_cpu_set *cpus, int type, uint64_t starved_ns,
			uint64_t trial_ns)
{
	(void)kern;
	(void)cpus;
	(void)starved_ns;
	(void)trial_ns;
	source->choices[type].attempts[0].refused = true;
	told.given_up++;
}

int ctd_counting_open(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
		      uint64_t trial_ns, struct ctd_counting *ret_counting)
{
	(void)collector;
	(void)wishes;
	(void)trial_ns;
	if (told.open)
		return told.open;
	told.opened++;
	*ret_counting = (struct ctd_counting){.source = calloc(1, sizeof(struct ctd_source))};
	assert_non_null(ret_counting->source);
	return 0;
}

int ctd_counting_attach(struct ctd_collector *collector, const struct ctd_counting *counting)
{
	(void)collector;
	(void)counting;
	return told.attach;
}

void ctd_counting_free(struct ctd_counting *counting)
{
	free(counting->source);
	told.freed++;
}

int ctd_collector_snapshot(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot)
{
	*ret_snapshot = (struct ctd_snapshot){.plan = collector->plan};
	return 0;
}

static int take(struct ctd_snapshot *snapshot, void *context)
{
	(void)context;
	assert_int_equal(snapshot->plan, 0);
	told.taken++;
	return told.take;
}

static const struct {
	int line;
	int open, attach, take;
	int sought, replaced; /* what the two return */
	int taken; /* snapshots, each time */
} failures[] = {
	{__LINE__, .open = -EPERM, .replaced = -EPERM},
	{__LINE__, .attach = -E2BIG, .replaced = -E2BIG, .taken = 1},
	{__LINE__, .take = -ENOSPC, .sought = -ENOSPC, .replaced = -ENOSPC, .taken = 1},
};

static void the_old_counters_go_on_where_new_ones_cannot_be_had(void **state)
{
	static struct ctd_source source = {.wishes.source = "auto"};
	static const struct ctd_source_wishes wishes = {.source = "auto"};

	(void)state;
	for (size_t i = 0; i < sizeof(failures) / sizeof(*failures); i++) {
		struct ctd_collector collector = {.options.seek_ns = 1, .counting.source = &source};
		int sought, replaced;

		told = (typeof(told)){.open = failures[i].open,
				      .attach = failures[i].attach,
				      .take = failures[i].take};
		sought = ctd_collector_seek_source(&collector, take, NULL);
		replaced = ctd_collector_replace(&collector, &wishes, take, NULL);
		if (sought != failures[i].sought || replaced != failures[i].replaced ||
		    told.taken != 2 * failures[i].taken || told.freed != told.opened)
			fail_msg("line %d: %d, %d, %d snapshots, %d of %d freed", failures[i].line,
				 sought, replaced, told.taken, told.freed, told.opened);
		assert_ptr_equal(collector.counting.source, &source);
		assert_int_equal(collector.plan, 0);
	}
}

/* A collector with one core type that counts, and has not done so for @p starved_ns. New counters
 * cannot be had: what is decided is seen all the same. */
static struct ctd_collector collect(struct ctd_source *source, const char *wish,
				    uint64_t starved_ns)
{
	*source = (struct ctd_source){.wishes.source = wish,
				      .plans[0] = {.read = CTD_READ_EACH, .groups_count = 1},
				      .core_types_count = 1,
				      .core_types_planned = 1};
	told = (typeof(told)){.open = -EMFILE};
	return (struct ctd_collector){
		.options.seek_ns = 30 * SECOND_NS,
		.counting.source = source,
		.starved = {.taken_ns = 1000 * SECOND_NS,
			    .groups[0][0].counted_ns = 1000 * SECOND_NS - starved_ns},
	};
}

static void counters_that_do_not_count_for_a_minute_are_given_up(void **state)
{
	static const struct {
		int line;
		const char *wish;
		uint64_t starved_ns;
		int want;
	} cases[] = {
		{__LINE__, "auto", 0, 0},
		{__LINE__, "auto", 59 * SECOND_NS, 0},
		{__LINE__, "auto", 60 * SECOND_NS, 1},
		/* A source that was named is kept. */
		{__LINE__, "perf_metrics", 600 * SECOND_NS, 0},
	};
	static struct ctd_source source;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_collector collector =
			collect(&source, cases[i].wish, cases[i].starved_ns);

		assert_int_equal(ctd_collector_seek_source(&collector, take, NULL), 0);
		/* Before the next look nothing is done. */
		assert_int_equal(ctd_collector_seek_source(&collector, take, NULL), 0);
		if (told.given_up != cases[i].want || told.looked != !cases[i].want)
			fail_msg("line %d: %d given up, looked %d times", cases[i].line,
				 told.given_up, told.looked);
	}
}

static void a_source_that_starves_again_and_again_comes_back_later_and_later(void **state)
{
	static const unsigned want_s[] = {30, 60, 120, 240, 480, 960, 960};
	static struct ctd_source source;
	struct ctd_collector collector = collect(&source, "auto", 90 * SECOND_NS);
	struct ctd_seek *seek = &collector.seek;

	(void)state;
	for (size_t i = 0; i < sizeof(want_s) / sizeof(*want_s); i++) {
		seek->next_ns = 0;
		source.choices[0].attempts[0].refused = false;
		ctd_collector_seek_source(&collector, take, NULL);
		assert_int_equal(told.given_up, i + 1);
		assert_int_equal(seek->wait_ns, want_s[i] * SECOND_NS);
		/* As if another source had taken its place. */
		seek->began_ns = ctd_monotonic_ns();
	}
	/* Until then nobody looks. */
	collector.starved.groups[0][0].counted_ns = collector.starved.taken_ns;
	source.choices[0].attempts[0].refused = false;
	seek->next_ns = 0;
	ctd_collector_seek_source(&collector, take, NULL);
	assert_int_equal(told.looked, 0);
	seek->return_ns = seek->next_ns = 0;
	ctd_collector_seek_source(&collector, take, NULL);
	assert_int_equal(told.looked, 1);
	/* It came to stay, and starves after all. */
	seek->began_ns = ctd_monotonic_ns() - 481 * SECOND_NS;
	seek->next_ns = 0;
	collector.starved.groups[0][0].counted_ns = 0;
	ctd_collector_seek_source(&collector, take, NULL);
	assert_int_equal(seek->wait_ns, 30 * SECOND_NS);
}

static void a_source_that_was_given_up_is_replaced_as_soon_as_it_can_be(void **state)
{
	static struct ctd_source source;
	struct ctd_collector collector = collect(&source, "auto", 90 * SECOND_NS);

	(void)state;
	for (int look = 0; look < 3; look++) {
		collector.seek.next_ns = 0;
		told.open = look == 2 ? 0 : -EMFILE;
		told.attach = -E2BIG;
		assert_int_equal(ctd_collector_seek_source(&collector, take, NULL), 0);
	}
	assert_int_equal(told.given_up, 1);
	assert_int_equal(told.opened, 1);
}

/* There is no trial beside counters that are in use. */
static void a_change_that_was_asked_for_looks_first_what_others_hold(void **state)
{
	static const struct ctd_source_wishes automatic = {.source = "auto"},
					      named = {.source = "none"};
	static struct ctd_source source;
	struct ctd_collector collector = collect(&source, "none", 0);

	(void)state;
	assert_int_equal(ctd_collector_replace(&collector, &named, take, NULL), -EMFILE);
	assert_int_equal(told.looked, 0);
	assert_int_equal(ctd_collector_replace(&collector, &automatic, take, NULL), -EMFILE);
	assert_int_equal(told.looked, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_old_counters_go_on_where_new_ones_cannot_be_had),
		cmocka_unit_test(counters_that_do_not_count_for_a_minute_are_given_up),
		cmocka_unit_test(a_source_that_starves_again_and_again_comes_back_later_and_later),
		cmocka_unit_test(a_source_that_was_given_up_is_replaced_as_soon_as_it_can_be),
		cmocka_unit_test(a_change_that_was_asked_for_looks_first_what_others_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
