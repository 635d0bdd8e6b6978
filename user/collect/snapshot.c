/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* snapshot.c - takes a snapshot, and whatever came and went until then. */
#include "collect/collector.h"

/* An automatic source gives way to another one: see ctd_collector_seek_source(). */
static void look_for_starved(struct ctd_collector *collector, const struct ctd_snapshot *snapshot)
{
	const struct ctd_source *source = collector->counting.source;

	ctd_starved_take(&collector->starved, source, snapshot);
	ctd_starved_tell(&collector->starved, source, snapshot);
}

int ctd_collector_snapshot(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot)
{
	const struct ctd_record_header *header = &collector->header;
	struct ctd_kern *kern = collector->counting.kern;
	int error = ctd_hotplug_follow(&collector->hotplug);

	if (error)
		return error;
	ctd_kern_poll(kern, 0);
	ctd_cgroups_take_names(&collector->cgroups);
	error = ctd_kern_snapshot(kern, ret_snapshot);
	if (error)
		return error;
	ret_snapshot->sequence = ++collector->sequence;
	ret_snapshot->plan = collector->plan;
	ret_snapshot->group = (uint32_t)collector->counting.source->counters.step;
	ret_snapshot->groups_count = ctd_source_groups(collector->counting.source);
	for (uint32_t i = 0; i < header->core_types_count; i++)
		ret_snapshot->core_type_groups[i] = header->core_types[i].groups_count;
	/* Names of the cgroups in it come with events that are older than it. */
	ctd_kern_poll(kern, 0);
	error = ctd_cgroups_catch_up(&collector->cgroups, ret_snapshot->lost_events);
	if (!error && ctd_collector_has_waits(collector))
		error = ctd_limits_read(&collector->limits, collector->cgroups.identities,
					ret_snapshot->monotonic_ns, &ret_snapshot->throttlings);
	ctd_collector_tell_budget(collector, ret_snapshot);
	ctd_latency_sampler_read(collector->latencies, &ret_snapshot->latencies);
	ctd_hotplug_revive(&collector->hotplug, ret_snapshot);
	if (collector->options.seek_ns)
		look_for_starved(collector, ret_snapshot);
	if (!error)
		return 0;
	/* The next one has what this one would have had, also of cgroups that are gone. */
	ctd_kern_keep(kern);
	ctd_snapshot_free(ret_snapshot);
	return error;
}
