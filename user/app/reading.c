/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* reading.c - the thread that reads a new configuration, and makes what needs further files. */
#include "app/reading.h"

#include <sys/eventfd.h>

#include "app/config.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

/* After that long people would look for what is wrong. */
#define LONG_NS 3000000000ull

static void *run(void *context)
{
	struct ctd_reading *reading = context;

	reading->error = ctd_config_reload(reading->now, &reading->next);
	reading->has_next = !reading->error;
	if (reading->has_next)
		reading->error = ctd_ways_prepare(reading->ways, reading->now, &reading->next,
						  &reading->ways_next);
	atomic_store(&reading->is_over, true);
	eventfd_write(reading->wake_fd, 1);
	return NULL;
}

int ctd_reading_begin(struct ctd_reading *reading, const struct ctd_options *now,
		      struct ctd_ways *ways, int wake_fd)
{
	int error;

	*reading = (struct ctd_reading){
		.now = now, .ways = ways, .wake_fd = wake_fd, .began_ns = ctd_monotonic_ns()};
	error = ctd_thread_start(&reading->thread, "ctd-reading", run, reading);
	if (!error)
		return 0;
	reading->now = NULL;
	return ctd_log_error(error, "start a thread to read the configuration");
}

static void join(struct ctd_reading *reading)
{
	pthread_join(reading->thread, NULL);
	reading->now = NULL;
}

bool ctd_reading_is_over(struct ctd_reading *reading)
{
	if (!reading->now)
		return false;
	if (atomic_load(&reading->is_over)) {
		join(reading);
		return true;
	}
	if (reading->began_ns && ctd_monotonic_ns() - reading->began_ns > LONG_NS) {
		ctd_warn(
			"the configuration is still being read: a file does not answer, as where a server is away; what was before holds until it does");
		reading->began_ns = 0;
	}
	return false;
}

void ctd_reading_end(struct ctd_reading *reading)
{
	if (!reading->now)
		return;
	join(reading);
	if (!reading->has_next)
		return;
	ctd_ways_next_free(&reading->ways_next);
	ctd_options_free(&reading->next);
}
