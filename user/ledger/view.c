/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* view.c - the ledger at one instant, for whoever takes longer than the collector waits. */
#include "ledger/ledger.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

struct view {
	struct ctd_ledger_view view;
	atomic_size_t references;
	struct ctd_account accounts[];
};

static struct view *view_of(const struct ctd_ledger_view *view)
{
	return (struct view *)((char *)view - offsetof(struct view, view));
}

static void add_held(const struct ctd_ledger *ledger, struct ctd_node_totals *totals)
{
	for (const struct ledger_account *account = ledger->held; account;
	     account = account->next) {
		totals->held_slots += account->account.slots;
		totals->held_ns += account->account.cpu_ns;
		totals->held++;
	}
}

int ctd_ledger_view(const struct ctd_ledger *ledger, const struct ctd_ledger_view **ret_view)
{
	struct view *view = malloc(sizeof(*view) + ledger->sorted_count * sizeof(*view->accounts));

	if (!view)
		return -ENOMEM;
	view->view = ledger->newest;
	atomic_init(&view->references, 1);
	for (size_t i = 0; i < ledger->sorted_count; i++) {
		view->accounts[i] = ledger->sorted[i]->account;
		ctd_who_hold(view->accounts[i].who);
	}
	view->view.accounts = view->accounts;
	view->view.accounts_count = ledger->sorted_count;
	add_held(ledger, &view->view.totals);
	*ret_view = &view->view;
	return 0;
}

const struct ctd_ledger_view *ctd_ledger_view_hold(const struct ctd_ledger_view *view)
{
	/* Whoever holds one more has one: nothing need be seen in order. */
	atomic_fetch_add_explicit(&view_of(view)->references, 1, memory_order_relaxed);
	return view;
}

void ctd_ledger_view_release(const struct ctd_ledger_view *view)
{
	struct view *own;

	if (!view)
		return;
	own = view_of(view);
	if (atomic_fetch_sub_explicit(&own->references, 1, memory_order_acq_rel) != 1)
		return;
	for (size_t i = 0; i < view->accounts_count; i++)
		ctd_who_release(view->accounts[i].who);
	free(own);
}
