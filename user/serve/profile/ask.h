/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.h - a request for a profile, from its begin to its answer. Private to user/serve/profile/. */
#ifndef SERVE_PROFILE_ASK_H
#define SERVE_PROFILE_ASK_H

#include "serve/ask.h"
#include "serve/profile/profiles.h"

struct ctd_profile_ask {
	struct ctd_ask ask;
	struct ctd_profile_question question; /* with texts of its own */
	char *texts[4]; /* owned */
	/* Of the thread that samples, until it is ready. */
	bool begun, end_wanted;
	struct ctd_profile_sum sum; /* owned */
};

/* NULL: none. */
static inline struct ctd_profile_ask *ctd_profile_ask_of(struct ctd_ask *ask)
{
	return (struct ctd_profile_ask *)ask;
}

/* As ctd_profiles_ask(). @p delay_ns: so much longer than it is to be of the time may become. */
int ctd_profile_asks_add(struct ctd_asks *asks, const struct ctd_profile_question *question,
			 void (*ready)(void *context), void *context, uint64_t now_ns,
			 uint64_t delay_ns, struct ctd_ask **ret_ask);

#endif
