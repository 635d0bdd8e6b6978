/* SPDX-License-Identifier: GPL-2.0-only */
/* siblings.bpf.h - what ran on the core's other hardware thread during a slice. */
#ifndef SIBLINGS_BPF_H
#define SIBLINGS_BPF_H

#include <cgtopdown/siblings_abi.h>

#include "owner.bpf.h"
#include "pairs.bpf.h"

/*
 * What each CPU runs, by CPU number. Written: as struct ctd_sibling_cpu says. Read: by the CPU's
 * sibling. Emptied: never.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* possible CPUs, set by the loader */
	__type(key, __u32);
	__type(value, struct ctd_sibling_cpu);
} cgtd_siblings SEC(".maps");

static __always_inline struct ctd_sibling_cpu *sibling_cpu(__u32 cpu)
{
	return bpf_map_lookup_elem(&cgtd_siblings, &cpu);
}

/*
 * Call when the owner of the open slice was noted. Counted before it is there, and read in the
 * other order: a reader that sees a new one sees that it changed. The barrier is the compiler's, as
 * x86 keeps the order of stores, and of loads. Arm does not: on its cores with two threads a slice
 * that ends within nanoseconds of the sibling's switch may be charged as not mixed.
 */
static __always_inline void begin_stay(struct ctd_cpu_state *state, __u32 cpu)
{
	struct ctd_sibling_cpu *own = sibling_cpu(cpu);
	__u64 id = newest_occupier(state);

	if (!own || own->id == id)
		return;
	own->stays++;
	barrier();
	own->id = id;
}

/* Pairs have two cgroups. Which of them comes first means nothing here: the loader adds the time to
 * both. */
static __always_inline void charge_beside(__u64 own_id, __u64 other_id, __u64 from_ns, __u64 end_ns)
{
	if ((__s64)(end_ns - from_ns) <= 0 || own_id >= CTD_OCCUPIER_KERNEL ||
	    other_id >= CTD_OCCUPIER_KERNEL || other_id == CTD_OCCUPIER_UNKNOWN)
		return;
	if (own_id < other_id)
		charge_pair(CTD_PAIRS_BESIDE, own_id, other_id, end_ns - from_ns, 0);
	else if (own_id > other_id)
		charge_pair(CTD_PAIRS_BESIDE, other_id, own_id, end_ns - from_ns, 0);
}

/*
 * Call once in each closing. @p slice_ns: of the slice, which ends at the monotonic @p end_ns; 0:
 * it is not its owner's. The sibling is asked without a lock. The closings of both cut the core's
 * time into pieces in which neither changed: each piece is charged by the CPU whose closing ends
 * it. Where both close at once, within the few loads between `closed_ns` of both, one may be
 * missing. Counts cannot be cut: those of a slice in which the sibling passed to another owner are
 * mixed. A global function.
 * @return enum ctd_sibling.
 */
__noinline int beside(__u32 cpu, __u64 end_ns, __u64 slice_ns)
{
	struct ctd_cpu_state *state;
	struct ctd_sibling_cpu *own, *other;
	__u64 stays, seen, id, from_ns, own_id;

	/* Before "bpf: validate global subprogs lazily" (6.8) it is verified also where nothing
	 * calls it. */
	if (!cfg_siblings)
		return CTD_SIBLING_IDLE;
	state = state_of(cpu);
	own = sibling_cpu(cpu);
	if (!state || !own || !own->sibling)
		return CTD_SIBLING_IDLE;
	own_id = newest_occupier(state);
	other = sibling_cpu(own->sibling - 1);
	if (!other)
		return CTD_SIBLING_MIXED;
	*(volatile __u64 *)&own->closed_ns = end_ns;
	id = *(volatile __u64 *)&other->id;
	stays = *(volatile __u64 *)&other->stays;
	from_ns = *(volatile __u64 *)&other->closed_ns;
	seen = own->seen;
	own->seen = stays;
	if (from_ns < end_ns - slice_ns)
		from_ns = end_ns - slice_ns;
	charge_beside(own_id, id, from_ns, end_ns);
	if (stays != seen || id == CTD_OCCUPIER_UNKNOWN)
		return CTD_SIBLING_MIXED;
	if (id == CTD_OCCUPIER_IDLE)
		return CTD_SIBLING_IDLE;
	return id == own_id ? CTD_SIBLING_SAME : CTD_SIBLING_OTHER;
}

#endif
