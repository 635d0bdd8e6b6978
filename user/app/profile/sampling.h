/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sampling.h - the thread of serve that samples stacks, names them, and makes profiles. */
#ifndef APP_PROFILE_SAMPLING_H
#define APP_PROFILE_SAMPLING_H

#include <pthread.h>

#include "app/options/options.h"
#include "app/profile/profiler.h"
#include "serve/profile/profiles.h"

/* Start from a zeroed struct. */
struct ctd_sampling {
	struct ctd_profiler profiler; /* owned; the thread's while it runs */
	struct ctd_collector *collector; /* borrowed */
	struct ctd_profiles *profiles; /* owned; NULL: stacks are not sampled */
	struct ctd_options options; /* of the thread; what they point to is borrowed */
	pthread_t thread;
	bool has_thread;
};

/* Reads the kernel's symbols: before privileges are given up. @p host_root: as of
 * ctd_profiler_open(). Logs. @return 0 or negative errno. */
int ctd_sampling_open(const char *host_root, struct ctd_sampling *ret_sampling);
/* Begins to sample beside @p collector, which has been started with a sampler. @p end_interval: see
 * ctd_profiles_options. Before this thread is confined, as the thread would be, too. Logs. @return
 * 0 or negative errno. */
int ctd_sampling_run(struct ctd_sampling *sampling, const struct ctd_options *options,
		     struct ctd_collector *collector, void (*end_interval)(void *context),
		     void *context);
/* Waits for the thread, which may wait for a file. Nobody asks for profiles any more. */
void ctd_sampling_free(struct ctd_sampling *sampling);

#endif
