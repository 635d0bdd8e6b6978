/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* quota.c - who gets a place where there are not enough: no tenant all of them, the idle none. */
#include "ledger/ledger.h"

/* An account gives way to one of its own rank when it was idle for so long. */
#define IDLE_NS 10000000000ull

static size_t places_of(const struct ctd_ledger *ledger, uint64_t tenant)
{
	size_t count = 0;

	for (size_t i = 0; i < ledger->sorted_count; i++)
		count += ledger->sorted[i]->tenant.id == tenant;
	for (const struct ledger_account *held = ledger->held; held; held = held->next)
		count += held->tenant.id == tenant;
	return count;
}

/* As many as are told of are remembered: lines are no way to fill a disk either. */
static void tell(struct ctd_ledger *ledger, const struct ctd_placement *placement, size_t most)
{
	for (size_t i = 0; i < ledger->told_count; i++) {
		if (ledger->told[i] == placement->tenant.id)
			return;
	}
	if (ledger->told_count == CTD_LEDGER_TOLD_MAX)
		return;
	ledger->told[ledger->told_count++] = placement->tenant.id;
	if (ledger->options.refused)
		ledger->options.refused(placement->who, most);
}

bool ctd_quota_allows(struct ctd_ledger *ledger, const struct ctd_placement *placement)
{
	const struct ctd_tenant *tenant = &placement->tenant;
	size_t most = tenant->id ? ledger->options.accounts_max / tenant->part : 0;

	if (!tenant->id)
		return true;
	/* Thousands may ask in one rollup. */
	if (ledger->full_tenant == tenant->id && ledger->full_sequence == ledger->newest.sequence)
		return false;
	most += !most;
	if (places_of(ledger, tenant->id) < most)
		return true;
	ledger->full_tenant = tenant->id;
	ledger->full_sequence = ledger->newest.sequence;
	tell(ledger, placement, most);
	return false;
}

static bool gives_way(const struct ctd_ledger *ledger, const struct ledger_account *account,
		      enum ctd_rank rank)
{
	bool idle = account->touched != ledger->newest.sequence;

	if (account->account.who->kind >= CTD_ACCOUNT_KERNEL)
		return false;
	/* It only waits for what its functions had at last, which is of `other` then. */
	if (ctd_account_is_fetched(ledger, account))
		return idle;
	if (account->rank > rank)
		return false;
	/* Its last figures wait to be fetched. */
	if (account->account.ended && account->rank > CTD_RANK_ANONYMOUS)
		return false;
	if (account->rank == rank)
		return idle && ledger->newest.elapsed_ns - account->touched_elapsed_ns >= IDLE_NS;
	/* Rows of anonymous ones come last: it has none yet of this rollup. */
	return idle || (rank == CTD_RANK_NAMED && account->rank == CTD_RANK_ANONYMOUS &&
			account->rows_sequence != ledger->newest.sequence);
}

static bool goes_before(const struct ledger_account *account, const struct ledger_account *best)
{
	if (!best || account->rank != best->rank)
		return !best || account->rank < best->rank;
	if (account->touched != best->touched)
		return account->touched < best->touched;
	return account->account.cpu_ns < best->account.cpu_ns;
}

/* Its cgroups go to `other` from now on, until there is a place for them again. */
static void leave_all(struct ctd_ledger *ledger, const struct ledger_account *account)
{
	uintptr_t value;
	size_t cursor = 0;
	uint64_t id;

	while (ctd_idmap_next(&ledger->members[account->account.core_type], &cursor, &id, &value)) {
		struct ledger_member *member = (struct ledger_member *)value;

		if (member->account != account)
			continue;
		member->account = NULL;
		ledger->newest.totals.folded += !member->folded;
		member->folded = true;
	}
}

bool ctd_room_make(struct ctd_ledger *ledger, enum ctd_rank rank)
{
	struct ledger_account *best = NULL;

	if (ledger->no_room[rank] == ledger->newest.sequence)
		return false;
	for (size_t i = 0; i < ledger->sorted_count; i++) {
		struct ledger_account *account = ledger->sorted[i];

		if (gives_way(ledger, account, rank) && goes_before(account, best))
			best = account;
	}
	if (!best) {
		ledger->no_room[rank] = ledger->newest.sequence;
		return false;
	}
	leave_all(ledger, best);
	ctd_account_let_go(ledger, best);
	return true;
}
