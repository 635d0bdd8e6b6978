/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* feed.c - adds snapshots up in a ledger, whose views the detector of neighbours gets. */
#include "app/neighbours/feed.h"

#include "base/log.h"

/* Names that were not found by then are not waited for. */
static const struct ctd_ledger_options ledger_options = {
	.accounts_max = 10000,
	.linger_ns = 60000000000,
};

int ctd_neighbours_feed_take(struct ctd_neighbours_feed *feed,
			     const struct ctd_record_header *header,
			     const struct ctd_identities *identities, struct ctd_snapshot *snapshot,
			     uint64_t *ret_time_ns)
{
	const struct ctd_ledger_view *view;
	bool judged = false;
	int error;

	*ret_time_ns = 0;
	if (!feed->ledger.ledger)
		return ctd_feed_open(&ledger_options, header, (struct ctd_collect_groups){0},
				     identities, snapshot, &feed->ledger);
	view = ctd_feed_enter(&feed->ledger, snapshot);
	if (!view)
		return 0;
	error = ctd_accounts_feed_take(&feed->accounts, view, &judged);
	if (error)
		ctd_log_error(error, "take a sample");
	if (judged)
		*ret_time_ns = view->realtime_ns;
	ctd_ledger_view_release(view);
	return error;
}

void ctd_neighbours_feed_close(struct ctd_neighbours_feed *feed)
{
	ctd_feed_close(&feed->ledger);
	ctd_accounts_feed_close(&feed->accounts);
}
