/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pairs.c - empties the CPUs' tables of pairs into totals. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kern/topdown/topdown.h"

/* Of one table: each beside the other, and what had no room. */
#define PAIRS_MAX (2 * CTD_PAIR_SLOTS + 1)

/* A pair that did not grow for so many snapshots is forgotten; should it come again, it counts from
 * 0. The snapshot before the one in which it does has none of it, so that nothing seems to shrink. */
#define FORGET_SNAPSHOTS 60

/*
 * The table that @p cpu does not write to until the loader wants another epoch than it does now;
 * NULL: there is none yet. A CPU that is still in an older epoch than is wanted may leave it at any
 * time: its tables wait until it has.
 */
static struct ctd_pair_table *still_table(const struct ctd_kern *kern, int cpu,
					  enum ctd_pairs_of of)
{
	struct ctd_pair_cpu *pairs = &kern->pairs[(int)of * kern->options.cpus + cpu];
	uint64_t epoch = __atomic_load_n(&kern->cpus[cpu].epoch, __ATOMIC_ACQUIRE);
	uint64_t current = __atomic_load_n(&pairs->current, __ATOMIC_ACQUIRE);

	if (epoch != kern->epoch)
		return NULL;
	return &pairs->tables[(current & 1) ^ (current >> 1 == epoch)];
}

static struct ctd_pair pair_of(enum ctd_pairs_of of, const struct ctd_pair_slot *slot,
			       uint64_t sequence)
{
	struct ctd_pair pair = {
		.victim_id = slot->victim_id,
		.occupier_id = slot->occupier_id,
		.sequence = sequence,
	};

	if (of == CTD_PAIRS_BESIDE) {
		pair.beside_ns = slot->ns;
		return pair;
	}
	pair.wait_ns = slot->ns;
	pair.waits = slot->waits;
	pair.preempted = slot->preempted;
	return pair;
}

static void take_table(enum ctd_pairs_of of, struct ctd_pair_table *table, uint64_t sequence,
		       struct ctd_pairs *pairs)
{
	/* Time that had no room is of a pair without ids. Beside each other it is of both. */
	const struct ctd_pair_slot evicted = {
		.ns = of == CTD_PAIRS_BESIDE ? 2 * table->evicted_ns : table->evicted_ns,
		.waits = table->evicted_waits,
		.preempted = table->evicted_preempted,
	};

	pairs->items[pairs->count++] = pair_of(of, &evicted, sequence);
	for (int i = 0; i < CTD_PAIR_SLOTS; i++) {
		struct ctd_pair pair = pair_of(of, &table->slots[i], sequence);

		if (!pair.victim_id)
			continue;
		pairs->items[pairs->count++] = pair;
		if (of == CTD_PAIRS_WAITS)
			continue;
		pairs->items[pairs->count] = pair;
		pairs->items[pairs->count].victim_id = pair.occupier_id;
		pairs->items[pairs->count++].occupier_id = pair.victim_id;
	}
}

static int take_kind(struct ctd_kern *kern, enum ctd_pairs_of of)
{
	struct ctd_pairs taken = {0};
	int error = 0;

	for (int cpu = 0; cpu < kern->options.cpus; cpu++) {
		struct ctd_pair_table *table = still_table(kern, cpu, of);

		if (!table || !table->used)
			continue;
		if (!taken.items)
			taken.items = calloc(kern->options.cpus, PAIRS_MAX * sizeof(*taken.items));
		if (!taken.items)
			return -ENOMEM;
		take_table(of, table, kern->sequence, &taken);
		memset(table, 0, sizeof(*table));
	}
	ctd_pairs_sort(&taken);
	error = ctd_pairs_add(&kern->pair_totals, &taken);
	ctd_pairs_free(&taken);
	return error;
}

int ctd_kern_take_pairs(struct ctd_kern *kern)
{
	int error = kern->pairs ? take_kind(kern, CTD_PAIRS_WAITS) : 0;

	if (!error && kern->siblings)
		error = take_kind(kern, CTD_PAIRS_BESIDE);
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
