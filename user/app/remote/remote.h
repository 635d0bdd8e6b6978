/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* remote.h - the figures of a running serve, interval by interval. */
#ifndef APP_REMOTE_REMOTE_H
#define APP_REMOTE_REMOTE_H

#include <stdbool.h>

#include "app/options/options.h"
#include "remote/client.h"
#include "remote/interval.h"

struct ctd_remote_run;

/* Who wants the intervals. */
struct ctd_remote_taker {
	/* From here on intervals are of this plan, which is taken over. @return 0 or negative
	 * errno. */
	int (*replan)(struct ctd_remote_plan *plan, void *context);
	/* What it takes over, it leaves empty. @return 0 or negative errno; logs. */
	int (*take)(const struct ctd_remote_plan *plan, struct ctd_remote_interval *interval,
		    void *context);
	/* Of the time before all others, the oldest first, which a serve that keeps a history is
	 * asked for once. @p is_cut: rows that are not there may have run. What it takes over, it
	 * leaves empty. NULL: none is wanted. */
	void (*take_past)(const struct ctd_remote_plan *plan, struct ctd_remote_interval *intervals,
			  size_t count, bool is_cut, void *context);
	uint64_t past_ns; /* so long is that time */
	/* Nobody answers; "": again somebody does. NULL: that is logged. */
	void (*tell)(const char *why, void *context);
	bool all; /* takes whatever there is, for however long it is not there */
	void *context;
};

/*
 * Looks for a serve that has what is asked for: at --url, else at the local socket. Logs, also why
 * there is none, if there could be one. @return 1; 0: the figures are to be counted here; or
 * negative errno: of --url.
 */
int ctd_remote_find(const struct ctd_options *options, struct ctd_remote_run **ret_run);
/* Where that serve is asked. Borrows from the options. */
struct ctd_remote_place ctd_remote_place_of(const struct ctd_options *options,
					    enum ctd_remote_what what);
/* Says whose figures they are. */
void ctd_remote_tell(const struct ctd_remote_run *run);
/* Does it count metrics of a vendor, which its intervals do not have? Of the newest plan. */
bool ctd_remote_has_vendor(const struct ctd_remote_run *run);
/* The name of its machine. */
const char *ctd_remote_node(const struct ctd_remote_run *run);
/*
 * The key of a row in its newest view: of the cgroup that has this path, or NULL: of the kernel.
 * @p core_type: -1: of all core types. From any thread. @return NULL: there is none, or no memory;
 * else the caller's.
 */
char *ctd_remote_key(struct ctd_remote_run *run, const char *path, int core_type);
/* Hands out intervals until the run ends. Logs. @return 0 or negative errno. */
int ctd_remote_follow(struct ctd_remote_run *run, const struct ctd_remote_taker *taker);
/* NULL is fine. */
void ctd_remote_free(struct ctd_remote_run *run);

#define CTD_REMOTE_WHO_BYTES 128
/* Looks for a running serve that samples stacks as is asked for; says why, if there is one that
 * does not. @return true: it does, and is called by @p ret_who. */
bool ctd_remote_has_profiles(const struct ctd_options *options, char ret_who[CTD_REMOTE_WHO_BYTES]);
/* profile/remote.c: shows the profile that it samples. @return true: it did, with the exit status
 * in *ret_status; false: stacks are to be sampled here. */
bool ctd_remote_profile(const struct ctd_options *options, int *ret_status);

/* Says so if a serve runs, which may hold the counters that record wants. */
void ctd_remote_tell_record(void);

#endif
