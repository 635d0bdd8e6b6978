/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* one_kind.h - what a report that is written by hand says of its one kind of cores. */
#ifndef TESTS_ONE_KIND_H
#define TESTS_ONE_KIND_H

#include <cgtopdown/report.h>

#include "metrics.h"

/* Where all cores are alike, what is said of their kind is what is said of all. */
static inline void report_of_one_kind(struct ctd_report *report)
{
	report->cores_count = 1;
	report->cores[0] = (struct ctd_report_core){
		.source = report->source,
		.why = "",
		.model = report->model,
		.metrics = report->model ? metrics_of(report->model) : NULL,
		.counters_count = report->counters_count,
		.groups_count = report->groups_count,
		.general = report->general,
		.level = report->level,
		.cpus_online = report->cpus_online,
		.empty_ns = report->health.empty_ns,
		.slots_known = report->slots_known,
		.slots = report->slots,
		.unattributed_slots = report->unattributed_slots,
		.residual_slots = report->residual_slots,
	};
	for (int i = 0; i < CTD_NODES_MAX; i++)
		report->cores[0].column[i] = i;
}

#endif
