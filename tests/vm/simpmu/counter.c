// SPDX-License-Identifier: GPL-2.0-only
/* counter.c - plain counters: what they count, and what of a core a set of events needs. */
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

/* The difference, at the counter's width. */
void simpmu_counter_update(struct machine *machine, struct counter *counter)
{
	u64 value = simpmu_counter_value(counter->kind, machine->work);
	u64 mask = ~0ull >> (64 - simpmu_control.counter_bits);
	u64 since = (value - counter->before) & mask;

	counter->before = value;
	if (simpmu_control.counts_nothing)
		return;
	local64_add(since, &counter->event->count);
	if (is_sampling_event(counter->event))
		local64_sub(since, &counter->event->hw.period_left);
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

/*
 * More than 15 in a cycle take a second counter, the odd one behind an even one: retired SSE and
 * AVX FLOPs (amd_is_pair_event_code() in the kernel's arch/x86/events/amd/core.c).
 */
static bool takes_pair(const struct simpmu_core *core, const struct perf_event *event)
{
	return core->encoding == AMD_ENCODING && (event->attr.config & 0xf000000ff) == 0x3;
}

/* @return false: there is none. */
static bool take_pair(u64 *available)
{
	unsigned int even;

	for (even = 0; even < 16; even += 2) {
		u64 both = GENERAL(even) | GENERAL(even + 1);

		if ((*available & both) == both) {
			*available &= ~both;
			return true;
		}
	}
	return false;
}

/*
 * Events with a value of a register that they share (extra_regs in the kernel's
 * arch/x86/events/intel/core.c): off-core responses have two such registers, FRONTEND_RETIRED and
 * the latency of loads have one each. @return its number, or 0, and how many values it can have.
 */
static unsigned int shared_register(const struct simpmu_core *core, const struct perf_event *event,
				    unsigned int *ret_values)
{
	*ret_values = 1;
	if (core->encoding != INTEL_ENCODING)
		return 0;
	switch (event->attr.config & 0xffff) {
	case 0x1b7:
	case 0x1bb:
	case 0x12a:
	case 0x12b:
		*ret_values = 2;
		return 1;
	case 0x1c6:
		return 2;
	case 0x1cd:
		return 3;
	default:
		return 0;
	}
}

/* Have the registers that events share room for their values? */
static bool registers_fit(const struct simpmu_core *core, const struct counter *const *counters,
			  unsigned int count)
{
	unsigned int used[4] = {}, values, i, before;

	for (i = 0; i < count; i++) {
		const struct perf_event *event = counters[i]->event;
		unsigned int number = shared_register(core, event, &values), ignored;

		for (before = 0; before < i; before++) {
			const struct perf_event *other = counters[before]->event;

			if (shared_register(core, other, &ignored) == number &&
			    other->attr.config1 == event->attr.config1)
				break;
		}
		if (number && before == i && ++used[number] > values)
			return false;
	}
	return true;
}

bool simpmu_counters_fit(const struct simpmu_core *core, const struct counter *const *counters,
			 unsigned int count, u64 available)
{
	u64 wanted[ACTIVE_MAX];
	s8 owner[64];
	unsigned int i;

	if (count > ACTIVE_MAX || !registers_fit(core, counters, count))
		return false;
	for (i = 0; i < count; i++) {
		if (takes_pair(core, counters[i]->event) && !take_pair(&available))
			return false;
	}
	memset(owner, -1, sizeof(owner));
	for (i = 0; i < count; i++) {
		u64 can = counters[i]->kind->counters ?: core->counters & ALL_GENERAL, tried = 0;

		if (takes_pair(core, counters[i]->event))
			continue;
		wanted[i] = can & available;
		if (!place(wanted, i, owner, &tried))
			return false;
	}
	return true;
}
