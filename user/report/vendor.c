/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - vendors' metrics of the rows of a report. */
#include "report/entries.h"

#include <errno.h>
#include <stdlib.h>

static size_t groups_count(const struct ctd_report *report)
{
	return (size_t)report->vendor->rotation.groups_count;
}

static size_t index_of(const struct ctd_report *report, const struct ctd_report_row *row)
{
	return (size_t)(row - report->rows);
}

int ctd_report_reserve_vendor(struct ctd_report *report, size_t rows)
{
	const struct ctd_vendor_counting *vendor = report->vendor;

	report->vendor_values =
		calloc(rows + 1, (vendor->metrics_count + 1) * sizeof(*report->vendor_values));
	report->vendor_coverage =
		calloc(rows + 1, (groups_count(report) + 1) * sizeof(*report->vendor_coverage));
	return report->vendor_values && report->vendor_coverage ? 0 : -ENOMEM;
}

void ctd_report_take_vendor(struct ctd_report *report, const struct ctd_rollup_plan *plan,
			    const struct ctd_rollup_part *part, struct ctd_report_row *row)
{
	size_t groups = groups_count(report), at = index_of(report, row);
	double *coverage = &report->vendor_coverage[at * groups];

	/* Groups do not rotate on CPUs that must not be disturbed: only the first one counted. */
	if (groups > (size_t)report->groups_count)
		groups = (size_t)report->groups_count;
	/* Where counters were lost there are none. */
	if (plan->counters_count != report->vendor->rotation.events_count)
		groups = 0;
	row->quality = ctd_rollup_part_quality(part);
	for (size_t group = 0; part->cpu_ns && group < groups; group++)
		coverage[group] = (double)part->group_ns[group] / (double)part->cpu_ns;
	ctd_vendor_counting_evaluate(report->vendor, part->count, part->count_ns, (int)groups,
				     &report->vendor_values[at * report->vendor->metrics_count]);
}

const struct ctd_vendor_value *ctd_report_vendor_values(const struct ctd_report *report,
							const struct ctd_report_row *row)
{
	if (!report->vendor || row->core_sum)
		return NULL;
	return &report->vendor_values[index_of(report, row) * report->vendor->metrics_count];
}

double ctd_report_vendor_coverage(const struct ctd_report *report, const struct ctd_report_row *row,
				  size_t index)
{
	int group = report->vendor->metrics[index].group;

	return group < 0 ? 0
			 : report->vendor_coverage[index_of(report, row) * groups_count(report) +
						   (size_t)group];
}
