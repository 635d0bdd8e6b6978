/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* set.h - a model's formulas and conditions, compiled. */
#ifndef METRIC_SET_H
#define METRIC_SET_H

#include <cgtopdown/metric.h>

#include "metric/expr.h"

struct ctd_metric_set {
	const struct ctd_cpu_model *model; /* borrowed */
	struct ctd_expr *formulas[CTD_NODES_MAX]; /* owned */
	struct ctd_expr *conditions[CTD_NODES_MAX]; /* owned; NULL where there is none */
};

#endif
