/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* intake.h - intervals on their way to the thread that samples. Private to user/serve/profile/. */
#ifndef SERVE_PROFILE_INTAKE_H
#define SERVE_PROFILE_INTAKE_H

#include "serve/profile/ask.h"
#include "serve/profile/names.h"

/* The recent minute is kept in parts of ten seconds, of which the oldest is forgotten. */
#define CTD_PROFILE_PARTS (CTD_PROFILE_RECENT_SECONDS_MAX / 10 + 1)

/* An interval that was handed in. */
struct ctd_profile_entry {
	struct ctd_profile_entry *next;
	struct ctd_interval interval; /* owned */
	struct ctd_names_news news; /* owned */
	struct ctd_record_header *header; /* owned; of another plan than the one before; or NULL */
	uint64_t end_ns;
};

struct ctd_profiles {
	struct ctd_profiles_options options;
	struct ctd_asks asks;
	/* Under the lock of the asks. */
	struct ctd_profile_entry *first, **last; /* owned */
	int entries;
	struct ctd_record_header *next_header; /* owned; of the next interval */
	bool rotates; /* groups of counters do: nobody ends an interval before its time */
	bool failing;
	bool stop;
	uint64_t samples, other_samples, missed_intervals;
	struct ctd_profile_health health;
	struct ctd_functions *functions; /* owned; a list, for the collector's thread */
	struct ctd_profile_names names; /* of it: `versions` */
	/* Of the thread that samples. */
	struct ctd_record_header header;
	struct ctd_rollup_plan *plan; /* owned */
	struct ctd_profile_sum parts[CTD_PROFILE_PARTS]; /* owned; the newest is at `part` */
	size_t part;
	uint64_t end_ns; /* of the last interval */
};

void ctd_profile_entry_free(struct ctd_profile_entry *entry);

/* tell_functions.c: what functions had in the newest part goes to the collector's thread, if that
 * is wanted. Logs. */
void ctd_profiles_tell_functions(struct ctd_profiles *profiles);
/* Those that were not taken. */
void ctd_profiles_forget_functions(struct ctd_profiles *profiles);

#endif
