/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* live.c - counts on this machine, and shows the tags of each sample. */
#include "app/neighbours/live.h"

#include <errno.h>
#include <string.h>

#include "app/collect.h"
#include "app/neighbours/feed.h"
#include "app/sandbox/sandbox.h"
#include "app/stop.h"
#include "base/clock.h"
#include "base/log.h"

struct live {
	struct ctd_tags_show *show;
	struct ctd_collector *collector; /* owned */
	struct ctd_confinement confinement;
	struct ctd_neighbours_feed feed; /* owned */
	uint32_t plan; /* of counters: that of the last snapshot */
};

static int take_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct live *live = context;
	struct ctd_neighbour_verdicts now;
	uint64_t time_ns;
	int error = 0;

	if (live->feed.ledger.ledger && snapshot->plan != live->plan)
		error = ctd_feed_replan(&live->feed.ledger, ctd_collector_header(live->collector),
					ctd_collector_groups(live->collector));
	live->plan = snapshot->plan;
	if (error) {
		ctd_snapshot_free(snapshot);
		return error;
	}
	error = ctd_neighbours_feed_take(&live->feed, ctd_collector_header(live->collector),
					 ctd_collector_identities(live->collector), snapshot,
					 &time_ns);
	if (error || !time_ns)
		return error;
	now = ctd_neighbours_verdicts(live->feed.accounts.neighbours, time_ns);
	return ctd_tags_show(live->show, &now, true);
}

static int run_samples(struct live *live)
{
	const struct ctd_options *options = live->show->options;
	uint64_t next_ns = ctd_monotonic_ns();
	int error = 0;

	while (!error && !ctd_stop_came() &&
	       (!options->count || live->show->shown < options->count)) {
		next_ns = ctd_clock_next_ns(next_ns, options->sample_period_ns, ctd_monotonic_ns());
		error = ctd_collector_interval(live->collector, next_ns, -1, true, take_snapshot,
					       live);
	}
	return error;
}

static int start(struct live *live)
{
	const struct ctd_options *options = live->show->options;
	const struct ctd_neighbours_options detector = {.period_ns = options->sample_period_ns};
	struct ctd_snapshot first;
	int error = ctd_accounts_feed_open(&detector, &live->feed.accounts);

	if (error)
		return ctd_log_error(error, "make room for neighbours");
	error = ctd_collect_start(options, NULL, NULL, &live->confinement, &live->collector);
	if (error)
		return error;
	ctd_collect_confine(&live->confinement);
	error = ctd_collector_snapshot(live->collector, &first);
	return error ? error : take_snapshot(&first, live);
}

int ctd_neighbours_live(struct ctd_tags_show *show)
{
	struct live live = {.show = show, .confinement.sandbox.ruleset_fd = -1};
	int error = start(&live), status;

	if (!error)
		error = run_samples(&live);
	status = error && error != -EPIPE ? 1 : 0;
	ctd_neighbours_feed_close(&live.feed);
	ctd_collect_end(live.collector, &live.confinement, status);
	return status;
}
