/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profiles.h - always-on profiles: the recent minute of all containers, and times that were asked
 * for. */
#ifndef SERVE_PROFILE_PROFILES_H
#define SERVE_PROFILE_PROFILES_H

#include <cgtopdown/export.h>
#include <cgtopdown/record.h>
#include <stdbool.h>
#include <stdint.h>

#include "serve/ask.h"
#include "serve/profile/answer.h"

/*
 * Three kinds of threads meet here: the collector's hands in its intervals; that which samples
 * takes them, adds to each what was sampled in it, and makes answers; those of HTTP servers ask.
 * None waits for another, but for moments.
 */
struct ctd_profiles;

/* How long a time may be asked for, and how much of what is over is kept. */
#define CTD_PROFILE_SECONDS_MAX 300
#define CTD_PROFILE_RECENT_SECONDS_MAX 60

struct ctd_profiles_options {
	uint64_t period_ns; /* of sampling */
	uint64_t interval_ns; /* how long one lasts that nobody ends */
	bool functions; /* what these had is wanted: ctd_profiles_take_functions() */
	/* Has the collector end its interval; from any thread. */
	void (*end_interval)(void *context);
	void *context;
};

int ctd_profiles_new(const struct ctd_profiles_options *options,
		     const struct ctd_record_header *header, struct ctd_profiles **ret_profiles);
void ctd_profiles_free(struct ctd_profiles *profiles);

/* Of the collector's thread. The intervals that follow are of this plan. @return 0 or -ENOMEM. */
int ctd_profiles_replan(struct ctd_profiles *profiles, const struct ctd_record_header *header);
/* An interval that ends @p now_ns (monotonic). Logs. */
void ctd_profiles_enter(struct ctd_profiles *profiles, const struct ctd_interval *interval,
			const struct ctd_identities *identities, uint64_t now_ns);

/* What functions had, in times of ten seconds or longer intervals that follow each other: those
 * that came since the last call, the oldest first. @return a list, the caller's. */
struct ctd_functions *ctd_profiles_take_functions(struct ctd_profiles *profiles);

/* Of the thread that samples. Waits for something to do, or until @p until_ns. @return false: it
 * is to end. */
bool ctd_profiles_wait(struct ctd_profiles *profiles, uint64_t until_ns);
/* How many intervals have ended, that what was sampled up to now belongs to. */
size_t ctd_profiles_ended(struct ctd_profiles *profiles);
/* The plan of what is sampled from here on; borrowed until the next step. */
const struct ctd_record_header *ctd_profiles_header(const struct ctd_profiles *profiles);
/*
 * Takes the first @p ended intervals, with *stacks, what was sampled since the last one and up to
 * when there were so many, which is freed then, and makes what answers are due. Those that ended
 * later wait for samples of their own. Logs.
 */
void ctd_profiles_step(struct ctd_profiles *profiles, size_t ended, struct ctd_stacks **stacks,
		       uint64_t now_ns);

/* How well it has sampled up to now. */
void ctd_profiles_tell(struct ctd_profiles *profiles, const struct ctd_profile_health *health);

/* From any thread. */
void ctd_profiles_stop(struct ctd_profiles *profiles);
void ctd_profiles_count(struct ctd_profiles *profiles, struct ctd_self *self);

/* Of HTTP servers. @p question is copied; @p ready is called when there is an answer,
 * whose error may be that of ctd_profile_answer(). @return 0, -EBUSY: too many ask, -EOPNOTSUPP: as
 * ctd_profile_recording(), or -ENOMEM. */
int ctd_profiles_ask(struct ctd_profiles *profiles, const struct ctd_profile_question *question,
		     void (*ready)(void *context), void *context, uint64_t now_ns,
		     struct ctd_ask **ret_ask);

#endif
