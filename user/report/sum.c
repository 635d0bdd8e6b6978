/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.c - all rows of a report, added up. */
#include <cgtopdown/report.h>

#include <string.h>

/* A quality of less than this part of the slots says nothing of their sum, as in rollups. */
#define QUALITY_SHARE 0.01

/* @p slots: of each node so far. */
static void add_nodes(const struct ctd_report *report, const struct ctd_report_row *row,
		      double slots[CTD_NODES_MAX], struct ctd_report_sum *sum)
{
	for (int node = 0; node < report->model->nodes_count; node++) {
		if (!ctd_value_known(row->values[node]))
			continue;
		slots[node] += (double)row->slots;
		sum->values[node].ratio += row->values[node].ratio * (double)row->slots;
	}
}

/* The worst of those that matter. */
static enum ctd_quality quality_of(const double weight[CTD_LOW_CONFIDENCE + 1])
{
	double all = weight[CTD_OK] + weight[CTD_SCALED] + weight[CTD_LOW_CONFIDENCE];

	for (int i = CTD_LOW_CONFIDENCE; i > CTD_OK; i--)
		if (weight[i] > QUALITY_SHARE * all)
			return (enum ctd_quality)i;
	return CTD_OK;
}

/* In a tree a row includes those below it. Those of its core types are below the sum of them, too,
 * and are the row itself. */
static bool is_included(const struct ctd_report *report, const struct ctd_report_row *row)
{
	const struct ctd_report_row *above = row->parent < 0 ? NULL : &report->rows[row->parent];

	return above &&
	       (!above->core_sum || above->parent >= 0 || strcmp(above->name, row->name) != 0);
}

void ctd_report_add_up(const struct ctd_report *report, struct ctd_report_sum *ret_sum)
{
	struct ctd_report_sum sum = {0};
	double slots[CTD_NODES_MAX] = {0}, weight[CTD_LOW_CONFIDENCE + 1] = {0};

	for (size_t i = 0; i < report->rows_count; i++) {
		const struct ctd_report_row *row = &report->rows[i];

		if (row->core_sum || is_included(report, row))
			continue;
		if (row->kind == CTD_ROLLUP_IDLE) {
			sum.idle_ns += row->cpu_ns;
			continue;
		}
		sum.rows_count++;
		sum.cpu_ns += row->cpu_ns;
		if (!report->model || !row->slots_known)
			continue;
		add_nodes(report, row, slots, &sum);
		if (row->quality <= CTD_LOW_CONFIDENCE)
			weight[row->quality] += (double)row->slots;
	}
	for (int node = 0; node < CTD_NODES_MAX; node++) {
		bool known = slots[node] > 0;

		sum.known |= known;
		sum.values[node].ratio = known ? sum.values[node].ratio / slots[node] : 0;
		sum.values[node].quality = known ? quality_of(weight) : CTD_NO_DATA;
	}
	*ret_sum = sum;
}
