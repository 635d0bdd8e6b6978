/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* health.c - tells how well stacks were sampled. */
#include "app/profile/health.h"

#include <inttypes.h>

#include "base/log.h"
#include "pmu/holders.h"

/* Parts of all samples from which on a profile is another than it seems. Assembly without tables
 * breaks some stacks of nearly every program, and each one's first are by frame pointers. */
#define NOT_WHOLE_LEAST 0.1
#define FRAME_POINTERS_LEAST 0.5
#define UNPAIRED_LEAST 0.5
/* Of an event. */
#define RUNNING_LEAST 0.99
#define LOST_LEAST 1.05
#define SAMPLES_FEW 50

static void warn_of_part(const struct ctd_profile_health *health, uint64_t part, double least,
			 const char *what)
{
	double samples = (double)health->sampling[CTD_SAMPLING_SAMPLES];

	if (part && (double)part >= least * samples)
		ctd_warn("%.0f %% of the samples of all processes %s", 100 * (double)part / samples,
			 what);
}

void ctd_profile_health_warn(const struct ctd_profile_health *health)
{
	const uint64_t *sampling = health->sampling;
	bool refused = false;

	/* Not how many: each is counted as often as it was tried. */
	for (int i = 0; i < CTD_PROFILE_TABLES; i++)
		refused |= health->refused[i] > 0;
	if (sampling[CTD_SAMPLING_LOST])
		ctd_warn("%" PRIu64 " samples found no room and are in no figure",
			 sampling[CTD_SAMPLING_LOST]);
	warn_of_part(health, sampling[CTD_SAMPLING_TRUNCATED] + sampling[CTD_SAMPLING_BROKEN],
		     NOT_WHOLE_LEAST,
		     "have stacks that were cut or are broken: their outer callers are missing");
	warn_of_part(
		health, sampling[CTD_SAMPLING_FRAME_POINTERS], FRAME_POINTERS_LEAST,
		"have stacks by frame pointers alone, in which callers without one are missing: of JITs, of programs that ran for moments, or on a kernel of which 'cgtopdown doctor' says so");
	warn_of_part(
		health, sampling[CTD_SAMPLING_UNPAIRED], UNPAIRED_LEAST,
		sampling[CTD_SAMPLING_LOCKS_FAILED]
			? "have no window, as the CPU was idle or held up when it had to begin, or its clocks could not be set apart: into which categories their slots fell is taken from others"
			: "have no window, as the CPU was idle or held up when it had to begin: into which categories their slots fell is taken from others");
	if (refused)
		ctd_warn(
			"files, maps of JITs or processes found no room: functions in them are shown by address");
}

static void tell_namer(const struct ctd_namer *namer)
{
	struct ctd_namer_health health;

	ctd_namer_health(namer, &health);
	ctd_info("%" PRIu64 " processes read, %" PRIu64 " again, %" PRIu64 " gone before; %" PRIu64
		 " files in %" PRIu64 " kB, %" PRIu64 " forgotten, %" PRIu64
		 " times without room; mappings and JITs in %" PRIu64 " kB, %" PRIu64
		 " maps forgotten, %" PRIu64 " times without room",
		 health.processes_read, health.processes_read_again, health.processes_gone,
		 health.executables.made, health.executables.bytes / 1024,
		 health.executables.evicted, health.executables.refused,
		 health.processes_bytes / 1024, health.maps_evicted, health.maps_refused);
}

/* Where other programs have the counters, or more came than the kernel lets through. */
static void warn_of_event(const struct ctd_sampled_event *event,
			  const struct ctd_sampled_count *count, uint64_t samples)
{
	double running =
		count->enabled_ns ? (double)count->running_ns / (double)count->enabled_ns : 1;
	char holders[256];

	ctd_info("%s: %" PRIu64 " counted, %" PRIu64 " in samples, %" PRIu64
		 " of these of idle CPUs",
		 event->name, count->counted, count->sampled, count->idle);
	if (running < RUNNING_LEAST) {
		ctd_holders_name(holders, sizeof(holders));
		ctd_warn(
			"%s was counted for %.0f %% of the time, and is missing from the rest: others have the counters that it needs%s%s, or the NMI watchdog has one (sysctl kernel.nmi_watchdog)",
			event->name, 100 * running, *holders ? ": " : "", holders);
	}
	if (count->throttled)
		ctd_warn(
			"the kernel stopped %s %" PRIu64
			" times for a moment, as it came too often (sysctl kernel.perf_event_max_sample_rate): what came then is in no figure; a larger --period avoids it",
			event->name, count->throttled);
	/* Up to a period on each CPU is on its way. */
	if ((double)count->counted > LOST_LEAST * (double)count->sampled && samples > SAMPLES_FEW)
		ctd_warn("%.1f %% of %s are in no sample",
			 100 * (1 - (double)count->sampled / (double)count->counted), event->name);
	if (count->slowed)
		ctd_info("on %" PRIu64 " CPUs one of more than %" PRIu64
			 " was sampled, as there would have been more than 1000 a second",
			 count->slowed, event->period);
	if (samples < SAMPLES_FEW && event->period > 1)
		ctd_warn("%" PRIu64 " samples tell little: a smaller --period than %" PRIu64
			 " has more of them",
			 samples, event->period);
}

static void tell_event(const struct ctd_profiler *profiler, struct ctd_collector *collector,
		       uint64_t samples)
{
	struct ctd_sampler *sampler = ctd_collector_hold_sampler(collector);
	struct ctd_sampled_count count = {0};

	if (sampler)
		ctd_sampler_count_event(sampler, &count);
	ctd_collector_release_sampler(collector);
	if (sampler)
		warn_of_event(profiler->event, &count, samples);
}

void ctd_profile_health_tell(const struct ctd_profiler *profiler, struct ctd_collector *collector)
{
	struct ctd_profile_health health;

	ctd_profiler_health(profiler, collector, &health);
	ctd_profile_health_warn(&health);
	ctd_info("%" PRIu64 " samples, %" PRIu64 " with a window; %" PRIu64
		 " by frame pointers, %" PRIu64 " truncated, %" PRIu64 " broken, %" PRIu64
		 " in [other]",
		 health.sampling[CTD_SAMPLING_SAMPLES], health.sampling[CTD_SAMPLING_WINDOWS],
		 health.sampling[CTD_SAMPLING_FRAME_POINTERS],
		 health.sampling[CTD_SAMPLING_TRUNCATED], health.sampling[CTD_SAMPLING_BROKEN],
		 health.sampling[CTD_SAMPLING_OTHER]);
	tell_namer(profiler->namer);
	if (profiler->event)
		tell_event(profiler, collector, health.sampling[CTD_SAMPLING_SAMPLES]);
}
