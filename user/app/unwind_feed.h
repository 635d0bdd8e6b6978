/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* unwind_feed.h - gives the unwinder in the kernel the tables that it asks for. */
#ifndef APP_UNWIND_FEED_H
#define APP_UNWIND_FEED_H

#include <cgtopdown/sampler.h>

#include "profile/namer/namer.h"

/* What the kernel has. Start from a zeroed struct. */
struct ctd_unwind_feed {
	size_t rules;
	uint32_t executables, mappings;
	int error; /* -ENOMEM while requests were answered */
	struct ctd_namer *namer;
	struct ctd_sampler *sampler;
};

/* Answers the requests that came since the last call. A process for which there is no room is
 * unwound by frame pointers. @return 0 or -ENOMEM. */
int ctd_unwind_feed(struct ctd_unwind_feed *feed, struct ctd_namer *namer,
		    struct ctd_sampler *sampler);

#endif
