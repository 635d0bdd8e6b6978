/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sampler.h - what the files of this room share: the loaded sampler and each CPU's two clocks. */
#ifndef KERN_PROFILE_SAMPLER_H
#define KERN_PROFILE_SAMPLER_H

#include <cgtopdown/sampler.h>
#include <cgtopdown/sampler_abi.h>

#include "kern/topdown/topdown.h"

struct cgtd_profile;
struct bpf_link;
struct bpf_program;
struct ring_buffer;

/* The two clocks of a CPU, a group: the first begins a window, the second samples. Without windows
 * there is the second one only. */
struct ctd_clocks {
	struct bpf_link *window_link, *sample_link; /* owned; NULL: the CPU has none */
	int window_fd, sample_fd; /* of the links */
	bool set; /* so far apart that windows can be used */
	bool told; /* that they cannot be */
	uint64_t unpaired, samples; /* health when last looked at */
	void *ring; /* owned; mapped: what the kernel says of an event; NULL: no event */
	uint32_t factor; /* of an event's period on this CPU, at least 1 */
	uint64_t paced_overflows, paced_ns; /* since when its pace is looked at */
	uint64_t ran_ns,
		ran_samples; /* the sampling one's count when last looked at, and samples */
};

struct ctd_sampler {
	struct cgtd_profile *skeleton; /* owned */
	struct ctd_kern *kern; /* borrowed */
	uint64_t period_ns, window_ns; /* period_ns: 0 of an event */
	struct ctd_sampled_event *event; /* owned; NULL: clocks */
	struct ctd_sampled_count count; /* of the event, on CPUs that were left */
	uint32_t divisor; /* one of so many samples is taken, and stands for all of them */
	uint32_t index_size, data_bytes; /* of a bank */
	size_t bank_bytes; /* distance of banks */
	struct ctd_sampler_cpu *cpus; /* mapped, an entry for each possible CPU */
	unsigned char *banks; /* mapped, two for each */
	size_t cpus_bytes, banks_map_bytes; /* of the mappings */
	struct ctd_clocks *clocks; /* owned, for each CPU */
	uint64_t lead_ns; /* so long it takes to stop a clock: learned */
	uint64_t alive_ns; /* when clocks are to be looked at next */
	int next_look; /* the CPU at which the next look at clocks begins */
	uint64_t locks, locks_failed;
	bool windows; /* there are counters to read */
	bool unwinds; /* user stacks by tables */
	struct ring_buffer *requests; /* owned; NULL unless unwinds */
	void (*take)(const struct ctd_unwind_request *request, void *context);
	void *take_context; /* of ctd_sampler_take_requests() */
};

/* Between two samples that are taken. */
static inline uint64_t ctd_sampler_clock_ns(const struct ctd_sampler *sampler)
{
	return sampler->divisor * sampler->period_ns;
}

/* clocks.c: gives a CPU its two clocks, or takes them. @return 0, -ENODEV if perf does not have the
 * CPU, or other negative errno; logs but for -ENODEV. */
int ctd_sampler_watch_cpu(struct ctd_sampler *sampler, int cpu, bool watch);

/* event.c: samples the event on a CPU, instead of clocks. A CPU whose PMU has it not is left out.
 * @return as ctd_sampler_watch_cpu(). */
int ctd_sampler_open_event(struct ctd_sampler *sampler, struct bpf_program *program, int cpu);
/* What it has counted there is added to the sampler's; before its link goes. */
void ctd_sampler_close_event(struct ctd_sampler *sampler, int cpu);
/* Raises the period on CPUs that have too many samples. */
void ctd_sampler_pace_event(struct ctd_sampler *sampler);
/* For how long the event of a CPU was to count; 0: not known. */
uint64_t ctd_sampler_event_enabled_ns(const struct ctd_clocks *clocks);

/* tables.c: logs. @return 0 or negative errno. */
int ctd_sampler_open_requests(struct ctd_sampler *sampler);

/* drain.c: each CPU that the accounting has online and may disturb has its clocks. @return 0 or
 * negative errno; logs. */
int ctd_sampler_follow_cpus(struct ctd_sampler *sampler);

/* lock.c: sets a CPU's clocks a window apart, and says so if that cannot be had: the next
 * ctd_sampler_lock() tries again. */
void ctd_sampler_set_apart(struct ctd_sampler *sampler, int cpu);
/* Sets those apart whose windows cannot be used, for some milliseconds in all. */
void ctd_sampler_lock(struct ctd_sampler *sampler);
/* lock.c: do its clocks run? Those of a CPU that went offline do not, also when it is back. True if
 * they have not been looked at before. */
bool ctd_sampler_runs(struct ctd_sampler *sampler, int cpu);

#endif
