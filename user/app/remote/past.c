/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.c - asks a running serve for the time before its first view. */
#include "app/remote/past.h"

#include <stdlib.h>

#include "app/stop.h"
#include "remote/recall.h"

#define NS_PER_S 1000000000ull
/* More than a screen has, in memory that leaves room for what comes. */
#define ROWS_MAX 500
/* Intervals wait for it, and after it there are longer ones. */
#define ANSWER_MS 3000

struct receiver {
	struct ctd_remote_interval *intervals; /* owned, and each of them */
	size_t count;
};

static int collect(struct ctd_remote_interval *interval, void *context)
{
	struct receiver *receiver = context;

	receiver->intervals[receiver->count++] = *interval;
	*interval = (struct ctd_remote_interval){0};
	return 0;
}

/* Points are as long as what it keeps: an interval, rounded up to whole seconds. */
static int ask(const struct ctd_remote_place *at, const struct ctd_remote_view *first,
	       uint64_t past_ns, struct ctd_remote_past *ret_past)
{
	struct ctd_remote_place place = *at;
	const struct ctd_remote_past_question question = {
		.seconds = past_ns / NS_PER_S,
		.step_s = (first->interval_ns + NS_PER_S - 1) / NS_PER_S,
		.level = first->level > 1 ? 2 : 1,
		.rows = ROWS_MAX,
	};
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_client *client;
	int error;

	place.answer_ms = ANSWER_MS;
	error = ctd_remote_client_new(&place, ctd_stop_came, &client);
	if (error)
		return error;
	error = ctd_remote_client_get_past(client, &question, ret_past, why);
	ctd_remote_client_free(client);
	return error;
}

void ctd_remote_ask_past(const struct ctd_remote_place *place, const struct ctd_remote_view *first,
			 const struct ctd_remote_plan *plan, const struct ctd_remote_taker *taker)
{
	struct receiver receiver = {0};
	struct ctd_remote_past past;

	if (!first->history || !first->interval_ns || ask(place, first, taker->past_ns, &past))
		return;
	receiver.intervals = calloc(past.points, sizeof(*receiver.intervals));
	/* Without memory there are fewer, the oldest. */
	if (receiver.intervals)
		(void)ctd_remote_recall(&past, first, plan, collect, &receiver);
	if (receiver.count)
		taker->take_past(plan, receiver.intervals, receiver.count, past.is_cut,
				 taker->context);
	for (size_t i = 0; i < receiver.count; i++)
		ctd_remote_interval_free(&receiver.intervals[i]);
	free(receiver.intervals);
	ctd_remote_past_free(&past);
}
