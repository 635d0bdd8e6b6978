/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recall.c - answers questions about a history's times, one after the other, by a thread. */
#include "serve/history/recall.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/thread.h"

/* An answer may take as long, with those before it. */
#define LIMIT_NS 30000000000ull

struct recall_ask {
	struct ctd_ask ask;
	struct ctd_recall *recall; /* borrowed */
	struct ctd_history_question question;
	char *key; /* owned; of the question */
};

struct ctd_recall {
	const char *directory; /* borrowed */
	struct ctd_asks asks;
	bool stop; /* under the lock of the asks */
	pthread_t thread;
};

static void ask_free(struct ctd_ask *base)
{
	struct recall_ask *ask = (struct recall_ask *)base;

	free(ask->key);
	free(ask);
}

/* The one that has waited longest; NULL: the end. */
static struct recall_ask *wait_for_ask(struct ctd_recall *recall)
{
	struct ctd_ask *ask;
	bool stop;

	for (;;) {
		ask = ctd_asks_clean(&recall->asks);
		pthread_mutex_lock(&recall->asks.lock);
		stop = recall->stop;
		if (!stop && !recall->asks.first)
			pthread_cond_wait(&recall->asks.changed, &recall->asks.lock);
		pthread_mutex_unlock(&recall->asks.lock);
		if (stop)
			return NULL;
		if (!ask)
			continue;
		while (ask->next)
			ask = ask->next;
		return (struct recall_ask *)ask;
	}
}

/* A client may have gone, or the service ends: nothing else is answered meanwhile. */
static bool is_wanted(void *context)
{
	struct recall_ask *ask = context;
	struct ctd_recall *recall = ask->recall;
	bool wanted;

	pthread_mutex_lock(&recall->asks.lock);
	wanted = !recall->stop && !ask->ask.dropped;
	pthread_mutex_unlock(&recall->asks.lock);
	return wanted;
}

static void *run(void *context)
{
	struct ctd_recall *recall = context;
	struct recall_ask *ask;

	while ((ask = wait_for_ask(recall))) {
		ask->ask.error =
			ctd_history_answer(recall->directory, &ask->question, &ask->ask.answer);
		ctd_ask_finish(&ask->ask);
	}
	return NULL;
}

int ctd_recall_new(const char *directory, struct ctd_recall **ret_recall)
{
	struct ctd_recall *recall = calloc(1, sizeof(*recall));
	int error;

	if (!recall)
		return ctd_log_error(-ENOMEM, "answer questions about the history");
	recall->directory = directory;
	ctd_asks_init(&recall->asks);
	error = ctd_thread_start(&recall->thread, "ctd-recall", run, recall);
	if (error) {
		ctd_asks_free(&recall->asks);
		free(recall);
		return ctd_log_error(error, "start a thread that reads the history");
	}
	*ret_recall = recall;
	return 0;
}

int ctd_recall_ask(struct ctd_recall *recall, const struct ctd_history_question *question,
		   void (*ready)(void *context), void *context, uint64_t now_ns,
		   struct ctd_ask **ret_ask)
{
	struct recall_ask *ask = calloc(1, sizeof(*ask));
	int error;

	if (!ask)
		return -ENOMEM;
	*ask = (struct recall_ask){.ask = {.free = ask_free,
					   .tell = ready,
					   .context = context,
					   .asked_ns = now_ns,
					   .limit_ns = now_ns + LIMIT_NS},
				   .recall = recall,
				   .question = *question};
	ask->question.is_wanted = is_wanted;
	ask->question.context = ask;
	if (question->key) {
		ask->key = strdup(question->key);
		ask->question.key = ask->key;
		if (!ask->key) {
			free(ask);
			return -ENOMEM;
		}
	}
	error = ctd_asks_add(&recall->asks, &ask->ask);
	if (!error)
		*ret_ask = &ask->ask;
	return error;
}

void ctd_recall_free(struct ctd_recall *recall)
{
	if (!recall)
		return;
	pthread_mutex_lock(&recall->asks.lock);
	recall->stop = true;
	pthread_cond_signal(&recall->asks.changed);
	pthread_mutex_unlock(&recall->asks.lock);
	pthread_join(recall->thread, NULL);
	ctd_asks_free(&recall->asks);
	free(recall);
}
