/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* hotplug.c - keeps up with CPUs that come and go, and with counters that die. */
#include "collect/hotplug.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"

/* In read_errors[]: counters were renewed since the last look, and what failed until then, or while
 * they came, says nothing of them. The next look only takes its number. */
#define JUST_RENEWED UINT64_MAX

/* Counters that fail are not renewed more often. */
#define RENEW_NS 200000000ull

/* Opens the counters of one CPU anew. What it cannot have it goes without: no data there. */
static void renew_counters(struct ctd_hotplug *hotplug, int cpu)
{
	struct ctd_source *source = hotplug->source;
	const struct ctd_counter_plan *plan = ctd_source_plan_of(source, cpu);

	if (hotplug->read_errors)
		hotplug->read_errors[cpu] = JUST_RENEWED;
	ctd_counters_close_cpu(&source->counters, cpu);
	ctd_source_find_countable(source, hotplug->cpus);
	if (!source->countable[cpu]) {
		/* Where such a CPU was there at the start, rotation was forgone. */
		if (ctd_plan_counts(plan))
			ctd_warn(
				"cpu %d: no slots: its counters would rotate, and it is not to be disturbed (isolcpus, nohz_full, or by the list of CPUs)",
				cpu);
		return;
	}
	if (ctd_counters_open_cpu(plan, &source->counters, cpu) ||
	    ctd_kern_set_counters(hotplug->kern, &source->counters, cpu) ||
	    ctd_counters_enable(&source->counters))
		ctd_warn("cpu %d: no slots until its counters can be had again", cpu);
}

static void tell_kern(const struct ctd_hotplug *hotplug, int cpu, bool online)
{
	int error = ctd_kern_cpu_online(hotplug->kern, cpu, online);

	if (error && error != -ENODEV)
		ctd_warn("cpu %d: its figures are late and its long slices are not cut", cpu);
}

/* A CPU that came gets counters of its own; one that went gives them back. */
static void follow_cpu(struct ctd_hotplug *hotplug, int cpu, bool online)
{
	struct ctd_source *source = hotplug->source;
	bool counts = ctd_source_counts(source);

	ctd_info("cpu %d went %s", cpu, online ? "online" : "offline");
	hotplug->cpus->online[cpu] = online;
	/* Its PMU may have it only now. */
	if (online && ctd_machine_find_cpu(&source->machine, cpu))
		ctd_warn("cpu %d: it is taken for what it was before", cpu);
	if (online && counts)
		renew_counters(hotplug, cpu);
	if (online && hotplug->cpus->siblings)
		(void)ctd_cpu_set_find_siblings(hotplug->cpus);
	tell_kern(hotplug, cpu, online);
	/* It may have gone again meanwhile, or not quite be there: the next look tells. */
	hotplug->cpus->online[cpu] = ctd_kern_is_online(hotplug->kern, cpu);
	if (!hotplug->cpus->online[cpu] && counts)
		ctd_counters_close_cpu(&source->counters, cpu);
}

int ctd_hotplug_follow(struct ctd_hotplug *hotplug)
{
	int count = hotplug->cpus->count;
	autofree bool *online = calloc(count, sizeof(*online));
	int error = online ? ctd_cpu_set_read_online(online, count) : -ENOMEM;

	if (ctd_may_pass(error)) {
		if (!hotplug->unseen)
			ctd_warn("read '%s': %s; until it can be, CPUs stay as they were",
				 CTD_CPUS_ONLINE, strerror(-error));
		hotplug->unseen = true;
		return 0;
	}
	if (error)
		return ctd_log_error(error, "follow the CPUs of '%s'", CTD_CPUS_ONLINE);
	hotplug->unseen = false;
	for (int cpu = 0; cpu < count; cpu++) {
		if (online[cpu] != hotplug->cpus->online[cpu])
			follow_cpu(hotplug, cpu, online[cpu]);
	}
	return 0;
}

void ctd_hotplug_revive(struct ctd_hotplug *hotplug, const struct ctd_snapshot *snapshot)
{
	if (!ctd_source_counts(hotplug->source))
		return;
	if (!hotplug->read_errors)
		hotplug->read_errors = calloc(hotplug->cpus->count, sizeof(*hotplug->read_errors));
	/* Without memory they are watched from the next snapshot on. Snapshots may be many in a
	 * second, where counters rotate. */
	if (!hotplug->read_errors || ctd_monotonic_ns() < hotplug->renew_ns)
		return;
	for (size_t i = 0; i < snapshot->cpus_count; i++) {
		const struct ctd_snapshot_cpu *cpu = &snapshot->cpus[i];
		uint64_t read_errors = cpu->health[CTD_HEALTH_READ_ERRORS];
		bool failed = read_errors > hotplug->read_errors[cpu->cpu];

		hotplug->read_errors[cpu->cpu] = read_errors;
		if (!cpu->online || !failed || !hotplug->source->countable[cpu->cpu])
			continue;
		/* It may have been offline and come back since the last look, as in a suspend: its
		 * clock died, too. */
		renew_counters(hotplug, (int)cpu->cpu);
		tell_kern(hotplug, (int)cpu->cpu, true);
		hotplug->renew_ns = ctd_monotonic_ns() + RENEW_NS;
	}
}

void ctd_hotplug_free(struct ctd_hotplug *hotplug)
{
	free(hotplug->read_errors);
	*hotplug = (struct ctd_hotplug){};
}
