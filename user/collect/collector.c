/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collector.c - runs a measurement: starts it, lets time pass, takes snapshots. */
#include <cgtopdown/collect.h>

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"
#include "collect/cgroups.h"
#include "collect/header.h"
#include "collect/hotplug.h"
#include "collect/rotation.h"
#include "collect/source.h"

/* A CPU that came has no counters until it is seen. */
#define CPU_CHECK_NS 1000000000ull
/* Long enough for a count that is far from 0, short enough to start at once. */
#define TRIAL_NS 20000000ull

struct ctd_collector {
	struct ctd_collect_options options;
	struct ctd_caps caps;
	struct ctd_cpu_set cpus; /* owned */
	struct ctd_source source; /* owned */
	struct ctd_cgroups cgroups; /* owned */
	struct ctd_hotplug hotplug; /* owned */
	struct ctd_kern *kern; /* owned */
	struct ctd_record_header header;
	uint64_t look_ns; /* monotonic time at which to look for CPUs that came or went */
	char comm[CTD_COMM_BYTES]; /* the answer of the last ctd_collector_comm() */
};

int ctd_collector_new(const struct ctd_collect_options *options,
		      struct ctd_collector **ret_collector)
{
	struct ctd_collector *collector = calloc(1, sizeof(*collector));

	if (!collector)
		return ctd_log_error(-ENOMEM, "allocate the collector");
	collector->options = *options;
	*ret_collector = collector;
	return 0;
}

static int probe(struct ctd_caps *caps)
{
	enum ctd_cap missing;
	int error = ctd_caps_probe(caps);

	if (error)
		return ctd_log_error(error, "ask the kernel what it can do");
	missing = ctd_caps_first_missing(caps);
	if (missing == CTD_CAP_COUNT)
		return 0;
	ctd_log(CTD_LOG_ERROR, "%s is missing: %s; see 'cgtopdown doctor'",
		ctd_cap_texts[missing].name, ctd_cap_texts[missing].remedy);
	return -EOPNOTSUPP;
}

static int choose_source(struct ctd_collector *collector)
{
	int error = probe(&collector->caps);

	if (!error)
		error = ctd_source_plan(&collector->options.wishes, &collector->source);
	if (!error)
		error = ctd_cpu_set_read(collector->options.cpus, &collector->cpus);
	if (error)
		return error;
	error = ctd_source_open(&collector->source, &collector->cpus, TRIAL_NS);
	ctd_source_tell(&collector->source);
	return error;
}

static int load(struct ctd_collector *collector)
{
	struct ctd_source *source = &collector->source;
	struct ctd_kern_options options = {
		.plans = source->plans,
		.core_types_count = source->core_types_count,
		.core_type_of = ctd_source_core_types(source),
		.caps = &collector->caps,
		.profiles = &source->profiles,
		.by = collector->options.by,
		.controller = collector->cgroups.hierarchy.controller,
		.hierarchy_id = collector->cgroups.hierarchy.hierarchy_id,
		.max_slice_ns = collector->options.max_slice_ns,
		.rows_max = collector->options.rows_max,
		.cpus = collector->cpus.count,
		.online = collector->cpus.online,
		.fenced = collector->cpus.fenced,
		.notice = ctd_cgroups_notice,
		.notice_context = &collector->cgroups,
	};
	int error = ctd_kern_load(&options, &collector->kern);

	for (int cpu = 0; !error && ctd_source_counts(source) && cpu < collector->cpus.count;
	     cpu++) {
		if (source->countable[cpu])
			error = ctd_kern_set_counters(collector->kern, &source->counters, cpu);
	}
	return error;
}

int ctd_collector_start(struct ctd_collector *collector)
{
	int error = ctd_cgroups_open(&collector->cgroups, &collector->options);

	if (!error)
		error = choose_source(collector);
	if (error)
		return error;
	ctd_header_fill(&collector->header, &collector->source, &collector->cgroups.hierarchy,
			collector->options.by);
	error = load(collector);
	if (!error)
		error = ctd_kern_attach(collector->kern);
	if (error)
		return error;
	/* The next look at the CPUs brings those that were not quite there. */
	for (int cpu = 0; cpu < collector->cpus.count; cpu++)
		collector->cpus.online[cpu] = ctd_kern_is_online(collector->kern, cpu);
	collector->hotplug = (struct ctd_hotplug){
		.cpus = &collector->cpus, .source = &collector->source, .kern = collector->kern};
	/* From here on events tell of every cgroup; the walk finds those that were there before. */
	error = ctd_cgroups_walk(&collector->cgroups, collector->kern);
	if (!error)
		ctd_cgroups_wait_for_names(&collector->cgroups);
	return error;
}

void ctd_collector_detach(struct ctd_collector *collector)
{
	if (!collector)
		return;
	ctd_kern_free(collector->kern);
	collector->kern = NULL;
	ctd_counters_free(&collector->source.counters);
}

void ctd_collector_free(struct ctd_collector *collector)
{
	if (!collector)
		return;
	ctd_collector_detach(collector);
	ctd_cgroups_free(&collector->cgroups);
	ctd_hotplug_free(&collector->hotplug);
	ctd_source_free(&collector->source);
	ctd_cpu_set_free(&collector->cpus);
	free(collector);
}

const struct ctd_record_header *ctd_collector_header(const struct ctd_collector *collector)
{
	return &collector->header;
}

const struct ctd_identities *ctd_collector_identities(const struct ctd_collector *collector)
{
	return collector->cgroups.identities;
}

static bool is_stopped(const struct ctd_collector *collector)
{
	return collector->options.is_stopped && collector->options.is_stopped();
}

/* Rounded up, so that a wait does not end early; at most a second, after which it is asked again. */
static int wait_ms(uint64_t left_ns)
{
	return left_ns > 1000000000 ? 1000 : (int)((left_ns + 999999) / 1000000);
}

static int look_for_cpus(struct ctd_collector *collector, uint64_t now_ns)
{
	if (now_ns < collector->look_ns)
		return 0;
	collector->look_ns = now_ns + CPU_CHECK_NS;
	return ctd_hotplug_follow(&collector->hotplug);
}

/* Lets time pass, taking in cgroups and CPUs that come and go. */
static int wait_until(struct ctd_collector *collector, uint64_t until_ns, int wake_fd)
{
	while (!is_stopped(collector)) {
		uint64_t now_ns = ctd_monotonic_ns();
		struct pollfd fds[] = {
			{.fd = ctd_kern_poll_fd(collector->kern), .events = POLLIN},
			{.fd = wake_fd, .events = POLLIN},
		};
		int taken, error;

		if (now_ns >= until_ns)
			return 0;
		error = look_for_cpus(collector, now_ns);
		if (error)
			return error;
		poll(fds, 2, wait_ms(until_ns - now_ns));
		taken = ctd_kern_poll(collector->kern, 0);
		if (taken < 0 && taken != -EINTR)
			return ctd_log_error(taken, "wait for cgroup events");
		if (fds[1].revents)
			return 0;
	}
	return 0;
}

int ctd_collector_snapshot(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot)
{
	const struct ctd_record_header *header = &collector->header;
	int error = ctd_hotplug_follow(&collector->hotplug);

	if (error)
		return error;
	ctd_kern_poll(collector->kern, 0);
	ctd_cgroups_take_names(&collector->cgroups);
	error = ctd_kern_snapshot(collector->kern, ret_snapshot);
	if (error)
		return error;
	ret_snapshot->group = (uint32_t)collector->source.counters.turn;
	ret_snapshot->groups_count = header->groups_count;
	for (uint32_t i = 0; i < header->core_types_count; i++)
		ret_snapshot->core_type_groups[i] = header->core_types[i].groups_count;
	/* Names of the cgroups in it come with events that are older than it. */
	ctd_kern_poll(collector->kern, 0);
	error = ctd_cgroups_catch_up(&collector->cgroups, collector->kern,
				     ret_snapshot->lost_events);
	ctd_hotplug_revive(&collector->hotplug, ret_snapshot);
	if (error)
		ctd_snapshot_free(ret_snapshot);
	return error;
}

/* The snapshot that ends a rotation step, and the next step: at once, as nothing counts in between.
 */
static int end_step(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot)
{
	struct ctd_counters *counters = &collector->source.counters;
	int error;

	ctd_rotation_end_step(counters, &collector->cpus, collector->kern);
	error = ctd_collector_snapshot(collector, ret_snapshot);
	if (!error)
		ctd_rotation_begin_step(counters, &collector->cpus, collector->kern);
	return error;
}

static bool is_ready(int fd)
{
	struct pollfd wake = {.fd = fd, .events = POLLIN};

	return fd >= 0 && poll(&wake, 1, 0) > 0;
}

int ctd_collector_interval(struct ctd_collector *collector, uint64_t until_ns, int wake_fd,
			   bool whole, ctd_take_snapshot *take, void *context)
{
	int groups_count = collector->source.counters.groups_count;
	bool rotates = groups_count > 1;
	uint64_t begin_ns = ctd_monotonic_ns(), length_ns = UINT64_MAX;

	if (rotates && until_ns > begin_ns)
		length_ns = ctd_rotation_step_ns(until_ns - begin_ns, groups_count);
	for (int taken = 1;; taken++) {
		uint64_t step_end_ns = until_ns;
		struct ctd_snapshot snapshot;
		bool last;
		int error;

		if (rotates && length_ns < (until_ns - begin_ns) / taken)
			step_end_ns = begin_ns + taken * length_ns;
		error = wait_until(collector, step_end_ns, wake_fd);
		if (error || (whole && is_stopped(collector)))
			return error;
		last = step_end_ns == until_ns || is_stopped(collector) || is_ready(wake_fd);
		error = rotates ? end_step(collector, &snapshot)
				: ctd_collector_snapshot(collector, &snapshot);
		if (error)
			return error;
		snapshot.in_between = !last;
		error = take(&snapshot, context);
		if (error || last)
			return error;
		/* What ran in this step is named when all are over. */
		ctd_kern_keep(collector->kern);
	}
}

void ctd_collector_keep(struct ctd_collector *collector)
{
	ctd_kern_keep(collector->kern);
}

const char *ctd_collector_comm(uint32_t pid, void *context)
{
	struct ctd_collector *collector = context;

	/* The living may have renamed themselves; the dead are only known to the programs. */
	if (ctd_root_read(collector->comm, sizeof(collector->comm), "/proc/%u/comm", pid) > 0)
		return collector->comm;
	return ctd_kern_comm(collector->kern, pid, collector->comm) ? NULL : collector->comm;
}

int ctd_collector_record_names(struct ctd_collector *collector, struct ctd_record_writer *writer)
{
	return ctd_cgroups_record(&collector->cgroups, writer);
}

void ctd_collector_count_names(struct ctd_collector *collector, struct ctd_name_counts *ret_counts)
{
	ctd_name_search_count(&collector->cgroups.names, ret_counts);
}

void ctd_collector_ask_kubelet(struct ctd_collector *collector)
{
	if (collector->cgroups.names.kubelet)
		ctd_kubelet_ask(collector->cgroups.names.kubelet);
}
