/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* accounts_feed.c - feeds the detector a sample from views of the ledger, once in each period. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/auto.h"
#include "base/idmap.h"
#include "neighbour/accounts.h"

/* A view may come so much of a period too early: the clock that ends intervals is another one. */
#define EARLY 20
/* What lies further apart is no sample. */
#define GAP_PERIODS 3

int ctd_accounts_feed_open(const struct ctd_neighbours_options *options,
			   struct ctd_accounts_feed *ret_feed)
{
	struct ctd_accounts_feed feed = {.period_ns = options->period_ns
							      ? options->period_ns
							      : CTD_NEIGHBOUR_PERIOD_DEFAULT_NS};
	int error = ctd_neighbours_new(options, &feed.neighbours);

	if (!error)
		*ret_feed = feed;
	return error;
}

static void begin_at(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view)
{
	const struct ctd_ledger_view *before = feed->before;

	feed->before = ctd_ledger_view_hold(view);
	ctd_ledger_view_release(before);
	ctd_pairs_free(&feed->pairs);
}

static int by_key(const void *a, const void *b)
{
	const struct ctd_neighbour_sample *one = a, *other = b;

	return strcmp(one->names.key, other->names.key);
}

/* What the tags say was lost in this sample, in slots such as the victims had in it. */
static void add_lost(struct ctd_accounts_feed *feed, struct ctd_neighbour_sample *samples,
		     const struct ctd_neighbour_batch *batch)
{
	size_t count;
	const struct ctd_neighbour_tag *tags = ctd_neighbours_tags(feed->neighbours, &count);

	if (count)
		qsort(samples, batch->samples_count, sizeof(*samples), by_key);
	for (size_t i = 0; i < count; i++) {
		const struct ctd_neighbour_sample victim = {.names.key = tags[i].victim->key};
		const struct ctd_neighbour_sample *sample =
			bsearch(&victim, samples, batch->samples_count, sizeof(*samples), by_key);

		if (sample && sample->known & CTD_NEIGHBOUR_SLOTS)
			feed->lost_slots[tags[i].mechanism][tags[i].blame] +=
				tags[i].loss_cpus * (double)batch->window_ns *
				(double)sample->slots / (double)sample->cpu_ns;
	}
}

/* The sample of each account by its id. Samples are in the order of accounts. */
static int index_samples(const struct ctd_ledger_view *view,
			 const struct ctd_neighbour_sample *samples, size_t count,
			 struct ctd_idmap *map)
{
	size_t sample = 0;

	for (size_t i = 0; i < view->accounts_count && sample < count; i++) {
		if (view->accounts[i].who->key_text != samples[sample].names.key)
			continue;
		if (ctd_idmap_set(map, view->accounts[i].id, sample))
			return -ENOMEM;
		sample++;
	}
	return 0;
}

/* Pairs of which both have samples. @p ret_pairs: room for those of the feed. @return how many, or
 * -ENOMEM. */
static ssize_t take_pairs(const struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view,
			  const struct ctd_neighbour_sample *samples, size_t samples_count,
			  struct ctd_neighbour_pair *ret_pairs)
{
	struct ctd_idmap map = {0};
	ssize_t count = 0;

	if (index_samples(view, samples, samples_count, &map)) {
		ctd_idmap_free(&map);
		return -ENOMEM;
	}
	for (size_t i = 0; i < feed->pairs.count; i++) {
		const struct ctd_pair *pair = &feed->pairs.items[i];
		uintptr_t victim, other;

		if (!ctd_idmap_get(&map, pair->victim_id, &victim) ||
		    !ctd_idmap_get(&map, pair->occupier_id, &other))
			continue;
		ret_pairs[count++] = (struct ctd_neighbour_pair){
			.victim = (uint32_t)victim,
			.other = (uint32_t)other,
			.wait_ns = pair->wait_ns,
			.waits = pair->waits,
			.preemptions = pair->preempted,
			.together_ns = pair->beside_ns,
		};
	}
	ctd_idmap_free(&map);
	return count;
}

static int judge(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view)
{
	autofree struct ctd_neighbour_sample *samples =
		calloc(view->accounts_count + 1, sizeof(*samples));
	autofree struct ctd_neighbour_pair *pairs = calloc(feed->pairs.count + 1, sizeof(*pairs));
	struct ctd_neighbour_batch batch = {
		.time_ns = view->realtime_ns,
		.window_ns = view->realtime_ns - feed->before->realtime_ns,
		.samples = samples,
		.samples_count = samples ? ctd_samples_of_accounts(feed->before, view, samples) : 0,
		.caches = &view->caches,
	};
	ssize_t pairs_count = samples && pairs
				      ? take_pairs(feed, view, samples, batch.samples_count, pairs)
				      : -ENOMEM;
	int error;

	if (pairs_count < 0)
		return (int)pairs_count;
	batch.pairs = pairs;
	batch.pairs_count = (size_t)pairs_count;
	error = ctd_neighbours_add(feed->neighbours, &batch);
	if (error)
		return error;
	ctd_neighbours_judge(feed->neighbours);
	add_lost(feed, samples, &batch);
	return 0;
}

int ctd_accounts_feed_look(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view)
{
	feed->looked_ns += view->window_ns;
	return feed->before ? ctd_pairs_add(&feed->pairs, &view->pairs) : 0;
}

int ctd_accounts_feed_take(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view,
			   bool *ret_judged)
{
	uint64_t interval_ns = feed->looked_ns + view->window_ns;
	/* Where intervals are longer than the period, each is a sample. */
	uint64_t sample_ns = interval_ns > feed->period_ns ? interval_ns : feed->period_ns;
	uint64_t passed_ns;
	int error = 0;

	*ret_judged = false;
	feed->looked_ns = 0;
	if (feed->before && ctd_pairs_add(&feed->pairs, &view->pairs))
		return -ENOMEM;
	if (feed->before && view->realtime_ns > feed->before->realtime_ns) {
		passed_ns = view->realtime_ns - feed->before->realtime_ns;
		if (passed_ns < feed->period_ns - feed->period_ns / EARLY)
			return 0;
		if (passed_ns <= GAP_PERIODS * sample_ns) {
			error = judge(feed, view);
			*ret_judged = !error;
		}
	}
	begin_at(feed, view);
	/* The clock was set back; the detector goes on from here. */
	return error == -EINVAL ? 0 : error;
}

void ctd_accounts_feed_close(struct ctd_accounts_feed *feed)
{
	ctd_ledger_view_release(feed->before);
	ctd_neighbours_free(feed->neighbours);
	ctd_pairs_free(&feed->pairs);
	*feed = (struct ctd_accounts_feed){0};
}
