/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collect.h - a running measurement: from wishes to snapshots, with names for what is in them. */
#ifndef CGTOPDOWN_COLLECT_H
#define CGTOPDOWN_COLLECT_H

#include <cgtopdown/abi.h>
#include <cgtopdown/identity.h>
#include <cgtopdown/record.h>
#include <cgtopdown/sampler.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ctd_rotations;

/* Which counters are wished for. */
struct ctd_source_wishes {
	const char *source; /* "auto", "none", "sim", a source of 'list cpus', "software:5" */
	const char *profile_file; /* with "sim"; NULL: the built-in profiles */
	int level; /* 1 or 2; 0: the deepest that needs no rotation */
	bool ipc; /* also the group beside the tree: cycles, instructions, misses */
	bool read_each; /* every counter by itself */
	bool pinned; /* counters are not shared with other users of the PMU */
	/* These groups instead of a source's; borrowed. The source is "auto" or, for tests,
	 * "software". NULL: none. */
	const struct ctd_rotations *rotations;
	/* Not instead of a source's groups, but in turns with them, where it counts any. */
	bool beside;
};

/* Where names are found. */
struct ctd_name_options {
	const char *host_root; /* where the host's / is seen; NULL: as all other files */
	const char *kubelet; /* URL; NULL: none is asked */
	const char *kubelet_ca, *kubelet_token_file; /* files; NULL: none */
	bool kubelet_insecure;
	const char *const *pod_labels; /* names or globs, pod_labels_count of them */
	size_t pod_labels_count;
	/* Called first in threads that look for names; NULL: nothing. */
	void (*begin_thread)(void *context);
	void *begin_context;
};

/* What the measurement itself may take. */
struct ctd_budget_options {
	uint64_t limit_ppm; /* millionths of all CPU time of the machine; 0: as much as it needs */
	uint64_t window_ns; /* by which it is judged; 0: 5 s */
	uint64_t interval_ns; /* of the snapshots; 0: without an end */
	bool keeps_plan; /* nothing is given up that takes other counters or programs */
	uint64_t asked_for; /* bits of enum ctd_budget_part: of the user's options, given up last */
	int32_t beside_pid; /* a process whose CPU time is ours, too; 0: none */
};

/* All strings and arrays are borrowed until ctd_collector_free(). */
struct ctd_collect_options {
	struct ctd_source_wishes wishes;
	struct ctd_name_options names;
	const char *hierarchy; /* "auto", "v2", or a v1 controller */
	enum ctd_by by; /* how a cgroup is divided into rows */
	bool waits; /* also how long tasks wait for a CPU, where the kernel tells */
	bool waits_asked; /* by the user: warn if a part of them is not known */
	const char *cpus; /* list of the CPUs that may be disturbed; NULL: all but isolated ones */
	uint64_t max_slice_ns; /* 0: slices may grow without limit */
	uint32_t rows_max; /* rows in the kernel; 0: a default that suits the machine */
	uint64_t seek_ns; /* how often to try sources again that somebody else's use of the PMU kept
			     away; 0: never */
	bool makes_room; /* where all rows are taken, goes on with an empty table; with seek_ns */
	bool (*is_stopped)(void); /* true ends waits early; NULL: never */
	const struct ctd_sampler_options *sampler; /* also samples stacks; NULL: does not */
	struct ctd_budget_options budget;
};

/* A machine's collector. All functions are for one thread. */
struct ctd_collector;

/*
 * @p options is copied. ctd_collector_free() is due if it succeeds. Logs. @return 0 or -ENOMEM.
 */
int ctd_collector_new(const struct ctd_collect_options *options,
		      struct ctd_collector **ret_collector);
/*
 * Opens counters, loads and attaches the programs, learns all cgroups. Logs what failed and what to
 * do. @return 0 or negative errno.
 */
int ctd_collector_start(struct ctd_collector *collector);
/* Releases all that is in the kernel; what is known of cgroups stays. NULL is fine. */
void ctd_collector_detach(struct ctd_collector *collector);
/* Waits for the threads that look for names, which may wait for a file. NULL is fine. */
void ctd_collector_free(struct ctd_collector *collector);

/* What the snapshots are of; borrowed, valid once started. Changes in place with the plan. */
const struct ctd_record_header *ctd_collector_header(const struct ctd_collector *collector);
/* Groups of counters in snapshots. */
struct ctd_collect_groups {
	uint32_t all; /* more than 1: they rotate, and there are snapshots in between */
	uint32_t beside; /* the last so many: those of wishes.rotations, which the header has not */
	bool beside_slots; /* their leaders count the slots of the header's model */
};
struct ctd_collect_groups ctd_collector_groups(const struct ctd_collector *collector);
/* The cgroups and their names; borrowed. */
const struct ctd_identities *ctd_collector_identities(const struct ctd_collector *collector);

/*
 * Follows CPUs that came or went, then takes a snapshot. A look at the system that fails for want
 * of descriptors or memory is repeated with the next one. Logs. @return 0 or negative errno.
 */
int ctd_collector_snapshot(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot);

/*
 * Has @p work done while intervals pass, in the same thread: every @p every_ns, and as soon as the
 * sampler asks for tables (ctd_sampler_poll_fd()), which it has to take. NULL: nothing. An error
 * that it returns ends the interval.
 */
typedef int ctd_work_beside(void *context);
void ctd_collector_work_beside(struct ctd_collector *collector, ctd_work_beside *work,
			       void *context, uint64_t every_ns);

/* Takes a snapshot over, also where it fails. @return 0 or negative errno. */
typedef int ctd_take_snapshot(struct ctd_snapshot *snapshot, void *context);

/*
 * Lets time pass until the monotonic clock shows @p until_ns, taking in cgroups and CPUs that come
 * and go, and hands out the snapshot that ends the interval. Where groups of counters rotate, also
 * one for each rotation step before. Ends early when asked to stop, or when @p wake_fd (-1: none)
 * is readable. @p whole: an interval that is cut short by a stop has no last snapshot.
 * @return 0 or negative errno; logs, but for what @p take returns.
 */
int ctd_collector_interval(struct ctd_collector *collector, uint64_t until_ns, int wake_fd,
			   bool whole, ctd_take_snapshot *take, void *context);

/*
 * Puts other counters in the place of those that count: another source, level or groups. Hands out
 * the last snapshot of the old plan and the first of the new one, whose `plan` is another number:
 * ctd_collector_header() is of the new plan by then. Nothing is subtracted across them; what
 * happens between the two, some milliseconds, is in no interval. The strings in @p wishes are
 * borrowed until the next replacement. Logs, but for what @p take returns. @return 0 or negative
 * errno; where new counters could not be had, the old ones go on.
 */
int ctd_collector_replace(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
			  ctd_take_snapshot *take, void *context);

/* ctd_budget_stretch(), by its budget. */
uint64_t ctd_collector_stretch(const struct ctd_collector *collector, uint64_t interval_ns);

/*
 * From the next step on groups of counters that rotate have so many steps of a round each, instead
 * of one; may be called from @p take. Not all are 0. Where there are not @p groups_count groups all
 * have the same.
 */
void ctd_collector_weigh(struct ctd_collector *collector, const uint8_t *weights, int groups_count);

/* The last snapshot was not used up: what it had of removed cgroups stays for the next one. */
void ctd_collector_keep(struct ctd_collector *collector);

/*
 * What samples stacks; NULL if nothing does. Another thread than the collector's may sample: up to
 * the release, which is due in any case, the sampler is the caller's alone, and is not replaced
 * with the counters. Tables that it was given are the next one's, too. To be held for moments.
 */
struct ctd_sampler *ctd_collector_hold_sampler(struct ctd_collector *collector);
void ctd_collector_release_sampler(struct ctd_collector *collector);
/* Totals by enum ctd_sampling_health, which go on when the sampler is replaced; from any thread. */
void ctd_collector_count_samples(struct ctd_collector *collector,
				 uint64_t ret_health[CTD_SAMPLING_HEALTH]);

/* A ctd_comm_lookup; the context is the collector. */
const char *ctd_collector_comm(uint32_t pid, void *context);
/* The process of a task that has a row; 0: not known. */
uint32_t ctd_collector_process(const struct ctd_collector *collector, uint32_t task);

/* Writes the names known so far, and from then on those that come. @p writer is borrowed until
 * ctd_collector_free(). @return 0 or negative errno. */
int ctd_collector_record_names(struct ctd_collector *collector, struct ctd_record_writer *writer);

enum ctd_resource { CTD_RESOURCE_CPU, CTD_RESOURCE_MEMORY, CTD_RESOURCES };
/*
 * In which part of the last 10 s some task of the cgroup waited for the resource, as the kernel has
 * it (PSI). It goes over all CPUs for that: to be asked of a few cgroups. @p path: in the
 * hierarchy. @return false: it is not known.
 */
bool ctd_collector_pressure(const struct ctd_collector *collector, const char *path,
			    enum ctd_resource resource, double *ret_ratio);

/* How the search for names goes. */
struct ctd_name_counts {
	uint64_t waiting; /* cgroups asked for, and not found yet */
	uint64_t found, missing; /* in all: names were found, or given up */
	uint64_t refused; /* in all: cgroups called like containers, that are none */
	bool kubelet, kubelet_up; /* one is asked; it answered last */
	uint64_t kubelet_requests, kubelet_errors;
};
void ctd_collector_count_names(struct ctd_collector *collector, struct ctd_name_counts *ret_counts);
/* Has the kubelet asked again at once, if one is; for any thread. */
void ctd_collector_ask_kubelet(struct ctd_collector *collector);

/* Finds the accounted hierarchy, as a collector does. Logs. @return 0 or negative errno. */
int ctd_collect_find_hierarchy(const char *wanted, struct ctd_cgroup_hierarchy *ret_hierarchy);

/* For want of what other processes may give back. */
static inline bool ctd_may_pass(int error)
{
	return error == -ENOMEM || error == -EMFILE || error == -ENFILE;
}

#endif
