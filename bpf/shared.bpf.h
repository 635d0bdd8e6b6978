/* SPDX-License-Identifier: GPL-2.0-only */
/* shared.bpf.h - maps that several objects use: the loader gives all of them the same ones. */
#ifndef SHARED_BPF_H
#define SHARED_BPF_H

#include "config.bpf.h"

/*
 * State of each CPU, by CPU number. An array that the loader maps, not a per-CPU map: other CPUs
 * must reach it when they move a running task, and the loader reads it without a system call.
 * Written: by the CPU itself; by the loader what its counters are (live, read, counted, group,
 * rotating, simulated_ns; event_address by a program that it runs), wanted_epoch, no_free_rows, and
 * owner where a slice is given up; moved_ns by others. Read: by the CPU itself and the loader;
 * running_task and open_wait_ns by others. Emptied: never.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* possible CPUs, set by the loader */
	__type(key, __u32);
	__type(value, struct ctd_cpu_state);
} cgtd_cpus SEC(".maps");

static __always_inline struct ctd_cpu_state *state_of(__u32 cpu)
{
	return bpf_map_lookup_elem(&cgtd_cpus, &cpu);
}

/*
 * The counters: perf event of counter i on CPU c at index i * cfg_cpus + c.
 * Written: by the loader. Read: by bpf_perf_event_read_value(). Emptied: when a CPU goes offline.
 */
struct {
	__uint(type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	__uint(max_entries, 1); /* counters * CPUs, set by the loader */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(__u32));
} cgtd_counters SEC(".maps");

/*
 * Simulated profiles by comm; "<idle>" and "<other>" are special. Written: by the loader, once.
 * Read: at every switch, under CTD_READ_SIM. Emptied: never.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* set by the loader */
	__type(key, char[CTD_COMM_BYTES]);
	__type(value, struct ctd_sim_profile);
} cgtd_profiles SEC(".maps");

#endif
