/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unwind_feed.c - answers requests of the unwinder with mappings, tables and rules. */
#include "app/unwind_feed.h"

#include <errno.h>
#include <stdlib.h>

#include "profile/executable/executables.h"

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
	const struct ctd_mapping *mappings;
	size_t count;
	int error = 0;

	for (size_t i = 0; !error && i < feed->requests_count; i++)
		error = ctd_namer_mappings(namer, feed->requests[i].tgid,
					   feed->requests[i].incarnation, &mappings, &count);
	return error;
}

/* Rules first, as tables refer to them. */
static int give_executables(struct ctd_unwind_feed *feed, const struct ctd_namer *namer,
			    struct ctd_sampler *sampler)
{
	const struct ctd_executables *executables = ctd_namer_executables(namer);
	const struct ctd_unwind_rules *rules = ctd_executables_rules(executables);
	uint32_t count = ctd_executables_count(executables);
	int error = 0;

	if (feed->rules < rules->count)
		error = ctd_sampler_set_rules(sampler, (uint32_t)feed->rules,
					      rules->rules + feed->rules,
					      rules->count - feed->rules);
	if (error)
		return error;
	feed->rules = rules->count;
	for (; feed->executables < count; feed->executables++) {
		const struct ctd_executable *executable =
			ctd_executables_get(executables, feed->executables);

		/* One that does not fit is like one without a table. */
		if (executable && executable->table.words)
			ctd_sampler_set_executable(sampler, feed->executables,
						   executable->table.words,
						   executable->table.words_count);
	}
	return 0;
}

static int answer(struct ctd_unwind_feed *feed, const struct ctd_unwind_request *request,
		  struct ctd_namer *namer, struct ctd_sampler *sampler)
{
	struct ctd_process process = {.incarnation = request->incarnation, .first = feed->mappings};
	const struct ctd_mapping *mappings;
	size_t count;
	int error =
		ctd_namer_mappings(namer, request->tgid, request->incarnation, &mappings, &count);

	if (error || !count || count > CTD_MAPPINGS_MAX - feed->mappings)
		return error;
	process.count = (uint32_t)count;
	if (give_executables(feed, namer, sampler) ||
	    ctd_sampler_set_mappings(sampler, feed->mappings, mappings, count) ||
	    ctd_sampler_set_process(sampler, request->tgid, &process))
		return 0;
	feed->mappings += process.count;
	return 0;
}

int ctd_unwind_feed_answer(struct ctd_unwind_feed *feed, struct ctd_namer *namer,
			   struct ctd_sampler *sampler)
{
	int error = 0;

	for (size_t i = 0; !error && i < feed->requests_count; i++)
		error = answer(feed, &feed->requests[i], namer, sampler);
	feed->requests_count = 0;
	return error;
}

void ctd_unwind_feed_free(struct ctd_unwind_feed *feed)
{
	free(feed->requests);
	*feed = (struct ctd_unwind_feed){};
}
