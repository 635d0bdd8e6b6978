/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* profiler.c - drains the sampler, feeds its unwinder, and names what was sampled. */
#include "app/profile/profiler.h"

#include <malloc.h>

#include "app/profile/event.h"
#include "base/clock.h"
#include "base/log.h"

#define WINDOW_NS_PER_US 1000
/* Of a tick, for reading files. */
#define WORK_NS (CTD_PROFILER_TICK_NS / 2)
/* How long new processes wait while files are read. */
#define SLICE_NS 2000000
/* So many ticks, and so many samples, are held for their names. */
#define HELD_TICKS 10
#define HELD_SAMPLES 65536
/* What is larger was read of a file, and is not needed for long. Without a fixed limit glibc raises
 * it to the largest that was freed, and the heap keeps it: 20 MB of 68 for 200 libraries. */
#define READ_BYTES (1 << 17)

struct ctd_sampler_options ctd_profiler_sampling(const struct ctd_profile_options *options,
						 const struct ctd_sampled_event *event)
{
	return (struct ctd_sampler_options){.frequency_hz = options->frequency_hz,
					    .window_ns = options->window_us * WINDOW_NS_PER_US,
					    .event = *event->name ? event : NULL};
}

void ctd_profiler_prepare_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, READ_BYTES);
	mallopt(M_TRIM_THRESHOLD, READ_BYTES);
}

int ctd_profiler_open(const struct ctd_sampled_event *event, const char *host_root,
		      struct ctd_profiler *ret_profiler)
{
	struct ctd_profiler profiler = {.event = event && *event->name ? event : NULL};
	int error = ctd_namer_new(&profiler.namer);

	if (!error)
		error = ctd_unwind_feed_new(&profiler.feed);
	if (error) {
		ctd_profiler_close(&profiler);
		return ctd_log_error(error, "read the kernel's symbols");
	}
	ctd_namer_see_host(profiler.namer, host_root);
	*ret_profiler = profiler;
	return 0;
}

/* The sampler is held for moments only: counters can be replaced while files are read. */
static int drain(struct ctd_profiler *profiler, struct ctd_collector *collector)
{
	struct ctd_sampler *sampler = ctd_collector_hold_sampler(collector);
	int error = sampler ? ctd_sampler_drain(sampler, &profiler->samples) : -ENODATA;

	if (!error)
		error = ctd_unwind_feed_take(profiler->feed, sampler);
	ctd_collector_release_sampler(collector);
	return error;
}

static int learn(struct ctd_profiler *profiler)
{
	int error = ctd_unwind_feed_learn(profiler->feed, profiler->namer);

	return error ? error : ctd_namer_learn(profiler->namer, &profiler->samples);
}

/* Reads files, and new processes meanwhile. */
static int work(struct ctd_profiler *profiler, struct ctd_collector *collector, uint64_t until_ns)
{
	int got = 1;

	while (got > 0 && ctd_monotonic_ns() < until_ns) {
		int error = ctd_profiler_answer(profiler, collector);

		got = error ? error
			    : ctd_namer_work(profiler->namer, ctd_monotonic_ns() + SLICE_NS);
	}
	return got < 0 ? got : 0;
}

static int name(struct ctd_profiler *profiler, const struct ctd_record_header *header,
		struct ctd_stacks **stacks)
{
	bool begin = stacks && !*stacks;
	int error = 0;

	if (begin)
		error = ctd_stacks_new(profiler->samples.period_ns, (int)header->counters_count,
				       (int)header->groups_count, stacks);
	if (begin && !error && profiler->event)
		(*stacks)->event = ctd_event_of_stacks(profiler->event);
	if (stacks && !error)
		error = ctd_stacks_add_samples(*stacks, &profiler->samples, ctd_namer_name,
					       profiler->namer);
	ctd_samples_clear(&profiler->samples);
	profiler->held = 0;
	ctd_namer_end_round(profiler->namer);
	return error;
}

static bool may_hold(struct ctd_profiler *profiler)
{
	return ctd_namer_is_behind(profiler->namer) && ++profiler->held < HELD_TICKS &&
	       profiler->samples.samples_count < HELD_SAMPLES;
}

static int answer(struct ctd_profiler *profiler, struct ctd_collector *collector, bool follow)
{
	struct ctd_sampler *sampler = ctd_collector_hold_sampler(collector);
	int error = 0;

	if (sampler)
		error = ctd_unwind_feed_answer(profiler->feed, profiler->namer, sampler);
	if (sampler && !error && follow)
		error = ctd_unwind_feed_follow(profiler->feed, profiler->namer, sampler);
	ctd_collector_release_sampler(collector);
	return error;
}

/* From here on stacks are whole. */
static void tell_when_ready(struct ctd_profiler *profiler)
{
	struct ctd_namer_health health;

	ctd_namer_health(profiler->namer, &health);
	if (ctd_namer_is_behind(profiler->namer) || !health.executables.made) {
		profiler->is_ready = false;
		return;
	}
	if (!profiler->is_ready)
		ctd_info("tables and functions of all files that were sampled are there");
	profiler->is_ready = true;
}

int ctd_profiler_take(struct ctd_profiler *profiler, struct ctd_collector *collector,
		      const struct ctd_record_header *header, struct ctd_stacks **stacks)
{
	int error = drain(profiler, collector);

	if (error)
		return error;
	error = learn(profiler);
	if (!error)
		error = work(profiler, collector, ctd_monotonic_ns() + WORK_NS);
	if (!error && !(stacks && may_hold(profiler)))
		error = name(profiler, header, stacks);
	if (!error)
		error = answer(profiler, collector, true);
	tell_when_ready(profiler);
	return error ? ctd_log_error(error, "name the samples") : 0;
}

int ctd_profiler_answer(struct ctd_profiler *profiler, struct ctd_collector *collector)
{
	struct ctd_sampler *sampler = ctd_collector_hold_sampler(collector);
	int error = sampler ? ctd_unwind_feed_take(profiler->feed, sampler) : 0;

	ctd_collector_release_sampler(collector);
	if (!error)
		error = ctd_unwind_feed_learn(profiler->feed, profiler->namer);
	if (!error)
		error = answer(profiler, collector, false);
	return error ? ctd_log_error(error, "read processes that were sampled") : 0;
}

/* The caller's clock is some moments ahead of ours: its next call is not to be too early. */
bool ctd_profiler_is_due(struct ctd_profiler *profiler, uint64_t now_ns)
{
	if (now_ns < profiler->tick_ns)
		return false;
	profiler->tick_ns = now_ns + CTD_PROFILER_TICK_NS * 3 / 4;
	return true;
}

int ctd_profiler_work(struct ctd_profiler *profiler, struct ctd_collector *collector,
		      const struct ctd_record_header *header, struct ctd_stacks **stacks)
{
	return ctd_profiler_is_due(profiler, ctd_monotonic_ns())
		       ? ctd_profiler_take(profiler, collector, header, stacks)
		       : ctd_profiler_answer(profiler, collector);
}

int ctd_profiler_finish(struct ctd_profiler *profiler, struct ctd_collector *collector,
			const struct ctd_record_header *header, struct ctd_stacks **stacks,
			uint64_t patience_ns)
{
	uint64_t until_ns = ctd_monotonic_ns() + patience_ns;
	int error = 0;

	while (!error && ctd_namer_is_behind(profiler->namer) && ctd_monotonic_ns() < until_ns)
		error = work(profiler, collector, until_ns);
	if (!error)
		error = name(profiler, header, stacks);
	return error ? ctd_log_error(error, "name the samples") : 0;
}

void ctd_profiler_health(const struct ctd_profiler *profiler, struct ctd_collector *collector,
			 struct ctd_profile_health *ret_health)
{
	struct ctd_namer_health namer;

	ctd_namer_health(profiler->namer, &namer);
	*ret_health = (struct ctd_profile_health){
		.refused = {[CTD_TABLE_EXECUTABLE] = namer.executables.refused,
			    [CTD_TABLE_JIT] = namer.maps_refused,
			    [CTD_TABLE_MAPPINGS] = namer.processes_refused +
						   ctd_unwind_feed_refused(profiler->feed)},
		.forgotten = {[CTD_TABLE_EXECUTABLE] = namer.executables.evicted,
			      [CTD_TABLE_JIT] = namer.maps_evicted},
	};
	ctd_collector_count_samples(collector, ret_health->sampling);
}

void ctd_profiler_close(struct ctd_profiler *profiler)
{
	ctd_namer_free(profiler->namer);
	ctd_unwind_feed_free(profiler->feed);
	ctd_samples_clear(&profiler->samples);
	*profiler = (struct ctd_profiler){};
}
