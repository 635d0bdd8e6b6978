/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - vendors' metrics of the rows of a report. */
#include "report/entries.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/auto.h"

/* Values are of each core type of each row of the rollup, whatever is shown of them in which order:
 * they may decide it. */
static size_t place_of(const struct ctd_rollup *rollup, size_t row, int core_type)
{
	return row * (size_t)rollup->plan->core_types_count + (size_t)core_type;
}

static size_t groups_count(const struct ctd_report *report)
{
	return (size_t)report->vendor->rotation.groups_count;
}

static int reserve(const struct ctd_rollup *rollup, struct ctd_report *report)
{
	const struct ctd_vendor_counting *vendor = report->vendor;
	/* One more row for the sum of those cut off. */
	size_t places = place_of(rollup, rollup->rows_count + 1, 0) + 1;

	report->vendor_values =
		calloc(places, (vendor->metrics_count + 1) * sizeof(*report->vendor_values));
	report->vendor_coverage =
		calloc(places, (groups_count(report) + 1) * sizeof(*report->vendor_coverage));
	return report->vendor_values && report->vendor_coverage ? 0 : -ENOMEM;
}

int ctd_report_vendor_groups(const struct ctd_rollup_plan *plan, const struct ctd_rollup_part *part,
			     const struct ctd_vendor_counting *vendor)
{
	int groups = vendor->rotation.groups_count;

	/* Where counters were lost there are none. */
	if (!part->count || plan->counters_count != vendor->rotation.events_count)
		return 0;
	/* Groups do not rotate on CPUs that must not be disturbed: only the first one counted. */
	return groups > plan->groups_count ? plan->groups_count : groups;
}

int ctd_report_evaluate_vendor(const struct ctd_rollup *rollup, size_t from,
			       struct ctd_report *report)
{
	size_t first = place_of(rollup, from, 0), end = place_of(rollup, rollup->rows_count, 0);
	autofree struct ctd_vendor_counted_row *counted = calloc(end - first + 1, sizeof(*counted));
	int r = report->vendor_values ? 0 : reserve(rollup, report);

	if (!counted || r)
		return -ENOMEM;
	for (size_t place = first; place < end; place++) {
		const struct ctd_rollup_row *row =
			&rollup->rows[place / (size_t)rollup->plan->core_types_count];
		const struct ctd_rollup_part *part =
			&row->parts[place % (size_t)rollup->plan->core_types_count];
		int groups = ctd_report_vendor_groups(rollup->plan, part, report->vendor);

		counted[place - first] =
			(struct ctd_vendor_counted_row){groups, part->count, part->count_ns};
		for (int group = 0; part->cpu_ns && group < groups; group++)
			report->vendor_coverage[place * groups_count(report) + (size_t)group] =
				(double)part->group_ns[group] / (double)part->cpu_ns;
	}
	ctd_vendor_counting_evaluate(report->vendor, counted, end - first,
				     &report->vendor_values[first * report->vendor->metrics_count]);
	return 0;
}

void ctd_report_take_vendor(const struct ctd_rollup *rollup, size_t row, int core_type,
			    struct ctd_report_row *ret_row)
{
	ret_row->quality = ctd_rollup_part_quality(&rollup->rows[row].parts[core_type]);
	ret_row->vendor_place = place_of(rollup, row, core_type);
}

double ctd_report_vendor_largest(const struct ctd_report *report, const struct ctd_rollup *rollup,
				 size_t row, int metric)
{
	const struct ctd_vendor_counting *vendor = report->vendor;
	double scale = vendor->table->metrics[vendor->metrics[metric].metric].scale;
	double largest = -INFINITY;

	for (int type = 0; type < rollup->plan->core_types_count; type++) {
		size_t at = place_of(rollup, row, type) * vendor->metrics_count + (size_t)metric;
		double value = report->vendor_values[at].value * scale;

		/* Unknown ones come last. */
		if (value > largest)
			largest = value;
	}
	return largest;
}

const struct ctd_vendor_value *ctd_report_vendor_values(const struct ctd_report *report,
							const struct ctd_report_row *row)
{
	if (!report->vendor || row->core_sum)
		return NULL;
	return &report->vendor_values[row->vendor_place * report->vendor->metrics_count];
}

double ctd_report_vendor_coverage(const struct ctd_report *report, const struct ctd_report_row *row,
				  size_t index)
{
	int group = report->vendor->metrics[index].group;

	return group < 0 ? 0
			 : report->vendor_coverage[row->vendor_place * groups_count(report) +
						   (size_t)group];
}
