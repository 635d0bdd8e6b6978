/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rotation.c - groups of counters that do not fit beside each other count one after the other. */
#include "collect/rotation.h"

#include <string.h>

/* A tenth of a second is long enough that the 50 us or so in which no group counts are nothing,
 * short enough that a load which changes from second to second is seen by all. */
#define STEP_NS CTD_ROTATION_STEP_NS
#define ROUNDS_ALIKE 4

static void begin_round(struct ctd_steps *steps)
{
	memcpy(steps->left, steps->weight, sizeof(steps->left));
}

void ctd_steps_weigh(struct ctd_steps *steps, const uint8_t *weights, int groups_count)
{
	bool others = groups_count != steps->groups_count;

	for (int i = 0; i < groups_count; i++) {
		others |= !weights[i] != !steps->weight[i];
		steps->weight[i] = weights[i];
	}
	steps->groups_count = groups_count;
	if (others)
		begin_round(steps);
}

/* Other counters may have taken the place of those that the weights are of. */
static bool is_weighted(const struct ctd_steps *steps, int groups_count)
{
	return steps->groups_count && steps->groups_count == groups_count;
}

/* Of Knuth's MMIX: its high bits are good enough for an order. */
static uint32_t draw(struct ctd_steps *steps)
{
	steps->random = steps->random * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(steps->random >> 33);
}

static int sum_of(const uint8_t *of_groups, int groups_count)
{
	int sum = 0;

	for (int i = 0; i < groups_count; i++)
		sum += of_groups[i];
	return sum;
}

/* The step that counts is the first one of a round. */
static void begin_equal_round(struct ctd_round *round, int step, int groups_count)
{
	round->groups_count = groups_count;
	round->first = step;
	round->taken = 1;
}

/*
 * One after the other; every few rounds the first one comes last, so that each group gets each
 * place. In the same place all the time, it would see the same part of what a load does every
 * second. With another order in each round it would see less evenly what is slower than a round.
 */
static int next_of_equal_round(struct ctd_steps *steps, int step, int groups_count)
{
	struct ctd_round *round = &steps->round;

	if (round->groups_count != groups_count)
		begin_equal_round(round, step, groups_count);
	if (round->taken == groups_count) {
		round->taken = 0;
		round->rounds = (round->rounds + 1) % ROUNDS_ALIKE;
		round->first = (round->first + !round->rounds) % groups_count;
	}
	return (round->first + round->taken++) % groups_count;
}

int ctd_steps_next(struct ctd_steps *steps, int step, int groups_count)
{
	int next = 0, drawn;

	if (!is_weighted(steps, groups_count))
		return next_of_equal_round(steps, step, groups_count);
	if (!sum_of(steps->left, groups_count))
		begin_round(steps);
	drawn = (int)(draw(steps) % (uint32_t)sum_of(steps->left, groups_count));
	while (drawn >= steps->left[next])
		drawn -= steps->left[next++];
	steps->left[next]--;
	return next;
}

/* So many steps there are in a round. Where there is no room for all in an interval, the round goes
 * on in the next one. */
static uint64_t count_steps(const struct ctd_steps *steps, uint64_t interval_ns,
			    uint64_t groups_count)
{
	uint64_t count, most = interval_ns / CTD_ROTATION_STEP_LEAST_NS;

	if (!is_weighted(steps, (int)groups_count))
		return groups_count;
	count = (uint64_t)sum_of(steps->weight, (int)groups_count);
	return most && count > most ? most : count;
}

void ctd_steps_begin(struct ctd_steps *steps, int step, uint64_t interval_ns, int groups_count)
{
	bool weighted = is_weighted(steps, groups_count);
	int count = weighted ? sum_of(steps->weight, groups_count) : groups_count;

	if (interval_ns / CTD_ROTATION_STEP_LEAST_NS < (uint64_t)count)
		return;
	if (!weighted) {
		begin_equal_round(&steps->round, step, groups_count);
		return;
	}
	begin_round(steps);
	/* It may be of a group that is not wanted any more. */
	if (steps->left[step])
		steps->left[step]--;
}

uint64_t ctd_rotation_step_ns(const struct ctd_steps *steps, uint64_t interval_ns,
			      uint64_t groups_count)
{
	uint64_t count = count_steps(steps, interval_ns, groups_count);
	uint64_t step_ns = (steps->length ? steps->length : 1) * STEP_NS;
	uint64_t rotations = interval_ns / (count * step_ns);

	if (interval_ns < count * CTD_ROTATION_STEP_LEAST_NS)
		return interval_ns;
	/* Without an end, as with a command. */
	if (interval_ns > 3600 * 1000000000ull)
		return step_ns;
	return interval_ns / (count * (rotations ? rotations : 1)) + 1;
}

/* Not where the core type has one group, which goes on counting. But also where there are no
 * counters just now: they may be renewed, or the CPU come, between two steps. */
static bool rotates(const struct ctd_counters *counters, const struct ctd_cpu_set *cpus, int cpu,
		    int next)
{
	return ctd_counters_group_of(counters, cpu, next) !=
		       ctd_counters_group_of(counters, cpu, counters->step) &&
	       !cpus->fenced[cpu];
}

void ctd_rotation_end_step(const struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			   struct ctd_kern *kern, int next)
{
	for (int cpu = 0; cpu < cpus->count; cpu++) {
		if (rotates(counters, cpus, cpu, next))
			ctd_kern_end_step(kern, cpu);
	}
}

void ctd_rotation_begin_step(struct ctd_counters *counters, const struct ctd_cpu_set *cpus,
			     struct ctd_kern *kern, int next)
{
	for (int cpu = 0; cpu < cpus->count; cpu++) {
		if (rotates(counters, cpus, cpu, next))
			ctd_kern_begin_step(kern, counters, cpu, next);
	}
	counters->step = next;
}
