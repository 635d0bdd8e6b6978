/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* take.c - enters samples into what is kept of a container. */
#include <math.h>

#include "neighbour/detector.h"

/* After so many samples of something else in a row, a container's history is of the past. */
#define STRANGE_MAX 6

static float log_ratio(uint64_t part, uint64_t whole)
{
	return part ? logf((float)part / (float)whole) : NAN;
}

static void learn_anew(struct ctd_subject *subject)
{
	for (size_t i = 0; i < HISTORY; i++)
		subject->history[i].retired = NAN;
	for (int kind = 0; kind < KINDS; kind++)
		subject->excess[kind] = (struct ctd_excess){0};
	subject->verdicts[CTD_MECHANISM_MEMORY] = (struct ctd_verdict){0};
	subject->verdicts[CTD_MECHANISM_FRONTEND] = (struct ctd_verdict){0};
}

/*
 * @return can the sample be compared with those before? Back-end bound slots are more than
 * memory-bound ones, and two sources do not count quite the same: for a model of the one, each
 * sample of the other is an excess. A few such samples are left out, so that nothing is forgotten
 * when another program has the counters for a while, or when a container that hardly runs has no
 * memory-bound slot. When they stay, the history begins anew.
 */
static bool take_meaning(struct ctd_subject *subject, const struct ctd_neighbour_sample *sample)
{
	uint64_t kind = sample->known & MEMORY_KINDS;
	uint64_t meaning = (sample->counted_by & ~MEMORY_KINDS) | kind;
	uint64_t differs = subject->meaning ^ meaning;

	/* A sample without such slots is compared by its front end alone. */
	if (!kind || !(subject->meaning & MEMORY_KINDS))
		differs &= ~MEMORY_KINDS;
	if (!subject->meaning || !differs) {
		subject->meaning |= meaning;
		subject->strange = 0;
		return true;
	}
	if (++subject->strange < STRANGE_MAX)
		return false;
	learn_anew(subject);
	subject->meaning = meaning;
	subject->strange = 0;
	return true;
}

/* A sample in which nothing retired says nothing of what retiring takes. */
static void take_point(struct ctd_subject *subject, uint64_t tick,
		       const struct ctd_neighbour_sample *sample)
{
	struct ctd_point *point = ctd_point_at(subject, tick);
	bool memory = sample->known & MEMORY_KINDS;

	/* What only waited did not run. */
	if (sample->cpu_ns || !sample->waits.wait_ns)
		point->retired = NAN;
	if (!(sample->known & CTD_NEIGHBOUR_SLOTS) || !sample->retired_slots ||
	    sample->slots <= sample->retired_slots || !take_meaning(subject, sample))
		return;
	point->retired = logf((float)sample->retired_slots);
	point->slots = log_ratio(sample->slots, sample->retired_slots);
	point->kind[KIND_MEMORY] =
		memory ? log_ratio(sample->memory_slots, sample->retired_slots) : NAN;
	point->kind[KIND_FRONTEND] =
		sample->known & CTD_NEIGHBOUR_FRONTEND
			? log_ratio(sample->frontend_slots, sample->retired_slots)
			: NAN;
}

static void take_recent(struct ctd_recent *recent, const struct ctd_neighbour_sample *sample)
{
	const struct ctd_neighbour_waits *waits = &sample->waits;

	/* The decay was that of the tick. */
	recent->cpu_ns += (double)sample->cpu_ns;
	if (sample->known & CTD_NEIGHBOUR_WAITS) {
		recent->waits += (double)waits->count;
		recent->wait_ns += (double)waits->wait_ns;
		recent->own_ns += (double)waits->own_ns;
		recent->other_ns += (double)waits->other_ns;
		recent->kernel_ns += (double)waits->kernel_ns;
		recent->unknown_ns += (double)waits->unknown_ns;
		recent->short_ns += (double)waits->short_ns;
		recent->throttled_wait_ns += (double)waits->throttled_ns;
	}
	if (sample->known & CTD_NEIGHBOUR_THROTTLING) {
		recent->periods += (double)sample->throttling.periods;
		recent->throttled += (double)sample->throttling.throttled;
		recent->throttled_ns += (double)sample->throttling.throttled_ns;
	}
}

static void decay_all(double *sums, size_t count, int samples)
{
	for (size_t i = 0; i < count; i++)
		sums[i] -= sums[i] / samples;
}

void ctd_take_tick(struct ctd_subject *subject, uint64_t tick, uint64_t window_ns)
{
	/* Both are nothing but sums. */
	decay_all((double *)&subject->recent, sizeof(subject->recent) / sizeof(double),
		  WAITS_DECAY);
	decay_all((double *)&subject->siblings, sizeof(subject->siblings) / sizeof(double),
		  SIBLINGS_DECAY);
	decay_all(subject->caches.ns, CTD_CACHE_PARTS_MAX, SIBLINGS_DECAY);
	subject->recent.window_ns += (double)window_ns;
	subject->siblings.window_ns += (double)window_ns;
	for (size_t i = 0; i < PAIRS; i++) {
		struct ctd_recent_pair *pair = &subject->pairs[i];

		ctd_decay(&pair->wait_ns, 0, WAITS_DECAY);
		ctd_decay(&pair->preemptions, 0, WAITS_DECAY);
		ctd_decay(&pair->together_ns, 0, SIBLINGS_DECAY);
		if (pair->wait_ns < 1 && pair->together_ns < 1)
			*pair = (struct ctd_recent_pair){0};
	}
	ctd_point_at(subject, tick)->retired = -INFINITY;
}

static void take_limit_above(struct ctd_subject *subject, const struct ctd_neighbour_sample *sample)
{
	const struct ctd_neighbour_throttling *throttling = &sample->throttling;

	if (throttling->above_bytes) {
		subject->above_bytes = throttling->above_bytes;
		subject->above_limit_cpus = throttling->above_limit_cpus;
		subject->unstopped = 0;
		return;
	}
	subject->unstopped++;
	/* For some time none above has stopped it, and it was stopped: by its own limit. */
	if (subject->unstopped >= UNSTOPPED &&
	    (throttling->throttled || sample->waits.throttled_ns)) {
		subject->above_bytes = 0;
		subject->above_limit_cpus = 0;
	}
}

void ctd_take_sample(struct ctd_subject *subject, uint64_t tick,
		     const struct ctd_neighbour_sample *sample)
{
	subject->seen_at = tick;
	subject->known = sample->known;
	subject->limit_cpus = sample->throttling.limit_cpus;
	subject->is_limited = sample->throttling.periods;
	take_limit_above(subject, sample);
	take_point(subject, tick, sample);
	take_recent(&subject->recent, sample);
	subject->siblings.cpu_ns += (double)sample->cpu_ns;
	if (sample->known & CTD_NEIGHBOUR_SLOTS) {
		subject->siblings.slots += (double)sample->slots;
		subject->siblings.counted_cpu_ns += (double)sample->cpu_ns;
	}
	for (int i = 0; i < CTD_CACHE_PARTS_MAX && sample->known & CTD_NEIGHBOUR_CACHES; i++)
		subject->caches.ns[i] += (double)sample->cache_ns[i];
	for (int i = 0; i < CTD_SIBLINGS && sample->known & CTD_NEIGHBOUR_SIBLINGS; i++) {
		subject->siblings.sibling_cpu_ns[i] += (double)sample->siblings[i].cpu_ns;
		subject->siblings.sibling_retired[i] += (double)sample->siblings[i].retired_slots;
	}
}

/* Of those that are kept, the one with least to do with the victim gives way. */
void ctd_take_pair(struct ctd_subject *victim, uint64_t other,
		   const struct ctd_neighbour_pair *pair)
{
	struct ctd_recent_pair *place = &victim->pairs[0];
	double weight = (double)pair->wait_ns + (double)pair->together_ns;

	for (size_t i = 0; i < PAIRS; i++) {
		struct ctd_recent_pair *at = &victim->pairs[i];

		if (at->other == other) {
			place = at;
			break;
		}
		if (at->wait_ns + at->together_ns < place->wait_ns + place->together_ns)
			place = at;
	}
	if (place->other != other) {
		if (place->wait_ns + place->together_ns >= weight)
			return;
		*place = (struct ctd_recent_pair){.other = other};
	}
	place->wait_ns += (double)pair->wait_ns;
	place->preemptions += (double)pair->preemptions;
	place->together_ns += (double)pair->together_ns;
}
