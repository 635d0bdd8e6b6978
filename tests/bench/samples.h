/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* samples.h - what one figure was in each round: its median, its quartiles, its cell in a table. */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX 256

struct samples {
	int count;
	double value[SAMPLES_MAX];
};

static inline void samples_add(struct samples *samples, double value)
{
	assert(samples->count < SAMPLES_MAX);
	samples->value[samples->count++] = value;
}

static inline int samples_compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* The value that a part @p share (0..1) of the samples does not exceed; NAN without samples. */
static inline double samples_quantile(const struct samples *samples, double share)
{
	double sorted[SAMPLES_MAX];

	if (!samples->count)
		return NAN;
	memcpy(sorted, samples->value, samples->count * sizeof(*sorted));
	qsort(sorted, samples->count, sizeof(*sorted), samples_compare);
	return sorted[(int)lround(share * (samples->count - 1))];
}

static inline double samples_median(const struct samples *samples)
{
	return samples_quantile(samples, 0.5);
}

/* "123 (119 - 131)": median and quartiles, or "-". */
static inline const char *samples_cell(const struct samples *samples, int decimals, char cell[48])
{
	if (samples->count)
		snprintf(cell, 48, "%.*f (%.*f - %.*f)", decimals, samples_median(samples),
			 decimals, samples_quantile(samples, 0.25), decimals,
			 samples_quantile(samples, 0.75));
	else
		snprintf(cell, 48, "-");
	return cell;
}

/* NAN where noise is as large as the figures. */
static inline double ratio_of(double part, double whole)
{
	return part > 0 && whole > 0 ? part / whole : NAN;
}

static inline void target_head(void)
{
	printf("| %-66s | %8s | %8s | %-12s |\n", "target", "measured", "at most", "");
	printf("| :-- | --: | --: | :-- |\n");
}

/* NAN is a figure that could not be had. */
static inline void target_row(const char *what, double measured, double at_most)
{
	if (isnan(measured))
		printf("| %-66s | %8s | %8.3f | %-12s |\n", what, "-", at_most, "not measured");
	else
		printf("| %-66s | %8.3f | %8.3f | %-12s |\n", what, measured, at_most,
		       measured <= at_most ? "met" : "**not met**");
}

#endif
