/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collector.h - our collector, loaded once, and attached and detached as often as wanted. */
#ifndef BENCH_COLLECTOR_H
#define BENCH_COLLECTOR_H

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <cgtopdown/caps.h>
#include <cgtopdown/counters.h>
#include <cgtopdown/kern.h>
#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "bpf/topdown.skel.h"
#include "collect/cpu_set.h"
#include "kern/topdown/topdown.h"

struct collector {
	struct ctd_caps caps;
	struct ctd_counter_plan plan;
	struct ctd_counters counters; /* open while attached */
	struct ctd_kern *kern; /* owned */
	struct bpf_link *link; /* owned while attached */
	struct ctd_cpu_set cpus; /* owned */
	int *siblings; /* owned */
};

/* @p collector must stay where it is. */
static inline int collector_load(const char *source, bool waits, bool siblings,
				 struct collector *collector)
{
	struct ctd_kern_options options = {.plans = &collector->plan, .caps = &collector->caps};
	struct ctd_pmu_facts facts;
	int error;

	*collector = (struct collector){};
	error = ctd_caps_probe(&collector->caps);
	if (!error)
		error = ctd_pmu_facts_read(&facts);
	if (error)
		return ctd_log_error(error, "ask the kernel what it can do");
	error = ctd_pmu_plan(&facts, source, 0, false, true, &collector->plan);
	if (!error)
		error = ctd_cpu_set_read(NULL, &collector->cpus);
	if (error)
		return error;
	options.cpus = collector->cpus.count;
	options.online = collector->cpus.online;
	options.fenced = collector->cpus.fenced;
	options.waits = waits && collector->caps.answer[CTD_CAP_WAITS].present;
	collector->siblings = calloc((size_t)options.cpus + 1, sizeof(int));
	if (!collector->siblings)
		return -ENOMEM;
	/* Any two: what is measured is what the program does. */
	for (int cpu = 0; cpu < options.cpus; cpu++)
		collector->siblings[cpu] = (cpu ^ 1) < options.cpus ? cpu ^ 1 : -1;
	options.siblings = siblings && options.waits ? collector->siblings : NULL;
	return ctd_kern_load(&options, &collector->kern);
}

/* Opens the counters and attaches the program that runs in every switch; the others run when
 * cgroups come and go, which is not what is measured. */
static inline int collector_attach(struct collector *collector)
{
	int error = ctd_counters_open(&collector->plan, NULL, collector->cpus.online,
				      collector->cpus.count, &collector->counters);

	for (int cpu = 0; !error && cpu < collector->cpus.count; cpu++) {
		if (collector->cpus.online[cpu])
			error = ctd_kern_set_counters(collector->kern, &collector->counters, cpu);
		if (!error && collector->cpus.online[cpu])
			error = ctd_kern_cpu_online(collector->kern, cpu, true);
	}
	if (!error)
		error = ctd_counters_enable(&collector->counters);
	if (error)
		return error;
	collector->link = bpf_program__attach(
		collector->kern->options.siblings ? collector->kern->skeleton->progs.cgtd_switch_s
		: collector->kern->options.waits  ? collector->kern->skeleton->progs.cgtd_switch_w
						  : collector->kern->skeleton->progs.cgtd_switch);
	if (!collector->link)
		return ctd_log_error(-errno, "attach the switch program");
	return ctd_kern_flush(collector->kern, NULL);
}

/* An event in the map lives on, and costs, when its descriptor is closed: it is taken out. */
static inline void collector_detach(struct collector *collector)
{
	int map = bpf_map__fd(collector->kern->skeleton->maps.cgtd_counters);

	bpf_link__destroy(collector->link);
	collector->link = NULL;
	for (uint32_t i = 0; i < collector->kern->counters_count * collector->cpus.count; i++)
		bpf_map_delete_elem(map, &i);
	for (int cpu = 0; cpu < collector->cpus.count; cpu++)
		ctd_kern_cpu_online(collector->kern, cpu, false);
	ctd_counters_free(&collector->counters);
}

static inline void collector_free(struct collector *collector)
{
	if (collector->link)
		collector_detach(collector);
	ctd_kern_free(collector->kern);
	ctd_cpu_set_free(&collector->cpus);
	free(collector->siblings);
}

#endif
