/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* kern.h - the accounting in the kernel: load it, give it counters, attach it, take snapshots. */
#ifndef CGTOPDOWN_KERN_H
#define CGTOPDOWN_KERN_H

#include <cgtopdown/abi.h>
#include <cgtopdown/caps.h>
#include <cgtopdown/counters.h>
#include <cgtopdown/snapshot.h>
#include <stdbool.h>
#include <stdint.h>

/* A cgroup came or went. @p path is borrowed for the call, NULL when the last figures of a removed
 * cgroup are out. */
typedef void (*ctd_cgroup_notice)(enum ctd_cgroup_change change, uint64_t cgroup_id,
				  const char *path, void *context);

/* The cgroups of a tenant have as many rows as they may. */
typedef void (*ctd_tenant_notice)(uint64_t cgroup_id, uint64_t rows, void *context);

/* Rows where none are asked for: for a machine of any size, and more with every CPU, as a cgroup
 * takes one per CPU it runs on. */
#define CTD_ROWS_LEAST 32768
#define CTD_ROWS_PER_CPU 1024

/* In place of a CPU's sibling. */
#define CTD_SIBLING_NONE (-1) /* it has the core for itself */
#define CTD_SIBLING_UNKNOWN (-2) /* what ran beside it is not told: all of its time is mixed */

struct ctd_kern_options {
	/* Of each core type, all of as many events; borrowed for the collector's life. */
	const struct ctd_counter_plan *plans;
	int core_types_count; /* 0 is 1 */
	const uint8_t
		*core_type_of; /* cpus entries, borrowed: core type of each CPU; NULL: the first */
	const struct ctd_caps *caps;
	const struct ctd_sim_profiles *profiles; /* with CTD_READ_SIM; borrowed for the load */
	enum ctd_by by;
	bool waits; /* also how long tasks wait for a CPU; the kernel must have CTD_CAP_WAITS */
	/* Counted with waits only. cpus entries, borrowed for the collector's life: the CPU of the
	 * core's other hardware thread, or one of the below. NULL: what siblings do is not looked
	 * at. They are taken anew whenever a CPU is said to be online. */
	const int *siblings;
	struct ctd_caches caches; /* none: where rows run is not told apart */
	/* cpus entries, borrowed for the collector's life: the cache of each CPU, or caches.count. */
	const uint8_t *cache_of;
	const char *controller; /* v1 controller whose hierarchy is accounted; NULL or "": v2 */
	uint32_t hierarchy_id; /* of that hierarchy; 0 for v2 */
	uint64_t max_slice_ns; /* 0: slices may grow without limit */
	uint32_t rows_max; /* rows at once (cgroups x CPUs they ran on); 0: by the two numbers above
			    */
	int cpus; /* possible CPUs */
	const bool *online; /* cpus entries; copied */
	const bool *fenced; /* cpus entries: accounted, but neither flushed nor interrupted */
	ctd_cgroup_notice notice; /* called from ctd_kern_poll() and ctd_kern_snapshot() */
	ctd_tenant_notice tenant_notice; /* from ctd_kern_snapshot(), once for a tenant; or NULL */
	void *notice_context; /* of both */
};

struct ctd_kern;

/*
 * Opens, sizes, verifies and loads the programs. Nothing is attached yet. Logs what failed and what
 * to do.
 * @return 0 or negative errno.
 */
int ctd_kern_load(const struct ctd_kern_options *options, struct ctd_kern **ret_kern);

/*
 * Gives the open counters of one CPU to the programs, in place of any it had. If siblings are read
 * from memory, checks that each address is that of the event that was opened. If one is not, the
 * CPU gets no counters, and the message suggests --read each.
 * @return 0, -ENOTRECOVERABLE for such an address, or other negative errno; logs.
 */
int ctd_kern_set_counters(struct ctd_kern *kern, const struct ctd_counters *counters, int cpu);

/*
 * The next snapshot ends the step of the group that counts on this CPU. After it only time is
 * charged there, even if the CPU is given counters, until ctd_kern_begin_step().
 */
void ctd_kern_end_step(struct ctd_kern *kern, int cpu);
/*
 * Takes the counters of a CPU out of use at once, for as long as something else needs its PMU: time
 * goes on to be charged there, counts of this while are nobody's, and no reading fails.
 * ctd_kern_begin_step() ends it.
 */
void ctd_kern_pause_counters(struct ctd_kern *kern, int cpu);
/*
 * Switches to another group of the counters after that snapshot: the difference of two snapshots is
 * of one group. @return 0 or negative errno: on failure the counters must be opened again. Silent.
 */
int ctd_kern_begin_step(struct ctd_kern *kern, const struct ctd_counters *counters, int cpu,
			int step);

/* Attaches everything and takes the baseline of each CPU. Call ctd_counters_enable() before. A CPU
 * that perf does not have is taken as offline: see ctd_kern_is_online(). Logs. */
int ctd_kern_attach(struct ctd_kern *kern);

/* A CPU came or went. When it came, its core type may be known only now; set its counters first;
 * unless it is fenced, it counts from here on. Logs. @return 0 or negative errno; -ENODEV, which is
 * not logged: perf does not have it yet, or not any more, and so it is offline. */
int ctd_kern_cpu_online(struct ctd_kern *kern, int cpu, bool online);
/* What the accounting last took the CPU for. */
bool ctd_kern_is_online(const struct ctd_kern *kern, int cpu);

/* Takes cgroup events, waiting up to @p timeout_ms for the first. @return how many, or negative
 * errno (-EINTR). */
int ctd_kern_poll(struct ctd_kern *kern, int timeout_ms);
/* Readable when ctd_kern_poll() has something to do: for poll(2) with others. */
int ctd_kern_poll_fd(const struct ctd_kern *kern);

/*
 * Closes the open slice of every CPU that is online and not fenced, and reads all totals as of
 * then. Rows of removed cgroups that stood still since the last snapshot are freed, and not in this
 * one.
 * @return 0 or negative errno; logs.
 */
int ctd_kern_snapshot(struct ctd_kern *kern, struct ctd_snapshot *ret_snapshot);

/*
 * The last snapshot is not in use yet, or could not be used: rows of cgroups removed since the one
 * before stay for the next snapshot, and their removal is not reported yet.
 */
void ctd_kern_keep(struct ctd_kern *kern);

/* Tells the accounting of a removed cgroup if no event did (found by a walk of the hierarchy). */
int ctd_kern_forget(struct ctd_kern *kern, uint64_t cgroup_id);

/*
 * All cgroups in this one are of one tenant: struct ctd_row_tenant. Its rows are counted from now
 * on, until it is removed or forgotten. @return 0, -ENOSPC: there are too many, and this one is not
 * limited; or other negative errno.
 */
int ctd_kern_add_tenant(struct ctd_kern *kern, uint64_t cgroup_id);

/* Name and process of a process or task as last seen by the programs. @return 0 or -ENOENT. */
int ctd_kern_task_name(struct ctd_kern *kern, uint32_t pid, struct ctd_task_name *ret_name);

/* Room for so many rows; was one asked for that there is none for? */
uint32_t ctd_kern_rows_max(const struct ctd_kern *kern);
bool ctd_kern_is_full(const struct ctd_kern *kern);

/* Memory that the maps take, in bytes, and one row's share of it. */
void ctd_kern_memory(const struct ctd_kern *kern, uint64_t *ret_bytes, uint64_t *ret_row_bytes);

/* Detaches and releases everything; NULL is fine. */
void ctd_kern_free(struct ctd_kern *kern);

#endif
