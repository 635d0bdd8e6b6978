/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collector.c - starts a measurement, and ends it. */
#include "collect/collector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"
#include "base/status.h"
#include "collect/pressure.h"

int ctd_collector_new(const struct ctd_collect_options *options,
		      struct ctd_collector **ret_collector)
{
	struct ctd_collector *collector = calloc(1, sizeof(*collector));

	if (!collector)
		return ctd_log_error(-ENOMEM, "allocate the collector");
	collector->options = *options;
	pthread_mutex_init(&collector->sampler_lock, NULL);
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

static void tell_of_waits(const struct ctd_caps *caps, bool asked)
{
	if (!caps->answer[CTD_CAP_WAITS].present)
		ctd_warn("this kernel does not tell how long tasks wait for a CPU: %s",
			 ctd_cap_texts[CTD_CAP_WAITS].remedy);
	else if (asked && !caps->answer[CTD_CAP_MOVED_WAITS].present)
		ctd_info(
			"what tasks waited before they were moved to another CPU is not known here: %s",
			ctd_cap_texts[CTD_CAP_MOVED_WAITS].remedy);
}

/* On all CPUs that may be disturbed. What comes later goes without: means are of the machine. */
static void begin_latencies(struct ctd_collector *collector)
{
	const struct ctd_rotations *rotations = collector->options.wishes.rotations;
	const struct ctd_cpu_set *cpus = &collector->cpus;
	const struct ctd_machine *machine = &collector->counting.source->machine;
	autofree bool *wanted = calloc((size_t)cpus->count + 1, sizeof(*wanted));
	bool any = false;

	for (int type = 0; rotations && type < rotations->core_types_count; type++)
		any |= rotations->latencies_count[type] > 0;
	if (!any || !wanted)
		return;
	for (int cpu = 0; cpu < cpus->count; cpu++)
		wanted[cpu] = cpus->online[cpu] && !cpus->fenced[cpu];
	collector->latencies =
		ctd_latency_sampler_new(rotations, machine->core_type_of, wanted, cpus->count);
}

int ctd_collector_start(struct ctd_collector *collector)
{
	const struct ctd_collect_options *options = &collector->options;
	struct ctd_counting counting;
	int error = ctd_cgroups_open(&collector->cgroups, options);

	if (!error)
		error = probe(&collector->caps);
	if (!error)
		error = ctd_cpu_set_read(options->cpus, &collector->cpus);
	if (!error && options->waits)
		tell_of_waits(&collector->caps, options->waits_asked);
	if (!error)
		error = ctd_counting_open(collector, &options->wishes, CTD_TRIAL_NS, &counting);
	if (error)
		return error;
	error = ctd_counting_attach(collector, &counting);
	if (error) {
		ctd_counting_free(&counting);
		return error;
	}
	begin_latencies(collector);
	if (options->waits)
		ctd_limits_open(&collector->cgroups.hierarchy, &collector->limits);
	/* Events tell of every cgroup by now; the walk finds those that were there before. */
	error = ctd_cgroups_walk(&collector->cgroups);
	if (!error)
		ctd_cgroups_wait_for_names(&collector->cgroups);
	/* All sources have just been tried. */
	collector->seek.next_ns = ctd_monotonic_ns() + options->seek_ns;
	ctd_collector_begin_budget(collector);
	return error || !counting.sampler ? error : ctd_sampler_attach(counting.sampler);
}

bool ctd_collector_try_sampler(struct ctd_collector *collector)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec++;
	return pthread_mutex_clocklock(&collector->sampler_lock, CLOCK_MONOTONIC, &until) == 0;
}

void ctd_collector_keep_counts(struct ctd_collector *collector, const struct ctd_sampler *sampler)
{
	uint64_t health[CTD_SAMPLING_HEALTH];

	if (!sampler)
		return;
	ctd_sampler_health(sampler, health);
	for (int i = 0; i < CTD_SAMPLING_HEALTH; i++)
		collector->sampled[i] += health[i];
}

void ctd_collector_detach(struct ctd_collector *collector)
{
	if (!collector)
		return;
	/* Of a thread that hangs it ends with the process. */
	if (ctd_collector_try_sampler(collector)) {
		ctd_collector_keep_counts(collector, collector->counting.sampler);
		ctd_sampler_free(take_ptr(collector->counting.sampler));
		ctd_collector_release_sampler(collector);
	} else {
		collector->counting.sampler = NULL;
	}
	ctd_latency_sampler_free(take_ptr(collector->latencies));
	ctd_counting_free(&collector->counting);
}

void ctd_collector_free(struct ctd_collector *collector)
{
	if (!collector)
		return;
	ctd_collector_detach(collector);
	ctd_limits_close(&collector->limits);
	ctd_cgroups_free(&collector->cgroups);
	ctd_hotplug_free(&collector->hotplug);
	ctd_starved_free(&collector->starved);
	ctd_cpu_set_free(&collector->cpus);
	pthread_mutex_destroy(&collector->sampler_lock);
	free(collector);
}

const struct ctd_record_header *ctd_collector_header(const struct ctd_collector *collector)
{
	return &collector->header;
}

struct ctd_collect_groups ctd_collector_groups(const struct ctd_collector *collector)
{
	const struct ctd_source *source = collector->counting.source;

	return (struct ctd_collect_groups){
		.all = ctd_source_groups(source),
		.beside = (uint32_t)source->plans[0].beside_groups,
		.beside_slots = source->plans[0].beside_slots,
	};
}

const struct ctd_identities *ctd_collector_identities(const struct ctd_collector *collector)
{
	return collector->cgroups.identities;
}

void ctd_collector_keep(struct ctd_collector *collector)
{
	ctd_kern_keep(collector->counting.kern);
}

struct ctd_sampler *ctd_collector_hold_sampler(struct ctd_collector *collector)
{
	pthread_mutex_lock(&collector->sampler_lock);
	return collector->counting.sampler;
}

void ctd_collector_release_sampler(struct ctd_collector *collector)
{
	pthread_mutex_unlock(&collector->sampler_lock);
}

void ctd_collector_count_samples(struct ctd_collector *collector,
				 uint64_t ret_health[CTD_SAMPLING_HEALTH])
{
	const struct ctd_sampler *sampler = ctd_collector_hold_sampler(collector);

	memset(ret_health, 0, CTD_SAMPLING_HEALTH * sizeof(*ret_health));
	if (sampler)
		ctd_sampler_health(sampler, ret_health);
	for (int i = 0; i < CTD_SAMPLING_HEALTH; i++)
		ret_health[i] += collector->sampled[i];
	ctd_collector_release_sampler(collector);
}

const char *ctd_collector_comm(uint32_t pid, void *context)
{
	struct ctd_collector *collector = context;

	/* The living may have renamed themselves; the dead are only known to the programs. */
	if (ctd_root_read(collector->name.comm, sizeof(collector->name.comm), "/proc/%u/comm",
			  pid) > 0)
		return collector->name.comm;
	return ctd_kern_task_name(collector->counting.kern, pid, &collector->name)
		       ? NULL
		       : collector->name.comm;
}

uint32_t ctd_collector_process(const struct ctd_collector *collector, uint32_t task)
{
	struct ctd_task_name name;
	uint32_t process;

	if (!ctd_kern_task_name(collector->counting.kern, task, &name))
		return name.process;
	/* The programs remember the newest only; of the living the kernel knows. */
	return ctd_status_number(task, "Tgid", &process) ? 0 : process;
}

int ctd_collector_record_names(struct ctd_collector *collector, struct ctd_record_writer *writer)
{
	return ctd_cgroups_record(&collector->cgroups, writer);
}

bool ctd_collector_pressure(const struct ctd_collector *collector, const char *path,
			    enum ctd_resource resource, double *ret_ratio)
{
	return ctd_pressure_read(&collector->cgroups.hierarchy, path, resource, ret_ratio);
}

void ctd_collector_count_names(struct ctd_collector *collector, struct ctd_name_counts *ret_counts)
{
	ctd_name_search_count(&collector->cgroups.names, ret_counts);
	ret_counts->refused = ctd_identities_refused(collector->cgroups.identities);
}

void ctd_collector_ask_kubelet(struct ctd_collector *collector)
{
	if (collector->cgroups.names.kubelet)
		ctd_kubelet_ask(collector->cgroups.names.kubelet);
}
