/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* accounts.h - samples for the detector, from one view of the ledger to a later one. */
#ifndef NEIGHBOUR_ACCOUNTS_H
#define NEIGHBOUR_ACCOUNTS_H

#include <cgtopdown/ledger.h>
#include <cgtopdown/neighbour.h>

/*
 * What containers and cgroups did between two views of one ledger. Those that did nothing are left
 * out, and those whose accounts got totals of an earlier time. Each core type is a domain of its
 * own: a slot of one is none of another. @p ret_samples: room for after->accounts_count; their
 * names are those of @p after. @return how many.
 */
size_t ctd_samples_of_accounts(const struct ctd_ledger_view *before,
			       const struct ctd_ledger_view *after,
			       struct ctd_neighbour_sample *ret_samples);

/* A detector that is fed by views. Start from a zeroed struct. */
struct ctd_accounts_feed {
	struct ctd_neighbours *neighbours; /* owned */
	uint64_t period_ns;
	const struct ctd_ledger_view *before; /* held; where the sample begins; NULL: none yet */
	struct ctd_pairs pairs; /* owned; of accounts, since then */
	uint64_t looked_ns; /* of views in between, since the last one that was taken */
	/* By mechanism and blame: what tags stood for, in all samples. Only grows. */
	double lost_slots[CTD_MECHANISMS][CTD_BLAMES];
};

/* @return 0 or -ENOMEM. */
int ctd_accounts_feed_open(const struct ctd_neighbours_options *options,
			   struct ctd_accounts_feed *ret_feed);
/*
 * Takes the next view. Once a sample period is over, all tags are judged anew. After a gap of
 * several periods, or where the clock was set back, the next sample begins here.
 * @return 0; *ret_judged says that they were. Or -ENOMEM: the sample is lost.
 */
int ctd_accounts_feed_take(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view,
			   bool *ret_judged);
/* Takes a view that a client asked for in between: it is added to the next one. @return 0 or
 * -ENOMEM. */
int ctd_accounts_feed_look(struct ctd_accounts_feed *feed, const struct ctd_ledger_view *view);
void ctd_accounts_feed_close(struct ctd_accounts_feed *feed);

#endif
