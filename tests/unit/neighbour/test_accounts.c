/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_accounts.c - what accounts did between two views is a sample, and what they did not is none.
 */
#include "neighbour/accounts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger/book.h"

#define PERIOD_NS (10 * SECOND_NS)

static struct ctd_identity web = {
	.cgroup_id = 1,
	.container_id = "11",
	.path = (char *)"/pod/11",
	.names = NAMES((char *)"shop", (char *)"cart-0", (char *)"web"),
	.names_settled = true,
};
static struct ctd_identity unit = {.cgroup_id = 2, .path = (char *)"/system.slice/ssh.service"};
static struct ctd_waits waits = {.ns = {[CTD_WAIT_OTHER] = 30000000, [CTD_WAIT_SHORT] = 5},
				 .histogram = {[3] = 7}};

static struct book open_book(void)
{
	struct book book;

	book_open(&book,
		  (struct ctd_ledger_options){.accounts_max = 16, .linger_ns = 60 * SECOND_NS});
	return book;
}

/* A second in which both do something, and no CPU is idle. */
static const struct ctd_ledger_view *second(struct book *book, double backend)
{
	struct book_line *line = book_run_cgroup(book, &web, 200);

	book->rollup.totals[0].slots -= line->part.slots;
	book_count(book, line, 200 * SLOTS_PER_MS, backend);
	line->part.waits = &waits;
	book_run_cgroup(book, &unit, 100);
	book_run(book, CTD_ROLLUP_KERNEL, 50);
	return book_add(book);
}

static const struct ctd_neighbour_sample *sample_of(const struct ctd_neighbour_sample *samples,
						    size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strstr(samples[i].names.key, name))
			return &samples[i];
	return NULL;
}

static void figures_are_those_since_the_earlier_view(void **state)
{
	struct book book = open_book();
	struct ctd_neighbour_sample samples[8];
	const struct ctd_neighbour_sample *sample;
	const struct ctd_ledger_view *first;
	size_t count;

	(void)state;
	second(&book, .3);
	first = ctd_ledger_view_hold(book.view);
	second(&book, .5);
	count = ctd_samples_of_accounts(first, second(&book, .5), samples);
	/* Kernel threads are in no container. */
	assert_int_equal(count, 2);
	sample = sample_of(samples, count, "web");
	assert_string_equal(sample->names.pod, "cart-0");
	assert_string_equal(sample->names.cgroup, "/pod/11");
	assert_int_equal(sample->cpu_ns, 400000000);
	assert_int_equal(sample->slots, 400 * SLOTS_PER_MS);
	assert_int_equal(sample->known,
			 CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_MEMORY | CTD_NEIGHBOUR_WAITS);
	/* Half of it is back-end bound, half of that memory bound; the rest retires. */
	assert_int_equal(sample->retired_slots, 200 * SLOTS_PER_MS);
	assert_int_equal(sample->memory_slots, 100 * SLOTS_PER_MS);
	assert_int_equal(sample->waits.wait_ns, 60000010);
	assert_int_equal(sample->waits.other_ns, 60000000);
	assert_int_equal(sample->waits.count, 14);
	sample = sample_of(samples, count, "ssh");
	assert_null(sample->names.pod);
	assert_false(sample->known & CTD_NEIGHBOUR_WAITS);
	ctd_ledger_view_release(first);
	book_close(&book);
}

static void level_one_has_back_end_bound_slots_instead(void **state)
{
	struct book book = open_book();
	struct ctd_neighbour_sample samples[8];
	const struct ctd_neighbour_sample *sample;
	const struct ctd_ledger_view *first;

	(void)state;
	second(&book, .3);
	first = ctd_ledger_view_hold(book.view);
	for (int i = 0; i < 2; i++) {
		struct book_line *line = book_run_cgroup(&book, &web, 200);

		for (int node = 0; node < ctd_cpu_sim.nodes_count; node++)
			if (ctd_cpu_sim.nodes[node].level == 2)
				line->values[node] = (struct ctd_value){NAN, CTD_NO_DATA};
		book_add(&book);
	}
	assert_int_equal(ctd_samples_of_accounts(first, book.view, samples), 1);
	sample = &samples[0];
	assert_int_equal(sample->known,
			 CTD_NEIGHBOUR_SLOTS | CTD_NEIGHBOUR_BACKEND | CTD_NEIGHBOUR_WAITS);
	assert_true(sample->memory_slots > sample->slots / 4);
	ctd_ledger_view_release(first);
	book_close(&book);
}

static void samples_say_by_what_they_were_counted(void **state)
{
	struct book book = open_book();
	struct ctd_neighbour_sample samples[8];
	const struct ctd_ledger_view *first;
	uint64_t sims, level_one;

	(void)state;
	second(&book, .3);
	first = ctd_ledger_view_hold(book.view);
	assert_true(ctd_samples_of_accounts(first, second(&book, .3), samples) > 0);
	sims = samples[0].counted_by;
	assert_int_not_equal(sims, 0);
	/* Another level: of a sample in which it began nothing is said. */
	book.plan.level = book.plan.core_types[0].level = 1;
	assert_true(ctd_samples_of_accounts(first, second(&book, .3), samples) > 0);
	assert_int_equal(samples[0].counted_by, 0);
	ctd_ledger_view_release(first);
	first = ctd_ledger_view_hold(book.view);
	assert_true(ctd_samples_of_accounts(first, second(&book, .3), samples) > 0);
	level_one = samples[0].counted_by;
	assert_int_not_equal(level_one, 0);
	assert_int_not_equal(level_one, sims);
	ctd_ledger_view_release(first);
	/* Another source. */
	book.plan.core_types[0].source[0] = 'S';
	second(&book, .3);
	first = ctd_ledger_view_hold(book.view);
	assert_true(ctd_samples_of_accounts(first, second(&book, .3), samples) > 0);
	assert_int_not_equal(samples[0].counted_by, 0);
	assert_int_not_equal(samples[0].counted_by, level_one);
	ctd_ledger_view_release(first);
	/* And again the first ones. */
	book.plan.core_types[0].source[0] = 's';
	book.plan.level = book.plan.core_types[0].level = 2;
	second(&book, .3);
	first = ctd_ledger_view_hold(book.view);
	assert_true(ctd_samples_of_accounts(first, second(&book, .3), samples) > 0);
	assert_int_equal(samples[0].counted_by, sims);
	ctd_ledger_view_release(first);
	book_close(&book);
}

static void slots_that_were_hardly_counted_are_not_known(void **state)
{
	struct book book = open_book();
	struct ctd_neighbour_sample samples[8];
	const struct ctd_ledger_view *first;

	(void)state;
	second(&book, .3);
	first = ctd_ledger_view_hold(book.view);
	book_run_cgroup(&book, &web, 200)->coverage = .1;
	assert_int_equal(ctd_samples_of_accounts(first, book_add(&book), samples), 1);
	assert_int_equal(samples[0].known, CTD_NEIGHBOUR_WAITS);
	assert_int_equal(samples[0].cpu_ns, 200000000);
	ctd_ledger_view_release(first);
	book_close(&book);
}

static void what_was_held_back_is_no_sample_of_the_time_in_which_it_is_shown(void **state)
{
	struct ctd_identity unnamed = {
		.cgroup_id = 3, .container_id = "33", .path = (char *)"/pod/33"};
	struct ctd_neighbour_sample samples[8];
	const struct ctd_ledger_view *first;
	struct book book;

	(void)state;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 16,
						     .settle_ns = 2 * SECOND_NS,
						     .linger_ns = 60 * SECOND_NS});
	book_run_cgroup(&book, &unnamed, 100);
	first = ctd_ledger_view_hold(book_add(&book));
	assert_int_equal(first->held_count, 1);
	for (int i = 0; i < 3; i++) {
		book_run_cgroup(&book, &unnamed, 100);
		book_add(&book);
	}
	assert_int_equal(book.view->held_count, 0);
	assert_int_equal(ctd_samples_of_accounts(first, book.view, samples), 0);
	ctd_ledger_view_release(first);
	/* From then on it is one. */
	first = ctd_ledger_view_hold(book.view);
	book_run_cgroup(&book, &unnamed, 100);
	assert_int_equal(ctd_samples_of_accounts(first, book_add(&book), samples), 1);
	assert_int_equal(samples[0].cpu_ns, 100000000);
	ctd_ledger_view_release(first);
	book_close(&book);
}

static void a_container_that_comes_within_the_sample_is_in_it(void **state)
{
	struct book book = open_book();
	struct ctd_neighbour_sample samples[8];
	const struct ctd_ledger_view *first;

	(void)state;
	book_run(&book, CTD_ROLLUP_KERNEL, 50);
	first = ctd_ledger_view_hold(book_add(&book));
	book_run_cgroup(&book, &web, 200);
	assert_int_equal(ctd_samples_of_accounts(first, book_add(&book), samples), 1);
	assert_int_equal(samples[0].cpu_ns, 200000000);
	ctd_ledger_view_release(first);
	/* One that does nothing is not in it. */
	first = ctd_ledger_view_hold(book.view);
	book_run_cgroup(&book, &unit, 200);
	assert_int_equal(ctd_samples_of_accounts(first, book_add(&book), samples), 1);
	assert_non_null(sample_of(samples, 1, "ssh"));
	ctd_ledger_view_release(first);
	book_close(&book);
}

static void what_a_limit_did_is_that_since_the_earlier_view(void **state)
{
	static const struct ctd_throttling throttling = {
		.periods = 10, .throttled = 4, .throttled_ns = 3000, .limit_ns = 200000000};
	struct book book = open_book();
	struct ctd_neighbour_sample samples[8];
	const struct ctd_neighbour_sample *sample;
	const struct ctd_ledger_view *first = NULL;
	size_t count;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct ctd_rollup_row *row = &book_run_cgroup(&book, &web, 200)->row;

		row->throttling_known = true;
		row->throttling = throttling;
		book_run_cgroup(&book, &unit, 100);
		book_add(&book);
		if (!i)
			first = ctd_ledger_view_hold(book.view);
	}
	count = ctd_samples_of_accounts(first, book.view, samples);
	sample = sample_of(samples, count, "web");
	assert_true(sample->known & CTD_NEIGHBOUR_THROTTLING);
	assert_int_equal(sample->throttling.periods, 20);
	assert_int_equal(sample->throttling.throttled, 8);
	assert_int_equal(sample->throttling.throttled_ns, 6000);
	assert_true(fabs(sample->throttling.limit_cpus - .2) < 1e-9);
	assert_false(sample_of(samples, count, "ssh")->known & CTD_NEIGHBOUR_THROTTLING);
	ctd_ledger_view_release(first);
	book_close(&book);
}

static void where_it_ran_is_what_came_since_the_earlier_view(void **state)
{
	uint64_t cache_ns[] = {150000000, 40000000, 10000000};
	struct book book = open_book();
	struct ctd_neighbour_sample samples[8];
	const struct ctd_neighbour_sample *sample;
	const struct ctd_ledger_view *first = NULL;
	size_t count;

	(void)state;
	book.rollup.caches = (struct ctd_caches){.count = 2, .node = {0, 1}};
	for (int i = 0; i < 3; i++) {
		struct book_line *line = book_run_cgroup(&book, &web, 200);

		line->part.cache_ns = cache_ns;
		line->part.cache_parts = 3;
		book_run_cgroup(&book, &unit, 100);
		book_add(&book);
		if (!i)
			first = ctd_ledger_view_hold(book.view);
	}
	count = ctd_samples_of_accounts(first, book.view, samples);
	sample = sample_of(samples, count, "web");
	assert_true(sample->known & CTD_NEIGHBOUR_CACHES);
	for (int i = 0; i < 3; i++)
		assert_int_equal(sample->cache_ns[i], 2 * cache_ns[i]);
	assert_int_equal(sample->cpu_ns, 400000000);
	/* It stood still while waits were given up for the budget: then what came is not all. */
	for (int part = 0; part < CTD_BUDGET_PARTS; part++) {
		struct ctd_ledger_view after = *book.view;

		after.health.budget.changes[part] = 2;
		count = ctd_samples_of_accounts(first, &after, samples);
		sample = sample_of(samples, count, "web");
		assert_int_equal(!(sample->known & CTD_NEIGHBOUR_CACHES), part == CTD_BUDGET_WAITS);
		assert_true(sample->known & CTD_NEIGHBOUR_SLOTS);
	}
	ctd_ledger_view_release(first);
	book_close(&book);
}

/* As of a recording whose next plan is of another machine. */
static void parts_of_other_caches_are_not_compared(void **state)
{
	uint64_t cache_ns[CTD_CACHE_PARTS_MAX] = {150000000, 40000000, 10000000};
	struct book book = open_book();
	struct ctd_neighbour_sample samples[8];
	const struct ctd_ledger_view *first = NULL;
	size_t count;

	(void)state;
	for (uint32_t caches = 2; caches <= CTD_CACHES_MAX; caches += CTD_CACHES_MAX - 2) {
		struct book_line *line = book_run_cgroup(&book, &web, 200);

		book.rollup.caches = (struct ctd_caches){.count = caches};
		line->part.cache_ns = cache_ns;
		line->part.cache_parts = caches + 1;
		book_add(&book);
		if (!first)
			first = ctd_ledger_view_hold(book.view);
	}
	count = ctd_samples_of_accounts(first, book.view, samples);
	assert_false(sample_of(samples, count, "web")->known & CTD_NEIGHBOUR_CACHES);
	ctd_ledger_view_release(first);
	book_close(&book);
}

/* Of the cgroup of the newest container, if that is in there, too. */
static void a_limit_above_is_that_of_an_account_that_waited(void **state)
{
	static const struct {
		size_t bytes;
		uint64_t throttled_ns;
		size_t expected;
	} cases[] = {{4, 500, 4}, {4, 0, 0}, {3, 500, 0}, {400, 500, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct book book = open_book();
		struct ctd_neighbour_sample samples[8];
		const struct ctd_neighbour_sample *sample;
		const struct ctd_ledger_view *first = NULL;
		size_t count;

		for (int j = 0; j < 2; j++) {
			struct book_line *line = book_run_cgroup(&book, &web, 200);

			line->row.above_bytes = cases[i].bytes;
			line->row.above_limit_ns = 500000000;
			line->part.waits = &book.waits;
			book.waits.ns[CTD_WAIT_THROTTLED] = cases[i].throttled_ns;
			book_add(&book);
			if (!j)
				first = ctd_ledger_view_hold(book.view);
		}
		count = ctd_samples_of_accounts(first, book.view, samples);
		sample = sample_of(samples, count, "web");
		assert_int_equal(sample->waits.throttled_ns, cases[i].throttled_ns);
		assert_int_equal(sample->throttling.above_bytes, cases[i].expected);
		if (cases[i].expected)
			assert_true(fabs(sample->throttling.above_limit_cpus - .5) < 1e-9);
		ctd_ledger_view_release(first);
		book_close(&book);
	}
}

static struct ctd_accounts_feed open_feed(uint64_t period_ns)
{
	const struct ctd_neighbours_options options = {.period_ns = period_ns};
	struct ctd_accounts_feed feed;

	assert_int_equal(ctd_accounts_feed_open(&options, &feed), 0);
	return feed;
}

/* Feeds the detector. @return did that end a sample? */
static bool judge(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view)
{
	bool is_judged;

	assert_int_equal(ctd_accounts_feed_take(feed, view, &is_judged), 0);
	return is_judged;
}

static const struct ctd_neighbour_tag *only_tag(const struct ctd_accounts_feed *feed)
{
	const struct ctd_neighbour_tag *tags;
	size_t count;

	tags = ctd_neighbours_tags(feed->neighbours, &count);
	assert_int_equal(count, 1);
	return tags;
}

/* The only tag, which blames the unit alone. */
static const struct ctd_neighbour_tag *tag_that_blames_unit(const struct ctd_accounts_feed *feed)
{
	const struct ctd_neighbour_tag *tag = only_tag(feed);

	assert_int_equal(tag->blame, CTD_BLAME_NEIGHBOUR);
	assert_int_equal(tag->antagonists_count, 1);
	assert_string_equal(tag->antagonists[0].names->cgroup, unit.path);
	return tag;
}

static void a_sample_period_is_judged_once(void **state)
{
	struct ctd_neighbours_status status;
	struct book book = open_book();
	struct ctd_accounts_feed feed = open_feed(PERIOD_NS);
	unsigned int judged = 0;

	(void)state;
	for (int i = 0; i < 31; i++)
		judged += judge(&feed, second(&book, .3));
	ctd_neighbours_status(feed.neighbours, &status);
	assert_int_equal(judged, 3);
	assert_int_equal(status.batches, 3);
	assert_int_equal(status.subjects, 2);
	/* After a gap a sample begins anew. */
	book.rollup.realtime_ns += 60 * SECOND_NS;
	assert_false(judge(&feed, second(&book, .3)));
	/* And where the clock is set back. */
	book.rollup.realtime_ns -= 600 * SECOND_NS;
	assert_false(judge(&feed, second(&book, .3)));
	book.rollup.realtime_ns += 9 * SECOND_NS;
	assert_false(judge(&feed, second(&book, .3)));
	book.rollup.realtime_ns += 9 * SECOND_NS;
	assert_true(judge(&feed, second(&book, .3)));
	ctd_accounts_feed_close(&feed);
	book_close(&book);
}

static void what_tags_stand_for_adds_up(void **state)
{
	const struct ctd_neighbour_tag *tag;
	struct book book = open_book();
	struct ctd_accounts_feed feed = open_feed(SECOND_NS);
	double slots, before = 0;

	(void)state;
	/* A seventh of the time that it would have run, it waits for other cgroups. */
	for (int i = 0; i < 12; i++) {
		before = feed.lost_slots[CTD_MECHANISM_RUN_QUEUE][CTD_BLAME_MACHINE];
		judge(&feed, second(&book, .3));
	}
	tag = only_tag(&feed);
	assert_int_equal(tag->mechanism, CTD_MECHANISM_RUN_QUEUE);
	assert_string_equal(tag->victim->container, "web");
	slots = feed.lost_slots[CTD_MECHANISM_RUN_QUEUE][CTD_BLAME_MACHINE] - before;
	assert_true(fabs(slots / (30. * SLOTS_PER_MS) - 1) < .01);
	ctd_accounts_feed_close(&feed);
	book_close(&book);
}

/* Samples of three views each: what they have of pairs is added up. */
static void the_one_that_had_the_cpu_is_named(void **state)
{
	/* By rows, as second() makes them: web, ssh.service, kernel threads. */
	struct ctd_pair pairs[] = {{0, 1, 25000000, 5, 4, 1, 0}, {0, 2, 1000000, 1, 0, 1, 0}};
	struct book book = open_book();
	struct ctd_accounts_feed feed = open_feed(3 * SECOND_NS);

	(void)state;
	for (int i = 0; i < 13; i++) {
		book.rollup.pairs = (struct ctd_pairs){pairs, 2};
		judge(&feed, second(&book, .3));
	}
	/* 25 ms of the 30 that are not short. */
	assert_true(fabs(tag_that_blames_unit(&feed)->antagonists[0].share - 25. / 30) < .01);
	ctd_accounts_feed_close(&feed);
	book_close(&book);
}

/* A quarter of its time it runs beside another one, and retires 40 % less per time: a tenth in all.
 * Time without counts is no part of it. */
static void what_it_loses_on_a_shared_core_is_told_with_whose_it_shares(void **state)
{
	const struct ctd_beside smt = {
		.known = true,
		.slots_known = true,
		.parts = {[CTD_SIBLING_IDLE] = {150000000, 150 * SLOTS_PER_MS, 90 * SLOTS_PER_MS,
						150000000},
			  [CTD_SIBLING_OTHER] = {60000000, 50 * SLOTS_PER_MS, 18 * SLOTS_PER_MS,
						 50000000}}};
	struct ctd_pair pairs[] = {{.victim_id = 0, .occupier_id = 1, .beside_ns = 50000000}};
	const struct ctd_neighbour_tag *tag;
	struct book book = open_book();
	struct ctd_accounts_feed feed = open_feed(SECOND_NS);

	(void)state;
	for (int i = 0; i < 12; i++) {
		struct book_line *line = book_run_cgroup(&book, &web, 200);

		book.rollup.totals[0].slots -= line->part.slots;
		book_count(&book, line, 200 * SLOTS_PER_MS, .3);
		line->part.smt = smt;
		book_run_cgroup(&book, &unit, 100);
		book.rollup.pairs = (struct ctd_pairs){pairs, 1};
		judge(&feed, book_add(&book));
	}
	tag = tag_that_blames_unit(&feed);
	assert_int_equal(tag->mechanism, CTD_MECHANISM_SMT);
	assert_string_equal(tag->victim->container, "web");
	assert_true(fabs(tag->antagonists[0].share - 1) < .01);
	assert_true(fabs(tag->loss_cpus - .1 * .2) < .001);
	ctd_accounts_feed_close(&feed);
	book_close(&book);
}

/* What the detector says of intervals of a minute. */
struct said {
	unsigned int judged;
	double share, lost_slots;
};

/* @p parts: views of each interval; clients ask for all but the last one. */
static struct said minutes_in(uint64_t parts)
{
	struct ctd_waits part_waits = {.ns = {[CTD_WAIT_OTHER] = 1800000000 / parts},
				       .histogram = {[3] = 420 / parts}};
	struct ctd_pair pairs[] = {{0, 1, 1500000000 / parts, 5, 4, 1, 0}};
	struct book book = open_book();
	struct ctd_accounts_feed feed = open_feed(PERIOD_NS);
	struct said said = {0};

	book.rollup.window_ns = 60 * SECOND_NS / parts;
	for (uint64_t i = 1; i <= 13 * parts; i++) {
		book_run_cgroup(&book, &web, 12000 / parts)->part.waits = &part_waits;
		book_run_cgroup(&book, &unit, 6000 / parts);
		book.rollup.pairs = (struct ctd_pairs){pairs, 1};
		book_add(&book);
		if (i % parts)
			assert_int_equal(ctd_accounts_feed_look(&feed, book.view), 0);
		else
			said.judged += judge(&feed, book.view);
	}
	said.share = tag_that_blames_unit(&feed)->antagonists[0].share;
	said.lost_slots = feed.lost_slots[CTD_MECHANISM_RUN_QUEUE][CTD_BLAME_NEIGHBOUR];
	ctd_accounts_feed_close(&feed);
	book_close(&book);
	return said;
}

static void views_for_those_who_look_change_nothing(void **state)
{
	const struct said alone = minutes_in(1), looked = minutes_in(60);

	(void)state;
	assert_int_equal(alone.judged, 12);
	assert_int_equal(looked.judged, 12);
	assert_true(fabs(alone.share - 15. / 18) < .01);
	assert_true(fabs(looked.share - alone.share) < 1e-6);
	assert_true(alone.lost_slots > 0);
	assert_true(fabs(looked.lost_slots / alone.lost_slots - 1) < 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_those_since_the_earlier_view),
		cmocka_unit_test(level_one_has_back_end_bound_slots_instead),
		cmocka_unit_test(samples_say_by_what_they_were_counted),
		cmocka_unit_test(slots_that_were_hardly_counted_are_not_known),
		cmocka_unit_test(what_was_held_back_is_no_sample_of_the_time_in_which_it_is_shown),
		cmocka_unit_test(a_container_that_comes_within_the_sample_is_in_it),
		cmocka_unit_test(what_a_limit_did_is_that_since_the_earlier_view),
		cmocka_unit_test(a_limit_above_is_that_of_an_account_that_waited),
		cmocka_unit_test(where_it_ran_is_what_came_since_the_earlier_view),
		cmocka_unit_test(parts_of_other_caches_are_not_compared),
		cmocka_unit_test(a_sample_period_is_judged_once),
		cmocka_unit_test(what_tags_stand_for_adds_up),
		cmocka_unit_test(the_one_that_had_the_cpu_is_named),
		cmocka_unit_test(what_it_loses_on_a_shared_core_is_told_with_whose_it_shares),
		cmocka_unit_test(views_for_those_who_look_change_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
