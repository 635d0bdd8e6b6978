/* SPDX-License-Identifier: GPL-2.0-only */
/* counters.bpf.h - reads this CPU's counters: one instant, one set, or an error. */
#ifndef COUNTERS_BPF_H
#define COUNTERS_BPF_H

#include "shared.bpf.h"
#include <bpf/bpf_core_read.h>

#ifdef CTD_DIRECT_LOADS
/* bpf: Add a kfunc for generic type cast (a35b9af4ec2c, 6.2). */
extern void *bpf_rdonly_cast(void *object, __u32 btf_id) __ksym;

static __always_inline __u64 count_at(__u64 event_address)
{
	struct perf_event *event =
		bpf_rdonly_cast((void *)event_address, bpf_core_type_id_kernel(struct perf_event));

	return *(volatile __u64 *)&event->count;
}
#else
static __always_inline __u64 count_at(__u64 event_address)
{
	__u64 count = 0;

	bpf_probe_read_kernel(&count, sizeof(count),
			      (void *)event_address +
				      bpf_core_field_offset(struct perf_event, count));
	return count;
}
#endif

struct reading {
	__u64 clock_ns; /* this CPU's clock; see ctd_cpu_state.clock_offset_ns */
	__u64 running_ns; /* time the group has been on the PMU */
	__u64 count[CTD_COUNTERS_MAX];
	__u32 rotating; /* as it was before the reading; valid also if the reading failed */
};

/* Simulated counters advance in every switch, by the profile of the task that ran. */
static __always_inline void simulate(struct ctd_cpu_state *state, __u32 counters)
{
	static const char idle[CTD_COMM_BYTES] = "<idle>";
	static const char other[CTD_COMM_BYTES] = "<other>";
	struct ctd_sim_profile *profile;
	char comm[CTD_COMM_BYTES] = {};
	__u64 now_ns = bpf_ktime_get_ns();
	__u64 slots = (now_ns - state->simulated_ns) * CTD_SIM_SLOTS_PER_NS;
	__u64 rest = slots;

	if (!state->simulated_ns)
		slots = rest = 0;
	state->simulated_ns = now_ns;
	if (bpf_get_current_pid_tgid() == 0) {
		profile = bpf_map_lookup_elem(&cgtd_profiles, idle);
		if (!profile)
			return; /* a halted CPU offers no slots */
	} else {
		bpf_get_current_comm(comm, sizeof(comm));
		profile = bpf_map_lookup_elem(&cgtd_profiles, comm);
		if (!profile)
			profile = bpf_map_lookup_elem(&cgtd_profiles, other);
		if (!profile)
			return;
	}
	state->simulated_count[0] += slots;
	FOR_COUNTERS (i, 1, counters) {
		/* Counter 4 is the last of level 1: the rest, so that the four add up exactly. */
		__u64 part = i == 4 ? rest
				    : slots / CTD_SIM_PARTS_WHOLE * profile->parts[i] +
					      slots % CTD_SIM_PARTS_WHOLE * profile->parts[i] /
						      CTD_SIM_PARTS_WHOLE;

		rest -= i < 4 ? part : 0;
		state->simulated_count[i] += part;
	}
}

/* Counts of the siblings, which the kernel updated when it read the leader: reading any topdown
 * event updates the whole group (intel_update_topdown_event). */
static __always_inline void read_siblings(struct ctd_cpu_state *state, __u32 counters,
					  struct reading *ret)
{
	FOR_COUNTERS (i, 1, counters)
		ret->count[i] = count_at(state->event_address[i]);
}

/* For a core type without a source, beside others that have one: takes the time only; no counter
 * ran.
 */
static __always_inline long read_no_counters(struct ctd_cpu_state *state, __u32 counters,
					     struct reading *ret)
{
	ret->clock_ns = bpf_ktime_get_ns();
	ret->running_ns = 0;
	FOR_COUNTERS (i, 0, counters)
		ret->count[i] = state->start_count[i];
	return 0;
}

/* @return 0, or the helper's error: then only ret->rotating may be used. It is read first, because
 * the loader may clear the flag after the reading has failed. */
static __always_inline long read_counters(struct ctd_cpu_state *state, __u32 cpu,
					  struct reading *ret)
{
	__u32 read = cfg_read, counters_count = cfg_counters, cpus_count = cfg_cpus;
	struct bpf_perf_event_value value;
	long error;

	ret->rotating = state->rotating;
	/* With one core type the verifier removes this. */
	if (read == CTD_READ_MIXED) {
		read = state->read;
		if (read == CTD_READ_NONE)
			return read_no_counters(state, counters_count, ret);
	}
	if (read == CTD_READ_NONE || read == CTD_READ_SIM) {
		ret->clock_ns = read == CTD_READ_SIM ? state->simulated_ns : bpf_ktime_get_ns();
		ret->running_ns = ret->clock_ns;
		FOR_COUNTERS (i, 0, counters_count) {
			ret->count[i] = state->simulated_count[i];
		}
		return 0;
	}
	error = bpf_perf_event_read_value(&cgtd_counters, cpu, &value, sizeof(value));
	if (error)
		return error;
	ret->clock_ns = value.enabled;
	ret->running_ns = value.running;
	ret->count[0] = value.counter;
	if (read == CTD_READ_LEADER) {
		read_siblings(state, counters_count, ret);
		return 0;
	}
	FOR_COUNTERS (i, 1, counters_count) {
		error = bpf_perf_event_read_value(&cgtd_counters, i * cpus_count + cpu, &value,
						  sizeof(value));
		if (error)
			return error;
		ret->count[i] = value.counter;
	}
	return 0;
}

#endif
