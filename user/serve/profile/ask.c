/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.c - those who wait for profiles, and what becomes of them. */
#include "serve/profile/ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/thread.h"

/* An answer may take as long, once its time is over. */
#define GRACE_NS 20000000000ull

void ctd_profile_asks_init(struct ctd_profile_asks *asks)
{
	*asks = (struct ctd_profile_asks){.lock = PTHREAD_MUTEX_INITIALIZER};
	ctd_cond_init(&asks->changed);
}

static void ask_free(struct ctd_profile_ask *ask)
{
	for (size_t i = 0; i < sizeof(ask->texts) / sizeof(*ask->texts); i++)
		free(ask->texts[i]);
	ctd_profile_sum_free(&ask->sum);
	ctd_strbuf_free(&ask->answer);
	free(ask);
}

void ctd_profile_asks_free(struct ctd_profile_asks *asks)
{
	while (asks->first) {
		struct ctd_profile_ask *ask = asks->first;

		asks->first = ask->next;
		ask_free(ask);
	}
	pthread_cond_destroy(&asks->changed);
	pthread_mutex_destroy(&asks->lock);
}

static int copy_text(const char **text, char **ret_copy)
{
	if (!*text)
		return 0;
	*ret_copy = strdup(*text);
	*text = *ret_copy;
	return *ret_copy ? 0 : -ENOMEM;
}

static struct ctd_profile_ask *ask_new(const struct ctd_profile_question *question)
{
	struct ctd_profile_ask *ask = calloc(1, sizeof(*ask));
	struct ctd_profile_wanted *wanted;

	if (!ask)
		return NULL;
	ask->question = *question;
	wanted = &ask->question.wanted;
	if (copy_text(&ask->question.key, &ask->texts[0]) ||
	    copy_text(&wanted->container, &ask->texts[1]) ||
	    copy_text(&wanted->pod, &ask->texts[2]) ||
	    copy_text(&wanted->namespace_name, &ask->texts[3])) {
		ask_free(ask);
		return NULL;
	}
	return ask;
}

int ctd_profile_asks_add(struct ctd_profile_asks *asks, const struct ctd_profile_question *question,
			 void (*ready)(void *context), void *context, uint64_t now_ns,
			 struct ctd_profile_ask **ret_ask)
{
	struct ctd_profile_ask *ask;
	bool busy;

	pthread_mutex_lock(&asks->lock);
	busy = asks->count >= CTD_PROFILE_ASKS_MAX;
	asks->count += !busy;
	pthread_mutex_unlock(&asks->lock);
	if (busy)
		return -EBUSY;
	ask = ask_new(question);
	pthread_mutex_lock(&asks->lock);
	if (ask) {
		ask->asks = asks;
		ask->tell = ready;
		ask->context = context;
		ask->asked_ns = now_ns;
		ask->next = asks->first;
		asks->first = ask;
		pthread_cond_signal(&asks->changed);
	} else {
		asks->count--;
	}
	pthread_mutex_unlock(&asks->lock);
	*ret_ask = ask;
	return ask ? 0 : -ENOMEM;
}

struct ctd_profile_ask *ctd_profile_asks_clean(struct ctd_profile_asks *asks)
{
	struct ctd_profile_ask **link = &asks->first, *ask;

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

void ctd_profile_ask_finish(struct ctd_profile_ask *ask)
{
	struct ctd_profile_asks *asks = ask->asks;
	struct ctd_profile_ask **link = &asks->first;
	bool dropped;

	ctd_profile_sum_free(&ask->sum);
	pthread_mutex_lock(&asks->lock);
	while (*link != ask)
		link = &(*link)->next;
	*link = ask->next;
	dropped = ask->dropped;
	ask->ready = !dropped;
	asks->count -= dropped;
	/* Under the lock: who waits may drop it, and end, at once. */
	if (!dropped)
		ask->tell(ask->context);
	pthread_mutex_unlock(&asks->lock);
	if (dropped)
		ask_free(ask);
}

uint64_t ctd_profile_ask_limit_ns(const struct ctd_profile_ask *ask)
{
	return ask->asked_ns + (ask->question.recent ? 0 : ask->question.length_ns) + GRACE_NS;
}

bool ctd_profile_ask_is_ready(struct ctd_profile_ask *ask)
{
	bool ready;

	pthread_mutex_lock(&ask->asks->lock);
	ready = ask->ready;
	pthread_mutex_unlock(&ask->asks->lock);
	return ready;
}

int ctd_profile_ask_take(struct ctd_profile_ask *ask, struct ctd_strbuf *ret_answer)
{
	if (ask->error)
		return ask->error;
	*ret_answer = ask->answer;
	ask->answer = (struct ctd_strbuf){};
	return 0;
}

void ctd_profile_ask_drop(struct ctd_profile_ask *ask)
{
	struct ctd_profile_asks *asks = ask ? ask->asks : NULL;
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
