/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collector.h - a running measurement: from options to snapshots, with names for what is in them. */
#ifndef APP_COLLECTOR_H
#define APP_COLLECTOR_H

#include <cgtopdown/caps.h>
#include <cgtopdown/counters.h>
#include <cgtopdown/identity.h>
#include <cgtopdown/kern.h>
#include <cgtopdown/snapshot.h>
#include <errno.h>

#include "app/options.h"
#include "identity/kubelet.h"
#include "identity/resolve.h"

struct ctd_collector {
	const struct ctd_options *options; /* borrowed */
	struct ctd_caps caps;
	struct ctd_machine machine;
	struct ctd_counter_plan plans[CTD_CORES_MAX]; /* of each kind of cores */
	int cores_count; /* plans; 1: for all CPUs, whatever kinds there are */
	struct ctd_counters counters;
	struct ctd_sim_profiles profiles;
	struct ctd_cgroup_hierarchy hierarchy;
	struct ctd_identities *identities; /* owned */
	struct ctd_resolver *resolver; /* owned; NULL: there are no names */
	struct ctd_kubelet *kubelet; /* owned; NULL: none is asked */
	struct ctd_kern *kern; /* owned */
	struct ctd_record_header header;
	struct ctd_record_writer
		*writer; /* borrowed; where names go as they are learnt; NULL: nowhere */
	int cpus; /* possible ones */
	bool *online, *fenced, *countable; /* owned, cpus entries */
	bool cpus_unseen; /* the last look at them failed, which was said */
	bool rescan_due; /* events were lost, and the cgroups not walked since */
	uint64_t rescan_ns; /* monotonic time from which they may be, after it failed */
	uint64_t look_ns; /* monotonic time at which to look for CPUs that came or went */
	uint64_t renew_ns; /* monotonic time from which counters that fail may be renewed again */
	uint64_t *read_errors; /* owned, cpus entries: as of the last snapshot */
	uint64_t lost_events; /* as of the last snapshot */
	char comm[CTD_COMM_BYTES]; /* the answer of the last ctd_collector_comm() */
};

/* Finds the accounted hierarchy: what a command's cgroup is made in. Logs. @return 0 or negative
 * errno. */
int ctd_collector_find_hierarchy(const struct ctd_options *options,
				 struct ctd_cgroup_hierarchy *ret_hierarchy);

/*
 * Opens counters, loads and attaches the programs, learns all cgroups. Logs what failed and what to
 * do. ctd_collector_free() is due in any case. @return 0 or negative errno.
 */
int ctd_collector_start(const struct ctd_options *options, struct ctd_collector *ret_collector);

/* Asks kernel and PMU what they can do, and plans the counters. Logs. @return 0 or negative errno. */
int ctd_collector_plan(struct ctd_collector *collector);
/*
 * Opens them and lets them count for a moment. With --source auto the next best source takes the
 * place of one that does not count, none in the end. Logs. @return 0 or negative errno.
 */
int ctd_collector_open_counters(struct ctd_collector *collector);

/* header.c: fills the header, after the counters were opened. */
void ctd_collector_fill_header(struct ctd_collector *collector);

/*
 * Lets time pass until the monotonic clock shows @p until_ns, taking in cgroups that come and go.
 * Ends early when a signal asked to stop (ctd_stop_signal()), or @p wake_fd (-1: none) is readable.
 * @return 0 or negative errno; logs.
 */
int ctd_collector_wait(struct ctd_collector *collector, uint64_t until_ns, int wake_fd);

/* Takes a snapshot over, also where it fails. @return 0 or negative errno. */
typedef int ctd_take_snapshot(struct ctd_snapshot *snapshot, void *context);

/* How long a turn is: each group has the same number of them in an interval, as far as there is
 * room for it. */
uint64_t ctd_turn_length_ns(uint64_t interval_ns, uint64_t groups_count);

/*
 * Waits as ctd_collector_wait() does, and hands out the snapshot that ends the interval. Where
 * groups of counters take turns, also one for each turn before. @p whole: an interval that a
 * signal cuts short has no last one. @return 0 or negative errno; logs, but for what @p take
 * returns.
 */
int ctd_collector_interval(struct ctd_collector *collector, uint64_t until_ns, int wake_fd,
			   bool whole, ctd_take_snapshot *take, void *context);

/*
 * Follows CPUs that came or went, as the wait does every second, then takes a snapshot. A look at
 * the system that fails for want of descriptors or memory is taken again with the next one. Logs.
 */
int ctd_collector_snapshot(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot);

/* True where a PMU counts: not with none and sim. */
static inline bool ctd_collector_counts(const struct ctd_collector *collector)
{
	bool counts = false;

	for (int core = 0; core < collector->cores_count; core++)
		counts |= ctd_plan_counts(&collector->plans[core]);
	return counts;
}

/* Which plan is a CPU's, as arrays are asked for; NULL: there is one. */
static inline const uint8_t *ctd_collector_core_of(const struct ctd_collector *collector)
{
	return collector->cores_count > 1 ? collector->machine.core_of : NULL;
}

static inline struct ctd_counter_plan *ctd_collector_plan_of(struct ctd_collector *collector,
							     int cpu)
{
	const uint8_t *core_of = ctd_collector_core_of(collector);

	return &collector->plans[core_of ? core_of[cpu] : 0];
}

/* For want of what others may give back. */
static inline bool ctd_may_pass(int error)
{
	return error == -ENOMEM || error == -EMFILE || error == -ENFILE;
}

/* The two halves of following the machine, called around each snapshot. Log. 0 or negative errno. */
int ctd_collector_follow_cpus(struct ctd_collector *collector);
void ctd_collector_revive(struct ctd_collector *collector, const struct ctd_snapshot *snapshot);

/* A ctd_comm_lookup; the context is the collector. */
const char *ctd_collector_comm(uint32_t pid, void *context);

/* Names are worth having: what fails is said in a warning, and measuring goes on without. */
void ctd_collector_start_names(struct ctd_collector *collector);
void ctd_collector_stop_names(struct ctd_collector *collector);
/* Puts names that were found since the last call into the table, and into the recording. */
void ctd_collector_take_names(struct ctd_collector *collector);
/* Asks for the names of a cgroup that came; without a resolver there are none. */
void ctd_collector_ask_names(struct ctd_collector *collector, uint64_t cgroup_id);

/* Writes what is known of a cgroup to collector->writer, if there is both. @return 0 or negative
 * errno. */
int ctd_collector_record_facts(struct ctd_collector *collector,
			       const struct ctd_identity *identity);

/* Writes the names known so far to collector->writer, and from then on those that come. */
int ctd_collector_record_names(struct ctd_collector *collector, struct ctd_record_writer *writer);

/* All that is in the kernel is gone from here on; what is known of cgroups is there still. */
void ctd_collector_detach(struct ctd_collector *collector);
/* Waits for the thread that asks for names: see ctd_ending_begin(). */
void ctd_collector_free(struct ctd_collector *collector);
/* Both, for one that is about to exit with @p status. */
void ctd_collector_end(struct ctd_collector *collector, int status);

/* SIGINT, SIGTERM and SIGHUP ask for an orderly end: sets the handlers. */
void ctd_stop_prepare(void);
/* @return the signal that asked to stop, 0 if none did. */
int ctd_stop_signal(void);
/* From now on SIGHUP asks for files to be read again instead, and signals end waits that look at
 * @p fd, an eventfd; -1: none, as it is to be closed. */
void ctd_reload_prepare(int fd);
/* @return true once for each time that it was asked for, or for several. */
bool ctd_reload_asked(void);

#endif
