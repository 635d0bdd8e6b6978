/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* accounts_feed.c - feeds the detector a sample from views of the ledger, once in each period. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
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

static int judge(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view)
{
	autofree struct ctd_neighbour_sample *samples =
		calloc(view->accounts_count + 1, sizeof(*samples));
	const struct ctd_neighbour_batch batch = {
		.time_ns = view->realtime_ns,
		.window_ns = view->realtime_ns - feed->before->realtime_ns,
		.samples = samples,
		.samples_count = samples ? ctd_samples_of_accounts(feed->before, view, samples) : 0,
	};
	int error = samples ? ctd_neighbours_add(feed->neighbours, &batch) : -ENOMEM;

	if (error)
		return error;
	ctd_neighbours_judge(feed->neighbours);
	add_lost(feed, samples, &batch);
	return 0;
}

int ctd_accounts_feed_take(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view,
			   bool *ret_judged)
{
	/* Where intervals are longer than the period, each is a sample. */
	uint64_t sample_ns = view->window_ns > feed->period_ns ? view->window_ns : feed->period_ns;
	uint64_t passed_ns;
	int error = 0;

	*ret_judged = false;
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
	*feed = (struct ctd_accounts_feed){0};
}
