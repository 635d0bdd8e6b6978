/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* govern.c - keeps a measurement within its budget, a step at a time. */
#include "collect/collector.h"

#include <errno.h>

#include "base/clock.h"
#include "base/log.h"

/* In per cent of all CPU time. */
static double spent(const struct ctd_budget_state *state)
{
	return 100 * (double)state->cost_ns / (double)state->capacity_ns;
}

static void tell(const struct ctd_budget_state *state, const struct ctd_budget_change *change)
{
	double limit = (double)state->limit_ppm / 1e4;
	const char *text = ctd_budget_part_text(change->part);

	switch (change->step) {
	case CTD_BUDGET_GIVE_UP:
		ctd_warn(
			"over the budget: %.3g%% of the machine's CPU time where %.3g%% is allowed: given up: %s",
			spent(state), limit, text);
		break;
	case CTD_BUDGET_BRING_BACK:
		ctd_info(
			"within the budget: %.3g%% of the machine's CPU time where %.3g%% is allowed: back again: %s",
			spent(state), limit, text);
		break;
	case CTD_BUDGET_EXCEEDED:
		ctd_warn(
			"over the budget: %.3g%% of the machine's CPU time where %.3g%% is allowed, and nothing is left to give up: going on",
			spent(state), limit);
		break;
	case CTD_BUDGET_WITHIN:
		ctd_info(
			"within the budget again: %.3g%% of the machine's CPU time where %.3g%% is allowed",
			spent(state), limit);
		break;
	default:
		break;
	}
}

static uint32_t count_online(const struct ctd_cpu_set *cpus)
{
	uint32_t online = 0;

	for (int cpu = 0; cpu < cpus->count; cpu++)
		online += cpus->online[cpu];
	return online;
}

int ctd_collector_keep_budget(struct ctd_collector *collector, ctd_take_snapshot *take,
			      void *context)
{
	struct ctd_budget *budget = &collector->budget;
	uint64_t now_ns = ctd_monotonic_ns();
	struct ctd_budget_parts parts;
	struct ctd_budget_change change;
	int error = 0, lack = 0;

	if (now_ns < ctd_budget_next_ns(budget))
		return 0;
	parts = ctd_collector_parts(collector);
	change = ctd_budget_look(budget, now_ns, ctd_collector_cost_ns(collector),
				 count_online(&collector->cpus), &parts);
	if (change.step == CTD_BUDGET_GIVE_UP || change.step == CTD_BUDGET_BRING_BACK) {
		error = ctd_collector_apply(collector, change.part, take, context, &lack);
		if (lack)
			ctd_budget_refuse(budget, &change,
					  lack == -EAGAIN ? CTD_BUDGET_BUSY_WINDOWS
							  : CTD_BUDGET_BARRED_WINDOWS);
		ctd_budget_settle(budget, ctd_monotonic_ns(), ctd_collector_cost_ns(collector));
	}
	/* Why it could not be done was logged. */
	if (!error && !lack)
		tell(&budget->state, &change);
	collector->shown_budget = budget->state;
	return error;
}
