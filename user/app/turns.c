/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* turns.c - lets groups of counters that do not fit beside each other count in turns. */
#include "app/collector.h"

#include <poll.h>

#include "base/clock.h"

/* Long enough that the 50 us or so in which no group counts are nothing, short enough that a load
 * which changes from second to second is seen by all. */
#define TURN_NS 100000000ull
/* Shorter intervals have one turn each. */
#define TURN_LEAST_NS 20000000ull

uint64_t ctd_turn_length_ns(uint64_t interval_ns, uint64_t groups_count)
{
	uint64_t rotations = interval_ns / (groups_count * TURN_NS);

	if (interval_ns < groups_count * TURN_LEAST_NS)
		return interval_ns;
	/* Without an end, as with a command. */
	if (interval_ns > 3600 * 1000000000ull)
		return TURN_NS;
	return interval_ns / (groups_count * (rotations ? rotations : 1)) + 1;
}

/* Not where the kind of cores has one group, which goes on counting. But also where there are no
 * counters just now: they may be renewed, or the CPU come, between the end and the next turn. */
static bool takes_turns(const struct ctd_collector *collector, int cpu, int turn)
{
	const struct ctd_counters *counters = &collector->counters;

	return ctd_counters_group_of(counters, cpu, turn) !=
		       ctd_counters_group_of(counters, cpu, counters->turn) &&
	       !collector->fenced[cpu];
}

/* The snapshot that ends a turn, and the next turn: at once, as nothing counts in between. What
 * fails is opened anew as soon as readings have failed: see ctd_collector_revive(). */
static int end_turn(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot)
{
	int turn = (collector->counters.turn + 1) % collector->counters.groups_count;
	int error;

	for (int cpu = 0; cpu < collector->cpus; cpu++) {
		if (takes_turns(collector, cpu, turn))
			ctd_kern_end_turn(collector->kern, cpu);
	}
	error = ctd_collector_snapshot(collector, ret_snapshot);
	if (error)
		return error;
	for (int cpu = 0; cpu < collector->cpus; cpu++) {
		if (takes_turns(collector, cpu, turn))
			ctd_kern_turn(collector->kern, &collector->counters, cpu, turn);
	}
	collector->counters.turn = turn;
	return 0;
}

static bool is_ready(int fd)
{
	struct pollfd wake = {.fd = fd, .events = POLLIN};

	return fd >= 0 && poll(&wake, 1, 0) > 0;
}

int ctd_collector_interval(struct ctd_collector *collector, uint64_t until_ns, int wake_fd,
			   bool whole, ctd_take_snapshot *take, void *context)
{
	bool turns = collector->counters.groups_count > 1;
	uint64_t begin_ns = ctd_monotonic_ns(), length_ns = UINT64_MAX;

	if (turns && until_ns > begin_ns)
		length_ns =
			ctd_turn_length_ns(until_ns - begin_ns, collector->counters.groups_count);
	for (int taken = 1;; taken++) {
		uint64_t turn_end_ns = until_ns;
		struct ctd_snapshot snapshot;
		bool last;
		int error;

		if (turns && length_ns < (until_ns - begin_ns) / taken)
			turn_end_ns = begin_ns + taken * length_ns;
		error = ctd_collector_wait(collector, turn_end_ns, wake_fd);
		if (error || (whole && ctd_stop_signal()))
			return error;
		last = turn_end_ns == until_ns || ctd_stop_signal() || is_ready(wake_fd);
		error = turns ? end_turn(collector, &snapshot)
			      : ctd_collector_snapshot(collector, &snapshot);
		if (error)
			return error;
		snapshot.in_between = !last;
		error = take(&snapshot, context);
		if (error || last)
			return error;
		/* Who ran in this turn is named when all are over. */
		ctd_kern_keep(collector->kern);
	}
}
