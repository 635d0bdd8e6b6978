/* SPDX-License-Identifier: GPL-2.0-only */
/* maps.bpf.h - maps of the accounting: who writes, who reads, when emptied. */
#ifndef MAPS_BPF_H
#define MAPS_BPF_H

#include "shared.bpf.h"

/*
 * Rows, mapped by the loader. Its values are cut to the counters in use (CTD_ROW_BYTES).
 * Written: by the CPU in row->key.cpu. Read: by the loader. Emptied: a row is zeroed by the loader
 * when its cgroup is gone and its figures are out, before its index goes back to `cgtd_free_rows`.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1); /* set by the loader */
	__uint(key_size, sizeof(__u32)); /* no BTF: it would contradict the cut values */
	__uint(value_size, sizeof(struct ctd_row));
} cgtd_rows SEC(".maps");

/*
 * Index of the row of a key. Written: by the CPU that takes a row. Read: by that CPU, when the row
 * is not among its recent ones. Emptied: by the loader, entry by entry, with the row.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* as many as rows */
	__type(key, struct ctd_row_key);
	__type(value, __u32);
} cgtd_row_index SEC(".maps");

/*
 * Indices of free rows. Written: filled by cgtd_fill, and by the loader with every row it frees.
 * Read: popped by a CPU that meets a new cgroup. Emptied: when all rows are taken.
 */
struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 1); /* as many as rows */
	__uint(key_size, 0);
	__uint(value_size, sizeof(__u32));
} cgtd_free_rows SEC(".maps");

/*
 * Tenants, mapped by the loader. Written: as struct ctd_row_tenant says. Read: by a CPU that meets
 * a new cgroup of one. Emptied: by the loader, entry by entry, when the tenant's cgroup is gone.
 */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, CTD_TENANTS_MAX);
	__type(key, __u32);
	__type(value, struct ctd_row_tenant);
} cgtd_tenants SEC(".maps");

/*
 * Index of the tenant whose outermost cgroup has this id. Written, emptied: by the loader. Read: by
 * a CPU that meets a new cgroup.
 */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, CTD_TENANTS_MAX);
	__type(key, __u64);
	__type(value, __u32);
} cgtd_tenant_of SEC(".maps");

/*
 * Cgroups coming and going. Written: by cgtd_made, cgtd_gone, cgtd_renamed. Read: by the loader as
 * they come. What does not fit is counted in lost_events, and the loader walks the hierarchy again.
 */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20); /* about 10,000 cgroups between two polls */
} cgtd_events SEC(".maps");

/* Room to build a struct ctd_cgroup_event, which is too large for the stack. Used within one run. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ctd_cgroup_event);
} cgtd_scratch SEC(".maps");

/*
 * Names of processes or tasks, and which process a task is of, under CTD_BY_PROCESS and
 * CTD_BY_TASK. Written: when a row is taken and at exec. Read: by the loader for tasks that are
 * gone. Emptied: least recently used first.
 */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1); /* set by the loader */
	__type(key, __u32);
	__type(value, struct ctd_task_name);
} cgtd_comms SEC(".maps");

/* Cgroup events that did not fit the ring buffer, ever. Read by the loader. */
__u64 lost_events;
/* Counted up by cgtd_fill, before anything is attached. Taken by a CPU, given back by the loader:
 * both atomically. */
__u64 free_rows;

#endif
