/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* excess.c - how far a container's slots of one kind are above what its own past expects. */
#include <math.h>

#include "neighbour/detector.h"

/* So much of an excess is suffering, and no pressure of its own on others. */
#define SUFFERING_MAX 1.0F
/* Slots that vary so much less than what retires, as variances, are not the load's. */
#define STEADY 0.25

float ctd_excess_load(const struct ctd_excess *series, const struct ctd_point *point)
{
	return series->by_slots ? point->retired + point->slots : point->retired;
}

float ctd_excess_rest(const struct ctd_point *point, enum ctd_kind kind)
{
	float rest = expf(point->slots) - 1 - expf(point->kind[kind]);

	return rest > 0 ? logf(rest) : NAN;
}

static double variance(const float *values, size_t count)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		double from_first = (double)(values[i] - values[0]);

		sum += from_first;
		squares += from_first * from_first;
	}
	return squares / (double)count - sum / (double)count * (sum / (double)count);
}

static size_t gather(const struct ctd_subject *subject, enum ctd_kind kind, float *ret_y,
		     float *ret_retired, float *ret_slots, float *ret_rest)
{
	size_t count = 0;

	for (size_t i = 0; i < HISTORY; i++) {
		const struct ctd_point *point = &subject->history[i];
		float rest;

		if (!isfinite(point->retired) || isnan(point->kind[kind]))
			continue;
		rest = ctd_excess_rest(point, kind);
		if (isnan(rest))
			continue;
		ret_y[count] = point->kind[kind];
		ret_retired[count] = point->retired;
		ret_slots[count] = point->retired + point->slots;
		ret_rest[count++] = rest;
	}
	return count;
}

/*
 * What retires shows the load of a container that is asked for so much work. One that takes all
 * the CPU time that it gets retires less when it suffers, and would explain its own suffering by
 * that: its slots, which hardly vary, are its load.
 */
static bool fit(struct ctd_subject *subject, enum ctd_kind kind)
{
	struct ctd_excess *series = &subject->excess[kind];
	float y[HISTORY], retired[HISTORY], slots[HISTORY], rest[HISTORY];
	size_t count = gather(subject, kind, y, retired, slots, rest);

	if (count < LEARNING)
		return false;
	series->by_slots = variance(slots, count) < STEADY * variance(retired, count);
	ctd_own_model_fit(&series->model, count, y, series->by_slots ? slots : retired, rest);
	return true;
}

static void make_point(struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick)
{
	struct ctd_excess *series = &subject->excess[kind];
	const struct ctd_point *point = ctd_point_at(subject, tick);
	float *excess = &series->excess[tick % SERIES],
	      *pressure = &series->pressure[tick % SERIES];
	float rest, suffering;

	*excess = NAN;
	*pressure = 0;
	if (!isfinite(point->retired) || isnan(point->kind[kind]))
		return;
	/* Until there is a model, all its slots are its own. */
	*pressure = expf(point->retired + point->kind[kind]);
	rest = ctd_excess_rest(point, kind);
	if (!series->fitted_at || isnan(rest))
		return;
	*excess = point->kind[kind] -
		  (float)ctd_own_model_expects(
			  &series->model, (double)ctd_excess_load(series, point), (double)rest);
	suffering = fminf(fmaxf(*excess, 0), SUFFERING_MAX);
	*pressure *= expf(-suffering);
}

bool ctd_excess_is_uncounted(const struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick)
{
	const struct ctd_point *point = &subject->history[tick % HISTORY];

	return isnan(point->retired) || (isfinite(point->retired) && isnan(point->kind[kind]));
}

/* Of the samples of the series in which it ran. */
static float uncounted_part(const struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick)
{
	uint64_t from = tick > SERIES ? tick - SERIES + 1 : 1;
	int ran = 0, uncounted = 0;

	if (from < subject->first_at)
		from = subject->first_at;
	for (uint64_t at = from; at <= tick; at++) {
		ran += !isinf(subject->history[at % HISTORY].retired);
		uncounted += ctd_excess_is_uncounted(subject, kind, at);
	}
	return ran ? (float)uncounted / (float)ran : 0;
}

void ctd_excess_update(struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick)
{
	struct ctd_excess *series = &subject->excess[kind];
	uint64_t from = series->until + 1;

	/* Each container at another tick, so that the work is even. */
	if (!series->fitted_at || tick >= series->fitted_at + 2 * (uint64_t)FIT_EVERY ||
	    (tick + subject->serial) % FIT_EVERY == 0) {
		if (fit(subject, kind)) {
			series->fitted_at = tick;
			from = 0;
		}
	}
	if (from + SERIES <= tick)
		from = tick > SERIES ? tick - SERIES + 1 : 1;
	for (; from <= tick; from++)
		make_point(subject, kind, from);
	series->until = tick;
	series->uncounted = uncounted_part(subject, kind, tick);
}

bool ctd_subject_is_learning(const struct ctd_subject *subject)
{
	return !subject->excess[KIND_MEMORY].fitted_at && !subject->excess[KIND_FRONTEND].fitted_at;
}

double ctd_excess_lost(const struct ctd_subject *subject, enum ctd_kind kind, uint64_t tick,
		       double *ret_slots)
{
	const struct ctd_excess *series = &subject->excess[kind];
	double lost = 0, slots = 0;
	int count = 0;

	for (uint64_t i = tick > LOSS_WINDOW ? tick - LOSS_WINDOW + 1 : 1; i <= tick; i++) {
		const struct ctd_point *point = &subject->history[i % HISTORY];
		float excess = series->excess[i % SERIES], share;

		if (isnan(excess) || !isfinite(point->retired))
			continue;
		share = expf(point->kind[kind] - point->slots) * (1 - expf(-excess));
		lost += (double)share;
		slots += (double)(share * expf(point->retired + point->slots));
		count++;
	}
	*ret_slots = slots;
	return count >= LOSS_WINDOW / 4 ? lost / count : NAN;
}
