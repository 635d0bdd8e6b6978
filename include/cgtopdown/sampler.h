/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sampler.h - the sampling of stacks in the kernel: load it beside the accounting, attach, drain. */
#ifndef CGTOPDOWN_SAMPLER_H
#define CGTOPDOWN_SAMPLER_H

#include <cgtopdown/kern.h>
#include <cgtopdown/samples.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CTD_SAMPLER_FREQUENCY_HZ 49
#define CTD_SAMPLER_WINDOW_NS 50000

struct ctd_sampler_options {
	uint32_t frequency_hz; /* samples per second of a busy CPU; 0: CTD_SAMPLER_FREQUENCY_HZ */
	uint32_t window_ns; /* 0: CTD_SAMPLER_WINDOW_NS */
};

/* All functions are for the thread that has the accounting. */
struct ctd_sampler;

/*
 * Loads the programs beside those of @p kern, which must outlive the sampler, and whose counters
 * they read. Nothing is attached yet. Logs what failed and what to do. @return 0 or negative errno.
 */
int ctd_sampler_load(const struct ctd_sampler_options *options, struct ctd_kern *kern,
		     struct ctd_sampler **ret_sampler);
/* Starts on each CPU that is online and not fenced. Logs. @return 0 or negative errno. */
int ctd_sampler_attach(struct ctd_sampler *sampler);

/*
 * Adds what was sampled since the last call, in all a few hundred microseconds; call it at least
 * once a second, and after each snapshot whose interval the samples are to be of. Follows CPUs that
 * came or went as ctd_kern knows them. Sets period_ns and counters_count. Where windows of a CPU do
 * not begin as long before samples as they should, sets its clocks anew. Logs.
 * @return 0 or negative errno.
 */
int ctd_sampler_drain(struct ctd_sampler *sampler, struct ctd_samples *samples);

/* Totals by enum ctd_sampling_health. */
void ctd_sampler_health(const struct ctd_sampler *sampler,
			uint64_t ret_health[CTD_SAMPLING_HEALTH]);
/* What the maps take. */
uint64_t ctd_sampler_memory(const struct ctd_sampler *sampler);

/* Detaches and releases everything; NULL is fine. */
void ctd_sampler_free(struct ctd_sampler *sampler);

#endif
