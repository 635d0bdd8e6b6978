/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unwind_feed.h - gives the unwinder in the kernel the tables that it asks for. */
#ifndef APP_UNWIND_FEED_H
#define APP_UNWIND_FEED_H

#include <cgtopdown/sampler.h>

#include "profile/namer/namer.h"

/* What the kernel has, and asked for. Start from a zeroed struct. */
struct ctd_unwind_feed {
	size_t rules;
	uint32_t executables, mappings;
	struct ctd_unwind_request *requests; /* owned */
	size_t requests_count, requests_capacity;
	int error; /* -ENOMEM while requests were taken */
};

/* Takes the requests that came since the last call. @return 0 or -ENOMEM. */
int ctd_unwind_feed_take(struct ctd_unwind_feed *feed, struct ctd_sampler *sampler);
/* Has what their processes mapped read, which may take long. @return 0 or -ENOMEM. */
int ctd_unwind_feed_learn(const struct ctd_unwind_feed *feed, struct ctd_namer *namer);
/* Answers them by what was learnt. A process for which there is no room is unwound by frame
 * pointers. @return 0 or -ENOMEM. */
int ctd_unwind_feed_answer(struct ctd_unwind_feed *feed, struct ctd_namer *namer,
			   struct ctd_sampler *sampler);
void ctd_unwind_feed_free(struct ctd_unwind_feed *feed);

#endif
