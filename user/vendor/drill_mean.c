/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill_mean.c - a mean of figures that fades, and how far it may be off. */
#include "vendor/drill.h"

#include <math.h>

/*
 * How far figures of a tenth of a second each lie from their mean, before they have shown it: what
 * shares of a tenth of a second of a steady load do, twice over. It counts as much as so many
 * figures.
 */
#define SPREAD_LEAST 0.02
#define SPREAD_RATIO 0.2
#define SPREAD_FIGURES 3.0
/* A few figures may agree by chance. */
#define FEW_FIGURES 2.0

double ctd_drill_mean_error(const struct ctd_drill_mean *mean)
{
	double spread = SPREAD_LEAST + SPREAD_RATIO * fabs(mean->mean);

	if (mean->weight <= 0)
		return INFINITY;
	return (1 + FEW_FIGURES / mean->figures) *
	       sqrt((SPREAD_FIGURES * spread * spread + mean->squares) /
		    (SPREAD_FIGURES + mean->figures) / mean->weight);
}

struct ctd_drill_mean ctd_drill_mean_fade(const struct ctd_drill_mean *mean, double fades)
{
	return (struct ctd_drill_mean){.weight = mean->weight * fades,
				       .mean = mean->mean,
				       .squares = mean->squares * fades,
				       .figures = mean->figures * fades};
}

void ctd_drill_mean_add(struct ctd_drill_mean *mean, double figure, double weight)
{
	double sum = mean->weight + weight, off = figure - mean->mean;

	mean->squares += mean->weight * weight / sum * off * off;
	mean->mean += off * weight / sum;
	mean->weight = sum;
	mean->figures += 1;
}
