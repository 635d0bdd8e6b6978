/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* parts.c - what of a measurement can be given up for its budget, and gives it up. */
#include "collect/collector.h"

#include <errno.h>

#include "base/log.h"

/* Steps of the rotation are so many times as long. */
#define STEP_FACTOR 5
/* How it takes effect. */
enum way {
	BY_REPLACEMENT, /* other programs and counters take the place of the present ones */
	BY_SAMPLER,
	BY_LENGTH, /* of what begins next */
};

static bool gave_up(const struct ctd_collector *collector, enum ctd_budget_part part)
{
	return ctd_budget_gave_up(&collector->budget.state, part);
}

static bool has_waits(const struct ctd_collector *collector)
{
	return collector->options.waits && collector->caps.answer[CTD_CAP_WAITS].present;
}

static bool has_sampler(const struct ctd_collector *collector)
{
	return collector->options.sampler;
}

/* Would longer rotation steps mean fewer of them? Only if several groups rotate and the interval
 * holds two rounds. */
static bool rotates(const struct ctd_collector *collector)
{
	const struct ctd_counters *counters = &collector->counting.source->counters;
	uint64_t interval_ns = collector->options.budget.interval_ns;
	uint64_t round_ns = (uint64_t)counters->groups_count * CTD_ROTATION_STEP_NS;

	return counters->groups_count > 1 && (!interval_ns || interval_ns >= 2 * round_ns);
}

static bool has_general(const struct ctd_collector *collector)
{
	const struct ctd_source *source = collector->counting.source;
	bool has = false;

	for (int type = 0; type < source->core_types_count; type++)
		has |= source->plans[type].ipc;
	return has;
}

/* Is there a group of the tree, on any core type, that is only of level 2, or a deeper node in that
 * of level 1? */
static bool has_level2(const struct ctd_collector *collector)
{
	const struct ctd_source *source = collector->counting.source;
	bool has = false;

	for (int type = 0; type < source->core_types_count; type++) {
		const struct ctd_counter_plan *plan = &source->plans[type];
		int groups = ctd_plan_own_groups(plan) - plan->ipc;

		/* Of a vendor's tree there is no level to give up. */
		if (plan->model && (!plan->rotation || plan->beside_groups))
			has |= groups > 1 ||
			       ctd_cpu_model_level(plan->model, plan->counters_count) > 1;
	}
	return has;
}

static bool has_intervals(const struct ctd_collector *collector)
{
	uint64_t interval_ns = collector->options.budget.interval_ns;

	return interval_ns && interval_ns < CTD_BUDGET_INTERVAL_NS;
}

static const struct {
	bool (*is_measured)(const struct ctd_collector *collector); /* if it is not given up */
	enum way way;
} parts[CTD_BUDGET_PARTS] = {
	[CTD_BUDGET_WAITS] = {has_waits, BY_REPLACEMENT},
	[CTD_BUDGET_FREQUENCY] = {has_sampler, BY_SAMPLER},
	[CTD_BUDGET_ROTATION] = {rotates, BY_LENGTH},
	[CTD_BUDGET_GENERAL] = {has_general, BY_REPLACEMENT},
	[CTD_BUDGET_LEVEL] = {has_level2, BY_REPLACEMENT},
	[CTD_BUDGET_INTERVAL] = {has_intervals, BY_LENGTH},
};

struct ctd_budget_parts ctd_collector_parts(const struct ctd_collector *collector)
{
	const struct ctd_budget_options *options = &collector->options.budget;
	struct ctd_budget_parts bits = {.asked_for = options->asked_for};

	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		if (parts[part].is_measured(collector) &&
		    !(options->keeps_plan && parts[part].way == BY_REPLACEMENT))
			bits.measured |= UINT64_C(1) << part;
	return bits;
}

/* The thread that samples may wait for a file meanwhile: -EAGAIN. */
static int thin_sampler(struct ctd_collector *collector)
{
	int error;

	if (!ctd_collector_try_sampler(collector))
		return ctd_log_error(-EAGAIN, "change how often stacks are sampled");
	error = ctd_collector_thin(collector, collector->counting.sampler);
	ctd_collector_release_sampler(collector);
	return error;
}

int ctd_collector_apply(struct ctd_collector *collector, enum ctd_budget_part part,
			ctd_take_snapshot *take, void *context, int *ret_lack)
{
	struct ctd_source_wishes wishes = collector->options.wishes;

	*ret_lack = 0;
	collector->steps.length = gave_up(collector, CTD_BUDGET_ROTATION) ? STEP_FACTOR : 1;
	if (parts[part].way == BY_SAMPLER)
		*ret_lack = thin_sampler(collector);
	if (parts[part].way != BY_REPLACEMENT)
		return 0;
	if (gave_up(collector, CTD_BUDGET_LEVEL))
		wishes.level = 1;
	if (gave_up(collector, CTD_BUDGET_GENERAL))
		wishes.ipc = false;
	return ctd_collector_change(collector, &wishes, take, context, ret_lack);
}
