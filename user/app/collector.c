/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collector.c - runs a measurement: starts it, keeps up with cgroups and CPUs, takes snapshots. */
#include "app/collector.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "app/cpus.h"
#include "app/ending.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"

/* A CPU that came has no counters until it is seen. */
#define CPU_CHECK_NS 1000000000ull
/* A walk that failed is tried again, with a line each time. */
#define RESCAN_NS 10000000000ull
#define ROOT_CGROUP_ID 1
/* A look at a container's files takes some 0.1 ms. */
#define NAMES_WAIT_NS 200000000ull

static int record_name(struct ctd_collector *collector, uint64_t cgroup_id, const char *path,
		       bool removed)
{
	struct ctd_record_name name = {.cgroup_id = cgroup_id, .removed = removed, .text = path};

	return collector->writer ? ctd_record_write_name(collector->writer, &name) : 0;
}

/* A cgroup came, went, or has had its last figures read. Without memory the name stays unknown. */
static void take_notice(enum ctd_cgroup_change change, uint64_t cgroup_id, const char *path,
			void *context)
{
	struct ctd_collector *collector = context;

	if (change == CTD_CGROUP_REMOVED && !path) {
		ctd_identities_forget(collector->identities, cgroup_id);
		return;
	}
	if (change == CTD_CGROUP_REMOVED) {
		ctd_identities_remove(collector->identities, cgroup_id);
		if (collector->resolver)
			ctd_resolver_leave(collector->resolver, cgroup_id);
	} else {
		ctd_identities_add(collector->identities, cgroup_id, path);
		ctd_collector_ask_names(collector, cgroup_id);
	}
	record_name(collector, cgroup_id, path, change == CTD_CGROUP_REMOVED);
}

struct rescan {
	struct ctd_collector *collector;
	const struct ctd_identities *there;
};

static int forget_if_gone(const struct ctd_identity *identity, void *context)
{
	struct rescan *rescan = context;

	if (ctd_identities_get(rescan->there, identity->cgroup_id) || identity->removed)
		return 0;
	ctd_identities_remove(rescan->collector->identities, identity->cgroup_id);
	if (rescan->collector->resolver)
		ctd_resolver_leave(rescan->collector->resolver, identity->cgroup_id);
	return ctd_kern_forget(rescan->collector->kern, identity->cgroup_id);
}

static int learn(const struct ctd_identity *identity, void *context)
{
	struct ctd_collector *collector = context;
	int error;

	if (ctd_identities_get(collector->identities, identity->cgroup_id))
		return 0;
	error = ctd_identities_add(collector->identities, identity->cgroup_id, identity->path);
	if (!error)
		ctd_collector_ask_names(collector, identity->cgroup_id);
	return error ? error : record_name(collector, identity->cgroup_id, identity->path, false);
}

/* Walks the hierarchy again, after events were lost: learns what came, forgets what went. */
static int rescan(struct ctd_collector *collector)
{
	struct ctd_identities *there;
	struct rescan context = {.collector = collector};
	int error = ctd_identities_new(&there);

	if (error)
		return ctd_log_error(error, "walk the cgroups");
	error = ctd_cgroups_scan(&collector->hierarchy, there);
	if (error >= 0) {
		context.there = there;
		error = ctd_identities_each(there, learn, collector);
		if (!error)
			error = ctd_identities_each(collector->identities, forget_if_gone,
						    &context);
	}
	ctd_identities_free(there);
	if (error < 0)
		return ctd_log_error(error, "walk the cgroups below '%s'",
				     collector->hierarchy.mount);
	return 0;
}

/* Until then some cgroups have no names, and a service goes on. */
static int rescan_when_possible(struct ctd_collector *collector)
{
	int error;

	if (ctd_monotonic_ns() < collector->rescan_ns)
		return 0;
	error = rescan(collector);
	collector->rescan_due = error;
	collector->rescan_ns = error ? ctd_monotonic_ns() + RESCAN_NS : 0;
	return ctd_may_pass(error) ? 0 : error;
}

/*
 * A container with a cgroup namespace and no mount of the host's sees its own cgroup as the root.
 * The true one's id is 1, as kernfs numbers from there (fs/kernfs/dir.c, kernfs_create_root()).
 */
static void warn_of_part(const struct ctd_cgroup_hierarchy *hierarchy)
{
	uint64_t id;

	if (*ctd_root() || ctd_cgroup_id_of(hierarchy->mount, &id) || id == ROOT_CGROUP_ID)
		return;
	ctd_warn(
		"'%s' shows a part of the machine's cgroups only: all others are shown by their ids until they come anew; mount the host's /sys/fs/cgroup there, or use the host's cgroup namespace",
		hierarchy->mount);
}

int ctd_collector_find_hierarchy(const struct ctd_options *options,
				 struct ctd_cgroup_hierarchy *ret_hierarchy)
{
	char why[160] = "";
	int error = ctd_cgroup_hierarchy_find(options->hierarchy, ret_hierarchy, why);

	if (error)
		ctd_log(CTD_LOG_ERROR, "cgroup hierarchy '%s': %s", options->hierarchy,
			*why ? why : strerror(-error));
	return error;
}

static int load(struct ctd_collector *collector)
{
	struct ctd_kern_options options = {
		.plans = collector->plans,
		.core_types_count = collector->cores_count,
		.core_type_of = ctd_collector_core_of(collector),
		.caps = &collector->caps,
		.profiles = &collector->profiles,
		.by = collector->header.by,
		.controller = collector->hierarchy.controller,
		.hierarchy_id = collector->hierarchy.hierarchy_id,
		.max_slice_ns = collector->options->max_slice_ns,
		.rows_max = collector->options->rows_max,
		.cpus = collector->cpus,
		.online = collector->online,
		.fenced = collector->fenced,
		.notice = take_notice,
		.notice_context = collector,
	};
	int error = ctd_kern_load(&options, &collector->kern);

	for (int cpu = 0; !error && ctd_collector_counts(collector) && cpu < collector->cpus;
	     cpu++) {
		if (collector->countable[cpu])
			error = ctd_kern_set_counters(collector->kern, &collector->counters, cpu);
	}
	return error;
}

/* Each CPU takes a descriptor per counter and two more; a command keeps the limit it came with. */
static void raise_file_limit(void)
{
	struct rlimit files;

	if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur == files.rlim_max)
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

int ctd_collector_start(const struct ctd_options *options, struct ctd_collector *collector)
{
	int error;

	*collector = (struct ctd_collector){.options = options};
	raise_file_limit();
	error = ctd_identities_new(&collector->identities);
	if (error)
		return ctd_log_error(error, "allocate the table of cgroups");
	ctd_collector_start_names(collector);
	error = ctd_collector_find_hierarchy(options, &collector->hierarchy);
	if (!error)
		warn_of_part(&collector->hierarchy);
	if (!error)
		error = ctd_collector_plan(collector);
	if (!error)
		error = ctd_cpus_read(options->cpus, &collector->cpus, &collector->online,
				      &collector->fenced, &collector->countable);
	if (error)
		return error;
	error = ctd_collector_open_counters(collector);
	ctd_collector_fill_header(collector);
	if (!error)
		error = load(collector);
	if (!error)
		error = ctd_kern_attach(collector->kern);
	/* The next look at the CPUs brings those that were not quite there. */
	for (int cpu = 0; !error && cpu < collector->cpus; cpu++)
		collector->online[cpu] = ctd_kern_is_online(collector->kern, cpu);
	/* From here on events tell of every cgroup; the walk finds those that were there before. */
	if (!error)
		error = rescan(collector);
	/* A short run has names, too. */
	if (!error && collector->resolver)
		ctd_resolver_wait(collector->resolver, NAMES_WAIT_NS);
	return error;
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
	return ctd_collector_follow_cpus(collector);
}

int ctd_collector_wait(struct ctd_collector *collector, uint64_t until_ns, int wake_fd)
{
	while (!ctd_stop_signal()) {
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
	int error = ctd_collector_follow_cpus(collector);

	if (error)
		return error;
	ctd_kern_poll(collector->kern, 0);
	ctd_collector_take_names(collector);
	error = ctd_kern_snapshot(collector->kern, ret_snapshot);
	if (error)
		return error;
	ret_snapshot->group = (uint32_t)collector->counters.turn;
	ret_snapshot->groups_count = collector->header.groups_count;
	for (uint32_t i = 0; i < collector->header.core_types_count; i++)
		ret_snapshot->core_type_groups[i] = collector->header.core_types[i].groups_count;
	/* Names of the cgroups in it come with events that are older than it. */
	ctd_kern_poll(collector->kern, 0);
	if (ret_snapshot->lost_events != collector->lost_events)
		collector->rescan_due = true;
	collector->lost_events = ret_snapshot->lost_events;
	if (collector->rescan_due)
		error = rescan_when_possible(collector);
	ctd_collector_revive(collector, ret_snapshot);
	if (error)
		ctd_snapshot_free(ret_snapshot);
	return error;
}

const char *ctd_collector_comm(uint32_t pid, void *context)
{
	struct ctd_collector *collector = context;

	/* The living may have renamed themselves; the dead are only known to the programs. */
	if (ctd_root_read(collector->comm, sizeof(collector->comm), "/proc/%u/comm", pid) > 0)
		return collector->comm;
	return ctd_kern_comm(collector->kern, pid, collector->comm) ? NULL : collector->comm;
}

static int record_identity(const struct ctd_identity *identity, void *context)
{
	struct ctd_collector *collector = context;

	int error = record_name(collector, identity->cgroup_id, identity->path, identity->removed);

	return error ? error : ctd_collector_record_facts(collector, identity);
}

int ctd_collector_record_names(struct ctd_collector *collector, struct ctd_record_writer *writer)
{
	collector->writer = writer;
	return ctd_identities_each(collector->identities, record_identity, collector);
}

void ctd_collector_detach(struct ctd_collector *collector)
{
	ctd_kern_free(collector->kern);
	collector->kern = NULL;
	ctd_counters_free(&collector->counters);
}

void ctd_collector_free(struct ctd_collector *collector)
{
	ctd_collector_detach(collector);
	ctd_collector_stop_names(collector);
	ctd_sim_profiles_free(&collector->profiles);
	ctd_identities_free(collector->identities);
	free(collector->online);
	free(collector->fenced);
	free(collector->countable);
	free(collector->read_errors);
	*collector = (struct ctd_collector){};
}

void ctd_collector_end(struct ctd_collector *collector, int status)
{
	struct ctd_ending ending;

	ctd_collector_detach(collector);
	ctd_ending_begin(status, &ending);
	ctd_collector_free(collector);
	ctd_ending_over(&ending);
}
