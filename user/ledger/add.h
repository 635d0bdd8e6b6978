/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* add.h - what a rollup adds to a ledger, made ready before anything is added. Private to
 * user/ledger/. */
#ifndef LEDGER_ADD_H
#define LEDGER_ADD_H

#include "ledger/ledger.h"

/* What one row did on one core type, and where it goes. */
struct ctd_addition {
	const struct ctd_rollup_row *row;
	const struct ctd_rollup_part *part;
	int type; /* core type: index of the plan's */
	size_t number; /* in which order they came */
	struct ctd_placement placement; /* owned; member NULL: of no cgroup */
};

/* Pairs of rows on their way to be pairs of accounts. */
struct ctd_account_pairs {
	const struct ctd_pairs *rows; /* the rollup's */
	struct ctd_pairs made; /* owned; of accounts, room for all */
	size_t types; /* core types */
	struct ctd_pair_side *sides; /* owned; of each row of the rollup on each core type */
};
/* pairs.c: memory for those of the rollup. @return 0 or -ENOMEM. */
int ctd_account_pairs_make(const struct ctd_rollup *rollup, struct ctd_account_pairs *ret_pairs);
/* Notes the account of a row on one core type. */
void ctd_account_pairs_note(struct ctd_account_pairs *pairs, size_t row,
			    const struct ctd_addition *addition, struct ctd_account *account);
/* Become the newest pairs of the ledger. What rows of one account waited for each other becomes its
 * own. */
void ctd_account_pairs_take(struct ctd_account_pairs *pairs, struct ctd_pairs *newest);
void ctd_account_pairs_free(struct ctd_account_pairs *pairs);

/* Limits above rows, on their way to those of accounts. */
struct ctd_waited_limits {
	struct ctd_waited_limit *items; /* owned */
	size_t count;
};
/* limits.c: memory for those of the rollup. @return 0 or -ENOMEM. */
int ctd_waited_limits_make(const struct ctd_rollup *rollup, struct ctd_waited_limits *ret_limits);
/* Notes the account of a row that waited for one. */
void ctd_waited_limits_note(struct ctd_waited_limits *limits, struct ledger_account *account,
			    const struct ctd_addition *addition);
/* Gives each account the limit that its rows waited for longest, of several the outermost,
 * whichever row came first. */
void ctd_waited_limits_take(struct ctd_waited_limits *limits);
void ctd_waited_limits_free(struct ctd_waited_limits *limits);

/* order.c: those of the highest rank first; of these the one with most CPU time. */
void ctd_additions_order(struct ctd_addition *additions, size_t count);

/*
 * follow.c: new names of the members that the rollup has no row of, whose `seen` is not @p
 * sequence; says which of these are gone. *ret_placements: placements, ended by one without a
 * member; free them, then free(3). @return 0 or -ENOMEM.
 */
int ctd_members_follow(struct ctd_ledger *ledger, const struct ctd_identities *identities,
		       uint64_t sequence, struct ctd_placement **ret_placements);

#endif
