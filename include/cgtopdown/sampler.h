/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sampler.h - the sampling of stacks in the kernel: load it beside the accounting, attach, drain. */
#ifndef CGTOPDOWN_SAMPLER_H
#define CGTOPDOWN_SAMPLER_H

#include <cgtopdown/kern.h>
#include <cgtopdown/profile_abi.h>
#include <cgtopdown/samples.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CTD_SAMPLER_FREQUENCY_HZ 49
#define CTD_SAMPLER_WINDOW_NS 50000

struct ctd_sampler;

struct ctd_sampler_options {
	uint32_t frequency_hz; /* samples per second of a busy CPU; 0: CTD_SAMPLER_FREQUENCY_HZ */
	uint32_t window_ns; /* 0: CTD_SAMPLER_WINDOW_NS */
	/* Samples this event where it overflows, instead of a clock with windows; copied. NULL:
	 * does not. */
	const struct ctd_sampled_event *event;
	/* Has the tables of this one, as long as it lives and after it; NULL: none yet. */
	const struct ctd_sampler *tables_of;
	bool frame_pointers; /* user stacks by frame pointers only, although the kernel can more */
};

/* What became of an event that is sampled, on all CPUs. */
struct ctd_sampled_count {
	uint64_t counted; /* how often it came, by the kernel's count */
	uint64_t sampled, idle; /* so many its samples stand for; of these, of idle CPUs: dropped */
	uint64_t enabled_ns,
		running_ns; /* it was to count so long, and did: others share the PMU */
	uint64_t throttled; /* times that the kernel stopped it, as there were too many */
	uint64_t slowed; /* CPUs whose period was raised, as there would have been */
};

/*
 * All functions are for the thread that has the accounting.
 *
 * Loads the programs beside those of @p kern, which must outlive the sampler, and whose counters
 * they read. Nothing is attached yet. Logs what failed and what to do. @return 0 or negative errno.
 */
int ctd_sampler_load(const struct ctd_sampler_options *options, struct ctd_kern *kern,
		     struct ctd_sampler **ret_sampler);
/* Can user stacks be unwound by tables here? It takes bpf_loop() ("bpf: Add bpf_loop helper", 5.17);
 * without it they are by frame pointers, and most callers are missing. Asks the kernel. */
bool ctd_sampler_can_unwind(void);
/* Does loading one open "/", only to have a descriptor? So does bpf_map__reuse_fd() of libbpf
 * before 1.3, and fails where a sandbox refuses that. */
bool ctd_sampler_opens_root(void);
/* Does this one unwind by tables? */
bool ctd_sampler_unwinds(const struct ctd_sampler *sampler);
/* Starts on each CPU that is online and not fenced. Logs. @return 0 or negative errno. */
int ctd_sampler_attach(struct ctd_sampler *sampler);
/* From here on one of @p divisor samples is taken, and stands for so many: period_ns stays. Sets
 * the clocks anew, where there are any. Logs. @return 0, or negative errno: all is as before. */
int ctd_sampler_thin(struct ctd_sampler *sampler, uint32_t divisor);

/*
 * Adds what was sampled since the last call, in all a few hundred microseconds; call it at least
 * once a second, and after each snapshot whose interval the samples are to be of. Follows CPUs that
 * came or went as ctd_kern knows them. Sets period_ns and counters_count. Where windows of a CPU do
 * not begin as long before samples as they should, sets its clocks anew. Logs.
 * @return 0 or negative errno.
 */
int ctd_sampler_drain(struct ctd_sampler *sampler, struct ctd_samples *samples);

/* Of the sampler's event; all 0 if it has none. Interrupts each CPU. */
void ctd_sampler_count_event(struct ctd_sampler *sampler, struct ctd_sampled_count *ret_count);

/* Totals by enum ctd_sampling_health. */
void ctd_sampler_health(const struct ctd_sampler *sampler,
			uint64_t ret_health[CTD_SAMPLING_HEALTH]);
/* Of these, CTD_SAMPLING_COST_NS: also while another thread uses the sampler. */
uint64_t ctd_sampler_cost_ns(const struct ctd_sampler *sampler);

/*
 * Tables for the unwinder, as profile_abi.h lays them out. All are copied. Give what others refer
 * to first: rules, executables, mappings, processes. Silent. @return 0, -EINVAL for what is out of
 * the limits, -EOPNOTSUPP if stacks are not unwound by tables, or other negative errno.
 */
int ctd_sampler_set_rules(struct ctd_sampler *sampler, uint32_t first,
			  const struct ctd_unwind_rule *rules, size_t count);
struct ctd_unwind_words {
	uint32_t executable;
	const uint32_t *words;
	size_t count;
};
/* Many at once take the kernel no longer than one. One that does not fit is left out. */
#define CTD_EXECUTABLES_AT_ONCE 64
int ctd_sampler_set_executables(struct ctd_sampler *sampler, const struct ctd_unwind_words *words,
				size_t count);
int ctd_sampler_take_executable(struct ctd_sampler *sampler, uint32_t executable);
int ctd_sampler_set_mappings(struct ctd_sampler *sampler, uint32_t first,
			     const struct ctd_mapping *mappings, size_t count);
/* @p process NULL: takes it away. */
int ctd_sampler_set_process(struct ctd_sampler *sampler, uint32_t tgid,
			    const struct ctd_process *process);

/* Hands out the requests for tables that came since the last call. @return how many, or negative
 * errno. */
int ctd_sampler_take_requests(struct ctd_sampler *sampler,
			      void (*take)(const struct ctd_unwind_request *request, void *context),
			      void *context);
/* Readable when there are requests: for poll(2) with others. -1: there never are any. */
int ctd_sampler_poll_fd(const struct ctd_sampler *sampler);

/* Detaches and releases everything; NULL is fine. */
void ctd_sampler_free(struct ctd_sampler *sampler);

#endif
