/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* state.c - what the counters are good for, judged by what they counted beside the CPU time. */
#include "ledger/ledger.h"

#include <math.h>

/* Less of the CPU time is noise: slices at either end of a reading, a CPU that just came. */
#define NOTABLE_RATIO 0.01
/* A CPU that runs at all does so faster than this, and every cycle has a slot. */
#define SLOWEST_HZ 1e6
/* What is lost of the time that others have is less. */
#define OTHERS_TURN_RATIO 0.1
/* So much of bad speculation is nobody's program, but a register that reads as one thing. */
#define ALL_BAD_RATIO 0.999

/* Of one core type. */
struct sums {
	uint64_t cpu_ns, counted_ns; /* of all rows */
	uint64_t own_ns; /* of counted_ns: by groups of the plan, and none beside these */
	uint64_t busy_ns, busy_counted_ns, busy_slots; /* without idle, which may be halted */
	uint64_t judged_slots; /* of those, where bad speculation is known */
	uint64_t bad_slots;
	uint64_t untrusted_slots; /* their parts contradict them */
};

/* Not if it only ran in steps of groups beside the plan's, which know its slots and nothing else. */
static bool was_counted(const struct ctd_rollup_part *part, const struct ctd_rollup_plan *plan)
{
	bool counted = !part->count;

	for (int group = 0; !counted && group < plan->groups_count; group++)
		counted = part->count[(size_t)group * (size_t)plan->counters_count];
	return counted;
}

static void add_part(const struct ctd_rollup_plan *plan, const struct ctd_rollup_part *part,
		     bool idle, int bad, struct sums *sums)
{
	sums->cpu_ns += part->cpu_ns;
	sums->counted_ns += part->counted_ns;
	if (idle)
		return;
	sums->busy_ns += part->cpu_ns;
	sums->busy_counted_ns += part->counted_ns;
	if (!part->slots_known)
		return;
	sums->busy_slots += part->slots;
	if (part->quality == CTD_NO_DATA && was_counted(part, plan))
		sums->untrusted_slots += part->slots;
	if (bad >= 0 && ctd_value_known(part->values[bad])) {
		sums->judged_slots += part->slots;
		sums->bad_slots += part->node_slots[bad];
	}
}

/* Groups beside those of the plan may count while its own do not. */
static uint64_t own_ns_of(const struct ctd_rollup *rollup, const struct ctd_rollup_part *part)
{
	uint64_t own_ns = 0;

	if (!rollup->beside || !part->group_ns)
		return part->counted_ns;
	for (int group = 0; group < rollup->plan->groups_count; group++)
		own_ns += part->group_ns[group];
	return own_ns;
}

static void add_up(const struct ctd_rollup *rollup, struct sums *sums)
{
	const struct ctd_rollup_plan *plan = rollup->plan;
	int bad[CTD_CORE_TYPES_MAX];

	for (int type = 0; type < plan->core_types_count; type++) {
		const struct ctd_cpu_model *model = plan->core_types[type].model;

		bad[type] = model ? ctd_cpu_model_node(model, CTD_ROLE_BAD_SPECULATION) : -1;
	}
	for (size_t i = 0; i < rollup->rows_count; i++) {
		const struct ctd_rollup_row *row = &rollup->rows[i];

		for (int type = 0; type < plan->core_types_count; type++) {
			sums[type].own_ns += own_ns_of(rollup, &row->parts[type]);
			add_part(plan, &row->parts[type], row->kind == CTD_ROLLUP_IDLE, bad[type],
				 &sums[type]);
		}
	}
}

static bool is_implausible(const struct ctd_rollup *rollup, int core_type, const struct sums *sums)
{
	const struct ctd_value level1 = rollup->health.l1_sum_over_slots;

	/* That is of the first core type. */
	if (core_type == 0 && ctd_value_known(level1) &&
	    fabs(level1.ratio - 1) > CTD_L1_TOLERANCE_RATIO)
		return true;
	if ((double)rollup->totals[core_type].empty_ns > (double)sums->busy_ns * NOTABLE_RATIO)
		return true;
	if (!rollup->plan->core_types[core_type].model->slots_per_count)
		return false;
	return sums->untrusted_slots > sums->busy_slots / 2 ||
	       (sums->busy_counted_ns > 0 &&
		(double)sums->busy_slots < (double)sums->busy_counted_ns * SLOWEST_HZ / 1e9) ||
	       (sums->judged_slots >= CTD_SLOTS_CONFIDENT &&
		(double)sums->bad_slots >= (double)sums->judged_slots * ALL_BAD_RATIO);
}

/* In a short interval all of the time may be that of groups beside the plan's. */
static bool had_turn(const struct sums *sums)
{
	return sums->own_ns || !sums->counted_ns ||
	       (double)sums->counted_ns < (double)sums->cpu_ns * (1 - OTHERS_TURN_RATIO);
}

static enum ctd_pmu_state judge(const struct ctd_rollup *rollup, int core_type,
				const struct sums *sums, bool counted)
{
	const struct ctd_core_type *type = &rollup->plan->core_types[core_type];

	if (!type->model || !type->counters_count)
		return type->held ? CTD_PMU_STARVED : CTD_PMU_ABSENT;
	if (is_implausible(rollup, core_type, sums))
		return CTD_PMU_IMPLAUSIBLE;
	if (!counted && had_turn(sums))
		return CTD_PMU_NEVER_RAN;
	if (!sums->own_ns && had_turn(sums))
		return CTD_PMU_STARVED;
	return (double)sums->counted_ns < (double)sums->cpu_ns * (1 - NOTABLE_RATIO)
		       ? CTD_PMU_MULTIPLEXED
		       : CTD_PMU_LIVE;
}

void ctd_pmu_judge(struct ctd_ledger *ledger, const struct ctd_rollup *rollup,
		   const struct ctd_plan_map *map)
{
	struct sums sums[CTD_CORE_TYPES_MAX] = {0};

	add_up(rollup, sums);
	for (int type = 0; type < rollup->plan->core_types_count; type++) {
		int at = map->core_type[type];

		ledger->counted[at] |= sums[type].own_ns > 0;
		ledger->newest.core_types[at].state =
			judge(rollup, type, &sums[type], ledger->counted[at]);
	}
}

const char *ctd_pmu_state_name(enum ctd_pmu_state state)
{
	static const char *const names[CTD_PMU_STATES] = {
		[CTD_PMU_ABSENT] = "absent",	       [CTD_PMU_NEVER_RAN] = "never_ran",
		[CTD_PMU_STARVED] = "starved",	       [CTD_PMU_MULTIPLEXED] = "multiplexed",
		[CTD_PMU_IMPLAUSIBLE] = "implausible", [CTD_PMU_LIVE] = "live",
	};

	return names[state];
}
