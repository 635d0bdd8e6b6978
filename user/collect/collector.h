/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collector.h - what the files of a collector share. */
#ifndef COLLECT_COLLECTOR_H
#define COLLECT_COLLECTOR_H

#include <cgtopdown/caps.h>
#include <cgtopdown/collect.h>
#include <cgtopdown/kern.h>
#include <pthread.h>

#include "collect/budget.h"
#include "collect/cgroups.h"
#include "collect/cpu_set.h"
#include "collect/hotplug.h"
#include "collect/limits.h"
#include "collect/own_cost.h"
#include "collect/rotation.h"
#include "collect/source.h"
#include "collect/starved.h"
#include "pmu/latencies.h"

/* The counters of one plan, and the programs that read them. */
struct ctd_counting {
	struct ctd_source *source; /* owned */
	struct ctd_kern *kern; /* owned */
	struct ctd_sampler *sampler; /* owned; NULL: stacks are not sampled */
};

/* When to look whether the source is still the best there is. Monotonic times. */
struct ctd_seek {
	uint64_t next_ns;
	uint64_t began_ns; /* the present source took the place of another */
	uint64_t return_ns; /* until then none that was given up is taken again */
	uint64_t wait_ns; /* how long that was, the last time */
};

/* Work that is done while an interval passes. */
struct ctd_beside {
	ctd_work_beside *work; /* NULL: none */
	void *context;
	uint64_t every_ns, next_ns;
};

/* Room for rows in the kernel, where it was all taken. */
struct ctd_room {
	uint32_t rows_max; /* what it has grown to; 0: it has not */
	uint32_t rows_most; /* what it may grow to; 0: not known yet */
	uint64_t next_ns; /* monotonic; until then nothing is done about it again */
};

struct ctd_collector {
	struct ctd_collect_options options;
	struct ctd_caps caps;
	struct ctd_cpu_set cpus; /* owned */
	struct ctd_cgroups cgroups; /* owned */
	struct ctd_limits limits; /* owned; with waits only */
	struct ctd_counting counting; /* owned */
	pthread_mutex_t sampler_lock; /* of counting.sampler: that it is, and its use */
	uint64_t sampled[CTD_SAMPLING_HEALTH]; /* by samplers that are gone; under it */
	struct ctd_latency_sampler *latencies; /* owned; NULL: none are measured */
	struct ctd_hotplug hotplug; /* owned; of the CPUs and the counting */
	struct ctd_starved starved; /* owned; of the counting */
	struct ctd_record_header header; /* of the counting */
	uint32_t plan; /* number of the counting, from 0 */
	uint64_t sequence; /* of the last snapshot */
	uint64_t look_ns; /* monotonic time at which to look for CPUs that came or went */
	struct ctd_seek seek;
	struct ctd_beside beside;
	struct ctd_steps steps; /* of the counting's groups */
	struct ctd_room room;
	struct ctd_own_cost cost;
	struct ctd_budget budget; /* what is given up of `options` */
	struct ctd_budget_state shown_budget; /* the same, as snapshots have it */
	struct ctd_task_name name; /* the answer of the last ctd_collector_comm() */
};

/* How long counters are tried: long enough for a count that is far from 0, short enough to start at
 * once. */
#define CTD_TRIAL_NS 20000000ull

/*
 * counting.c: opens counters as wished, and loads programs for them; nothing is attached. @p
 * trial_ns: as ctd_source_open() takes it. Logs. @return 0 or negative errno; then nothing is open.
 */
int ctd_counting_open(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
		      uint64_t trial_ns, struct ctd_counting *ret_counting);
/* Attaches it, with running counters. It is the collector's then, and what was in its place is the
 * caller's. Logs. @return 0 or negative errno. */
int ctd_counting_attach(struct ctd_collector *collector, const struct ctd_counting *counting);
void ctd_counting_free(struct ctd_counting *counting);
/* collector.c: as ctd_collector_hold_sampler(), but waits for a second at most: who has it may wait
 * for a file. @return whether it is held. */
bool ctd_collector_try_sampler(struct ctd_collector *collector);
/* collector.c: one that goes; the next begins at 0. NULL is fine. While it is held. */
void ctd_collector_keep_counts(struct ctd_collector *collector, const struct ctd_sampler *sampler);

/* replace.c: puts others in the place of the counters, as ctd_collector_replace() does, without a
 * look at what was held. @p ret_lack: 0, or why new ones were not taken, which was logged: the
 * old ones go on. @return 0, or why snapshots could not be taken. */
int ctd_collector_change(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
			 ctd_take_snapshot *take, void *context, int *ret_lack);

/* given_up.c: are waits counted, now? */
bool ctd_collector_has_waits(const struct ctd_collector *collector);
/* Has a sampler sample as often as it may now. Logs. @return 0 or negative errno. */
int ctd_collector_thin(const struct ctd_collector *collector, struct ctd_sampler *sampler);

/* spending.c: CPU time that was spent, in all. */
uint64_t ctd_collector_cost_ns(const struct ctd_collector *collector);
/* The budget begins. */
void ctd_collector_begin_budget(struct ctd_collector *collector);
/* Takes in what a snapshot cost, and says in it what is given up. */
void ctd_collector_tell_budget(struct ctd_collector *collector, struct ctd_snapshot *snapshot);

/* parts.c: what can be given up. */
struct ctd_budget_parts ctd_collector_parts(const struct ctd_collector *collector);
/* Does without the part, or has it again, as the budget's state says. @p ret_lack: 0, or why that
 * could not be done, which was logged: all is as before. @return 0, or why snapshots could not be
 * taken. */
int ctd_collector_apply(struct ctd_collector *collector, enum ctd_budget_part part,
			ctd_take_snapshot *take, void *context, int *ret_lack);

/* govern.c: where it is time to look, gives up a part of the measurement, or brings it back. */
int ctd_collector_keep_budget(struct ctd_collector *collector, ctd_take_snapshot *take,
			      void *context);

/* replace.c: where it is time to look, replaces a source that no longer counts, or one that is less
 * good than another which is back. */
int ctd_collector_seek_source(struct ctd_collector *collector, ctd_take_snapshot *take,
			      void *context);

/* Where all rows are taken: begins with an empty table, and a larger one if its size is left to us.
 * Idle cgroups have no row in it until they run again. */
int ctd_collector_make_room(struct ctd_collector *collector, ctd_take_snapshot *take,
			    void *context);

#endif
