/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unwind_feed.h - gives the unwinder in the kernel the tables that it asks for. */
#ifndef APP_PROFILE_UNWIND_FEED_H
#define APP_PROFILE_UNWIND_FEED_H

#include <cgtopdown/sampler.h>

#include "profile/namer/namer.h"

/* What the kernel has, and asked for. */
struct ctd_unwind_feed;

/* ctd_unwind_feed_free(). @return 0 or -ENOMEM. */
int ctd_unwind_feed_new(struct ctd_unwind_feed **ret_feed);
void ctd_unwind_feed_free(struct ctd_unwind_feed *feed);

/* Takes the requests that came since the last call. @return 0 or -ENOMEM. */
int ctd_unwind_feed_take(struct ctd_unwind_feed *feed, struct ctd_sampler *sampler);
/* Has what their processes mapped read, at once: they may end soon. @return 0 or -ENOMEM. */
int ctd_unwind_feed_learn(const struct ctd_unwind_feed *feed, struct ctd_namer *namer);
/* Answers them by what was learnt. A process for which there is no room is unwound by frame
 * pointers. @return 0 or -ENOMEM. */
int ctd_unwind_feed_answer(struct ctd_unwind_feed *feed, const struct ctd_namer *namer,
			   struct ctd_sampler *sampler);
/*
 * Has the kernel know what the namer knows by now, and no more. Call it once for each drain, and
 * after each round of the namer: what is taken away is used again when another drain is over.
 * @return 0 or -ENOMEM.
 */
int ctd_unwind_feed_follow(struct ctd_unwind_feed *feed, const struct ctd_namer *namer,
			   struct ctd_sampler *sampler);
/* Times that there was no room for the mappings of a process, in all. */
uint64_t ctd_unwind_feed_refused(const struct ctd_unwind_feed *feed);

#endif
