/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.c - a request for a profile, from its begin to its answer. */
#include "serve/profile/ask.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* An answer may take as long, once its time is over. */
#define GRACE_NS 20000000000ull

static void ask_free(struct ctd_ask *base)
{
	struct ctd_profile_ask *ask = ctd_profile_ask_of(base);

	for (size_t i = 0; i < sizeof(ask->texts) / sizeof(*ask->texts); i++)
		free(ask->texts[i]);
	ctd_profile_sum_free(&ask->sum);
	free(ask);
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
		ask_free(&ask->ask);
		return NULL;
	}
	return ask;
}

int ctd_profile_asks_add(struct ctd_asks *asks, const struct ctd_profile_question *question,
			 void (*ready)(void *context), void *context, uint64_t now_ns,
			 uint64_t delay_ns, struct ctd_ask **ret_ask)
{
	struct ctd_profile_ask *ask = ask_new(question);
	int error;

	if (!ask)
		return -ENOMEM;
	ask->ask = (struct ctd_ask){
		.free = ask_free,
		.tell = ready,
		.context = context,
		.asked_ns = now_ns,
		.limit_ns =
			now_ns + GRACE_NS + (question->recent ? 0 : question->length_ns + delay_ns),
	};
	error = ctd_asks_add(asks, &ask->ask);
	if (!error)
		*ret_ask = &ask->ask;
	return error;
}
