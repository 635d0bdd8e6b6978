/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* mailbox.c - keeps the newest view for all that read views. */
#include "serve/mailbox.h"

#include "base/clock.h"

void ctd_mailbox_put(struct ctd_mailbox *mailbox, const struct ctd_ledger_view *view)
{
	const struct ctd_ledger_view *before;

	view = ctd_ledger_view_hold(view);
	pthread_mutex_lock(&mailbox->lock);
	before = mailbox->newest;
	mailbox->newest = view;
	mailbox->put_ns = ctd_monotonic_ns();
	pthread_mutex_unlock(&mailbox->lock);
	ctd_ledger_view_release(before);
}

const struct ctd_ledger_view *ctd_mailbox_newest(struct ctd_mailbox *mailbox, uint64_t *ret_put_ns)
{
	const struct ctd_ledger_view *view = NULL;

	pthread_mutex_lock(&mailbox->lock);
	if (mailbox->newest)
		view = ctd_ledger_view_hold(mailbox->newest);
	*ret_put_ns = mailbox->put_ns;
	pthread_mutex_unlock(&mailbox->lock);
	return view;
}

uint64_t ctd_mailbox_put_ns(struct ctd_mailbox *mailbox)
{
	uint64_t put_ns;

	pthread_mutex_lock(&mailbox->lock);
	put_ns = mailbox->put_ns;
	pthread_mutex_unlock(&mailbox->lock);
	return put_ns;
}

void ctd_mailbox_free(struct ctd_mailbox *mailbox)
{
	ctd_ledger_view_release(mailbox->newest);
	mailbox->newest = NULL;
}
