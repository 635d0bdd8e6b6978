/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* own_model.c - a robust fit of two controls. */
#include "neighbour/own_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_MAX 512
#define ROUNDS_HUBER 4
#define ROUNDS_TUKEY 6
/* The last ones keep the scale, so that they come to an end. */
#define ROUNDS_OF_ONE_SCALE 3
/* 95 % as good as least squares where there are no outliers. */
#define HUBER 1.345
#define TUKEY 4.685
/* Of the median of absolute deviations, for normal ones. */
#define MAD_TO_SIGMA 1.4826
/* Controls that hardly vary have hardly a slope: variance, in squared logarithms, that is added. */
#define RIDGE 1e-4
#define SIGMA_LEAST 1e-3

/* The middle of what is in @p values, which are put in another order (Hoare's quickselect). */
static float median(float *values, size_t count)
{
	size_t first = 0, end = count, middle = count / 2;

	while (end - first > 1) {
		float pivot = values[(first + end) / 2];
		size_t below = first, above = end, i = first;

		/* [first, below) is less, [below, i) alike, [above, end) more. */
		while (i < above) {
			float value = values[i];

			if (value < pivot) {
				values[i++] = values[below];
				values[below++] = value;
			} else if (value > pivot) {
				values[i] = values[--above];
				values[above] = value;
			} else {
				i++;
			}
		}
		if (middle >= below && middle < above)
			break;
		first = middle < below ? first : above;
		end = middle < below ? below : end;
	}
	return values[middle];
}

static double mean_of(const float *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (double)values[i];
	return sum / (double)count;
}

/* One weighted least-squares step. @p x0 and @p x1 are relative to the model's means. */
static void solve(struct ctd_own_model *model, size_t count, const float *weight, const float *y,
		  const float *x0, const float *x1)
{
	float n = 0, sy = 0, s0 = 0, s1 = 0, s00 = 0, s01 = 0, s11 = 0, s0y = 0, s1y = 0;
	double c00, c01, c11, c0y, c1y, determinant;

	for (size_t i = 0; i < count; i++) {
		float w = weight[i], w0 = w * x0[i], w1 = w * x1[i];

		n += w;
		sy += w * y[i];
		s0 += w0;
		s1 += w1;
		s00 += w0 * x0[i];
		s01 += w0 * x1[i];
		s11 += w1 * x1[i];
		s0y += w0 * y[i];
		s1y += w1 * y[i];
	}
	if (!(n > 0))
		return;
	c00 = (double)(s00 / n) - (double)s0 / (double)n * (double)(s0 / n) + RIDGE;
	c01 = (double)(s01 / n) - (double)s0 / (double)n * (double)(s1 / n);
	c11 = (double)(s11 / n) - (double)s1 / (double)n * (double)(s1 / n) + RIDGE;
	c0y = (double)(s0y / n) - (double)s0 / (double)n * (double)(sy / n);
	c1y = (double)(s1y / n) - (double)s1 / (double)n * (double)(sy / n);
	determinant = c00 * c11 - c01 * c01;
	model->slope[0] = (c0y * c11 - c1y * c01) / determinant;
	model->slope[1] = (c1y * c00 - c0y * c01) / determinant;
	model->base = (double)(sy / n) - model->slope[0] * (double)(s0 / n) -
		      model->slope[1] * (double)(s1 / n);
}

/* Weights by distance from the model, for the next step. @p sigma: 0: by the median deviation.
 * @return sigma. */
static float weigh(const struct ctd_own_model *model, size_t count, const float *y, const float *x0,
		   const float *x1, bool tukey, float sigma, float *ret_weight)
{
	float base = (float)model->base, slope0 = (float)model->slope[0],
	      slope1 = (float)model->slope[1];
	float residual[SAMPLES_MAX], deviation[SAMPLES_MAX];

	for (size_t i = 0; i < count; i++) {
		residual[i] = y[i] - base - slope0 * x0[i] - slope1 * x1[i];
		deviation[i] = fabsf(residual[i]);
	}
	if (!(sigma > 0))
		sigma = fmaxf((float)MAD_TO_SIGMA * median(deviation, count), (float)SIGMA_LEAST);
	for (size_t i = 0; i < count; i++) {
		float distance = fabsf(residual[i]) / sigma;

		if (tukey) {
			float inside = 1 - distance * distance / (float)(TUKEY * TUKEY);

			ret_weight[i] = inside > 0 ? inside * inside : 0;
		} else {
			ret_weight[i] = distance > (float)HUBER ? (float)HUBER / distance : 1;
		}
	}
	return sigma;
}

void ctd_own_model_fit(struct ctd_own_model *model, size_t count, const float *y, const float *x0,
		       const float *x1)
{
	float weight[SAMPLES_MAX], relative[2][SAMPLES_MAX], ordered[SAMPLES_MAX], sigma = 0;

	if (count > SAMPLES_MAX)
		count = SAMPLES_MAX;
	model->mean[0] = mean_of(x0, count);
	model->mean[1] = mean_of(x1, count);
	for (size_t i = 0; i < count; i++) {
		relative[0][i] = x0[i] - (float)model->mean[0];
		relative[1][i] = x1[i] - (float)model->mean[1];
	}
	/* Begin at the median: least squares begins where outliers have drawn it. */
	memcpy(ordered, y, count * sizeof(*y));
	model->base = (double)median(ordered, count);
	model->slope[0] = model->slope[1] = 0;
	for (int round = 0; round < ROUNDS_HUBER + ROUNDS_TUKEY; round++) {
		bool same_scale = round >= ROUNDS_HUBER + ROUNDS_TUKEY - ROUNDS_OF_ONE_SCALE;

		sigma = weigh(model, count, y, relative[0], relative[1], round >= ROUNDS_HUBER,
			      same_scale ? sigma : 0, weight);
		solve(model, count, weight, y, relative[0], relative[1]);
	}
}
