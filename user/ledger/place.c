/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* place.c - gives each cgroup its account, and another one when its names change. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool same_key(const struct ctd_account_who *a, const struct ctd_account_who *b)
{
	return strcmp(a->key_text, b->key_text) == 0;
}

/* One of several that share an account: the one that came last describes it. */
static bool describes_nothing(const struct ledger_member *member, const struct ctd_account_who *who)
{
	const struct ledger_account *account = member->account;

	return account && account->shared && account->describer &&
	       account->describer != member->cgroup_id && same_key(account->account.who, who);
}

bool ctd_member_is_of(const struct ledger_member *member, const struct ctd_identity *identity)
{
	return member->account && member->account->describer && identity && identity->version &&
	       member->version == identity->version;
}

int ctd_placement_make(struct ctd_ledger *ledger, struct ledger_member *member,
		       const struct ctd_row_subject *subject, struct ctd_placement *ret_placement)
{
	struct ctd_placement placement = {
		.member = member,
		.version = subject->version,
		.settled = subject->settled || !ledger->options.settle_ns,
	};

	if (!member->account || !ctd_who_is(member->account->account.who, &subject->who)) {
		placement.who = ctd_who_new(&subject->who);
		if (!placement.who)
			return -ENOMEM;
		if (describes_nothing(member, placement.who)) {
			ctd_who_release(placement.who);
			placement.who = NULL;
		}
	}
	if (placement.who) {
		/* Also where it has one for itself: another one may get the same key before. */
		placement.opens = !member->account || member->account->shared;
		placement.spare = ctd_account_new(ledger, placement.who, member->core_type);
		if (!placement.spare) {
			ctd_placement_free(&placement);
			return -ENOMEM;
		}
	}
	placement.tenant = subject->tenant;
	placement.rank = subject->rank;
	*ret_placement = placement;
	return 0;
}

void ctd_placement_free(struct ctd_placement *placement)
{
	ctd_who_release(placement->who);
	ctd_account_free(placement->spare);
	*placement = (struct ctd_placement){0};
}

struct ledger_account *ctd_placement_account(const struct ctd_ledger *ledger,
					     const struct ctd_placement *placement)
{
	return placement->who ? ctd_accounts_find(ledger, placement->who->key_text) : NULL;
}

static void describe(struct ctd_ledger *ledger, struct ledger_account *account,
		     struct ctd_placement *placement)
{
	ledger->newest.names_version++;
	ctd_who_release(account->account.who);
	account->account.who = placement->who;
	placement->who = NULL;
	account->tenant = placement->tenant;
	account->rank = placement->rank;
	account->describer = placement->member->cgroup_id;
}

/* Into the table under its key; what is there already takes all that it has. */
static void enter(struct ctd_ledger *ledger, struct ledger_member *member,
		  struct ledger_account *account)
{
	struct ledger_account *there = ctd_accounts_find(ledger, account->account.who->key_text);
	const struct ctd_account_who *who;

	if (!there) {
		ctd_accounts_insert(ledger, account);
		return;
	}
	ledger->newest.names_version++;
	ctd_account_merge(ledger, there, account);
	there->members++;
	there->shared = true;
	there->account.ended = false;
	if (there->touched < account->touched)
		there->touched = account->touched;
	who = there->account.who;
	there->account.who = account->account.who;
	account->account.who = who;
	there->tenant = account->tenant;
	there->rank = account->rank;
	there->describer = member->cgroup_id;
	member->account = there;
	ledger->places--;
	ctd_account_free(account);
}

static void show(struct ctd_ledger *ledger, struct ledger_account *account)
{
	struct ledger_member *member = account->holder;

	ctd_accounts_unhold(ledger, account);
	account->holder = NULL;
	enter(ledger, member, account);
}

/* The names of one that has an account for itself. */
static void rename_account(struct ctd_ledger *ledger, struct ctd_placement *placement)
{
	struct ledger_member *member = placement->member;
	struct ledger_account *account = member->account;

	if (account->holder || same_key(account->account.who, placement->who)) {
		describe(ledger, account, placement);
		return;
	}
	ctd_accounts_remove(ledger, account);
	describe(ledger, account, placement);
	enter(ledger, member, account);
}

static void join(struct ctd_ledger *ledger, struct ctd_placement *placement,
		 struct ledger_account *account)
{
	placement->member->account = account;
	account->members++;
	account->shared = true;
	account->account.ended = false;
	describe(ledger, account, placement);
}

static void open_account(struct ctd_ledger *ledger, struct ctd_placement *placement)
{
	struct ledger_member *member = placement->member;
	struct ledger_account *account = placement->spare;

	if (!ctd_quota_allows(ledger, placement) ||
	    (ledger->places >= ledger->options.accounts_max &&
	     !ctd_room_make(ledger, placement->rank))) {
		ledger->newest.totals.folded += !member->folded;
		member->folded = true;
		return;
	}
	placement->spare = NULL;
	ledger->places++;
	member->account = account;
	account->members = 1;
	account->tenant = placement->tenant;
	account->rank = placement->rank;
	account->touched_elapsed_ns = ledger->newest.elapsed_ns;
	account->describer = member->cgroup_id;
	account->begun_elapsed_ns = ledger->newest.elapsed_ns;
	account->account.begun_ns = ledger->newest.realtime_ns - ledger->newest.window_ns;
	if (placement->settled) {
		ctd_accounts_insert(ledger, account);
	} else {
		account->holder = member;
		ctd_accounts_hold(ledger, account);
	}
}

void ctd_placement_do(struct ctd_ledger *ledger, struct ctd_placement *placement)
{
	struct ledger_member *member = placement->member;
	struct ledger_account *account = member->account;

	if (placement->who && account && !account->shared) {
		rename_account(ledger, placement);
	} else if (placement->who && account && same_key(account->account.who, placement->who)) {
		describe(ledger, account, placement);
	} else if (placement->who) {
		struct ledger_account *there =
			placement->settled ? ctd_placement_account(ledger, placement) : NULL;

		if (account)
			ctd_account_leave(ledger, member);
		if (there)
			join(ledger, placement, there);
		else
			open_account(ledger, placement);
	}
	if (placement->settled && member->account && member->account->holder)
		show(ledger, member->account);
	member->version = placement->version;
}

void ctd_held_show(struct ctd_ledger *ledger)
{
	struct ledger_account *next;

	for (struct ledger_account *account = ledger->held; account; account = next) {
		next = account->next;
		if (ledger->newest.elapsed_ns - account->begun_elapsed_ns >=
			    ledger->options.settle_ns ||
		    account->holder->ending)
			show(ledger, account);
	}
}
