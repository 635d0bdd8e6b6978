/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* replace.c - puts other counters in the place of those that count, while the measurement goes on. */
#include "collect/collector.h"

#include <string.h>

#include "base/clock.h"
#include "base/log.h"

/* The old plan ends with this snapshot: what its programs count after it is in none. */
static int take_last(struct ctd_collector *collector, ctd_take_snapshot *take, void *context)
{
	struct ctd_snapshot snapshot;
	int error = ctd_collector_snapshot(collector, &snapshot);

	return error ? error : take(&snapshot, context);
}

/* A group that is on the PMU may keep others off it: the old ones stop before the new ones start. */
static int change(struct ctd_collector *collector, struct ctd_counting *next)
{
	struct ctd_counting old = collector->counting;
	int error;

	ctd_counters_disable(&old.source->counters);
	error = ctd_counters_enable(&next->source->counters);
	if (!error)
		error = ctd_counting_attach(collector, next);
	if (error) {
		ctd_counting_free(next);
		ctd_counters_enable(&old.source->counters);
		return error;
	}
	collector->plan++;
	/* Both told of cgroups meanwhile: what the old programs told comes first. */
	ctd_kern_poll(old.kern, 0);
	ctd_cgroups_hand_over(&collector->cgroups, next->kern);
	ctd_counting_free(&old);
	return 0;
}

/* @p ret_lack: 0, or why new counters could not be had, which was logged: the old ones go on.
 * @return 0, or why snapshots could not be taken. */
static int replace(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
		   ctd_take_snapshot *take, void *context, int *ret_lack)
{
	struct ctd_counting next;
	int error;

	*ret_lack = ctd_counting_open(collector, wishes, 0, &next);
	if (*ret_lack)
		return 0;
	error = take_last(collector, take, context);
	if (error) {
		ctd_counting_free(&next);
		return error;
	}
	*ret_lack = change(collector, &next);
	/* The first of the new plan: intervals begin there. */
	return *ret_lack ? 0 : take_last(collector, take, context);
}

int ctd_collector_replace(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
			  ctd_take_snapshot *take, void *context)
{
	int lack, error = replace(collector, wishes, take, context, &lack);

	return error ? error : lack;
}

int ctd_collector_seek_source(struct ctd_collector *collector, ctd_take_snapshot *take,
			      void *context)
{
	struct ctd_source *source = collector->counting.source;
	uint64_t now_ns = ctd_monotonic_ns();
	struct ctd_source_wishes wishes = source->wishes;
	int lack;

	if (!collector->options.seek_ns || now_ns < collector->seek_ns)
		return 0;
	collector->seek_ns = now_ns + collector->options.seek_ns;
	if (!ctd_source_is_back(source, &collector->cpus, CTD_TRIAL_NS))
		return 0;
	ctd_info("a source that was refused can be had now");
	/* Where it cannot after all, it is tried again later: the measurement does not end. */
	return replace(collector, &wishes, take, context, &lack);
}
