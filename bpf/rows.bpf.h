/* SPDX-License-Identifier: GPL-2.0-only */
/* rows.bpf.h - finds a row, and charges a slice to it. */
#ifndef ROWS_BPF_H
#define ROWS_BPF_H

#include "maps.bpf.h"
#include "owner.bpf.h"
#include "tenant.bpf.h"

/* Stores the name of the task whose row is being made: it is still the running task. A function, so
 * that its part of the stack is not row_get()'s. */
static __noinline int remember_comm(__u32 pid)
{
	struct ctd_task_name name = {.process = bpf_get_current_pid_tgid() >> 32};

	bpf_get_current_comm(name.comm, sizeof(name.comm));
	bpf_map_update_elem(&cgtd_comms, &pid, &name, BPF_ANY);
	return 0;
}

/* Place of a key among a CPU's recent rows. Fibonacci hashing: ids of neighbouring cgroups differ
 * by multiples of a small number. */
static __always_inline __u32 recent_place(__u64 cgroup_id, __u32 pid)
{
	__u32 place = ((__u32)cgroup_id + pid) * 2654435761u >> (32 - CTD_RECENT_BITS);

	return place & (CTD_RECENT_ROWS - 1);
}

static __always_inline bool is_refused(const struct ctd_refused_row *refused,
				       const struct ctd_row_key *key, __u64 epoch)
{
	return refused->cgroup_id == key->cgroup_id && refused->pid == key->pid &&
	       refused->epoch == (__u32)epoch;
}

/* Spares a refused key the search for its tenant at each of its further switches. */
static __always_inline void remember_refusal(struct ctd_refused_row *refused,
					     const struct ctd_row_key *key, __u64 epoch)
{
	refused->cgroup_id = key->cgroup_id;
	refused->pid = key->pid;
	refused->epoch = epoch;
}

/* Looks a row up that is not among the recent ones; if the key has none, takes a free one. @p
 * cgroup: its address. A global function. @return its index, or -1. */
__noinline int row_get(__u32 cpu, __u64 cgroup, __u64 cgroup_id, __u32 pid)
{
	struct ctd_row_key key = {.cgroup_id = cgroup_id, .cpu = cpu, .pid = pid};
	__u32 *known = bpf_map_lookup_elem(&cgtd_row_index, &key);
	struct ctd_cpu_state *state = state_of(cpu);
	__u32 by = cfg_by, index, place;
	struct ctd_refused_row *refused;
	struct ctd_row_tenant *tenant;
	struct ctd_row *row;

	if (known)
		return *known;
	/* Without free rows every further attempt would make all CPUs queue for the stack's lock. */
	if (!state || state->no_free_rows)
		return -1;
	refused = &state->refused[recent_place(cgroup_id, pid)];
	if (is_refused(refused, &key, state->epoch))
		return -1;
	place = tenant_of(cgroup, cgroup_id);
	tenant = tenant_at(place);
	if (tenant && tenant_has_its_share(tenant)) {
		remember_refusal(refused, &key, state->epoch);
		state->health[CTD_HEALTH_REFUSED_ROWS]++;
		return -1;
	}
	if (bpf_map_pop_elem(&cgtd_free_rows, &index)) {
		state->no_free_rows = 1;
		return -1;
	}
	row = bpf_map_lookup_elem(&cgtd_rows, &index);
	if (!row)
		return -1;
	row->key.cpu = cpu;
	row->key.pid = pid;
	row->tenant = place;
	barrier();
	row->key.cgroup_id = cgroup_id; /* last: a nonzero id marks the row as taken */
	if (bpf_map_update_elem(&cgtd_row_index, &key, &index, BPF_NOEXIST)) {
		row->key.cgroup_id = 0;
		bpf_map_push_elem(&cgtd_free_rows, &index, BPF_ANY);
		return -1;
	}
	__sync_fetch_and_add(&free_rows, -1);
	if (tenant)
		__sync_fetch_and_add(&tenant->rows, 1);
	if (state->rows_end <= index)
		state->rows_end = index + 1;
	if (by != CTD_BY_CGROUP)
		remember_comm(pid);
	return index;
}

/* @p task: whose cgroup it is; NULL: the owner of the open slice. @return the row, or NULL if it is
 * new and there is no free one for it. */
static __always_inline struct ctd_row *row_find(struct ctd_cpu_state *state, __u32 cpu,
						struct task_struct *task, __u64 cgroup_id,
						__u32 pid)
{
	__u32 recent = recent_place(cgroup_id, pid), index = state->recent_row[recent];
	struct ctd_row *row = bpf_map_lookup_elem(&cgtd_rows, &index);
	int found;

	/* The loader may have freed the row since, and another key taken it: compare the key. */
	if (row && row->key.cgroup_id == cgroup_id && row->key.pid == pid && row->key.cpu == cpu)
		return row;

	found = row_get(cpu, task ? (__u64)find_cgroup(task) : state->owner, cgroup_id, pid);
	if (found < 0)
		return NULL;
	index = found;
	state->recent_row[recent] = index;
	return bpf_map_lookup_elem(&cgtd_rows, &index);
}

/* 1 if the second bank is the newer one. Computed by a subtraction: a comparison would be a branch,
 * and the verifier would follow both sides through all later loops over counters. */
static __always_inline __u32 newer_bank(const struct ctd_row *row)
{
	return (row->epoch[0] - row->epoch[1]) >> 63;
}

static __always_inline void copy_part(struct ctd_row *row, __u32 newer, __u32 part, __u32 parts)
{
	__u32 counters_count = cfg_counters;
	struct ctd_bank *from = ctd_row_bank(row, newer, part, counters_count, parts);
	struct ctd_bank *to = ctd_row_bank(row, newer ^ 1, part, counters_count, parts);

	to->oncpu_ns = from->oncpu_ns;
	to->running_ns = from->running_ns;
	to->slices = from->slices;
	to->switches = from->switches;
	FOR_COUNTERS (i, 0, counters_count)
		to->count[i] = from->count[i];
}

/* The first charge in an epoch copies the newer bank's totals to the other bank and continues
 * there. Rare work has functions of its own, which keeps the hot path short. */
static __noinline int row_begin_epoch(struct ctd_row *row, __u64 epoch)
{
	__u32 newer = newer_bank(row);

	row->epoch[newer ^ 1] = epoch;
	copy_part(row, newer, 0, 1);
	return 0;
}

/* The same where rows have parts. */
static __noinline int row_begin_parts(struct ctd_row *row, __u64 epoch)
{
	__u32 newer = newer_bank(row);

	row->epoch[newer ^ 1] = epoch;
	copy_part(row, newer, CTD_SIBLING_IDLE, CTD_SIBLINGS);
	copy_part(row, newer, CTD_SIBLING_SAME, CTD_SIBLINGS);
	copy_part(row, newer, CTD_SIBLING_OTHER, CTD_SIBLINGS);
	copy_part(row, newer, CTD_SIBLING_MIXED, CTD_SIBLINGS);
	return 0;
}

/* The bank for a charge in @p epoch. @p siblings: a constant. Reads the number of counters again:
 * not every verifier treats a copy that was spilled to the stack as a constant. */
static __always_inline struct ctd_bank *row_bank(struct ctd_row *row, __u64 epoch, bool siblings,
						 __u32 sibling)
{
	__u32 bank = newer_bank(row);

	if (row->epoch[bank] != epoch) {
		if (siblings)
			row_begin_parts(row, epoch);
		else
			row_begin_epoch(row, epoch);
		bank = newer_bank(row);
	}
	return ctd_row_bank(row, bank, siblings ? sibling : 0, cfg_counters,
			    siblings ? CTD_SIBLINGS : 1);
}

static __always_inline void bank_charge(struct ctd_bank *bank, const struct ctd_bank *charge)
{
	__u32 counters_count = cfg_counters;

	bank->oncpu_ns += charge->oncpu_ns;
	bank->running_ns += charge->running_ns;
	bank->slices++;
	bank->switches += charge->switches;
	FOR_COUNTERS (i, 0, counters_count)
		bank->count[i] += charge->count[i];
}

static __always_inline void row_charge(struct ctd_row *row, __u64 epoch, __u32 sibling,
				       const struct ctd_bank *charge)
{
	if (cfg_siblings)
		bank_charge(row_bank(row, epoch, true, sibling), charge);
	else
		bank_charge(row_bank(row, epoch, false, 0), charge);
}

#endif
