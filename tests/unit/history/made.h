/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* made.h - intervals with random figures, and what they add up to, for tests of histories. */
#ifndef TESTS_UNIT_HISTORY_MADE_H
#define TESTS_UNIT_HISTORY_MADE_H

#include <cgtopdown/interval.h>
#include <cgtopdown/record.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decode/rows.h"

#define MADE_COUNTERS 5
#define MADE_BEGIN_NS 1700000000000000000ull
#define MADE_S 1000000000ull

static inline struct ctd_record_header made_header(void)
{
	return (struct ctd_record_header){.source = "perf_metrics",
					  .model = "sunny_cove",
					  .counters_count = MADE_COUNTERS,
					  .groups_count = 1,
					  .host = "host",
					  .version = "0.1.0",
					  .hierarchy = "v2"};
}

static inline uint64_t made_count(void)
{
	return ((uint64_t)random() << 31 | (uint64_t)random()) >> (random() % 60);
}

/* One of @p cgroups cgroups, some of which did not run, idle time and kernel threads. Ends @p
 * second seconds after the begin. */
static inline struct ctd_interval made_interval(uint64_t second, uint64_t cgroups)
{
	struct ctd_interval interval = {
		.realtime_ns = MADE_BEGIN_NS + second * MADE_S,
		.window_ns = MADE_S,
		.sequence = second,
		.counters_count = MADE_COUNTERS,
		.groups_count = 1,
		.cpus_online = 4,
	};

	if (ctd_interval_reserve(&interval, cgroups + 2) || ctd_interval_reserve_totals(&interval))
		abort();
	for (uint64_t i = 0; i < cgroups + 2; i++) {
		struct ctd_interval_row *row = &interval.rows[interval.rows_count];

		if (i < cgroups && random() % 4 == 0)
			continue;
		interval.rows_count++;
		row->kind = i < cgroups	   ? CTD_ROW_CGROUP
			    : i == cgroups ? CTD_ROW_IDLE
					   : CTD_ROW_KERNEL;
		row->cgroup_id = i < cgroups ? 1000 + 3 * i : 0;
		row->oncpu_ns = made_count();
		row->running_ns = random() % 3 ? row->oncpu_ns : row->oncpu_ns / 2;
		row->slices = made_count();
		row->switches = made_count();
		row->quality = row->running_ns == row->oncpu_ns ? CTD_OK : CTD_SCALED;
		for (int k = 0; k < MADE_COUNTERS; k++) {
			row->raw[k] = made_count();
			row->count[k] = row->quality == CTD_OK ? row->raw[k] : 2 * row->raw[k];
			interval.totals[0].total[k] += row->raw[k];
		}
		row->group_ns[0] = row->running_ns;
		row->count_ns[0] = row->quality == CTD_OK ? row->running_ns : row->oncpu_ns;
	}
	for (int k = 0; k < MADE_COUNTERS; k++) {
		interval.totals[0].unattributed[k] = made_count() >> 20;
		interval.totals[0].residual[k] = random() % 100 - 50;
		interval.totals[0].total[k] += interval.totals[0].unattributed[k] +
					       (uint64_t)interval.totals[0].residual[k];
	}
	interval.totals[0].cpus_online = 4;
	interval.unattributed_ns = made_count();
	for (int i = 0; i < CTD_HEALTH_COUNTERS; i++)
		interval.health.count[i] = made_count() >> 8;
	interval.health.l1_sum_over_slots = (struct ctd_value){NAN, CTD_UNSUPPORTED};
	interval.health.ns_per_switch = NAN;
	return interval;
}

/* All figures of all intervals, whatever their rows: what coarsening must not change. */
struct made_sum {
	uint64_t window_ns, unattributed_ns, oncpu_ns, running_ns, slices, switches, group_ns,
		count_ns, raw[MADE_COUNTERS], count[MADE_COUNTERS], total[MADE_COUNTERS],
		unattributed[MADE_COUNTERS], residual[MADE_COUNTERS], health[CTD_HEALTH_COUNTERS],
		by_cgroup[64];
};

static inline void made_add(struct made_sum *sum, const struct ctd_interval *interval)
{
	const struct ctd_interval_totals *totals = &interval->totals[0];

	sum->window_ns += interval->window_ns;
	sum->unattributed_ns += interval->unattributed_ns;
	for (size_t i = 0; i < interval->rows_count; i++) {
		const struct ctd_interval_row *row = &interval->rows[i];

		sum->oncpu_ns += row->oncpu_ns;
		sum->running_ns += row->running_ns;
		sum->slices += row->slices;
		sum->switches += row->switches;
		sum->group_ns += row->group_ns[0];
		sum->count_ns += row->count_ns[0];
		sum->by_cgroup[row->cgroup_id % 64] += row->raw[0];
		for (int k = 0; k < MADE_COUNTERS; k++) {
			sum->raw[k] += row->raw[k];
			sum->count[k] += row->count[k];
		}
	}
	for (int k = 0; k < MADE_COUNTERS; k++) {
		sum->total[k] += totals->total[k];
		sum->unattributed[k] += totals->unattributed[k];
		sum->residual[k] += (uint64_t)totals->residual[k];
	}
	for (int i = 0; i < CTD_HEALTH_COUNTERS; i++)
		sum->health[i] += interval->health.count[i];
}

#endif
