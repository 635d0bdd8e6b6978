/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan.h - the plan of one core type. */
#ifndef PMU_PLAN_H
#define PMU_PLAN_H

#include <cgtopdown/counters.h>
#include <linux/perf_event.h>

#define CTD_LACK_BYTES 240

/* What was asked for: as ctd_pmu_plan() takes it. */
struct ctd_plan_wish {
	const char *source;
	int level;
	bool read_each, pinned;
};

/* What counts nothing, and fills up. */
#define CTD_EVENT_DUMMY                                                                    \
	{                                                                                  \
		.name = "dummy", .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY \
	}
static inline struct ctd_event ctd_event_dummy(void)
{
	return (struct ctd_event)CTD_EVENT_DUMMY;
}

/* The design of this processor, as @p source counts it, or NULL. */
const struct ctd_cpu_model *ctd_plan_find_model(const struct ctd_pmu_facts *facts,
						const char *source);
/* PERF_METRICS by the processor's design, or the nearest one if that is unknown. Logs. @return 0 or
 * negative errno. */
int ctd_plan_perf_metrics(const struct ctd_pmu_facts *facts, int level, bool read_each,
			  struct ctd_counter_plan *plan);
/* General-purpose counters: what is not for a fixed counter must fit these. What does
 * not is left out, the last events of a group first. Logs. @return 0 or negative errno. */
int ctd_plan_general_purpose(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
			     int level, struct ctd_counter_plan *plan);
/*
 * Which of the events an arm64 PMU lacks, or NULL. Of the first 64 codes the PMU says which it has
 * (PMCEID0_EL0, PMCEID1_EL0), and the kernel shows the names of no others; so do hypervisors hide
 * what they do not pass on.
 */
const char *ctd_plan_find_absent(const struct ctd_pmu_facts *facts,
				 const struct ctd_cpu_event *events);

/* Gives each group @p width events, by filling up. What the model counts stays as many. */
void ctd_plan_widen(struct ctd_counter_plan *plan, int width);

/* As ctd_pmu_plan(), but why a named source cannot be had (-ENODEV) is told, not logged. */
int ctd_plan_core(const struct ctd_pmu_facts *facts, const struct ctd_plan_wish *wish,
		  struct ctd_counter_plan *ret_plan, char ret_lack[CTD_LACK_BYTES]);

#endif
