/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* spending.c - what a measurement has spent of its budget, and snapshots that tell of it. */
#include "collect/collector.h"

#include "base/clock.h"

uint64_t ctd_collector_cost_ns(const struct ctd_collector *collector)
{
	/* Without the lock: it is this thread that replaces the sampler. */
	const struct ctd_sampler *sampler = collector->counting.sampler;

	return ctd_own_cost_ns(&collector->cost, collector->options.budget.beside_pid) +
	       collector->sampled[CTD_SAMPLING_COST_NS] +
	       (sampler ? ctd_sampler_cost_ns(sampler) : 0);
}

void ctd_collector_begin_budget(struct ctd_collector *collector)
{
	const struct ctd_budget_options *options = &collector->options.budget;

	ctd_budget_begin(&collector->budget, options->limit_ppm, options->window_ns);
	ctd_budget_settle(&collector->budget, ctd_monotonic_ns(), ctd_collector_cost_ns(collector));
	collector->shown_budget = collector->budget.state;
}

void ctd_collector_tell_budget(struct ctd_collector *collector, struct ctd_snapshot *snapshot)
{
	if (!collector->options.budget.limit_ppm)
		return;
	ctd_own_cost_take(&collector->cost, snapshot);
	snapshot->budget = collector->shown_budget;
}
