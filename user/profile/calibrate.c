/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* calibrate.c - corrects how often stacks were sampled, by what was counted exactly. */
#include "profile/calibrate.h"

#include <math.h>

/*
 * If fewer slots of a category were sampled than were counted, there are two reasons. Chance:
 * stacks that are rich in it had too few samples, n with a standard error of sqrt(n). Windows:
 * their shares are wrong, by SHARES_ERROR. The likeliest corrections are those with
 *
 *   sum over stacks of n * correction^2
 *   + sum over categories of (correction * its share / SHARES_ERROR)^2
 *
 * least, under which estimates and exact totals agree: generalised regression (Deville, Särndal:
 * Calibration Estimators in Survey Sampling, 1992). To scale each category by itself would say that
 * all of it is the windows' fault, and change the mix of every function for a few samples too many
 * of one.
 */

/* Of all slots. The ends of a window, an interrupt's exit and cold caches, are one or two us of
 * fifty, with shares of their own. With some ten thousand samples chance is as small. */
#define SHARES_ERROR 0.002
/* What is farther off has another reason than chance. */
#define FACTOR_MOST 2.0

struct equations {
	int count;
	double left[CTD_NODES_MAX][CTD_NODES_MAX]; /* symmetric, positive definite */
	double right[CTD_NODES_MAX]; /* then the solution */
};

static double sum_of(const struct ctd_control *control, size_t stacks_count)
{
	double sum = 0;

	for (size_t i = 0; i < stacks_count; i++)
		sum += (double)control->estimates[i];
	return sum;
}

/* By Gauss; what is positive definite needs no other order. */
static void solve(struct equations *equations)
{
	int count = equations->count;

	for (int pivot = 0; pivot < count; pivot++) {
		for (int row = pivot + 1; row < count; row++) {
			double factor = equations->left[row][pivot] / equations->left[pivot][pivot];

			for (int column = pivot; column < count; column++)
				equations->left[row][column] -=
					factor * equations->left[pivot][column];
			equations->right[row] -= factor * equations->right[pivot];
		}
	}
	for (int row = count; row-- > 0;) {
		for (int column = row + 1; column < count; column++)
			equations->right[row] -=
				equations->left[row][column] * equations->right[column];
		equations->right[row] /= equations->left[row][row];
	}
}

/* Adds what a stack's samples allow: its parts of the figures are @p parts. */
static void add_stack(struct equations *equations, const double *parts, double samples)
{
	for (int row = 0; row < equations->count; row++)
		for (int column = 0; column < equations->count; column++)
			equations->left[row][column] += parts[row] * parts[column] / samples;
}

void ctd_calibrate(const struct ctd_control *controls, int controls_count, const uint64_t *samples,
		   size_t stacks_count, double *ret_factors)
{
	struct equations equations = {.count = controls_count};
	double sum[CTD_NODES_MAX], sampled = 0, counted = 0, parts[CTD_NODES_MAX];

	for (int k = 0; k < controls_count; k++) {
		sum[k] = sum_of(&controls[k], stacks_count);
		sampled += sum[k];
		counted += (double)controls[k].total;
	}
	for (int k = 0; k < controls_count; k++) {
		double off = (double)controls[k].total / sum[k] * sampled / counted - 1;

		/* Never sampled, or never counted: no number of samples makes it agree. */
		equations.right[k] = isfinite(off) ? fmin(off, 1) : 0;
		equations.left[k][k] = sum[k] > 0 ? pow(SHARES_ERROR * sampled / sum[k], 2) : 1;
	}
	for (size_t i = 0; i < stacks_count; i++) {
		for (int k = 0; k < controls_count; k++)
			parts[k] = sum[k] > 0 ? (double)controls[k].estimates[i] / sum[k] : 0;
		if (samples[i])
			add_stack(&equations, parts, (double)samples[i]);
	}
	solve(&equations);
	for (size_t i = 0; i < stacks_count; i++) {
		double correction = 0;

		for (int k = 0; k < controls_count && samples[i]; k++)
			if (sum[k] > 0)
				correction += equations.right[k] *
					      (double)controls[k].estimates[i] / sum[k] /
					      (double)samples[i];
		ret_factors[i] = fmin(fmax(1 + correction, 1 / FACTOR_MOST), FACTOR_MOST);
	}
}
