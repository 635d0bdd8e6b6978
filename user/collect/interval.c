/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* interval.c - lets an interval pass, in which groups of counters rotate, and hands out its
 * snapshots. */
#include "collect/collector.h"

#include <errno.h>
#include <poll.h>

#include "base/clock.h"
#include "base/log.h"

/* A CPU that came has no counters until it is seen. */
#define CPU_CHECK_NS 1000000000ull

/* As ctd_collector_interval() was asked for it. */
struct interval {
	uint64_t until_ns;
	int wake_fd;
	bool whole;
	ctd_take_snapshot *take;
	void *context;
};

void ctd_collector_weigh(struct ctd_collector *collector, const uint8_t *weights, int groups_count)
{
	ctd_steps_weigh(&collector->steps, weights, groups_count);
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

void ctd_collector_work_beside(struct ctd_collector *collector, ctd_work_beside *work,
			       void *context, uint64_t every_ns)
{
	collector->beside =
		(struct ctd_beside){.work = work, .context = context, .every_ns = every_ns};
}

/* @p asked: the sampler asks for tables. */
static int work_beside(struct ctd_beside *beside, uint64_t now_ns, bool asked)
{
	if (!beside->work || (now_ns < beside->next_ns && !asked))
		return 0;
	if (now_ns >= beside->next_ns)
		beside->next_ns = now_ns + beside->every_ns;
	return beside->work(beside->context);
}

/* Readable when the sampler asks; -1: nobody would answer. */
static int asking_fd(const struct ctd_collector *collector)
{
	return collector->beside.work && collector->counting.sampler
		       ? ctd_sampler_poll_fd(collector->counting.sampler)
		       : -1;
}

/* Lets time pass, taking in cgroups and CPUs that come and go. */
static int wait_until(struct ctd_collector *collector, uint64_t until_ns, int wake_fd)
{
	bool asked = false;

	while (!is_stopped(collector)) {
		uint64_t now_ns = ctd_monotonic_ns(), wake_ns = until_ns, turn_ns;
		struct pollfd fds[] = {
			{.fd = ctd_kern_poll_fd(collector->counting.kern), .events = POLLIN},
			{.fd = wake_fd, .events = POLLIN},
			{.fd = asking_fd(collector), .events = POLLIN},
		};
		int taken, error;

		if (now_ns >= until_ns)
			return 0;
		error = look_for_cpus(collector, now_ns);
		if (!error)
			error = work_beside(&collector->beside, now_ns, asked);
		if (error)
			return error;
		if (collector->beside.work && collector->beside.next_ns < wake_ns)
			wake_ns = collector->beside.next_ns;
		turn_ns = ctd_latency_sampler_turn(collector->latencies, now_ns);
		if (turn_ns < wake_ns)
			wake_ns = turn_ns;
		now_ns = ctd_monotonic_ns();
		poll(fds, 3, wake_ns > now_ns ? wait_ms(wake_ns - now_ns) : 0);
		asked = fds[2].revents;
		taken = ctd_kern_poll(collector->counting.kern, 0);
		if (taken < 0 && taken != -EINTR)
			return ctd_log_error(taken, "wait for cgroup events");
		if (fds[1].revents)
			return 0;
	}
	return 0;
}

/* The snapshot that ends a rotation step, and the next step: at once, as nothing counts in between.
 */
static int end_step(struct ctd_collector *collector, struct ctd_snapshot *ret_snapshot)
{
	struct ctd_counters *counters = &collector->counting.source->counters;
	struct ctd_kern *kern = collector->counting.kern;
	int next = ctd_steps_next(&collector->steps, counters->step, counters->groups_count);
	int error;

	ctd_rotation_end_step(counters, &collector->cpus, kern, next);
	error = ctd_collector_snapshot(collector, ret_snapshot);
	if (!error)
		ctd_rotation_begin_step(counters, &collector->cpus, kern, next);
	return error;
}

static bool is_ready(int fd)
{
	struct pollfd wake = {.fd = fd, .events = POLLIN};

	return fd >= 0 && poll(&wake, 1, 0) > 0;
}

/*
 * A part of an interval, under one plan: up to @p part_ns, or as ctd_collector_interval() ends.
 * Where groups of counters rotate, snapshots in between end their steps. @return 0, 1: the interval
 * is over, or negative errno.
 */
static int run_part(struct ctd_collector *collector, uint64_t part_ns, const struct interval *is)
{
	int groups_count = collector->counting.source->counters.groups_count;
	uint64_t begin_ns = ctd_monotonic_ns(), length_ns = UINT64_MAX;
	bool rotates = groups_count > 1;

	if (rotates && part_ns > begin_ns) {
		ctd_steps_begin(&collector->steps, collector->counting.source->counters.step,
				part_ns - begin_ns, groups_count);
		length_ns = ctd_rotation_step_ns(&collector->steps, part_ns - begin_ns,
						 (uint64_t)groups_count);
	}
	for (int taken = 1;; taken++) {
		uint64_t step_end_ns = part_ns;
		struct ctd_snapshot snapshot;
		bool last;
		int error;

		if (rotates && length_ns < (part_ns - begin_ns) / taken)
			step_end_ns = begin_ns + taken * length_ns;
		error = wait_until(collector, step_end_ns, is->wake_fd);
		if (error || (is->whole && is_stopped(collector)))
			return error ? error : 1;
		last = step_end_ns == is->until_ns || is_stopped(collector) ||
		       is_ready(is->wake_fd);
		error = rotates ? end_step(collector, &snapshot)
				: ctd_collector_snapshot(collector, &snapshot);
		if (error)
			return error;
		snapshot.in_between = !last;
		error = is->take(&snapshot, is->context);
		if (error || last)
			return error ? error : 1;
		/* What ran in this step is named when all are over. */
		ctd_kern_keep(collector->counting.kern);
		if (step_end_ns == part_ns)
			return 0;
	}
}

/* A long interval is cut where it is time to look for a better source, or at what was spent: a
 * short one begins often enough. */
static uint64_t end_of_part(const struct ctd_collector *collector, uint64_t until_ns)
{
	uint64_t seek_ns = collector->options.seek_ns, now_ns = ctd_monotonic_ns();
	uint64_t budget_ns = ctd_budget_next_ns(&collector->budget), end_ns = until_ns;

	if (until_ns < now_ns)
		return until_ns;
	if (seek_ns && until_ns - now_ns > seek_ns)
		end_ns = collector->seek.next_ns;
	if (until_ns - now_ns > collector->budget.window_ns && budget_ns < end_ns)
		end_ns = budget_ns;
	return end_ns;
}

int ctd_collector_interval(struct ctd_collector *collector, uint64_t until_ns, int wake_fd,
			   bool whole, ctd_take_snapshot *take, void *context)
{
	const struct interval is = {until_ns, wake_fd, whole, take, context};
	int result = 0;

	while (!result) {
		result = ctd_collector_seek_source(collector, take, context);
		if (!result)
			result = ctd_collector_keep_budget(collector, take, context);
		if (!result)
			result = ctd_collector_make_room(collector, take, context);
		if (!result)
			result = run_part(collector, end_of_part(collector, until_ns), &is);
	}
	return result < 0 ? result : 0;
}
