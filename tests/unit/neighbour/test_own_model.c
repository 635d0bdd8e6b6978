/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_own_model.c - bad times do not bend the line through a container's past. */
#include "neighbour/own_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define COUNT 360

static double noise(void)
{
	return (double)random() / (double)RAND_MAX - .5;
}

static void make(float *y, float *x0, float *x1, double outliers)
{
	srandom(7);
	for (int i = 0; i < COUNT; i++) {
		x0[i] = (float)(20 + 2 * noise());
		x1[i] = (float)(-1 + noise());
		y[i] = (float)(-2 + .5 * ((double)x0[i] - 20) - .3 * ((double)x1[i] + 1) +
			       .05 * noise());
		if (i % 100 < 100 * outliers)
			y[i] += 1;
	}
}

static void a_quarter_of_outliers_on_one_side_is_not_followed(void **state)
{
	static const double parts[] = {0, .1, .25};
	float y[COUNT], x0[COUNT], x1[COUNT];

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		struct ctd_own_model model;

		make(y, x0, x1, parts[i]);
		ctd_own_model_fit(&model, COUNT, y, x0, x1);
		assert_true(fabs(ctd_own_model_expects(&model, 20, -1) + 2) < .01);
		assert_true(fabs(model.slope[0] - .5) < .02);
		assert_true(fabs(model.slope[1] + .3) < .04);
	}
}

static void controls_that_do_not_vary_have_no_slope(void **state)
{
	float y[COUNT], x0[COUNT], x1[COUNT];
	struct ctd_own_model model;

	(void)state;
	make(y, x0, x1, 0);
	for (int i = 0; i < COUNT; i++) {
		y[i] = (float)(3 + .1 * noise());
		x0[i] = 20;
		x1[i] = x0[i];
	}
	ctd_own_model_fit(&model, COUNT, y, x0, x1);
	assert_true(fabs(ctd_own_model_expects(&model, 20, 20) - 3) < .02);
	assert_true(fabs(model.slope[0]) < 1e-6 && fabs(model.slope[1]) < 1e-6);
}

static void samples_that_are_all_alike_are_expected_as_they_are(void **state)
{
	const float same[] = {2, 2, 2};
	struct ctd_own_model model;

	(void)state;
	ctd_own_model_fit(&model, 3, same, same, same);
	assert_true(fabs(ctd_own_model_expects(&model, 2, 2) - 2) < 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quarter_of_outliers_on_one_side_is_not_followed),
		cmocka_unit_test(controls_that_do_not_vary_have_no_slope),
		cmocka_unit_test(samples_that_are_all_alike_are_expected_as_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
