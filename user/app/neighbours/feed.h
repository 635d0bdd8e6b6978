/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* feed.h - snapshots on their way to the detector of neighbours, as serve feeds its own.
 */
#ifndef APP_NEIGHBOURS_FEED_H
#define APP_NEIGHBOURS_FEED_H

#include "neighbour/accounts.h"
#include "serve/feed.h"

struct ctd_neighbours_feed {
	struct ctd_accounts_feed accounts; /* owned; the caller opens it */
	struct ctd_feed ledger; /* owned; not open before the first snapshot */
};

/* Takes the snapshot over. @return 0 or negative errno, which was logged; *ret_time_ns: 0 unless
 * there are other tags now. */
int ctd_neighbours_feed_take(struct ctd_neighbours_feed *feed,
			     const struct ctd_record_header *header,
			     const struct ctd_identities *identities, struct ctd_snapshot *snapshot,
			     uint64_t *ret_time_ns);
void ctd_neighbours_feed_close(struct ctd_neighbours_feed *feed);

#endif
