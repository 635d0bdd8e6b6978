/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* given_up.c - how a measurement goes on without what its budget gave up. */
#include "collect/collector.h"

/* Of samples and intervals one of so many stays. */
#define FREQUENCY_DIVISOR 4
#define INTERVAL_FACTOR 5

static bool gave_up(const struct ctd_collector *collector, enum ctd_budget_part part)
{
	return ctd_budget_gave_up(&collector->budget.state, part);
}

bool ctd_collector_has_waits(const struct ctd_collector *collector)
{
	return collector->options.waits && !gave_up(collector, CTD_BUDGET_WAITS);
}

int ctd_collector_thin(const struct ctd_collector *collector, struct ctd_sampler *sampler)
{
	return ctd_sampler_thin(sampler,
				gave_up(collector, CTD_BUDGET_FREQUENCY) ? FREQUENCY_DIVISOR : 1);
}

uint64_t ctd_collector_stretch(const struct ctd_collector *collector, uint64_t interval_ns)
{
	uint64_t most_ns =
		interval_ns > CTD_BUDGET_INTERVAL_NS ? interval_ns : CTD_BUDGET_INTERVAL_NS;

	if (!gave_up(collector, CTD_BUDGET_INTERVAL))
		return interval_ns;
	return interval_ns < most_ns / INTERVAL_FACTOR ? INTERVAL_FACTOR * interval_ns : most_ns;
}
