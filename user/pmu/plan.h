/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan.h - the plan of one kind of cores. */
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
static inline struct ctd_event ctd_event_dummy(void)
{
	return (struct ctd_event){
		.name = "dummy", .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY};
}

/* Gives each group @p width events, by filling up. What the model counts stays as many. */
void ctd_plan_widen(struct ctd_counter_plan *plan, int width);

/* As ctd_pmu_plan(), but why a named source cannot be had (-ENODEV) is told, not logged. */
int ctd_plan_core(const struct ctd_pmu_facts *facts, const struct ctd_plan_wish *wish,
		  struct ctd_counter_plan *ret_plan, char ret_lack[CTD_LACK_BYTES]);

#endif
