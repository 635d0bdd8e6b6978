/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unwind_feed.c - answers requests of the unwinder with mappings, tables and rules. */
#include "app/unwind_feed.h"

#include <errno.h>

#include "profile/executable/executables.h"

/* Rules first, as tables refer to them. */
static int give_executables(struct ctd_unwind_feed *feed)
{
	const struct ctd_executables *executables = ctd_namer_executables(feed->namer);
	const struct ctd_unwind_rules *rules = ctd_executables_rules(executables);
	uint32_t count = ctd_executables_count(executables);
	int error = 0;

	if (feed->rules < rules->count)
		error = ctd_sampler_set_rules(feed->sampler, (uint32_t)feed->rules,
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
			ctd_sampler_set_executable(feed->sampler, feed->executables,
						   executable->table.words,
						   executable->table.words_count);
	}
	return 0;
}

static void answer(const struct ctd_unwind_request *request, void *context)
{
	struct ctd_unwind_feed *feed = context;
	struct ctd_process process = {.incarnation = request->incarnation, .first = feed->mappings};
	const struct ctd_mapping *mappings;
	size_t count;

	if (feed->error)
		return;
	feed->error = ctd_namer_mappings(feed->namer, request->tgid, request->incarnation,
					 &mappings, &count);
	if (feed->error || !count || count > CTD_MAPPINGS_MAX - feed->mappings)
		return;
	process.count = (uint32_t)count;
	if (give_executables(feed) ||
	    ctd_sampler_set_mappings(feed->sampler, feed->mappings, mappings, count) ||
	    ctd_sampler_set_process(feed->sampler, request->tgid, &process))
		return;
	feed->mappings += process.count;
}

int ctd_unwind_feed(struct ctd_unwind_feed *feed, struct ctd_namer *namer,
		    struct ctd_sampler *sampler)
{
	if (!ctd_sampler_unwinds(sampler))
		return 0;
	feed->namer = namer;
	feed->sampler = sampler;
	feed->error = 0;
	ctd_sampler_take_requests(sampler, answer, feed);
	return feed->error;
}
