/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* own_model.h - a line through a container's own past that its bad times do not bend. */
#ifndef NEIGHBOUR_OWN_MODEL_H
#define NEIGHBOUR_OWN_MODEL_H

#include <stdbool.h>
#include <stddef.h>

/* y = base + slope[0] (x0 - mean[0]) + slope[1] (x1 - mean[1]) */
struct ctd_own_model {
	double base, slope[2], mean[2];
};

/*
 * Fits by iteratively reweighted least squares with Tukey's biweight (Beaton and Tukey, 1974), from
 * Huber's on: what lies far from most samples has no weight at the end. @p y and @p x: @p count
 * samples, at least 3.
 */
void ctd_own_model_fit(struct ctd_own_model *model, size_t count, const float *y, const float *x0,
		       const float *x1);

static inline double ctd_own_model_expects(const struct ctd_own_model *model, double x0, double x1)
{
	return model->base + model->slope[0] * (x0 - model->mean[0]) +
	       model->slope[1] * (x1 - model->mean[1]);
}

#endif
