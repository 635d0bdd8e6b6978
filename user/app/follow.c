/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* follow.c - keeps up with CPUs that come and go, and with counters that die. */
#include "app/collector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "app/cpus.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"

/* In read_errors[]: counters were renewed since the last look, and what failed until then, or while
 * they came, says nothing of them. The next look takes its number and no more. */
#define JUST_RENEWED UINT64_MAX

/* Counters that fail are not renewed more often. */
#define RENEW_NS 200000000ull

/* Opens the counters of one CPU anew. What it cannot have it goes without: no data there. */
static void renew_counters(struct ctd_collector *collector, int cpu)
{
	const struct ctd_counter_plan *plan = ctd_collector_plan_of(collector, cpu);

	if (collector->read_errors)
		collector->read_errors[cpu] = JUST_RENEWED;
	ctd_counters_close_cpu(&collector->counters, cpu);
	ctd_cpus_countable(collector->plans, ctd_collector_core_of(collector), collector->online,
			   collector->fenced, collector->cpus, collector->countable);
	if (!collector->countable[cpu]) {
		/* Those that were there at the start had the turns forgone. */
		if (ctd_plan_counts(plan))
			ctd_warn(
				"cpu %d: no slots: its counters would take turns, and it is not to be disturbed (isolcpus, nohz_full or --cpus)",
				cpu);
		return;
	}
	if (ctd_counters_open_cpu(plan, &collector->counters, cpu) ||
	    ctd_kern_set_counters(collector->kern, &collector->counters, cpu) ||
	    ctd_counters_enable(&collector->counters))
		ctd_warn("cpu %d: no slots until its counters can be had again", cpu);
}

/* A CPU that came gets counters of its own; one that went gives them back. */
static void follow_cpu(struct ctd_collector *collector, int cpu, bool online)
{
	int error;

	ctd_info("cpu %d went %s", cpu, online ? "online" : "offline");
	collector->online[cpu] = online;
	/* Its PMU may have it only now. */
	if (online && ctd_machine_find_cpu(&collector->machine, cpu))
		ctd_warn("cpu %d: it is taken for what it was before", cpu);
	if (online && ctd_collector_counts(collector))
		renew_counters(collector, cpu);
	error = ctd_kern_cpu_online(collector->kern, cpu, online);
	if (error && error != -ENODEV)
		ctd_warn("cpu %d: its figures are late and its long slices are not cut", cpu);
	/* It may have gone again meanwhile, or not quite be there: the next look tells. */
	collector->online[cpu] = ctd_kern_is_online(collector->kern, cpu);
	if (!collector->online[cpu] && ctd_collector_counts(collector))
		ctd_counters_close_cpu(&collector->counters, cpu);
}

/*
 * A pinned group that once was not on the PMU stays off, and one whose CPU went and came between
 * two looks (suspend) is dead: both fail every reading. Such a CPU gets new ones.
 */
void ctd_collector_revive(struct ctd_collector *collector, const struct ctd_snapshot *snapshot)
{
	if (!ctd_collector_counts(collector))
		return;
	if (!collector->read_errors)
		collector->read_errors = calloc(collector->cpus, sizeof(*collector->read_errors));
	/* Without memory they are watched from the next snapshot on. Snapshots may be many in a
	 * second, where counters take turns. */
	if (!collector->read_errors || ctd_monotonic_ns() < collector->renew_ns)
		return;
	for (size_t i = 0; i < snapshot->cpus_count; i++) {
		const struct ctd_snapshot_cpu *cpu = &snapshot->cpus[i];

		bool failed =
			cpu->health[CTD_HEALTH_READ_ERRORS] > collector->read_errors[cpu->cpu];

		collector->read_errors[cpu->cpu] = cpu->health[CTD_HEALTH_READ_ERRORS];
		if (!cpu->online || !failed || !collector->countable[cpu->cpu])
			continue;
		renew_counters(collector, (int)cpu->cpu);
		collector->renew_ns = ctd_monotonic_ns() + RENEW_NS;
	}
}

int ctd_collector_follow_cpus(struct ctd_collector *collector)
{
	autofree bool *online = calloc(collector->cpus, sizeof(*online));
	int error = online ? ctd_cpus_online(online, collector->cpus) : -ENOMEM;

	if (ctd_may_pass(error)) {
		if (!collector->cpus_unseen)
			ctd_warn("read '%s': %s; until it can be, CPUs stay as they were",
				 CTD_CPUS_ONLINE, strerror(-error));
		collector->cpus_unseen = true;
		return 0;
	}
	if (error)
		return ctd_log_error(error, "follow the CPUs of '%s'", CTD_CPUS_ONLINE);
	collector->cpus_unseen = false;
	for (int cpu = 0; cpu < collector->cpus; cpu++) {
		if (online[cpu] != collector->online[cpu])
			follow_cpu(collector, cpu, online[cpu]);
	}
	return 0;
}
