/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.h - questions of HTTP clients that another thread answers. */
#ifndef SERVE_ASK_H
#define SERVE_ASK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Requests that wait, and answers that are not yet sent: each holds memory. More are refused. */
#define CTD_ASKS_MAX 8

struct ctd_asks {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* there is something to do */
	struct ctd_ask *first; /* owned; of the thread that answers, but to put one in front */
	int count; /* places that are held: of asks, and of answers until they are sent */
};

/* The first member of what is asked. The asker sets the first five. */
struct ctd_ask {
	void (*free)(struct ctd_ask *ask); /* all of it but `answer` */
	void (*tell)(void *context); /* there is an answer */
	void *context;
	uint64_t asked_ns;
	uint64_t limit_ns; /* after this the thread that answers hangs: give up */
	struct ctd_ask *next;
	struct ctd_asks *asks; /* borrowed */
	bool ready, dropped; /* under the lock */
	/* Of the thread that answers, until it is ready. */
	struct ctd_strbuf answer; /* owned */
	int error;
};

void ctd_asks_init(struct ctd_asks *asks);
/* Also frees requests that were not answered. */
void ctd_asks_free(struct ctd_asks *asks);

/* Takes @p ask over, also where it fails. @return 0, or -EBUSY: too many ask. */
int ctd_asks_add(struct ctd_asks *asks, struct ctd_ask *ask);
bool ctd_ask_is_ready(struct ctd_ask *ask);
/* Takes the answer of a request that is ready, and frees the rest of the request. Its place is the
 * caller's, until ctd_asks_leave(). @return 0, or the request's error: then nothing was freed. */
int ctd_ask_take(struct ctd_ask *ask, struct ctd_strbuf *ret_answer);
/* Gives the place of a taken answer back, once it is sent. NULL is fine. */
void ctd_asks_leave(struct ctd_asks *asks);
/* Ready or not; NULL is fine. */
void ctd_ask_drop(struct ctd_ask *ask);

/* For the thread that answers. Removes requests that were dropped. @return the first one left. */
struct ctd_ask *ctd_asks_clean(struct ctd_asks *asks);
/* There is an answer, or an error: from now on the request is the asker's. */
void ctd_ask_finish(struct ctd_ask *ask);

#endif
