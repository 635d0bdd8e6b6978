/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.c - questions of HTTP clients that another thread answers. */
#include "serve/ask.h"

#include <errno.h>

#include "base/thread.h"

void ctd_asks_init(struct ctd_asks *asks)
{
	*asks = (struct ctd_asks){.lock = PTHREAD_MUTEX_INITIALIZER};
	ctd_cond_init(&asks->changed);
}

static void ask_free(struct ctd_ask *ask)
{
	ctd_strbuf_free(&ask->answer);
	ask->free(ask);
}

void ctd_asks_free(struct ctd_asks *asks)
{
	while (asks->first) {
		struct ctd_ask *ask = asks->first;

		asks->first = ask->next;
		ask_free(ask);
	}
	pthread_cond_destroy(&asks->changed);
	pthread_mutex_destroy(&asks->lock);
}

int ctd_asks_add(struct ctd_asks *asks, struct ctd_ask *ask)
{
	bool busy;

	ask->asks = asks;
	pthread_mutex_lock(&asks->lock);
	busy = asks->count >= CTD_ASKS_MAX;
	if (!busy) {
		asks->count++;
		ask->next = asks->first;
		asks->first = ask;
		pthread_cond_signal(&asks->changed);
	}
	pthread_mutex_unlock(&asks->lock);
	if (busy)
		ask_free(ask);
	return busy ? -EBUSY : 0;
}

struct ctd_ask *ctd_asks_clean(struct ctd_asks *asks)
{
	struct ctd_ask **link = &asks->first, *ask;

	pthread_mutex_lock(&asks->lock);
	while ((ask = *link)) {
		if (!ask->dropped) {
			link = &ask->next;
			continue;
		}
		*link = ask->next;
		asks->count--;
		ask_free(ask);
	}
	ask = asks->first;
	pthread_mutex_unlock(&asks->lock);
	return ask;
}

void ctd_ask_finish(struct ctd_ask *ask)
{
	struct ctd_asks *asks = ask->asks;
	struct ctd_ask **link = &asks->first;
	bool dropped;

	pthread_mutex_lock(&asks->lock);
	while (*link != ask)
		link = &(*link)->next;
	*link = ask->next;
	dropped = ask->dropped;
	ask->ready = !dropped;
	asks->count -= dropped;
	/* Under the lock: the asker may drop it, and end, at once. */
	if (!dropped)
		ask->tell(ask->context);
	pthread_mutex_unlock(&asks->lock);
	if (dropped)
		ask_free(ask);
}

bool ctd_ask_is_ready(struct ctd_ask *ask)
{
	bool ready;

	pthread_mutex_lock(&ask->asks->lock);
	ready = ask->ready;
	pthread_mutex_unlock(&ask->asks->lock);
	return ready;
}

int ctd_ask_take(struct ctd_ask *ask, struct ctd_strbuf *ret_answer)
{
	if (ask->error)
		return ask->error;
	*ret_answer = ask->answer;
	ask->answer = (struct ctd_strbuf){};
	ask_free(ask);
	return 0;
}

void ctd_asks_leave(struct ctd_asks *asks)
{
	if (!asks)
		return;
	pthread_mutex_lock(&asks->lock);
	asks->count--;
	pthread_mutex_unlock(&asks->lock);
}

void ctd_ask_drop(struct ctd_ask *ask)
{
	struct ctd_asks *asks = ask ? ask->asks : NULL;
	bool ready;

	if (!ask)
		return;
	pthread_mutex_lock(&asks->lock);
	ready = ask->ready;
	ask->dropped = true;
	asks->count -= ready;
	pthread_cond_signal(&asks->changed);
	pthread_mutex_unlock(&asks->lock);
	if (ready)
		ask_free(ask);
}
