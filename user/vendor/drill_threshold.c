/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill_threshold.c - the threshold of each metric of a tree, also where its vendor has none. */
#include "vendor/drill.h"

#include <math.h>
#include <string.h>

/* Where the vendor has no thresholds (AMD, Arm): in per cent of the whole, about as in Intel's
 * tree. */
#define TOP_PERCENT 20
#define PART_PERCENT 10

static const struct ctd_vendor_metric *metric_of(const struct ctd_drill *drill, size_t index)
{
	const struct ctd_vendor_counting *counting = drill->counting;

	return &counting->table->metrics[counting->metrics[index].metric];
}

static bool is_top(const struct ctd_vendor_metric *metric, const char *name)
{
	size_t bytes = strlen(metric->name), rest = strlen(name);

	return metric->level == 1 && bytes >= rest &&
	       strcasecmp(metric->name + bytes - rest, name) == 0;
}

bool ctd_drill_retires(const struct ctd_vendor_metric *metric)
{
	return is_top(metric, "retiring");
}

/* What cannot be counted is passed by: nothing tells whether its parts are to be looked at. What
 * the other thread of the core took (AMD's tree has it) is nothing that the row does. */
int ctd_drill_parent(const struct ctd_vendor_counting *counting, size_t index)
{
	const struct ctd_vendor_metric *metric =
		&counting->table->metrics[counting->metrics[index].metric];
	int parent = counting->metrics[index].parent;

	while (parent >= 0 && counting->metrics[parent].group < 0)
		parent = counting->metrics[parent].parent;
	if (parent >= 0)
		return parent;
	return metric->level == 0 || is_top(metric, "smt_contention") ? CTD_DRILL_NOT_OF_TREE
								      : CTD_DRILL_TOP;
}

double ctd_drill_hot(const struct ctd_drill *drill, size_t index, const double *values)
{
	const struct ctd_vendor_metric *metric = metric_of(drill, index);
	size_t at = drill->counting->metrics[index].metric;

	if (isnan(values[at]))
		return NAN;
	if (*metric->threshold || metric->threshold_lacks)
		return ctd_vendor_hot(drill->counting->set, at, values);
	if (metric->level == 0 || drill->retires[index])
		return 0;
	if (!ctd_vendor_is_percent(metric))
		return NAN;
	return values[at] * metric->scale > (metric->level == 1 ? TOP_PERCENT : PART_PERCENT);
}

double ctd_drill_rank(const struct ctd_drill *drill, size_t index, double value)
{
	const struct ctd_vendor_metric *metric = metric_of(drill, index);

	return drill->retires[index] ? 0 : value * metric->scale;
}
