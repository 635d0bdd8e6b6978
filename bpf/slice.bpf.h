/* SPDX-License-Identifier: GPL-2.0-only */
/* slice.bpf.h - closes the open slice of a CPU: reads, subtracts, charges, starts the next one. */
#ifndef SLICE_BPF_H
#define SLICE_BPF_H

#include "counters.bpf.h"
#include "owner.bpf.h"
#include "rows.bpf.h"
#include "siblings.bpf.h"

/* include/uapi/asm-generic/errno-base.h; a macro, so not in BTF. */
#define EBUSY 16

/* What a switch did to the open slice: nothing, or closed it; or it was closed as one that was
 * another's, too. */
enum passage { PASSAGE_WITHIN, PASSAGE_ACROSS, PASSAGE_LOST };

/*
 * Advances the clock without a usable reading: at the first closing and around failed ones. Uses
 * monotonic time minus a known offset in place of the leader's enabled time, which stops while a
 * pinned group is in error. @return the time since the last closing.
 */
static __noinline __u64 clock_slowly(struct ctd_cpu_state *state, __u64 reading_clock_ns,
				     __u32 good)
{
	__u64 now_ns = bpf_ktime_get_ns();
	__u64 elapsed_ns;

	elapsed_ns = now_ns - state->clock_offset_ns - state->start_ns;
	if (good)
		state->clock_offset_ns = state->measured_offset_ns = now_ns - reading_clock_ns;
	else if (!state->live)
		state->clock_offset_ns = 0;
	state->start_ns = now_ns - state->clock_offset_ns;
	state->clock_lost = !good;
	if (!state->live)
		return 0;
	return (__s64)elapsed_ns < 0 ? 0 : elapsed_ns;
}

/* Takes a new baseline: at the first reading of events just opened, and at the first good one after
 * a failure. Counts since the last good reading are unattributed. */
static __noinline int restart_counts(struct ctd_cpu_state *state, const struct reading *reading)
{
	__u32 counters_count = cfg_counters;

	FOR_COUNTERS (i, 0, counters_count) {
		__u64 since = reading->count[i] - state->start_count[i];

		if (state->counted)
			state->unattributed[i] += since;
		else
			state->base_count[i] -= since; /* totals go on from where they were */
		state->start_count[i] = reading->count[i];
	}
	state->counted = 1;
	state->start_running_ns = reading->running_ns;
	return 0;
}

/* Row of the slice's owner. Never NULL: what finds no free row goes to `other`. */
static __always_inline struct ctd_row *owner_row(struct ctd_cpu_state *state, __u32 cpu)
{
	struct ctd_row *row;

	if (state->owner == CTD_OWNER_IDLE)
		return &state->idle;
	if (state->owner == CTD_OWNER_KERNEL)
		return &state->kernel;
	row = row_find(state, cpu, NULL, state->owner_id, state->owner_pid);
	if (row)
		return row;
	state->health[CTD_HEALTH_LOST_ROWS]++;
	return &state->other;
}

/* @p share: of 2^20. In two steps: what a long slice has, times that, would not fit. */
static __always_inline __u64 part_of(__u64 whole, __u64 share)
{
	return (whole >> 20) * share + ((whole & 0xfffff) * share >> 20);
}

/*
 * Another CPU moved the running task to another cgroup: splits state->charge by time. The first part
 * is charged to the old owner; the rest stays for the new one, which becomes the owner. @return
 * whether it was moved after the counters were read: then all of the slice is the old owner's.
 */
static __noinline int split_charge(struct ctd_cpu_state *state, __u32 cpu)
{
	struct ctd_bank *before = &state->charge_before, *rest = &state->charge;
	__u64 after_ns = state->start_ns + state->clock_offset_ns - state->moved_ns;
	__u32 counters_count = cfg_counters;
	__u64 before_ns, share; /* of 2^20 */

	state->moved_ns = 0;
	if ((__s64)after_ns < 0)
		return 1;
	/* The task was moved before the slice began: the owner of the current task has all of it. */
	if (after_ns > rest->oncpu_ns) {
		adopt_current(state);
		return 0;
	}
	before_ns = rest->oncpu_ns - after_ns;
	/* Beyond two hours the product would not fit; then a millionth of them is fine enough. */
	share = rest->oncpu_ns >> 43 ? before_ns / (rest->oncpu_ns >> 20)
				     : (before_ns << 20) / (rest->oncpu_ns | 1);
	if (share > 1 << 20)
		share = 1 << 20;
	before->oncpu_ns = before_ns;
	before->running_ns = part_of(rest->running_ns, share);
	before->switches = 0;
	rest->oncpu_ns -= before->oncpu_ns;
	rest->running_ns -= before->running_ns;
	FOR_COUNTERS (i, 0, counters_count) {
		before->count[i] = part_of(rest->count[i], share);
		rest->count[i] -= before->count[i];
	}
	row_charge(owner_row(state, cpu), state->epoch, CTD_SIBLING_MIXED, before);
	state->health[CTD_HEALTH_MOVES_SPLIT]++;
	state->closed_slices++;
	adopt_current(state);
	return 0;
}

/*
 * Measures the offset of the two clocks again: NTP slews the monotonic one. A pause between their
 * readings, as of an interrupt or of a hypervisor, makes a measured offset too large. So it is the
 * lesser of the last two; where the offset really grows, that is seen one snapshot later.
 */
static __always_inline void align_clocks(struct ctd_cpu_state *state)
{
	__u64 before_ns = state->measured_offset_ns;
	__u64 now_ns = bpf_ktime_get_ns() - state->start_ns;

	state->measured_offset_ns = now_ns;
	state->clock_offset_ns = (__s64)(now_ns - before_ns) < 0 ? now_ns : before_ns;
}

/* Later charges belong to the epoch that the loader wants. Called once per snapshot. A global
 * function. */
__noinline int begin_epoch(__u32 cpu)
{
	struct ctd_cpu_state *state = state_of(cpu);
	__u32 counters_count = cfg_counters;

	if (!state)
		return 0;
	FOR_COUNTERS (i, 0, counters_count) {
		state->epoch_total[i] = state->start_count[i] + state->base_count[i];
		state->epoch_unattributed[i] = state->unattributed[i];
	}
	state->epoch_unattributed_ns = state->unattributed_ns;
	state->epoch_lost_switches = state->health[CTD_HEALTH_LOST_SWITCHES];
	state->epoch = state->wanted_epoch;
	/* The next reading would be of the old group, which does not count in this epoch. */
	if (state->rotating)
		state->counted = 0;
	if (!state->clock_lost)
		align_clocks(state);
	state->epoch_ns = state->start_ns + state->clock_offset_ns;
	return 0;
}

/* Fills state->charge when the reading failed, may not be used, or is the first good one. */
static __noinline int measure_around_failure(struct ctd_cpu_state *state,
					     const struct reading *reading, long error)
{
	__u32 counters_count = cfg_counters;

	state->charge.running_ns = 0;
	FOR_COUNTERS (i, 0, counters_count)
		state->charge.count[i] = 0;
	if (error || reading->rotating) {
		if (!reading->rotating) {
			state->health[CTD_HEALTH_READ_ERRORS]++;
			state->health[CTD_HEALTH_READ_BUSY] += error == -EBUSY;
		}
		state->charge.oncpu_ns = clock_slowly(state, 0, 0);
		return 0;
	}
	state->charge.oncpu_ns = clock_slowly(state, reading->clock_ns, 1);
	restart_counts(state, reading);
	return 0;
}

/* Leaves a slice unattributed: it changed its owner at an unknown time. */
static __noinline int charge_nobody(struct ctd_cpu_state *state)
{
	__u32 counters_count = cfg_counters;

	FOR_COUNTERS (i, 0, counters_count)
		state->unattributed[i] += state->charge.count[i];
	state->unattributed_ns += state->charge.oncpu_ns;
	state->health[CTD_HEALTH_LOST_SWITCHES]++;
	state->moved_ns = 0;
	return 0;
}

/* What a rare closing has to charge, into state->charge: the first closing, one whose counters
 * cannot be read, the one after that, one whose task was moved, and one with a lost switch. */
static __noinline int measure_slowly(struct ctd_cpu_state *state, const struct reading *reading,
				     long error)
{
	struct ctd_bank *charge = &state->charge;
	__u32 counters_count = cfg_counters;

	charge->switches = state->switches - state->start_switches;
	state->start_switches = state->switches;
	/* A clock that went back: before "perf: Fix perf_event_read_local() time" (5.17) the
	 * enabled time of a group that was never scheduled in yet is a wild guess. */
	if (error || state->clock_lost || !state->live || !state->counted ||
	    reading->clock_ns < state->start_ns)
		return measure_around_failure(state, reading, error);
	charge->oncpu_ns = reading->clock_ns - state->start_ns;
	charge->running_ns = reading->running_ns - state->start_running_ns;
	state->start_ns = reading->clock_ns;
	state->start_running_ns = reading->running_ns;
	FOR_COUNTERS (i, 0, counters_count) {
		charge->count[i] = reading->count[i] - state->start_count[i];
		state->start_count[i] = reading->count[i];
	}
	return 0;
}

/* Charges what measure_slowly() left in state->charge; a first closing has nothing to charge. A
 * global function. */
__noinline int charge_slowly(__u32 cpu, int lost)
{
	struct ctd_cpu_state *state = state_of(cpu);
	__u32 sibling = 0;
	int moved_later = 0;

	if (!state)
		return 0;
	/* Who had which part of a slice with a move or a lost switch is not looked into. */
	if (cfg_siblings) {
		bool one = state->live && !lost && !state->moved_ns;

		sibling = beside(cpu, state->start_ns + state->clock_offset_ns,
				 one ? state->charge.oncpu_ns : 0);
		if (!one)
			sibling = CTD_SIBLING_MIXED;
	}
	if (!state->live) {
		state->live = 1;
		state->moved_ns = 0;
		adopt_current(state);
		return 0;
	}
	state->closed_slices++;
	if (lost)
		return charge_nobody(state);
	if (state->moved_ns)
		moved_later = split_charge(state, cpu);
	row_charge(owner_row(state, cpu), state->epoch, sibling, &state->charge);
	if (moved_later)
		adopt_current(state);
	return 0;
}

/* The usual closing. */
static __always_inline void close_quickly(struct ctd_cpu_state *state, __u32 cpu,
					  const struct reading *reading, bool siblings)
{
	__u32 counters_count = cfg_counters, sibling = 0;
	struct ctd_row *row = owner_row(state, cpu);
	struct ctd_bank *bank;

	if (siblings)
		sibling = beside(cpu, reading->clock_ns + state->clock_offset_ns,
				 reading->clock_ns - state->start_ns);
	bank = row_bank(row, state->epoch, siblings, sibling);
	bank->oncpu_ns += reading->clock_ns - state->start_ns;
	bank->running_ns += reading->running_ns - state->start_running_ns;
	bank->slices++;
	bank->switches += state->switches - state->start_switches;
	FOR_COUNTERS (i, 0, counters_count) {
		bank->count[i] += reading->count[i] - state->start_count[i];
		state->start_count[i] = reading->count[i];
	}
	state->start_ns = reading->clock_ns;
	state->start_running_ns = reading->running_ns;
	state->start_switches = state->switches;
	state->closed_slices++;
}

/*
 * Ends the open slice now and charges it to its owner, or leaves it unattributed if @p lost. The
 * next slice starts with the same owner, unless the caller sets another. Interrupts must be off, or
 * state->busy set. @p siblings: a constant, which is what cfg_siblings is. @return whether it was a
 * rare closing, which may have noted the current task as the running one.
 */
static __always_inline bool close_slice(struct ctd_cpu_state *state, __u32 cpu, int lost,
					bool siblings)
{
	struct reading reading;
	long error = read_counters(state, cpu, &reading);
	bool rare = false;

	if (error || state->clock_lost || !state->live || !state->counted || state->moved_ns ||
	    lost || reading.clock_ns < state->start_ns) {
		measure_slowly(state, &reading, error);
		charge_slowly(cpu, lost);
		rare = true;
	} else {
		close_quickly(state, cpu, &reading, siblings);
	}
	if (state->epoch != state->wanted_epoch)
		begin_epoch(cpu);
	return rare;
}

#endif
