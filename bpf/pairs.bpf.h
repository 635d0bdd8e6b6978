/* SPDX-License-Identifier: GPL-2.0-only */
/* pairs.bpf.h - which cgroup's tasks waited while which other cgroup had the CPU, or ran beside
 * it. */
#ifndef PAIRS_BPF_H
#define PAIRS_BPF_H

#include <cgtopdown/pairs_abi.h>

#include "shared.bpf.h"

/*
 * Pairs of each CPU, by enum ctd_pairs_of * cfg_cpus + CPU number. Written: by the CPU, with
 * interrupts off: the table of its epoch. Read and emptied: by the loader, the other one, before it
 * wants a new epoch.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* set by the loader */
	__type(key, __u32);
	__type(value, struct ctd_pair_cpu);
} cgtd_pairs SEC(".maps");

/* The first pair in a new epoch goes into the other table, which is empty. Masked and not
 * multiplied, as in ctd_row_bank(). */
static __always_inline struct ctd_pair_table *pair_table(struct ctd_pair_cpu *cpu, __u64 epoch)
{
	__u64 current = cpu->current;

	if (current >> 1 != epoch) {
		current = epoch << 1 | ((current & 1) ^ 1);
		cpu->current = current;
	}
	return (void *)cpu->tables + (-(current & 1) & sizeof(struct ctd_pair_table));
}

static __always_inline int is_pair(const struct ctd_pair_slot *slot, __u64 victim_id,
				   __u64 occupier_id)
{
	return slot->victim_id == victim_id && slot->occupier_id == occupier_id;
}

/* Fibonacci hashing, as of recent rows, by two odd numbers. */
static __always_inline __u32 pair_place(__u64 victim_id, __u64 occupier_id)
{
	__u32 hash = (__u32)victim_id * 2654435761u ^ (__u32)occupier_id * 2246822519u;

	return hash >> (32 - CTD_PAIR_BITS) & (CTD_PAIR_SLOTS - 1);
}

/* The pair's slot is one of two; if both are others', that with less time in it is taken. */
static __always_inline __u32 pair_find(struct ctd_pair_table *table, __u64 victim_id,
				       __u64 occupier_id, __u32 wait)
{
	__u32 place = pair_place(victim_id, occupier_id), second = place ^ 1;
	struct ctd_pair_slot *slot;

	if (is_pair(&table->slots[place], victim_id, occupier_id))
		return place;
	if (is_pair(&table->slots[second], victim_id, occupier_id))
		return second;
	if (table->slots[place].victim_id && table->slots[second].ns <= table->slots[place].ns)
		place = second;
	slot = &table->slots[place];
	if (slot->victim_id) {
		table->evicted_ns += slot->ns;
		table->evicted_waits += slot->waits;
		table->evicted_preempted += slot->preempted;
	}
	slot->victim_id = victim_id;
	slot->occupier_id = occupier_id;
	slot->ns = 0;
	slot->waits = 0;
	slot->preempted = 0;
	table->newest_wait[place] = wait - 1;
	table->used = 1;
	return place;
}

/*
 * The victim waited so long while the other one had this CPU, in the wait of that number, or ran so
 * long beside it; 0 ns: it was put off for a task of the other one. A global function, which is
 * verified by itself and once.
 */
__noinline int charge_pair(__u32 of, __u64 victim_id, __u64 occupier_id, __u64 ns, __u32 wait)
{
	__u32 cpu_number = bpf_get_smp_processor_id(), at = of * cfg_cpus + cpu_number;
	struct ctd_cpu_state *state;
	struct ctd_pair_cpu *cpu;
	struct ctd_pair_table *table;
	struct ctd_pair_slot *slot;
	__u32 place;

	/* As in beside(). */
	if (!cfg_waits)
		return 0;
	state = state_of(cpu_number);
	cpu = bpf_map_lookup_elem(&cgtd_pairs, &at);
	if (!state || !cpu)
		return 0;
	table = pair_table(cpu, state->epoch);
	place = pair_find(table, victim_id, occupier_id, wait) & (CTD_PAIR_SLOTS - 1);
	slot = &table->slots[place];
	if (!ns) {
		slot->preempted++;
		return 0;
	}
	slot->ns += ns;
	/* It may have had the CPU several times meanwhile. */
	if (table->newest_wait[place] != wait)
		slot->waits++;
	table->newest_wait[place] = wait;
	return 0;
}

#endif
