/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counting.c - opens and attaches what counts under one plan. */
#include "collect/collector.h"

#include <errno.h>
#include <stdlib.h>

#include "base/log.h"
#include "collect/header.h"

static int load(const struct ctd_collector *collector, struct ctd_counting *counting)
{
	const struct ctd_collect_options *from = &collector->options;
	struct ctd_source *source = counting->source;
	bool waits = ctd_collector_has_waits(collector);
	struct ctd_kern_options options = {
		.plans = source->plans,
		.core_types_count = source->core_types_count,
		.core_type_of = ctd_source_core_types(source),
		.caps = &collector->caps,
		.profiles = &source->profiles,
		.by = from->by,
		.waits = waits && collector->caps.answer[CTD_CAP_WAITS].present,
		.siblings = collector->cpus.siblings,
		/* Who waits for whom is asked with it. */
		.caches = waits ? collector->cpus.caches : (struct ctd_caches){},
		.cache_of = collector->cpus.cache_of,
		.controller = collector->cgroups.hierarchy.controller,
		.hierarchy_id = collector->cgroups.hierarchy.hierarchy_id,
		.max_slice_ns = from->max_slice_ns,
		.rows_max = collector->room.rows_max ? collector->room.rows_max : from->rows_max,
		.cpus = collector->cpus.count,
		.online = collector->cpus.online,
		.fenced = collector->cpus.fenced,
		.notice = ctd_cgroups_notice,
		.tenant_notice = ctd_cgroups_notice_tenant,
		.notice_context = (void *)&collector->cgroups,
	};
	bool counts = ctd_source_counts(source);
	int error = ctd_kern_load(&options, &counting->kern);

	/* It is another program, and rows take four times the room. */
	if (error && options.waits && options.siblings) {
		ctd_warn(
			"what cores' other hardware threads do is not told apart: it cannot be loaded here");
		options.siblings = NULL;
		error = ctd_kern_load(&options, &counting->kern);
	}
	for (int cpu = 0; !error && counts && cpu < collector->cpus.count; cpu++) {
		if (source->countable[cpu])
			error = ctd_kern_set_counters(counting->kern, &source->counters, cpu);
	}
	return error;
}

/* Beside the programs that it reads the counters of. */
static int load_sampler(const struct ctd_collector *collector, struct ctd_counting *counting)
{
	struct ctd_sampler_options options;
	int error;

	if (!collector->options.sampler)
		return 0;
	options = *collector->options.sampler;
	options.tables_of = collector->counting.sampler;
	error = ctd_sampler_load(&options, counting->kern, &counting->sampler);
	return error ? error : ctd_collector_thin(collector, counting->sampler);
}

int ctd_counting_open(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
		      uint64_t trial_ns, struct ctd_counting *ret_counting)
{
	struct ctd_counting counting = {.source = calloc(1, sizeof(*counting.source))};
	int error;

	if (!counting.source)
		return ctd_log_error(-ENOMEM, "choose a source");
	error = ctd_source_plan(wishes, collector->counting.source, counting.source);
	if (!error) {
		error = ctd_source_open(counting.source, &collector->cpus, trial_ns);
		ctd_source_tell(counting.source);
	}
	if (!error)
		error = load(collector, &counting);
	if (!error)
		error = load_sampler(collector, &counting);
	if (error)
		ctd_counting_free(&counting);
	else
		*ret_counting = counting;
	return error;
}

int ctd_counting_attach(struct ctd_collector *collector, const struct ctd_counting *counting)
{
	int error;

	ctd_cgroups_tell_tenants(&collector->cgroups, counting->kern);
	error = ctd_kern_attach(counting->kern);
	if (error)
		return error;
	collector->cgroups.kern = counting->kern;
	/* The next look at the CPUs brings those that were not quite there. */
	for (int cpu = 0; cpu < collector->cpus.count; cpu++)
		collector->cpus.online[cpu] = ctd_kern_is_online(counting->kern, cpu);
	collector->counting = *counting;
	ctd_starved_free(&collector->starved);
	ctd_hotplug_free(&collector->hotplug);
	collector->hotplug = (struct ctd_hotplug){
		.cpus = &collector->cpus, .source = counting->source, .kern = counting->kern};
	ctd_header_fill(&collector->header, counting->source, &collector->cgroups.hierarchy,
			collector->options.by);
	return 0;
}

void ctd_counting_free(struct ctd_counting *counting)
{
	ctd_sampler_free(counting->sampler);
	ctd_kern_free(counting->kern);
	if (counting->source)
		ctd_source_free(counting->source);
	free(counting->source);
	*counting = (struct ctd_counting){};
}
