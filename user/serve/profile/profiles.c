/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profiles.c - intervals with their stacks, on their way into the recent minute and into answers. */
#include "serve/profile/intake.h"

#include <errno.h>
#include <stdlib.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"

#define PART_NS 10000000000ull
/* An interval that ended so short a time before somebody asks ended then. */
#define FRESH_NS 100000000ull

int ctd_profiles_new(const struct ctd_profiles_options *options,
		     const struct ctd_record_header *header, struct ctd_profiles **ret_profiles)
{
	struct ctd_profiles *profiles = calloc(1, sizeof(*profiles));
	const char *unknown;
	int error;

	if (!profiles)
		return -ENOMEM;
	ctd_asks_init(&profiles->asks);
	profiles->options = *options;
	profiles->header = *header;
	profiles->last = &profiles->first;
	profiles->rotates = header->groups_count > 1;
	error = ctd_identities_new(&profiles->names.identities);
	if (!error)
		error = ctd_rollup_plan_new(header, &profiles->plan, &unknown);
	if (error)
		ctd_profiles_free(profiles);
	else
		*ret_profiles = profiles;
	return error;
}

static void forget_parts(struct ctd_profiles *profiles)
{
	for (size_t i = 0; i < CTD_PROFILE_PARTS; i++)
		ctd_profile_sum_free(&profiles->parts[i]);
}

void ctd_profiles_free(struct ctd_profiles *profiles)
{
	if (!profiles)
		return;
	while (profiles->first) {
		struct ctd_profile_entry *entry = profiles->first;

		profiles->first = entry->next;
		ctd_profile_entry_free(entry);
	}
	ctd_profiles_forget_functions(profiles);
	forget_parts(profiles);
	ctd_profile_names_free(&profiles->names);
	ctd_rollup_plan_free(profiles->plan);
	ctd_asks_free(&profiles->asks);
	free(profiles->next_header);
	free(profiles);
}

bool ctd_profiles_wait(struct ctd_profiles *profiles, uint64_t until_ns)
{
	struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000),
				 .tv_nsec = (long)(until_ns % 1000000000)};
	bool stop;

	pthread_mutex_lock(&profiles->asks.lock);
	if (!profiles->stop && !profiles->first)
		pthread_cond_timedwait(&profiles->asks.changed, &profiles->asks.lock, &until);
	stop = profiles->stop;
	pthread_mutex_unlock(&profiles->asks.lock);
	return !stop;
}

size_t ctd_profiles_ended(struct ctd_profiles *profiles)
{
	size_t ended;

	pthread_mutex_lock(&profiles->asks.lock);
	ended = profiles->entries;
	pthread_mutex_unlock(&profiles->asks.lock);
	return ended;
}

const struct ctd_record_header *ctd_profiles_header(const struct ctd_profiles *profiles)
{
	return &profiles->header;
}

static struct ctd_profile_ask *clean(struct ctd_profiles *profiles)
{
	return ctd_profile_ask_of(ctd_asks_clean(&profiles->asks));
}

static struct ctd_profile_ask *next_of(const struct ctd_profile_ask *ask)
{
	return ctd_profile_ask_of(ask->ask.next);
}

static void answer(struct ctd_profiles *profiles, struct ctd_profile_ask *ask,
		   const struct ctd_profile_sum *sum)
{
	int *error = &ask->ask.error;

	if (!*error)
		*error = ctd_profile_answer(&ask->question, &profiles->header, profiles->plan,
					    profiles->names.identities, sum,
					    profiles->options.period_ns, &ask->ask.answer);
	if (*error && *error != -EOPNOTSUPP)
		ctd_log_error(*error, "make a profile");
	ctd_profile_sum_free(&ask->sum);
	ctd_ask_finish(&ask->ask);
}

static bool is_whole(const struct ctd_profile_sum *part)
{
	return part->begin_ns && part->end_ns - part->begin_ns >= PART_NS;
}

/* Nothing is added up across plans: requests that wait get what there is. */
static void replan(struct ctd_profiles *profiles, const struct ctd_record_header *header)
{
	struct ctd_profile_ask *ask = clean(profiles), *next;
	struct ctd_rollup_plan *plan;
	const char *unknown;
	int error = ctd_rollup_plan_new(header, &plan, &unknown);

	if (error) {
		ctd_log_error(error, "look up the CPU models");
		return;
	}
	for (; ask; ask = next) {
		next = next_of(ask);
		if (ask->sum.interval.groups_count)
			answer(profiles, ask, &ask->sum);
		else
			ask->begun = false;
	}
	if (!is_whole(&profiles->parts[profiles->part]))
		ctd_profiles_tell_functions(profiles);
	forget_parts(profiles);
	ctd_rollup_plan_free(profiles->plan);
	profiles->plan = plan;
	profiles->header = *header;
}

/* What somebody may still have: names of all else are forgotten. */
static uint64_t oldest_ns(struct ctd_profiles *profiles)
{
	uint64_t oldest_ns = profiles->end_ns;

	for (size_t i = 0; i < CTD_PROFILE_PARTS; i++)
		if (profiles->parts[i].begin_ns && profiles->parts[i].begin_ns < oldest_ns)
			oldest_ns = profiles->parts[i].begin_ns;
	for (const struct ctd_ask *ask = profiles->asks.first; ask; ask = ask->next)
		if (ask->asked_ns < oldest_ns)
			oldest_ns = ask->asked_ns;
	return oldest_ns > FRESH_NS ? oldest_ns - FRESH_NS : 0;
}

static void next_part(struct ctd_profiles *profiles)
{
	profiles->part = (profiles->part + 1) % CTD_PROFILE_PARTS;
	ctd_profile_sum_free(&profiles->parts[profiles->part]);
	pthread_mutex_lock(&profiles->asks.lock);
	/* Names that intervals on their way rely on stay. */
	if (!profiles->first)
		ctd_profile_names_forget(&profiles->names, oldest_ns(profiles));
	pthread_mutex_unlock(&profiles->asks.lock);
}

static int add_to_recent(struct ctd_profiles *profiles, const struct ctd_profile_entry *entry,
			 const struct ctd_stacks *stacks)
{
	struct ctd_profile_sum *part = &profiles->parts[profiles->part];
	uint64_t before, after;
	int error;

	if (is_whole(part)) {
		next_part(profiles);
		part = &profiles->parts[profiles->part];
	}
	if (!part->begin_ns)
		part->begin_ns = entry->end_ns - entry->interval.window_ns;
	before = ctd_profile_sum_other(part);
	error = ctd_profile_sum_add(part, &entry->interval, stacks, entry->end_ns);
	after = ctd_profile_sum_other(part);
	pthread_mutex_lock(&profiles->asks.lock);
	profiles->other_samples += after - before;
	for (size_t i = 0; stacks && i < stacks->stacks_count; i++)
		profiles->samples += stacks->stacks[i].samples;
	pthread_mutex_unlock(&profiles->asks.lock);
	if (is_whole(part))
		ctd_profiles_tell_functions(profiles);
	return error;
}

static void add_to_asks(struct ctd_profiles *profiles, const struct ctd_profile_entry *entry,
			const struct ctd_stacks *stacks)
{
	struct ctd_profile_ask *ask = clean(profiles), *next;

	for (; ask; ask = next) {
		next = next_of(ask);
		if (ask->question.recent)
			continue;
		if (!ask->begun) {
			ask->begun = entry->end_ns >= ask->ask.asked_ns;
			ask->sum.begin_ns = entry->end_ns;
			continue;
		}
		if (!ask->ask.error)
			ask->ask.error = ctd_profile_sum_add(&ask->sum, &entry->interval, stacks,
							     entry->end_ns);
		if (ask->ask.error || entry->end_ns - ask->sum.begin_ns >= ask->question.length_ns)
			answer(profiles, ask, &ask->sum);
	}
}

/* @p stacks: of this interval; NULL: none. */
static void take_entry(struct ctd_profiles *profiles, const struct ctd_profile_entry *entry,
		       struct ctd_stacks *stacks)
{
	int error;

	if (entry->header)
		replan(profiles, entry->header);
	/* Sampled while the counters were replaced. */
	if (stacks && (stacks->counters_count != profiles->plan->counters_count ||
		       stacks->groups_count != profiles->plan->groups_count))
		stacks = NULL;
	error = ctd_profile_names_take(&profiles->names, &entry->interval, &entry->news,
				       entry->end_ns);
	profiles->end_ns = entry->end_ns;
	if (!error)
		error = add_to_recent(profiles, entry, stacks);
	if (error)
		ctd_log_error(error, "add up profiles");
	add_to_asks(profiles, entry, stacks);
}

static void answer_recent(struct ctd_profiles *profiles, struct ctd_profile_ask *ask)
{
	uint64_t length_ns = ask->question.length_ns;
	uint64_t since_ns = profiles->end_ns > length_ns ? profiles->end_ns - length_ns : 0;
	struct ctd_profile_sum sum = {};

	/* The oldest first. */
	for (size_t i = 1; i <= CTD_PROFILE_PARTS && !ask->ask.error; i++) {
		const struct ctd_profile_sum *part =
			&profiles->parts[(profiles->part + i) % CTD_PROFILE_PARTS];

		if (part->interval.groups_count && part->end_ns > since_ns)
			ask->ask.error = ctd_profile_sum_add(&sum, &part->interval, part->stacks,
							     part->end_ns);
	}
	answer(profiles, ask, &sum);
	ctd_profile_sum_free(&sum);
}

/* Where groups of counters rotate, an interval that ends early has not had all of them. */
static void want_end(const struct ctd_profiles *profiles)
{
	if (profiles->plan->groups_count == 1)
		profiles->options.end_interval(profiles->options.context);
}

/* An asker has its own begin and end: intervals end there. */
static void look_after(struct ctd_profiles *profiles, struct ctd_profile_ask *ask, uint64_t now_ns)
{
	if (!ask->begun && profiles->end_ns && profiles->end_ns <= ask->ask.asked_ns &&
	    ask->ask.asked_ns - profiles->end_ns < FRESH_NS && !ask->end_wanted) {
		ask->begun = true;
		ask->sum.begin_ns = profiles->end_ns;
	} else if (!ask->begun && !ask->end_wanted) {
		ask->end_wanted = true;
		want_end(profiles);
	}
	if (ask->begun && now_ns - ask->sum.begin_ns >= ask->question.length_ns &&
	    profiles->end_ns - ask->sum.begin_ns < ask->question.length_ns)
		want_end(profiles);
}

/* The first @p count. */
static struct ctd_profile_entry *take_entries(struct ctd_profiles *profiles, size_t count)
{
	struct ctd_profile_entry *first = NULL, **end = &first;

	pthread_mutex_lock(&profiles->asks.lock);
	for (; count && profiles->first; count--) {
		*end = profiles->first;
		profiles->first = (*end)->next;
		end = &(*end)->next;
		profiles->entries--;
	}
	*end = NULL;
	if (!profiles->first)
		profiles->last = &profiles->first;
	pthread_mutex_unlock(&profiles->asks.lock);
	return first;
}

void ctd_profiles_step(struct ctd_profiles *profiles, size_t ended, struct ctd_stacks **stacks,
		       uint64_t now_ns)
{
	struct ctd_profile_ask *ask, *next;
	struct ctd_profile_entry *entry = take_entries(profiles, ended);

	while (entry) {
		struct ctd_profile_entry *later = entry->next;

		take_entry(profiles, entry, later ? NULL : *stacks);
		ctd_profile_entry_free(entry);
		entry = later;
		if (!entry) {
			ctd_stacks_free(*stacks);
			*stacks = NULL;
		}
	}
	for (ask = clean(profiles); ask; ask = next) {
		next = next_of(ask);
		if (ask->question.recent)
			answer_recent(profiles, ask);
		else
			look_after(profiles, ask, now_ns);
	}
}

void ctd_profiles_stop(struct ctd_profiles *profiles)
{
	pthread_mutex_lock(&profiles->asks.lock);
	profiles->stop = true;
	pthread_cond_signal(&profiles->asks.changed);
	pthread_mutex_unlock(&profiles->asks.lock);
}

void ctd_profiles_count(struct ctd_profiles *profiles, struct ctd_self *self)
{
	pthread_mutex_lock(&profiles->asks.lock);
	self->profiles = true;
	self->profile_samples = profiles->samples;
	self->profile_other_samples = profiles->other_samples;
	self->profile_missed_intervals = profiles->missed_intervals;
	self->profile_health = profiles->health;
	pthread_mutex_unlock(&profiles->asks.lock);
}

void ctd_profiles_tell(struct ctd_profiles *profiles, const struct ctd_profile_health *health)
{
	pthread_mutex_lock(&profiles->asks.lock);
	profiles->health = *health;
	pthread_mutex_unlock(&profiles->asks.lock);
}

int ctd_profiles_ask(struct ctd_profiles *profiles, const struct ctd_profile_question *question,
		     void (*ready)(void *context), void *context, uint64_t now_ns,
		     struct ctd_ask **ret_ask)
{
	uint64_t delay_ns;
	bool rotates;

	pthread_mutex_lock(&profiles->asks.lock);
	rotates = profiles->rotates;
	pthread_mutex_unlock(&profiles->asks.lock);
	/* Known before anything was waited for. */
	if (rotates && question->recording)
		return -EOPNOTSUPP;
	/* An interval ends before it begins, and another one after its time. */
	delay_ns = rotates ? 2 * profiles->options.interval_ns : 0;
	return ctd_profile_asks_add(&profiles->asks, question, ready, context, now_ns, delay_ns,
				    ret_ask);
}
