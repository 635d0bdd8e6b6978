/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perf_event.h - the system call that opens counters, and the door through which tests replace it. */
#ifndef PMU_PERF_EVENT_H
#define PMU_PERF_EVENT_H

#include <cgtopdown/counters.h>
#include <linux/perf_event.h>

/* perf_event_open(2). @return a file descriptor or negative errno. */
typedef int ctd_perf_event_open_fn(struct perf_event_attr *attr, int pid, int cpu, int group_fd,
				   unsigned long flags);
ctd_perf_event_open_fn ctd_perf_event_open;

/* What a person can do about a refusal, by its errno. */
const char *ctd_perf_event_advice(int error);

/* The functions of counters.h with @p open_event in place of ctd_perf_event_open(). */
int ctd_counters_open_with(ctd_perf_event_open_fn *open_event, const struct ctd_counter_plan *plans,
			   const uint8_t *core_type_of, const bool *online, int cpus,
			   struct ctd_counters *ret_counters);
void ctd_counters_fit_with(ctd_perf_event_open_fn *open_event, struct ctd_counter_plan *plan,
			   int cpu);
int ctd_counters_open_cpu_with(ctd_perf_event_open_fn *open_event,
			       const struct ctd_counter_plan *plan, struct ctd_counters *counters,
			       int cpu);

int ctd_sampled_try_with(ctd_perf_event_open_fn *open_event, const struct ctd_pmu_facts *facts,
			 int cpu, struct ctd_sampled_core *core);

/* Opens an event of a CPU, of software, and closes it. @return 0, or what the kernel says to that. */
int ctd_perf_event_try(void);

#endif
