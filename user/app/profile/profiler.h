/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profiler.h - samples on their way to stacks of functions, named while their processes are there. */
#ifndef APP_PROFILE_PROFILER_H
#define APP_PROFILE_PROFILER_H

#include <cgtopdown/collect.h>
#include <cgtopdown/export.h>
#include <cgtopdown/stacks.h>

#include "app/options/options.h"
#include "app/profile/unwind_feed.h"
#include "profile/namer/namer.h"

/* Processes are read when they were sampled: sooner than most end. */
#define CTD_PROFILER_TICK_NS 200000000ull
/* How long names are looked for when all is over. */
#define CTD_PROFILER_PATIENCE_NS 10000000000ull

/* How to sample, as the command line asks for it: @p event, which is borrowed, if it has a name. */
struct ctd_sampler_options ctd_profiler_sampling(const struct ctd_profile_options *options,
						 const struct ctd_sampled_event *event);

/* Of one thread, which may be another one than the collector's. */
struct ctd_profiler {
	struct ctd_namer *namer; /* owned */
	struct ctd_unwind_feed *feed; /* owned */
	const struct ctd_sampled_event *event; /* borrowed; what is sampled; NULL: CPU time */
	struct ctd_samples samples; /* owned; what has no names yet */
	unsigned int held; /* ticks since samples were named */
	bool is_ready; /* all files that were sampled have been read */
	uint64_t tick_ns; /* when ctd_profiler_work() takes samples again */
};

/* Has the allocator give memory back in which files were read; of a command that mostly does that.
 * To be called once, before there are threads. */
void ctd_profiler_prepare_memory(void);
/* Reads the kernel's symbols, which takes CAP_SYSLOG. @p event: what the sampler samples, borrowed;
 * NULL or without a name: CPU time. @p host_root: where the host's / is seen, whose separate files
 * of debugging information are for containers, too; NULL: it is ours. Logs. ctd_profiler_close() is
 * due if it succeeds. @return 0 or -ENOMEM. */
int ctd_profiler_open(const struct ctd_sampled_event *event, const char *host_root,
		      struct ctd_profiler *ret_profiler);
/*
 * Adds what was sampled since the last call to @p stacks, and gives the unwinder the tables that it
 * asked for; *stacks is made if it is NULL, for counters as @p header has them. @p stacks NULL:
 * what was sampled is left aside. To be called every tick. Reads files of containers, which may
 * take long: while they are read samples may be held, for up to two seconds, and are added by
 * another call. Logs. @return 0 or negative errno.
 */
int ctd_profiler_take(struct ctd_profiler *profiler, struct ctd_collector *collector,
		      const struct ctd_record_header *header, struct ctd_stacks **stacks);
/* Reads the processes that the unwinder asks for, and gives it their mappings: some may end before
 * the next tick. Call it when ctd_sampler_poll_fd() is readable. Logs. @return 0 or negative errno.
 */
int ctd_profiler_answer(struct ctd_profiler *profiler, struct ctd_collector *collector);
/* Is it time for ctd_profiler_take(), in a call that comes every CTD_PROFILER_TICK_NS and, for
 * requests, also in between? */
bool ctd_profiler_is_due(struct ctd_profiler *profiler, uint64_t now_ns);
/* Either of both, as it is due: for a ctd_work_beside. */
int ctd_profiler_work(struct ctd_profiler *profiler, struct ctd_collector *collector,
		      const struct ctd_record_header *header, struct ctd_stacks **stacks);
/* Adds also what is held, after up to @p patience_ns for its names; new processes are read
 * meanwhile. Logs. @return 0 or negative errno. */
int ctd_profiler_finish(struct ctd_profiler *profiler, struct ctd_collector *collector,
			const struct ctd_record_header *header, struct ctd_stacks **stacks,
			uint64_t patience_ns);
/* How well it has gone, up to now. */
void ctd_profiler_health(const struct ctd_profiler *profiler, struct ctd_collector *collector,
			 struct ctd_profile_health *ret_health);
void ctd_profiler_close(struct ctd_profiler *profiler);

#endif
