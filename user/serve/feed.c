/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* feed.c - from one snapshot to the next: interval, rollup, ledger, view. */
#include "serve/feed.h"

#include <errno.h>

#include "base/log.h"
#include "serve/beside.h"
#include "serve/profile/functions.h"

/* Nothing of the interval is in the ledger where this fails. */
static int enter(struct ctd_feed *feed)
{
	__attribute__((cleanup(ctd_taken_apart_free))) struct ctd_taken_apart apart = {0};
	const struct ctd_pipeline *pipeline = &feed->pipeline;
	const struct ctd_groups_beside beside = {feed->beside, feed->groups.beside_slots};
	int error = ctd_interval_take_apart(&pipeline->interval, pipeline->plan,
					    feed->beside && feed->groups.beside ? &beside : NULL,
					    feed->identities, &apart);

	if (!error)
		error = ctd_ledger_add(feed->ledger, &apart.rollup);
	if (!error && feed->entered)
		feed->entered(apart.tree, feed->context);
	return error;
}

/* How groups of vendors' metrics are added up. */
static int plan_beside(const struct ctd_vendor_counting *vendor, struct ctd_rollup_plan **ret_plan)
{
	struct ctd_record_header header = {.source = "vendor"};
	const char *unknown;

	if (!vendor)
		return 0;
	header.counters_count = (uint32_t)vendor->rotation.events_count;
	header.groups_count = (uint32_t)vendor->rotation.groups_count;
	return ctd_rollup_plan_new(&header, ret_plan, &unknown);
}

int ctd_feed_replan(struct ctd_feed *feed, const struct ctd_record_header *header,
		    struct ctd_collect_groups groups)
{
	const char *unknown;
	int error;

	/* It could not be entered with the last snapshot of the old plan, and will not fit the new
	 * one's. */
	if (ctd_pipeline_has_rest(&feed->pipeline)) {
		feed->lost |= enter(feed) != 0;
		ctd_pipeline_done(&feed->pipeline);
	}
	error = ctd_pipeline_replan(&feed->pipeline, header, &unknown);
	if (error)
		return ctd_log_error(error, "look up the CPU models");
	feed->groups = groups;
	if (groups.beside && !groups.beside_slots)
		feed->pipeline.foreign_from = groups.all - groups.beside;
	return 0;
}

int ctd_feed_open(const struct ctd_ledger_options *options, const struct ctd_record_header *header,
		  struct ctd_collect_groups groups, const struct ctd_identities *identities,
		  struct ctd_snapshot *first, struct ctd_feed *ret_feed)
{
	struct ctd_feed feed = {.identities = identities};
	uint64_t begun_ns = first->realtime_ns;
	bool whole;
	int error = ctd_feed_replan(&feed, header, groups);

	if (error) {
		ctd_snapshot_free(first);
		return error;
	}
	ctd_pipeline_take(&feed.pipeline, first, &whole);
	error = plan_beside(options->vendor, &feed.beside);
	if (!error)
		error = ctd_ledger_new(options, begun_ns, &feed.ledger);
	if (error) {
		ctd_feed_close(&feed);
		return ctd_log_error(error, "open the ledger");
	}
	*ret_feed = feed;
	return 0;
}

/* One line when it begins, one when it is over. */
static void tell(struct ctd_feed *feed, int error)
{
	if (error && error != -ENOMEM)
		feed->lost = true;
	if (error && !feed->failing)
		ctd_log_error(error,
			      feed->lost ? "enter an interval, which is lost"
					 : "enter an interval; it is tried again with the next");
	else if (!error && feed->failing)
		ctd_info("intervals are entered again%s", feed->lost ? "; there is a gap" : "");
	feed->failing = error;
	feed->lost &= feed->failing;
}

const struct ctd_ledger_view *ctd_feed_enter(struct ctd_feed *feed, struct ctd_snapshot *snapshot)
{
	const struct ctd_ledger_view *view = NULL;
	bool whole = false, rotates = snapshot->groups_count > 1;
	int error = ctd_pipeline_take(&feed->pipeline, snapshot, &whole);

	/* Without memory, too, where groups of counters rotate. */
	feed->lost |= error && rotates;
	if (!error && !whole)
		return NULL;
	if (!error) {
		error = enter(feed);
		/* What does not fit now never will. */
		if (error != -ENOMEM)
			ctd_pipeline_done(&feed->pipeline);
	}
	if (!error)
		error = ctd_ledger_view(feed->ledger, &view);
	tell(feed, error);
	return view;
}

static void drop_first(struct ctd_functions **list)
{
	struct ctd_functions *first = *list;

	*list = first->next;
	ctd_functions_free(first);
}

void ctd_feed_add_functions(struct ctd_feed *feed, struct ctd_functions *list)
{
	struct ctd_functions **end = &feed->functions;

	while (*end)
		end = &(*end)->next;
	*end = list;
	while (feed->functions && !ctd_ledger_add_functions(feed->ledger, feed->functions))
		drop_first(&feed->functions);
}

void ctd_feed_close(struct ctd_feed *feed)
{
	while (feed->functions)
		drop_first(&feed->functions);
	ctd_ledger_free(feed->ledger);
	ctd_pipeline_free(&feed->pipeline);
	ctd_rollup_plan_free(feed->beside);
	*feed = (struct ctd_feed){};
}
