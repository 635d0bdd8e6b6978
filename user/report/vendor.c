/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.c - vendors' metrics of the rows of a report. */
#include "report/entries.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/auto.h"

/* How many of a core type's groups of counters there are; 0: it counts no metrics. */
static size_t groups_count(const struct ctd_report *report, int core_type)
{
	const struct ctd_vendor_counting *counting = report->vendor->of[core_type];

	return counting ? (size_t)counting->rotation.groups_count : 0;
}

/* Where cores were told apart and no counters are left, there is one core type. */
static int core_types_count(const struct ctd_report *report, const struct ctd_rollup *rollup)
{
	int planned = rollup->plan->core_types_count, counted = report->vendor->core_types_count;

	return planned < counted ? planned : counted;
}

/* Values are of each row of the rollup, whatever is shown of them in which order: they may decide
 * it. One more is for the sum of those cut off. */
static int reserve(const struct ctd_rollup *rollup, int core_type, struct ctd_report *report)
{
	size_t rows = rollup->rows_count + 1;

	report->vendor_values[core_type] =
		calloc(rows, (report->vendor->of[core_type]->metrics_count + 1) *
				     sizeof(*report->vendor_values[core_type]));
	report->vendor_coverage[core_type] =
		calloc(rows, (groups_count(report, core_type) + 1) *
				     sizeof(*report->vendor_coverage[core_type]));
	return report->vendor_values[core_type] && report->vendor_coverage[core_type] ? 0 : -ENOMEM;
}

int ctd_report_vendor_groups(const struct ctd_rollup_plan *plan, const struct ctd_rollup_part *part,
			     const struct ctd_vendor_counting *counting)
{
	int groups = counting->rotation.groups_count;

	/* Where counters were lost there are none. */
	if (!part->count || plan->counters_count != counting->rotation.events_count)
		return 0;
	/* Groups do not rotate on CPUs that must not be disturbed: only the first one counted. */
	return groups > plan->groups_count ? plan->groups_count : groups;
}

/* By the formulas of the core type, of its own counts. */
static int evaluate(const struct ctd_rollup *rollup, size_t from, int core_type,
		    struct ctd_report *report)
{
	const struct ctd_vendor_counting *counting = report->vendor->of[core_type];
	size_t groups_max = groups_count(report, core_type), rows = rollup->rows_count - from;
	autofree struct ctd_vendor_counted_row *counted = calloc(rows + 1, sizeof(*counted));
	int r = report->vendor_values[core_type] ? 0 : reserve(rollup, core_type, report);

	if (!counted || r)
		return -ENOMEM;
	for (size_t i = 0; i < rows; i++) {
		const struct ctd_rollup_part *part = &rollup->rows[from + i].parts[core_type];
		double *coverage = &report->vendor_coverage[core_type][(from + i) * groups_max];
		int groups = ctd_report_vendor_groups(rollup->plan, part, counting);

		counted[i] = (struct ctd_vendor_counted_row){groups, part->count, part->count_ns};
		for (int group = 0; part->cpu_ns && group < groups; group++)
			coverage[group] = (double)part->group_ns[group] / (double)part->cpu_ns;
	}
	ctd_vendor_counting_take_latencies(counting, rollup->health.latencies.of[core_type]);
	ctd_vendor_counting_evaluate(
		counting, counted, rows,
		&report->vendor_values[core_type][from * counting->metrics_count]);
	return 0;
}

int ctd_report_evaluate_vendor(const struct ctd_rollup *rollup, size_t from,
			       struct ctd_report *report)
{
	int r = 0;

	for (int type = 0; r == 0 && type < core_types_count(report, rollup); type++)
		if (report->vendor->of[type])
			r = evaluate(rollup, from, type, report);
	return r;
}

void ctd_report_take_vendor(const struct ctd_rollup *rollup, size_t row, int core_type,
			    struct ctd_report_row *ret_row)
{
	ret_row->quality = ctd_rollup_part_quality(&rollup->rows[row].parts[core_type]);
	ret_row->vendor_place = row;
}

double ctd_report_vendor_largest(const struct ctd_report *report, const struct ctd_rollup *rollup,
				 size_t row, int column)
{
	double largest = -INFINITY;

	for (int type = 0; type < core_types_count(report, rollup); type++) {
		const struct ctd_vendor_counting *counting = report->vendor->of[type];
		int index = report->vendor->columns[column].index[type];
		double value;

		if (index < 0)
			continue;
		value = report->vendor_values[type][row * counting->metrics_count + (size_t)index]
				.value *
			counting->table->metrics[counting->metrics[index].metric].scale;
		/* Unknown ones come last. */
		if (value > largest)
			largest = value;
	}
	return largest;
}

const struct ctd_vendor_counting *ctd_report_vendor(const struct ctd_report *report,
						    const struct ctd_report_row *row)
{
	if (!report->vendor || row->core_sum || row->core_type >= report->vendor->core_types_count)
		return NULL;
	return report->vendor->of[row->core_type];
}

const struct ctd_vendor_value *ctd_report_vendor_values(const struct ctd_report *report,
							const struct ctd_report_row *row)
{
	const struct ctd_vendor_counting *counting = ctd_report_vendor(report, row);

	if (!counting)
		return NULL;
	return &report->vendor_values[row->core_type][row->vendor_place * counting->metrics_count];
}

int ctd_report_vendor_index(const struct ctd_report *report, const struct ctd_report_row *row,
			    size_t column)
{
	return ctd_report_vendor(report, row)
		       ? report->vendor->columns[column].index[row->core_type]
		       : -1;
}

const char *ctd_report_vendor_lack(const struct ctd_report *report, size_t column, int core_type)
{
	const struct ctd_vendor_counting *counting = report->vendor->of[core_type];
	int index = report->vendor->columns[column].index[core_type];

	if (index >= 0)
		return counting->metrics[index].why;
	if (!counting && *report->core_types[core_type].why)
		return report->core_types[core_type].why;
	return counting ? "not among the metrics of this core type that are asked for"
			: "no metrics are counted here";
}

double ctd_report_vendor_coverage(const struct ctd_report *report, const struct ctd_report_row *row,
				  size_t index)
{
	const double *coverage = report->vendor_coverage[row->core_type];
	int group = ctd_report_vendor(report, row)->metrics[index].group;

	return group < 0 ? 0
			 : coverage[row->vendor_place * groups_count(report, row->core_type) +
				    (size_t)group];
}

enum ctd_vendor_means ctd_report_vendor_means(const struct ctd_report *report, int core_type,
					      size_t index)
{
	return ctd_vendor_counting_means(report->vendor->of[core_type], index,
					 report->health.latencies.of[core_type]);
}
