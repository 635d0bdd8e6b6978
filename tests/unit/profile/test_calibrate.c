/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_calibrate.c - corrections take chance out of numbers of samples, and leave mixes alone. */
#include "profile/calibrate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FUNCTIONS = 5, CATEGORIES = 4 };
#define SAMPLES 1000
#define SLOTS_PER_SAMPLE 1e7

/* What the functions do, and how much of the time each has. */
static const double mix[FUNCTIONS][CATEGORIES] = {{.1, 0, 0, .9},
						  {.7, .05, .05, .2},
						  {.2, .05, .65, .1},
						  {.3, .4, .1, .2},
						  {.3, .08, .27, .35}};
static const double part[FUNCTIONS] = {.2, .45, .2, .1, .05};

struct scene {
	uint64_t samples[FUNCTIONS], estimates[CATEGORIES][FUNCTIONS];
	struct ctd_control controls[CATEGORIES];
	double factors[FUNCTIONS];
};

static void set(struct scene *scene)
{
	for (int k = 0; k < CATEGORIES; k++) {
		double total = 0;

		for (int i = 0; i < FUNCTIONS; i++) {
			scene->estimates[k][i] = (uint64_t)((double)scene->samples[i] * mix[i][k] *
							    SLOTS_PER_SAMPLE);
			total += part[i] * mix[i][k] * SAMPLES * SLOTS_PER_SAMPLE;
		}
		scene->controls[k] = (struct ctd_control){scene->estimates[k], (uint64_t)total};
	}
	ctd_calibrate(scene->controls, CATEGORIES, scene->samples, FUNCTIONS, scene->factors);
}

/* Each sample hits a function by chance. */
static void sample_any(struct scene *scene)
{
	*scene = (struct scene){0};
	for (int i = 0; i < SAMPLES; i++) {
		double at = drand48();
		int function = 0;

		while (function < FUNCTIONS - 1 && at >= part[function])
			at -= part[function++];
		scene->samples[function]++;
	}
}

/* Of a function's slots, after each category was scaled to its total: how far its shares are from
 * the truth, at most. */
static double worst_share(const struct scene *scene, const double *factors)
{
	double scale[CATEGORIES], worst = 0;

	for (int k = 0; k < CATEGORIES; k++) {
		double sum = 0;

		for (int i = 0; i < FUNCTIONS; i++)
			sum += (double)scene->estimates[k][i] * factors[i];
		scale[k] = (double)scene->controls[k].total / sum;
	}
	for (int i = 0; i < FUNCTIONS; i++) {
		double slots = 0;

		for (int k = 0; k < CATEGORIES; k++)
			slots += mix[i][k] * scale[k];
		for (int k = 0; k < CATEGORIES; k++)
			worst = fmax(worst, fabs(mix[i][k] * scale[k] / slots - mix[i][k]));
	}
	return worst;
}

static void samples_that_are_right_stay(void **state)
{
	struct scene scene = {.samples = {200, 450, 200, 100, 50}};

	(void)state;
	set(&scene);
	for (int i = 0; i < FUNCTIONS; i++)
		assert_float_equal(scene.factors[i], 1, 1e-6);
}

/* Where windows are right, mixes stay within a point, which scaling alone does not do; and
 * functions get nearer to their part of the time. */
static void chance_is_taken_out_of_the_numbers_of_samples(void **state)
{
	static const double ones[FUNCTIONS] = {1, 1, 1, 1, 1};
	double worst = 0, worst_scaled = 0, before = 0, after = 0;
	struct scene scene;

	(void)state;
	srand48(4711);
	for (int round = 0; round < 500; round++) {
		sample_any(&scene);
		set(&scene);
		worst = fmax(worst, worst_share(&scene, scene.factors));
		worst_scaled = fmax(worst_scaled, worst_share(&scene, ones));
		for (int i = 0; i < 3; i++) {
			double sampled = (double)scene.samples[i] / SAMPLES;

			before += (sampled - part[i]) * (sampled - part[i]);
			after += (sampled * scene.factors[i] - part[i]) *
				 (sampled * scene.factors[i] - part[i]);
		}
	}
	assert_true(worst < .01);
	assert_true(worst_scaled > .03);
	assert_true(after < before / 10);
}

/* All windows show a category a tenth too large: many samples say so, and no function is to blame. */
static void what_all_windows_have_wrong_is_not_put_down_to_chance(void **state)
{
	struct scene scene = {.samples = {200000, 450000, 200000, 100000, 50000}};

	(void)state;
	set(&scene);
	for (int i = 0; i < FUNCTIONS; i++)
		scene.estimates[3][i] += scene.estimates[3][i] / 10;
	ctd_calibrate(scene.controls, CATEGORIES, scene.samples, FUNCTIONS, scene.factors);
	for (int i = 0; i < FUNCTIONS; i++)
		assert_float_equal(scene.factors[i], 1, .12);
}

static void what_says_nothing_changes_nothing(void **state)
{
	uint64_t samples[2] = {10, 0}, none[2] = {0, 0}, some[2] = {1000, 0};
	double factors[2];

	(void)state;
	ctd_calibrate(NULL, 0, samples, 2, factors);
	assert_float_equal(factors[0], 1, 0);
	ctd_calibrate(&(struct ctd_control){none, 1000}, 1, samples, 2, factors);
	assert_float_equal(factors[0], 1, 0);
	ctd_calibrate(&(struct ctd_control){some, 0}, 1, samples, 2, factors);
	assert_float_equal(factors[0], 1, 0);
	ctd_calibrate((struct ctd_control[]){{some, 1000}, {none, 1000}}, 2, samples, 2, factors);
	assert_true(factors[0] >= .5 && factors[0] <= 2);
	assert_float_equal(factors[1], 1, 0);
}

static void factors_are_bounded(void **state)
{
	uint64_t samples[2] = {1, 1}, left[2] = {1, 0}, right[2] = {0, UINT64_C(1) << 62};
	double factors[2];

	(void)state;
	ctd_calibrate((struct ctd_control[]){{left, UINT64_MAX}, {right, 1}}, 2, samples, 2,
		      factors);
	for (int i = 0; i < 2; i++)
		assert_true(factors[i] >= .5 && factors[i] <= 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples_that_are_right_stay),
		cmocka_unit_test(chance_is_taken_out_of_the_numbers_of_samples),
		cmocka_unit_test(what_all_windows_have_wrong_is_not_put_down_to_chance),
		cmocka_unit_test(what_says_nothing_changes_nothing),
		cmocka_unit_test(factors_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
