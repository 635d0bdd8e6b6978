/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* given_up.c - how a measurement goes on without what its budget gave up. */
#include "collect/collector.h"

/* Of samples one of so many stays. */
#define FREQUENCY_DIVISOR 4

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
	return ctd_budget_stretch(&collector->budget.state, interval_ns);
}
