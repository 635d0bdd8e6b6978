/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* set.h - a model's formulas and conditions, compiled. */
#ifndef METRIC_SET_H
#define METRIC_SET_H

#include <cgtopdown/metric.h>

#include "metric/expr.h"
#include "metric/shared.h"

/* Of each group its counts, and the time that these are of. */
#define METRIC_GROUP_INPUTS (CTD_COUNTERS_MAX + 1)
#define METRIC_INPUTS ((size_t)CTD_GROUPS_MAX * METRIC_GROUP_INPUTS)

struct ctd_metric_set {
	const struct ctd_cpu_model *model; /* borrowed */
	struct ctd_expr *formulas[CTD_NODES_MAX]; /* owned */
	struct ctd_expr *conditions[CTD_NODES_MAX]; /* owned; NULL where there is none */
	/* All formulas: of the nodes, and of the IPC group, which is the first there. */
	struct ctd_shared shared[2];
	uint32_t place[CTD_NODES_MAX]; /* of each node's value */
	size_t end[CTD_NODES_MAX]; /* so many operations lead to it */
};

#endif
