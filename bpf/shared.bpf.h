/* SPDX-License-Identifier: GPL-2.0-only */
/* shared.bpf.h - maps that several objects use: the loader gives all of them the same ones. */
#ifndef SHARED_BPF_H
#define SHARED_BPF_H

#include "config.bpf.h"

/*
 * State of each CPU, by CPU number. An array that the loader maps, not a per-CPU map: other CPUs
 * must reach it when they move a running task, and the loader reads it without a system call.
 * Written: by the CPU itself; wanted_epoch, live, read, event_address by the loader; moved_ns by
 * others. Read: by the CPU itself and the loader. Emptied: never.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* possible CPUs, set by the loader */
	__type(key, __u32);
	__type(value, struct ctd_cpu_state);
} cgtd_cpus SEC(".maps");

#endif
