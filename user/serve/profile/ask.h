/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.h - one who asked for a profile. Private to user/serve/profile/. */
#ifndef SERVE_PROFILE_ASK_H
#define SERVE_PROFILE_ASK_H

#include <pthread.h>

#include "base/strbuf.h"
#include "serve/profile/profiles.h"

struct ctd_profile_asks {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* there is something to do */
	struct ctd_profile_ask
		*first; /* owned; of the thread that samples, but to put one in front */
	int count; /* also ready ones that were not dropped */
};

struct ctd_profile_ask {
	struct ctd_profile_ask *next;
	struct ctd_profile_asks *asks; /* borrowed */
	struct ctd_profile_question question; /* with texts of its own */
	char *texts[4]; /* owned */
	void (*tell)(void *context);
	void *context;
	uint64_t asked_ns;
	/* Under the lock. */
	bool ready, dropped;
	/* Of the thread that samples, until it is ready. */
	bool begun, end_wanted;
	struct ctd_profile_sum sum; /* owned */
	struct ctd_strbuf answer; /* owned */
	int error;
};

void ctd_profile_asks_init(struct ctd_profile_asks *asks);
void ctd_profile_asks_free(struct ctd_profile_asks *asks);
/* As ctd_profiles_ask(). */
int ctd_profile_asks_add(struct ctd_profile_asks *asks, const struct ctd_profile_question *question,
			 void (*ready)(void *context), void *context, uint64_t now_ns,
			 struct ctd_profile_ask **ret_ask);
/* Takes those out that nobody waits for. @return the first one. */
struct ctd_profile_ask *ctd_profile_asks_clean(struct ctd_profile_asks *asks);
/* There is an answer, or an error. It is the asker's then. */
void ctd_profile_ask_finish(struct ctd_profile_ask *ask);

#endif
