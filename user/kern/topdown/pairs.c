/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - empties the CPUs' tables of pairs into totals. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kern/topdown/topdown.h"

/* A pair that did not grow for so many snapshots is forgotten; should it come again, it counts from
 * 0. The snapshot before the one in which it does has none of it, so that nothing seems to shrink. */
#define FORGET_SNAPSHOTS 60

/*
 * The table that @p cpu does not write to until the loader wants another epoch than it does now;
 * NULL: there is none yet. A CPU that is still in an older epoch than is wanted may leave it at any
 * time: its tables wait until it has.
 */
static struct ctd_pair_table *still_table(const struct ctd_kern *kern, int cpu)
{
	uint64_t epoch = __atomic_load_n(&kern->cpus[cpu].epoch, __ATOMIC_ACQUIRE);
	uint64_t current = __atomic_load_n(&kern->pairs[cpu].current, __ATOMIC_ACQUIRE);

	if (epoch != kern->epoch)
		return NULL;
	return &kern->pairs[cpu].tables[(current & 1) ^ (current >> 1 == epoch)];
}

static void take_table(struct ctd_pair_table *table, uint64_t sequence, struct ctd_pairs *pairs)
{
	/* What had no room is a pair of nobody. */
	pairs->items[pairs->count++] = (struct ctd_pair){
		.wait_ns = table->evicted_ns,
		.waits = table->evicted_waits,
		.preempted = table->evicted_preempted,
		.sequence = sequence,
	};
	for (int i = 0; i < CTD_PAIR_SLOTS; i++) {
		const struct ctd_pair_slot *slot = &table->slots[i];

		if (slot->victim_id)
			pairs->items[pairs->count++] = (struct ctd_pair){
				.victim_id = slot->victim_id,
				.occupier_id = slot->occupier_id,
				.wait_ns = slot->wait_ns,
				.waits = slot->waits,
				.preempted = slot->preempted,
				.sequence = sequence,
			};
	}
}

int ctd_kern_take_pairs(struct ctd_kern *kern)
{
	struct ctd_pairs taken = {0};
	int error = 0;

	for (int cpu = 0; kern->pairs && cpu < kern->options.cpus && !error; cpu++) {
		struct ctd_pair_table *table = still_table(kern, cpu);

		if (!table || !table->used)
			continue;
		if (!taken.items)
			taken.items = calloc(kern->options.cpus,
					     (CTD_PAIR_SLOTS + 1) * sizeof(*taken.items));
		if (!taken.items)
			return -ENOMEM;
		take_table(table, kern->sequence, &taken);
		memset(table, 0, sizeof(*table));
	}
	ctd_pairs_sort(&taken);
	error = ctd_pairs_add(&kern->pair_totals, &taken);
	ctd_pairs_free(&taken);
	return error;
}

int ctd_kern_read_pairs(struct ctd_kern *kern, struct ctd_snapshot *snapshot)
{
	struct ctd_pairs *totals = &kern->pair_totals;
	size_t kept = 0;

	for (size_t i = 0; i < totals->count; i++) {
		if (!totals->items[i].victim_id ||
		    totals->items[i].sequence + FORGET_SNAPSHOTS >= kern->sequence)
			totals->items[kept++] = totals->items[i];
	}
	totals->count = kept;
	return kern->pairs ? ctd_pairs_copy(totals, &snapshot->pairs) : 0;
}
