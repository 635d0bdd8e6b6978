/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* topdown.h - what the files of this room share: the loaded object and the maps in memory. */
#ifndef KERN_TOPDOWN_TOPDOWN_H
#define KERN_TOPDOWN_TOPDOWN_H

#include <cgtopdown/kern.h>
#include <cgtopdown/pairs_abi.h>
#include <cgtopdown/siblings_abi.h>
#include <cgtopdown/waits.h>

#include "base/idmap.h"

struct cgtd_topdown;
struct ring_buffer;
struct bpf_link;

struct ctd_kern {
	struct cgtd_topdown *skeleton; /* owned */
	struct ctd_kern_options options;
	enum ctd_read read; /* CTD_READ_MIXED where core types differ in it */
	uint8_t *core_type_of; /* owned, per CPU: its core type */
	bool has_leader; /* a core type is read by its leader */
	bool direct; /* siblings' counts by plain loads */
	uint32_t counters_count;
	uint32_t parts; /* of a bank of a row: CTD_SIBLINGS or 1 */
	uint32_t rows_max;
	size_t row_bytes;
	struct ctd_cpu_state *cpus; /* mapped, options.cpus entries */
	unsigned char *rows; /* mapped, rows_max values of row_bytes */
	struct ctd_wait_row
		*waits; /* mapped, CTD_WAIT_ROWS() of them; NULL: waits are not counted */
	struct ctd_row_tenant *tenants; /* mapped, CTD_TENANTS_MAX of them */
	uint32_t tenants_end; /* one more than the last that is in use */
	bool *tenant_told; /* owned, CTD_TENANTS_MAX: that it has its share */
	/* Mapped: options.cpus entries of each enum ctd_pairs_of that is counted; NULL: as waits. */
	struct ctd_pair_cpu *pairs;
	/* Mapped, options.cpus entries; NULL: siblings are not looked at. */
	struct ctd_sibling_cpu *siblings;
	/* Of the mappings. */
	size_t cpus_bytes, rows_map_bytes, waits_bytes, tenants_bytes, pairs_bytes, siblings_bytes;
	bool *online, *fenced; /* owned */
	struct bpf_link **long_slice_links; /* owned, options.cpus entries */
	struct ring_buffer *events; /* owned */

	uint64_t epoch; /* charges now go into this one */
	uint64_t sequence;
	/* Rows in use, by key, so that a snapshot needs no sorting when no row came. */
	uint32_t *order; /* owned, order_count row indices sorted by key */
	uint32_t order_count;
	bool *listed; /* owned, rows_max: the row is in order[] */
	struct ctd_idmap removed; /* cgroup id -> the epoch in which it was removed */
	uint64_t (*freed)[CTD_COUNTERS_MAX]; /* owned, per CPU: counts of freed rows */
	uint64_t *shown; /* owned, per CPU: the last epoch in a snapshot that was used */
	uint64_t *newest; /* owned, per CPU: the last epoch in the last snapshot */
	struct ctd_pairs pair_totals; /* owned */
	bool kept; /* the last snapshot was not used: ctd_kern_keep() */
};

/* Whether slices end on a CPU: it may have come before we are told. */
static inline bool ctd_kern_is_alive(const struct ctd_kern *kern, int cpu)
{
	return kern->online[cpu] || __atomic_load_n(&kern->cpus[cpu].live, __ATOMIC_ACQUIRE);
}

/* A row of the mapped array. */
static inline struct ctd_row *ctd_kern_row(const struct ctd_kern *kern, uint32_t index)
{
	return (struct ctd_row *)(kern->rows + index * kern->row_bytes);
}

/* Index of a CPU's own waits. */
static inline uint32_t ctd_kern_own_waits(const struct ctd_kern *kern, int cpu,
					  enum ctd_wait_own_row which)
{
	return kern->rows_max + CTD_WAIT_OWN_ROWS * (uint32_t)cpu + which;
}

/* Rows of one cgroup and process on one core type stand together in order[]. */
static inline int ctd_kern_compare_keys(const struct ctd_kern *kern, const struct ctd_row_key *a,
					const struct ctd_row_key *b)
{
	if (a->cgroup_id != b->cgroup_id)
		return a->cgroup_id < b->cgroup_id ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (int)kern->core_type_of[a->cpu] - (int)kern->core_type_of[b->cpu];
}

/* The counter plan of a CPU. */
static inline const struct ctd_counter_plan *ctd_kern_plan(const struct ctd_kern *kern, int cpu)
{
	return &kern->options.plans[kern->core_type_of[cpu]];
}

/* Decides from the options how counters are read, and how many rows there are. */
void ctd_kern_choose(struct ctd_kern *kern);
/* Sets the open object's constants, and leaves out programs that are not needed. Logs. */
int ctd_kern_set_knobs(struct ctd_kern *kern);

int ctd_kern_open_events(struct ctd_kern *kern);

/* The CPU's core type is what the options now say. */
void ctd_kern_take_core_type(struct ctd_kern *kern, int cpu);
/* So are all siblings, if they are looked at. */
void ctd_kern_take_siblings(struct ctd_kern *kern);

/* Sorts order[] anew, as a CPU has another core type. */
void ctd_kern_sort_rows(struct ctd_kern *kern);
/* Adds rows taken since the last snapshot to order[]. @return 0 or -ENOMEM. */
int ctd_kern_list_rows(struct ctd_kern *kern);

/* A row was freed, which @p tenant had: ctd_row.tenant. */
void ctd_kern_give_back(struct ctd_kern *kern, uint64_t tenant);
/* What is removed is no tenant any more, when the last of its rows is freed. */
void ctd_kern_forget_tenant(struct ctd_kern *kern, uint64_t cgroup_id);
/* Tells of tenants that have been refused rows. */
void ctd_kern_tell_of_tenants(struct ctd_kern *kern);

/* Moves a row of @p snapshot, with what belongs to it, to an earlier place. */
void ctd_kern_keep_row(struct ctd_snapshot *snapshot, size_t to, size_t from);
/* Frees rows of removed cgroups and leaves them out of @p snapshot. Call after it was read, while
 * kern->shown is of the one before. @return 0 or -ENOMEM. */
int ctd_kern_free_dead_rows(struct ctd_kern *kern, struct ctd_snapshot *snapshot);

/* Adds what came to those pairs that no CPU adds to any more. Call before a new epoch is wanted,
 * and once CPUs are in it. @return 0 or -ENOMEM. */
int ctd_kern_take_pairs(struct ctd_kern *kern);
/* @return 0 or -ENOMEM. */
int ctd_kern_read_pairs(struct ctd_kern *kern, struct ctd_snapshot *snapshot);

/*
 * Starts a new epoch and closes the open slice of each CPU that may be disturbed. ret_flushed[cpu]
 * says where it was done. @return 0 or negative errno; logs.
 */
int ctd_kern_flush(struct ctd_kern *kern, bool *ret_flushed);

/* Closes the open slice of one CPU now. @return 0 or negative errno: -ENXIO if it is offline. */
int ctd_kern_flush_cpu(struct ctd_kern *kern, int cpu);

/* Of a CPU that is offline: that time is charged to no row, and the next closing there takes a
 * baseline. */
void ctd_kern_forget_slice(struct ctd_kern *kern, int cpu);

/* Attaches the long-slice program to one CPU, or detaches it. Logs. */
int ctd_kern_watch_cpu(struct ctd_kern *kern, int cpu, bool watch);

#endif
