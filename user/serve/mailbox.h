/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* mailbox.h - the newest view, from the thread that makes views to those that read them. */
#ifndef SERVE_MAILBOX_H
#define SERVE_MAILBOX_H

#include <cgtopdown/ledger.h>
#include <pthread.h>
#include <stdint.h>

/* Locked for moments only, never while a view is read. Start from CTD_MAILBOX_EMPTY. */
struct ctd_mailbox {
	pthread_mutex_t lock;
	const struct ctd_ledger_view *newest; /* owned; NULL: none yet */
	uint64_t put_ns; /* monotonic; 0: none yet */
};

#define CTD_MAILBOX_EMPTY                         \
	{                                         \
		.lock = PTHREAD_MUTEX_INITIALIZER \
	}

/* Holds @p view until there is a newer one. */
void ctd_mailbox_put(struct ctd_mailbox *mailbox, const struct ctd_ledger_view *view);
/* @return the newest view, to be released, and when it was put in; NULL: none yet. */
const struct ctd_ledger_view *ctd_mailbox_newest(struct ctd_mailbox *mailbox, uint64_t *ret_put_ns);
/* @return when it was put in; 0: none yet. */
uint64_t ctd_mailbox_put_ns(struct ctd_mailbox *mailbox);
void ctd_mailbox_free(struct ctd_mailbox *mailbox);

#endif
