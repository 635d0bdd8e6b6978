/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* replace.c - puts other counters in the place of those that count, while the measurement goes on. */
#include "collect/collector.h"

#include <errno.h>

#include "base/clock.h"
#include "base/log.h"
#include "collect/source_back.h"

/* In times between two looks at the source. Counters that have not counted for so long are given
 * up: a profiler that runs for a moment is waited for. */
#define STARVED_SEEKS 2
/* A source that is given up within so long had not come to stay; */
#define SOON_SEEKS 16
/* the wait before it is taken again doubles, up to this. */
#define WAIT_SEEKS_MAX 32

/* A table of rows grows to so many times its size: its memory is that of the service. */
#define ROOM_GROWTH_MAX 4

static bool look_for_held(struct ctd_collector *collector)
{
	return ctd_source_is_back(collector->counting.source, collector->counting.kern,
				  &collector->cpus, CTD_TRIAL_NS);
}

/* The old plan ends with this snapshot: what its programs count after it is in none. */
static int take_last(struct ctd_collector *collector, ctd_take_snapshot *take, void *context)
{
	struct ctd_snapshot snapshot;
	int error = ctd_collector_snapshot(collector, &snapshot);

	return error ? error : take(&snapshot, context);
}

/* A group that is on the PMU may keep others off it: the old ones stop before the new ones start.
 * @return 0, and the old ones are the caller's to free; or negative errno, and they go on: -EAGAIN
 * where the thread that samples does not let go. */
static int change(struct ctd_collector *collector, struct ctd_counting *next,
		  struct ctd_counting *ret_old)
{
	struct ctd_counting old = collector->counting;
	int error;

	if (!ctd_collector_try_sampler(collector)) {
		ctd_counting_free(next);
		return ctd_log_error(-EAGAIN, "take the counters from the sampling of stacks");
	}
	ctd_counters_disable(&old.source->counters);
	error = ctd_counters_enable(&next->source->counters);
	if (!error)
		error = ctd_counting_attach(collector, next);
	if (!error)
		ctd_collector_keep_counts(collector, old.sampler);
	ctd_collector_release_sampler(collector);
	if (error) {
		ctd_counting_free(next);
		ctd_counters_enable(&old.source->counters);
		return error;
	}
	collector->plan++;
	collector->seek.began_ns = ctd_monotonic_ns();
	/* Both told of cgroups meanwhile: what the old programs told comes first. */
	ctd_kern_poll(old.kern, 0);
	ctd_cgroups_hand_over(&collector->cgroups);
	*ret_old = old;
	return 0;
}

int ctd_collector_change(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
			 ctd_take_snapshot *take, void *context, int *ret_lack)
{
	struct ctd_counting next, old;
	struct ctd_sampler *sampler;
	int error;

	*ret_lack = ctd_counting_open(collector, wishes, 0, &next);
	if (*ret_lack)
		return 0;
	error = take_last(collector, take, context);
	if (error) {
		ctd_counting_free(&next);
		*ret_lack = error;
		return error;
	}
	*ret_lack = change(collector, &next, &old);
	if (*ret_lack)
		return 0;
	/* The first of the new plan: intervals begin there. The kernel takes a tenth of a second to
	 * detach the old ones, which is not to be lost. */
	error = take_last(collector, take, context);
	ctd_counting_free(&old);
	sampler = ctd_collector_hold_sampler(collector);
	if (!error && sampler)
		error = ctd_sampler_attach(sampler);
	ctd_collector_release_sampler(collector);
	return error;
}

int ctd_collector_replace(struct ctd_collector *collector, const struct ctd_source_wishes *wishes,
			  ctd_take_snapshot *take, void *context)
{
	int lack, error;

	/* There is no trial of what is opened beside the old ones. */
	if (ctd_source_is_automatic(wishes))
		look_for_held(collector);
	error = ctd_collector_change(collector, wishes, take, context, &lack);
	return error ? error : lack;
}

/* A source that is given up again soon after it came is tried again later and later: another
 * program uses the PMU now and then. */
static void put_off_return(struct ctd_seek *seek, uint64_t seek_ns, uint64_t now_ns)
{
	bool soon = now_ns - seek->began_ns < SOON_SEEKS * seek_ns;

	seek->wait_ns = soon && seek->wait_ns ? 2 * seek->wait_ns : seek_ns;
	if (seek->wait_ns > WAIT_SEEKS_MAX * seek_ns)
		seek->wait_ns = WAIT_SEEKS_MAX * seek_ns;
	seek->return_ns = now_ns + seek->wait_ns;
}

/* @return is a core type without counters that count? What was given up stays so, until another
 * source takes its place or it is back. */
static bool is_starved(struct ctd_collector *collector, uint64_t now_ns)
{
	struct ctd_source *source = collector->counting.source;
	uint64_t seek_ns = collector->options.seek_ns;
	bool starved = false;

	if (!ctd_source_is_automatic(&source->wishes))
		return false;
	for (int type = 0; type < source->core_types_count; type++) {
		uint64_t starved_ns = ctd_starved_ns(&collector->starved, type,
						     ctd_plan_own_groups(&source->plans[type]));

		if (!ctd_plan_counts(&source->plans[type]))
			continue;
		if (ctd_source_in_use(source, type) && starved_ns >= STARVED_SEEKS * seek_ns) {
			put_off_return(&collector->seek, seek_ns, now_ns);
			ctd_source_give_up(source, collector->counting.kern, &collector->cpus, type,
					   starved_ns, CTD_TRIAL_NS);
		}
		starved |= !ctd_source_in_use(source, type);
	}
	return starved;
}

int ctd_collector_seek_source(struct ctd_collector *collector, ctd_take_snapshot *take,
			      void *context)
{
	struct ctd_source_wishes wishes = collector->counting.source->wishes;
	struct ctd_seek *seek = &collector->seek;
	uint64_t now_ns = ctd_monotonic_ns();
	int lack;

	if (!collector->options.seek_ns || now_ns < seek->next_ns)
		return 0;
	seek->next_ns = now_ns + collector->options.seek_ns;
	if (is_starved(collector, now_ns))
		ctd_warn("the counters in use no longer count: looking for another source");
	else if (now_ns >= seek->return_ns && look_for_held(collector))
		ctd_info("a source that was refused can be had now");
	else
		return 0;
	/* Where it cannot after all, it is tried again later: the measurement does not end. */
	return ctd_collector_change(collector, &wishes, take, context, &lack);
}

/* @return the rows of the next table: twice as many, unless the user or the limit says otherwise. */
static uint32_t grow(struct ctd_collector *collector)
{
	uint32_t rows_max = ctd_kern_rows_max(collector->counting.kern);
	struct ctd_room *room = &collector->room;

	if (collector->options.rows_max)
		return rows_max;
	if (!room->rows_most)
		room->rows_most = ROOM_GROWTH_MAX * rows_max;
	room->rows_max = 2 * rows_max <= room->rows_most ? 2 * rows_max : rows_max;
	return room->rows_max;
}

int ctd_collector_make_room(struct ctd_collector *collector, ctd_take_snapshot *take, void *context)
{
	struct ctd_source_wishes wishes = collector->counting.source->wishes;
	uint32_t before = ctd_kern_rows_max(collector->counting.kern), rows_max;
	struct ctd_room *room = &collector->room;
	uint64_t now_ns = ctd_monotonic_ns();
	int lack, error;

	if (!collector->options.makes_room || now_ns < room->next_ns ||
	    !ctd_kern_is_full(collector->counting.kern))
		return 0;
	rows_max = grow(collector);
	ctd_warn(
		"all %u rows in the kernel are taken: beginning anew with %u, without those of idle cgroups",
		before, rows_max);
	error = ctd_collector_change(collector, &wishes, take, context, &lack);
	/* A table that does not grow may be full again soon: that takes no more of the CPU. */
	if (lack || rows_max == before)
		room->next_ns = now_ns + collector->options.seek_ns;
	return error;
}
