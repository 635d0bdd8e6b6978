/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* judging.h - neighbours are judged while serve counts, and what was learned outlasts it. */
#ifndef APP_NEIGHBOURS_JUDGING_H
#define APP_NEIGHBOURS_JUDGING_H

#include <cgtopdown/collect.h>

#include "app/options/options.h"
#include "neighbour/accounts.h"
#include "serve/kept.h"

struct ctd_judging {
	struct ctd_accounts_feed feed; /* owned; without a detector: nothing is judged */
	struct ctd_kept kept; /* owned; not open: what was learned is lost with the process */
	uint64_t save_ns; /* monotonic time of the next writing */
	bool failing; /* the last one failed */
};
#define CTD_JUDGING_NONE               \
	(struct ctd_judging)           \
	{                              \
		.kept = CTD_KEPT_NONE, \
	}

/* Makes the detector, and takes up what was learned before; while files may still be made. Logs.
 * @return 0 or negative errno. */
int ctd_judging_open(const struct ctd_options *options, struct ctd_judging *judging);
/* Takes the next view. @return the tags where they were judged anew, the caller's; else NULL.
 * Logs. */
const struct ctd_neighbour_verdicts *ctd_judging_take(struct ctd_judging *judging,
						      const struct ctd_ledger_view *view,
						      const struct ctd_collector *collector);
/* Takes a view that a client asked for in between: it is added to the next one. Logs. */
void ctd_judging_look(struct ctd_judging *judging, const struct ctd_ledger_view *view);
/* Writes what was learned. */
void ctd_judging_close(struct ctd_judging *judging);

#endif
