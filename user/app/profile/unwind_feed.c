/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unwind_feed.c - gives the unwinder in the kernel the tables that it asks for. */
#include "app/profile/unwind_feed.h"

#include <errno.h>
#include <stdlib.h>

#include "app/profile/unwind_ranges.h"
#include "base/idmap.h"

/* A process that the kernel knows. */
struct fed {
	uint64_t incarnation, version;
	uint32_t tgid, first, count;
};

struct ctd_unwind_feed {
	struct ctd_unwind_ranges ranges; /* of mappings */
	struct fed *fed; /* owned, fed_count of them, in no order */
	size_t fed_count, fed_capacity;
	struct ctd_idmap fed_by_tgid; /* indices into fed */
	uint64_t made[CTD_EXECUTABLES_MAX]; /* which table of an executable; 0: none */
	struct ctd_unwind_request *requests; /* owned */
	size_t requests_count, requests_capacity;
	int error; /* -ENOMEM while requests were taken */
	uint64_t refused; /* times without room for the mappings of a process */
};

int ctd_unwind_feed_new(struct ctd_unwind_feed **ret_feed)
{
	*ret_feed = calloc(1, sizeof(**ret_feed));
	return *ret_feed ? 0 : -ENOMEM;
}

void ctd_unwind_feed_free(struct ctd_unwind_feed *feed)
{
	if (!feed)
		return;
	ctd_idmap_free(&feed->fed_by_tgid);
	free(feed->fed);
	free(feed->requests);
	free(feed);
}

/* The place of a process, a new one if there is none. @return NULL: no memory. */
static struct fed *fed_of(struct ctd_unwind_feed *feed, uint32_t tgid)
{
	uintptr_t at;

	if (ctd_idmap_get(&feed->fed_by_tgid, tgid, &at))
		return &feed->fed[at];
	if (feed->fed_count == feed->fed_capacity) {
		size_t capacity = feed->fed_capacity ? 2 * feed->fed_capacity : 64;
		void *larger = reallocarray(feed->fed, capacity, sizeof(*feed->fed));

		if (!larger)
			return NULL;
		feed->fed = larger;
		feed->fed_capacity = capacity;
	}
	if (ctd_idmap_set(&feed->fed_by_tgid, tgid, feed->fed_count))
		return NULL;
	feed->fed[feed->fed_count] = (struct fed){.tgid = tgid};
	return &feed->fed[feed->fed_count++];
}

static void take_away(struct ctd_unwind_feed *feed, struct fed *fed, struct ctd_sampler *sampler)
{
	size_t at = (size_t)(fed - feed->fed);
	struct fed *last = &feed->fed[feed->fed_count - 1];

	ctd_sampler_set_process(sampler, fed->tgid, NULL);
	ctd_unwind_ranges_give_back(&feed->ranges, fed->first, fed->count);
	ctd_idmap_remove(&feed->fed_by_tgid, fed->tgid);
	if (fed != last) {
		*fed = *last;
		/* It is there: setting it does not fail. */
		ctd_idmap_set(&feed->fed_by_tgid, fed->tgid, at);
	}
	feed->fed_count--;
}

/* @return 0, also if there is no room for it, or -ENOMEM. */
static int give_process(struct ctd_unwind_feed *feed, const struct ctd_known_process *known,
			struct ctd_sampler *sampler)
{
	struct ctd_process process = {.incarnation = known->incarnation,
				      .count = (uint32_t)known->mappings_count};
	struct fed *fed;

	if (!known->whole || !process.count)
		return 0;
	fed = fed_of(feed, known->tgid);
	if (!fed)
		return -ENOMEM;
	if (fed->version == known->version && fed->incarnation == known->incarnation)
		return 0;
	ctd_unwind_ranges_give_back(&feed->ranges, fed->first, fed->count);
	*fed = (struct fed){
		.tgid = known->tgid, .incarnation = known->incarnation, .version = known->version};
	if (ctd_unwind_ranges_take(&feed->ranges, process.count, &process.first)) {
		take_away(feed, fed, sampler);
		feed->refused++;
		return 0;
	}
	fed->first = process.first;
	fed->count = process.count;
	if (ctd_sampler_set_mappings(sampler, process.first, known->mappings, process.count) ||
	    ctd_sampler_set_process(sampler, known->tgid, &process))
		take_away(feed, fed, sampler);
	return 0;
}

static void take(const struct ctd_unwind_request *request, void *context)
{
	struct ctd_unwind_feed *feed = context;

	if (feed->requests_count == feed->requests_capacity) {
		size_t capacity = feed->requests_capacity ? 2 * feed->requests_capacity : 64;
		void *larger = reallocarray(feed->requests, capacity, sizeof(*feed->requests));

		if (!larger) {
			feed->error = -ENOMEM;
			return;
		}
		feed->requests = larger;
		feed->requests_capacity = capacity;
	}
	feed->requests[feed->requests_count++] = *request;
}

int ctd_unwind_feed_take(struct ctd_unwind_feed *feed, struct ctd_sampler *sampler)
{
	feed->error = 0;
	if (ctd_sampler_unwinds(sampler))
		ctd_sampler_take_requests(sampler, take, feed);
	return feed->error;
}

int ctd_unwind_feed_learn(const struct ctd_unwind_feed *feed, struct ctd_namer *namer)
{
	return ctd_namer_requests(namer, feed->requests, feed->requests_count);
}

int ctd_unwind_feed_answer(struct ctd_unwind_feed *feed, const struct ctd_namer *namer,
			   struct ctd_sampler *sampler)
{
	int error = 0;

	for (size_t i = 0; !error && i < feed->requests_count; i++) {
		const struct ctd_known_process *process =
			ctd_namer_process(namer, feed->requests[i].incarnation);

		if (process)
			error = give_process(feed, process, sampler);
	}
	feed->requests_count = 0;
	return error;
}

/* Before their numbers and rules mean something else. */
static void take_tables_away(struct ctd_unwind_feed *feed, const struct ctd_namer *namer,
			     struct ctd_sampler *sampler)
{
	const struct ctd_executables *executables = ctd_namer_executables(namer);

	for (uint32_t i = 1; i < ctd_executables_count(executables); i++) {
		const struct ctd_executable *executable = ctd_executables_get(executables, i);

		if (!feed->made[i] || (executable && executable->made == feed->made[i]))
			continue;
		ctd_sampler_take_executable(sampler, i);
		feed->made[i] = 0;
	}
}

static int give_processes(struct ctd_unwind_feed *feed, const struct ctd_namer *namer,
			  struct ctd_sampler *sampler)
{
	for (size_t i = feed->fed_count; i-- > 0;) {
		struct fed *fed = &feed->fed[i];
		const struct ctd_known_process *known = ctd_namer_process(namer, fed->incarnation);
		int error = 0;

		if (!known)
			take_away(feed, fed, sampler);
		else
			error = give_process(feed, known, sampler);
		if (error)
			return error;
	}
	return 0;
}

static void give_words(struct ctd_unwind_feed *feed, struct ctd_executables *executables,
		       struct ctd_sampler *sampler, const struct ctd_unwind_words *words,
		       size_t count)
{
	ctd_sampler_set_executables(sampler, words, count);
	for (size_t i = 0; i < count; i++) {
		uint32_t number = words[i].executable;

		feed->made[number] = ctd_executables_get(executables, number)->made;
		ctd_executables_give_words(executables, number);
	}
}

/* Rules first, as tables refer to them. One that does not fit is like one without a table. */
static void give_tables(struct ctd_unwind_feed *feed, const struct ctd_namer *namer,
			struct ctd_sampler *sampler)
{
	struct ctd_executables *executables = ctd_namer_executables(namer);
	struct ctd_unwind_rules *rules = ctd_executables_rules(executables);
	struct ctd_unwind_words words[CTD_EXECUTABLES_AT_ONCE];
	size_t first = 0, count;

	for (; (count = ctd_unwind_rules_changed(rules, &first)); first += count)
		ctd_sampler_set_rules(sampler, (uint32_t)first, rules->rules + first, count);
	count = 0;
	for (uint32_t i = 1; i < ctd_executables_count(executables); i++) {
		const struct ctd_executable *executable = ctd_executables_get(executables, i);

		if (!executable || !executable->table.words || executable->made == feed->made[i])
			continue;
		words[count++] = (struct ctd_unwind_words){i, executable->table.words,
							   executable->table.words_count};
		if (count < CTD_EXECUTABLES_AT_ONCE)
			continue;
		give_words(feed, executables, sampler, words, count);
		count = 0;
	}
	give_words(feed, executables, sampler, words, count);
}

int ctd_unwind_feed_follow(struct ctd_unwind_feed *feed, const struct ctd_namer *namer,
			   struct ctd_sampler *sampler)
{
	int error;

	if (!ctd_sampler_unwinds(sampler))
		return 0;
	ctd_unwind_ranges_drained(&feed->ranges);
	take_tables_away(feed, namer, sampler);
	error = give_processes(feed, namer, sampler);
	give_tables(feed, namer, sampler);
	return error;
}

uint64_t ctd_unwind_feed_refused(const struct ctd_unwind_feed *feed)
{
	return feed->refused;
}
