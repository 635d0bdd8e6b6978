/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pack_fit.c - whether a core has counters and registers for some events at once. */
#include <string.h>

#include "vendor/pack.h"

#define COUNTERS 64
#define NOBODY UINT32_MAX

/* Which event is on which counter. By augmenting paths: an event leaves its counter to another one
 * if a further counter can count it, whose event may have to move in turn. */
struct matching {
	const struct ctd_pack_event *events;
	uint64_t free; /* counters that may be given out */
	uint32_t owner[COUNTERS];
};

static bool place(struct matching *matching, uint32_t event, uint64_t *tried)
{
	uint64_t can = matching->events[event].counters & matching->free;

	for (int counter = 0; counter < COUNTERS; counter++) {
		uint64_t bit = UINT64_C(1) << counter;

		if (!(can & bit) || *tried & bit)
			continue;
		*tried |= bit;
		if (matching->owner[counter] == NOBODY ||
		    place(matching, matching->owner[counter], tried)) {
			matching->owner[counter] = event;
			return true;
		}
	}
	return false;
}

/*
 * The kernel puts what takes two counters on an even one and the odd one behind it (Linux:
 * arch/x86/events/amd/core.c, pair_constraint). Only cores whose counters are all alike have such
 * events, so that it does not matter which two.
 */
static bool take_pair(uint64_t *free)
{
	for (int even = CTD_PACK_FIXED - 2; even >= 0; even -= 2) {
		uint64_t both = UINT64_C(3) << even;

		if ((*free & both) == both) {
			*free &= ~both;
			return true;
		}
	}
	return false;
}

static enum ctd_pack_lack find_counters(const struct ctd_pack_core *core,
					const struct ctd_pack_event *events, const uint32_t *which,
					size_t count)
{
	struct matching matching = {.events = events, .free = core->counters};

	memset(matching.owner, 0xff, sizeof(matching.owner));
	for (size_t i = 0; i < count; i++)
		if (events[which[i]].pair && !take_pair(&matching.free))
			return CTD_PACK_LACKS_COUNTERS;
	for (size_t i = 0; i < count; i++) {
		const struct ctd_pack_event *event = &events[which[i]];
		uint64_t tried = 0;

		if (event->pair || !event->counters)
			continue;
		if (!(event->counters & core->counters))
			return CTD_PACK_LACKS_COUNTER;
		if (!place(&matching, which[i], &tried))
			return CTD_PACK_LACKS_COUNTERS;
	}
	return CTD_PACK_FITS;
}

/* How many values of a register the events need. */
static size_t count_values(const struct ctd_pack_event *events, const uint32_t *which, size_t count,
			   enum ctd_pack_register needs)
{
	size_t values = 0;

	for (size_t i = 0; i < count; i++) {
		size_t before = 0;

		if (events[which[i]].needs != needs)
			continue;
		while (before < i && (events[which[before]].needs != needs ||
				      events[which[before]].value != events[which[i]].value))
			before++;
		values += before == i;
	}
	return values;
}

enum ctd_pack_lack ctd_pack_try(const struct ctd_pack_core *core,
				const struct ctd_pack_event *events, const uint32_t *which,
				size_t count)
{
	if (count > core->room)
		return CTD_PACK_LACKS_ROOM;
	if (count_values(events, which, count, CTD_PACK_ALONE) > 1)
		return CTD_PACK_LACKS_REGISTER;
	if (count_values(events, which, count, CTD_PACK_RESPONSES) > CTD_PACK_OFFCORE)
		return CTD_PACK_LACKS_RESPONSES;
	return find_counters(core, events, which, count);
}
