/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* follower.c - correlations and shares, with the victim's own controls taken out. */
#include "neighbour/follower.h"

#include <math.h>
#include <string.h>

#define LANES 8
/* Of coordinate descent: four suspects have come to rest by then. */
#define ROUNDS 30

static double dot_of_doubles(const double *a, const double *b)
{
	double sum = 0;

	for (size_t i = 0; i < SERIES; i++)
		sum += a[i] * b[i];
	return sum;
}

/* In lanes, so that it is done by vectors. */
double ctd_follower_dot(const float *a, const float *b)
{
	float sums[LANES] = {0};
	double sum = 0;

	for (size_t i = 0; i < SERIES; i += LANES)
		for (size_t lane = 0; lane < LANES; lane++)
			sums[lane] += a[i + lane] * b[i + lane];
	for (size_t lane = 0; lane < LANES; lane++)
		sum += (double)sums[lane];
	return sum;
}

/* Takes out of @p series what the first @p count controls explain. @return what its norm is then. */
static double take_out(const struct ctd_follower *follower, int count, double *series)
{
	for (int c = 0; c < count; c++) {
		double part = dot_of_doubles(follower->control[c], series);

		for (size_t i = 0; i < SERIES; i++)
			series[i] -= part * follower->control[c][i];
	}
	return sqrt(dot_of_doubles(series, series));
}

/* One more control; one that the others explain is none. */
static void add_control(struct ctd_follower *follower, int c)
{
	double before = sqrt(dot_of_doubles(follower->control[c], follower->control[c]));
	double norm = take_out(follower, c, follower->control[c]);

	for (size_t i = 0; i < SERIES; i++)
		follower->control[c][i] = norm > 1e-6 * before ? follower->control[c][i] / norm : 0;
}

void ctd_follower_make(const struct ctd_subject *victim, enum ctd_kind kind, uint64_t tick,
		       struct ctd_follower *follower)
{
	double excess[SERIES] = {0};

	memset(follower, 0, sizeof(*follower));
	for (uint64_t t = tick > SERIES ? tick - SERIES + 1 : 1; t <= tick; t++) {
		const struct ctd_point *point = &victim->history[t % HISTORY];
		size_t i = t % SERIES;
		float e = victim->excess[kind].excess[i];

		if (isnan(e) || !isfinite(point->retired))
			continue;
		excess[i] = (double)e;
		follower->control[0][i] = 1;
		follower->control[1][i] = (double)ctd_excess_load(&victim->excess[kind], point);
		follower->control[2][i] = (double)ctd_excess_rest(point, kind);
		follower->count++;
	}
	for (int c = 0; c < 3; c++)
		add_control(follower, c);
	follower->norm = take_out(follower, 3, excess);
	for (size_t i = 0; i < SERIES; i++)
		follower->excess[i] = (float)excess[i];
}

/* A pressure in the samples in which the excess is known, without the controls. @return its norm. */
static double adjust(const struct ctd_follower *follower, const float *pressure, double *ret_series)
{
	for (size_t i = 0; i < SERIES; i++)
		ret_series[i] = follower->control[0][i] > 0 ? (double)pressure[i] : 0;
	return take_out(follower, 3, ret_series);
}

double ctd_follower_correlate(const struct ctd_follower *follower, const float *pressure)
{
	double series[SERIES], product = 0;
	double norm = adjust(follower, pressure, series);

	for (size_t i = 0; i < SERIES; i++)
		product += series[i] * (double)follower->excess[i];
	return norm > 0 && follower->norm > 0 ? product / norm / follower->norm : 0;
}

void ctd_suspect_add(struct ctd_suspect *suspects, size_t *count, const struct ctd_subject *subject,
		     double share)
{
	size_t at = *count;

	if (at == CTD_ANTAGONISTS_MAX && suspects[at - 1].share >= share)
		return;
	at -= at == CTD_ANTAGONISTS_MAX;
	*count = at + 1;
	for (; at && suspects[at - 1].share < share; at--)
		suspects[at] = suspects[at - 1];
	suspects[at] = (struct ctd_suspect){subject, share};
}

/* How much more than in its quietest samples, on average. */
static double mean_above_least(const struct ctd_follower *follower, const float *pressure)
{
	double sum = 0, least = INFINITY;

	for (size_t i = 0; i < SERIES; i++) {
		if (!(follower->control[0][i] > 0))
			continue;
		sum += (double)pressure[i];
		least = fmin(least, (double)pressure[i]);
	}
	return follower->count ? sum / follower->count - least : 0;
}

/* Non-negative least squares by coordinate descent, in the units of each suspect's norm. */
static void regress(const struct ctd_follower *follower, double series[][SERIES], size_t count,
		    double *ret_effect)
{
	double left[SERIES];

	for (size_t i = 0; i < SERIES; i++)
		left[i] = (double)follower->excess[i];
	memset(ret_effect, 0, count * sizeof(*ret_effect));
	for (int round = 0; round < ROUNDS; round++) {
		for (size_t j = 0; j < count; j++) {
			double old = ret_effect[j];

			ret_effect[j] = fmax(0, old + dot_of_doubles(left, series[j]));
			for (size_t i = 0; i < SERIES; i++)
				left[i] -= (ret_effect[j] - old) * series[j][i];
		}
	}
}

void ctd_follower_tell_apart(const struct ctd_follower *follower, enum ctd_kind kind,
			     struct ctd_suspect *suspects, size_t count)
{
	double series[CTD_ANTAGONISTS_MAX][SERIES], effect[CTD_ANTAGONISTS_MAX];
	double shares = 0, effects = 0;

	for (size_t j = 0; j < count; j++) {
		double norm =
			adjust(follower, suspects[j].subject->excess[kind].pressure, series[j]);

		for (size_t i = 0; i < SERIES; i++)
			series[j][i] = norm > 0 ? series[j][i] / norm : 0;
	}
	regress(follower, series, count, effect);
	for (size_t j = 0; j < count; j++) {
		const float *pressure = suspects[j].subject->excess[kind].pressure;
		double copy[SERIES], norm = adjust(follower, pressure, copy);

		effect[j] *= norm > 0 ? mean_above_least(follower, pressure) / norm : 0;
		effects += effect[j];
		shares += fmax(suspects[j].share, 0);
	}
	for (size_t j = 0; j < count && effects > 0; j++)
		suspects[j].share = effect[j] / effects * shares;
}
