/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ways.h - the ways on which views leave: fetched by HTTP, sent by OTLP. */
#ifndef APP_WAYS_H
#define APP_WAYS_H

#include <cgtopdown/export.h>
#include <pthread.h>

#include "app/options.h"
#include "serve/http/server.h"
#include "serve/push/push.h"

/* Senders of earlier configurations: each has ended a second after it was replaced, unless the file
 * of its CA does not answer. */
#define CTD_WAYS_ENDING 4

struct ctd_ways {
	struct ctd_http *http; /* owned; NULL: nothing is served */
	struct ctd_push *push; /* owned; NULL: nothing is sent */
	uint64_t linger_ns; /* who takes nothing for so long is not waited for */
	uint64_t push_sequence, push_ns; /* what was sent last, and when that was seen */
	bool push_behind; /* of who prepares: the sender of the newest one could not be made */
	int wake_fd; /* an eventfd, borrowed: asks for a view of this moment */
	char node[256]; /* this machine's name */
	pthread_mutex_t lock; /* of these: */
	struct ctd_self self; /* what is known of the process elsewhere than here */
	struct ctd_push_totals push_before; /* of those that an earlier configuration had */
	struct ctd_push *ending[CTD_WAYS_ENDING]; /* owned; NULL: none */
};

/*
 * Takes the address to serve at: what may be refused, or need privileges. @p ways stays where it
 * is from here on. Logs. ctd_ways_free() is due in any case. @return 0 or negative errno.
 */
int ctd_ways_open(const struct ctd_options *options, uint64_t interval_ns, int wake_fd,
		  struct ctd_ways *ways);
/* Begins to serve and to send. @p as_it_is: see ctd_http_run(). Logs. @return 0 or negative errno. */
int ctd_ways_run(struct ctd_ways *ways, const struct ctd_options *options, bool as_it_is);
void ctd_ways_publish(struct ctd_ways *ways, const struct ctd_ledger_view *view);
/* @return the newest view that all have who take any; 0: none. */
uint64_t ctd_ways_acknowledged(struct ctd_ways *ways);
/* What was made of a new configuration, and is not in use yet. */
struct ctd_ways_next {
	bool replaces_push;
	struct ctd_push *push; /* owned; NULL: nothing is sent any more */
};

/*
 * Makes what a new configuration takes; the server takes up its files at once. Waits for files, and
 * for room for one more earlier sender: not on the collector's thread, and on one thread at a time.
 * Logs. @return 0; -EBUSY where too many senders have not ended; other negative errno: what failed
 * stays as it was, and is tried again with the next. @p ret_next is due to one of the two below in
 * any case, before the next is made.
 */
int ctd_ways_prepare(struct ctd_ways *ways, const struct ctd_options *before,
		     const struct ctd_options *after, struct ctd_ways_next *ret_next);
/* Takes it up, on the collector's thread, and waits for no receiver. */
void ctd_ways_follow(struct ctd_ways *ways, struct ctd_ways_next *next);
void ctd_ways_next_free(struct ctd_ways_next *next);
void ctd_ways_free(struct ctd_ways *ways);

#endif
