/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* intake.c - takes intervals of the collector's thread in, with what is new of names and plans. */
#include "serve/profile/intake.h"

#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/log.h"

/* Intervals that wait; those that follow are in no profile. */
#define ENTRIES_MAX 64

void ctd_profile_entry_free(struct ctd_profile_entry *entry)
{
	if (!entry)
		return;
	ctd_interval_free(&entry->interval);
	ctd_names_news_free(&entry->news);
	free(entry->header);
	free(entry);
}

int ctd_profiles_replan(struct ctd_profiles *profiles, const struct ctd_record_header *header)
{
	struct ctd_record_header *copy = malloc(sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *header;
	pthread_mutex_lock(&profiles->asks.lock);
	free(profiles->next_header);
	profiles->next_header = copy;
	profiles->rotates = header->groups_count > 1;
	pthread_mutex_unlock(&profiles->asks.lock);
	return 0;
}

/* Under the lock. */
static int enter(struct ctd_profiles *profiles, const struct ctd_interval *interval,
		 const struct ctd_identities *identities, uint64_t now_ns)
{
	struct ctd_profile_entry *entry = calloc(1, sizeof(*entry));
	int error = entry ? ctd_interval_add(&entry->interval, interval) : -ENOMEM;

	if (!error)
		error = ctd_profile_names_gather(&profiles->names, interval, identities,
						 &entry->news);
	if (error) {
		ctd_profile_entry_free(entry);
		return error;
	}
	entry->end_ns = now_ns;
	entry->header = take_ptr(profiles->next_header);
	*profiles->last = entry;
	profiles->last = &entry->next;
	profiles->entries++;
	pthread_cond_signal(&profiles->asks.changed);
	return 0;
}

void ctd_profiles_enter(struct ctd_profiles *profiles, const struct ctd_interval *interval,
			const struct ctd_identities *identities, uint64_t now_ns)
{
	bool was_failing;
	int error;

	pthread_mutex_lock(&profiles->asks.lock);
	error = profiles->entries < ENTRIES_MAX ? enter(profiles, interval, identities, now_ns)
						: -EAGAIN;
	was_failing = profiles->failing;
	profiles->failing = error;
	profiles->missed_intervals += error != 0;
	pthread_mutex_unlock(&profiles->asks.lock);
	if (error == -EAGAIN && !was_failing)
		ctd_warn(
			"profiles: the thread that names functions is behind, and intervals are left out of profiles: a file that it reads may not answer");
	else if (error && !was_failing)
		ctd_log_error(error, "enter an interval into profiles");
	else if (!error && was_failing)
		ctd_info("profiles: intervals are entered again; there is a gap");
}
