/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* state.c - what the counters are good for, judged by what they counted beside the CPU time. */
#include "ledger/ledger.h"

#include <math.h>
#include <string.h>

/* Less of the CPU time is noise: slices at either end of a reading, a CPU that just came. */
#define NOTABLE_RATIO 0.01
/* A CPU that runs at all does so faster than this, and every cycle has a slot. */
#define SLOWEST_HZ 1e6
/* So much of bad speculation is nobody's program, but a register that reads as one thing. */
#define ALL_BAD_RATIO 0.999

struct sums {
	double cpu_s, counted_s; /* of all rows */
	double busy_s, busy_counted_s, busy_slots; /* without idle, which may be halted */
	double judged_slots, bad_slots; /* of those, where bad speculation is known */
	double untrusted_slots; /* their parts contradict them */
};

static double coverage(const struct ctd_report_row *row)
{
	double sum = 0;

	for (int group = 0; group < CTD_GROUPS_MAX; group++)
		sum += row->coverage[group];
	return fmin(sum, 1);
}

static void add_row(const struct ctd_report_row *row, int bad, struct sums *sums)
{
	double counted_s = row->cpu_s * coverage(row);

	sums->cpu_s += row->cpu_s;
	sums->counted_s += counted_s;
	if (strcmp(row->kind, "idle") == 0)
		return;
	sums->busy_s += row->cpu_s;
	sums->busy_counted_s += counted_s;
	if (!row->slots_known)
		return;
	sums->busy_slots += (double)row->slots;
	if (row->values[0].quality == CTD_NO_DATA)
		sums->untrusted_slots += (double)row->slots;
	if (bad >= 0 && ctd_value_known(row->values[bad])) {
		sums->judged_slots += (double)row->slots;
		sums->bad_slots += row->values[bad].ratio * (double)row->slots;
	}
}

static bool is_of(const struct ctd_report *report, const struct ctd_report_row *row, int core)
{
	return !row->core_sum && ctd_row_core(report, row) == core;
}

static struct sums add_up(const struct ctd_report *report, int core)
{
	int bad = ctd_cpu_model_node(report->cores[core].model, CTD_ROLE_BAD_SPECULATION);
	struct sums sums = {0};

	for (size_t i = 0; i < report->rows_count; i++) {
		const struct ctd_report_row *row = &report->rows[i];
		struct ctd_report_row buffer;

		if (is_of(report, row, core))
			add_row(ctd_row_by_own_model(report, core, row, &buffer), bad, &sums);
	}
	return sums;
}

static bool is_implausible(const struct ctd_report *report, int core, const struct sums *sums)
{
	const struct ctd_value level1 = report->health.l1_sum_over_slots;

	/* That is of the first kind of cores. */
	if (core == 0 && ctd_value_known(level1) && fabs(level1.ratio - 1) > CTD_L1_TOLERANCE_RATIO)
		return true;
	if ((double)report->cores[core].empty_ns / 1e9 > sums->busy_s * NOTABLE_RATIO)
		return true;
	if (!report->cores[core].model->slots_per_count)
		return false;
	return sums->untrusted_slots > sums->busy_slots / 2 ||
	       (sums->busy_counted_s > 0 && sums->busy_slots < sums->busy_counted_s * SLOWEST_HZ) ||
	       (sums->judged_slots >= CTD_SLOTS_CONFIDENT &&
		sums->bad_slots >= sums->judged_slots * ALL_BAD_RATIO);
}

bool ctd_pmu_counted(const struct ctd_report *report, int core)
{
	for (size_t i = 0; report->cores[core].model && i < report->rows_count; i++) {
		if (is_of(report, &report->rows[i], core) && coverage(&report->rows[i]) > 0)
			return true;
	}
	return false;
}

enum ctd_pmu_state ctd_pmu_judge(const struct ctd_report *report, int core, bool counted)
{
	struct sums sums;

	if (!report->cores[core].model || !report->cores[core].counters_count)
		return CTD_PMU_ABSENT;
	sums = add_up(report, core);
	if (is_implausible(report, core, &sums))
		return CTD_PMU_IMPLAUSIBLE;
	if (!counted)
		return CTD_PMU_NEVER_RAN;
	if (sums.counted_s <= 0)
		return CTD_PMU_STARVED;
	return sums.counted_s < sums.cpu_s * (1 - NOTABLE_RATIO) ? CTD_PMU_MULTIPLEXED
								 : CTD_PMU_LIVE;
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
