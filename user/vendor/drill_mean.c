/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill_mean.c - a mean of figures that fades, and how far it may be off. */
#include "vendor/drill.h"

#include <math.h>

/* What is expected of the spread before figures have shown it counts as much as so many. */
#define SPREAD_FIGURES 3.0
/* A few figures may agree by chance. */
#define FEW_FIGURES 2.0
/* Shorter looks are of the same phase of a load as the one before. */
#define FIGURE_S 0.5

double ctd_drill_mean_spread(const struct ctd_drill_mean *mean, double least)
{
	double spread = sqrt((SPREAD_FIGURES * least * least + mean->squares) /
			     (SPREAD_FIGURES + mean->figures));

	return spread > least ? spread : least;
}

double ctd_drill_mean_error(const struct ctd_drill_mean *mean, double spread)
{
	if (mean->weight <= 0)
		return INFINITY;
	return (1 + FEW_FIGURES / mean->figures) * spread * sqrt(mean->doubt) / mean->weight;
}

bool ctd_drill_mean_suffices(const struct ctd_drill_mean *mean)
{
	return mean->weight >= CTD_DRILL_LEAST && mean->figures >= CTD_DRILL_LEAST_FIGURES;
}

struct ctd_drill_mean ctd_drill_mean_fade(const struct ctd_drill_mean *mean, double fades)
{
	return (struct ctd_drill_mean){.weight = mean->weight * fades,
				       .mean = mean->mean,
				       .figures = mean->figures * fades,
				       .doubt = mean->doubt * fades,
				       .squares = mean->squares * fades};
}

void ctd_drill_mean_add(struct ctd_drill_mean *mean, double figure, double weight, double certain,
			double look_s)
{
	double sum = mean->weight + weight, off = figure - mean->mean;

	/* As if the mean had not moved, by so much of it as this figure is not. */
	mean->squares += mean->weight / sum * certain * off * off;
	mean->mean += off * weight / sum;
	mean->weight = sum;
	mean->doubt += weight * weight / certain;
	mean->figures += look_s < FIGURE_S ? look_s / FIGURE_S : 1;
}
