/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* metrics.h - a model's formulas, compiled when a test first asks for them. */
#ifndef TESTS_METRICS_H
#define TESTS_METRICS_H

#include <cgtopdown/metric.h>

#include <stdio.h>
#include <stdlib.h>

/* Kept until the test ends. */
static inline struct ctd_metric_set *metrics_of(const struct ctd_cpu_model *model)
{
	static struct {
		const struct ctd_cpu_model *model;
		struct ctd_metric_set *set;
	} known[64];
	size_t i = 0;

	while (known[i].model && known[i].model != model)
		i++;
	if (!known[i].model && ctd_metric_set_new(model, &known[i].set)) {
		fprintf(stderr, "%s: a formula is not one\n", model->name);
		abort();
	}
	known[i].model = model;
	return known[i].set;
}

static inline double node_value(const struct ctd_cpu_model *model, int node, const double *count)
{
	return ctd_metric_value(metrics_of(model), node, count);
}

#endif
