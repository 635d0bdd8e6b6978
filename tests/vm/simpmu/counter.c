// SPDX-License-Identifier: GPL-2.0-only
/* counter.c - plain counters: what they count, and which of them a set of events needs. */
#include "simpmu.h"

u64 simpmu_counter_value(const struct simpmu_event *kind, const u64 *work)
{
	u64 sum = 0;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kind->terms) && kind->terms[i].denominator; i++) {
		const struct term *term = &kind->terms[i];
		u64 size = work[term->quantity];

		if (term->numerator < 0)
			sum -= size * -term->numerator / term->denominator;
		else
			sum += size * term->numerator / term->denominator;
	}
	return sum >> WORK_BITS;
}

/* As a driver does without an interrupt at overflow: the difference, at the counter's width. */
void simpmu_counter_update(struct machine *machine, struct counter *counter)
{
	u64 value = simpmu_counter_value(counter->kind, machine->work);
	u64 mask = ~0ull >> (64 - simpmu_control.counter_bits);
	u64 since = (value - counter->before) & mask;

	counter->before = value;
	if (!simpmu_control.counts_nothing)
		local64_add(since, &counter->event->count);
}

/* Finds a counter for event @p which, moving others to other counters if that helps: a matching by
 * augmenting paths. @p owner: which event has each counter, or -1. */
static bool place(const u64 *wanted, unsigned int which, s8 *owner, u64 *tried)
{
	unsigned int bit;

	for (bit = 0; bit < 64; bit++) {
		if (!(wanted[which] & ~*tried & 1ull << bit))
			continue;
		*tried |= 1ull << bit;
		if (owner[bit] < 0 || place(wanted, owner[bit], owner, tried)) {
			owner[bit] = which;
			return true;
		}
	}
	return false;
}

bool simpmu_counters_fit(const struct simpmu_event *const *kinds, unsigned int count, u64 general,
			 u64 available)
{
	u64 wanted[ACTIVE_MAX];
	s8 owner[64];
	unsigned int i;

	if (count > ACTIVE_MAX)
		return false;
	memset(owner, -1, sizeof(owner));
	for (i = 0; i < count; i++) {
		u64 tried = 0;

		wanted[i] = (kinds[i]->counters ?: general) & available;
		if (!place(wanted, i, owner, &tried))
			return false;
	}
	return true;
}
