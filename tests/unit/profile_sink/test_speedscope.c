/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_speedscope.c - the file is JSON whose frames, samples and weights fit together. */
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/profile_sink/sample_profile.h"

static void check_profile(const json_t *profile, size_t frames)
{
	const json_t *samples = json_object_get(profile, "samples");
	const json_t *weights = json_object_get(profile, "weights"), *frame;
	json_int_t sum = 0;
	size_t i, k;
	json_t *sample;

	assert_int_equal(json_array_size(samples), json_array_size(weights));
	json_array_foreach(samples, i, sample)
	{
		sum += json_integer_value(json_array_get(weights, i));
		assert_true(json_array_size(sample) >= 2);
		json_array_foreach(sample, k, frame)
			assert_in_range(json_integer_value(frame), 0, frames - 1);
	}
	assert_int_equal(sum, json_integer_value(json_object_get(profile, "endValue")));
}

static void a_profile_for_each_figure(void **state)
{
	struct sample sample;
	struct ctd_weight memory;

	(void)state;
	sample_make(&sample);
	memory = sample_weight(&sample, "memory_bound");
	sample.options.weight = &memory;
	struct ctd_strbuf out = sample_write(&sample, &ctd_profile_speedscope);
	json_t *root = json_loads(out.text, 0, NULL);

	assert_non_null(root);
	const json_t *profiles = json_object_get(root, "profiles");
	const json_t *frames = json_object_get(json_object_get(root, "shared"), "frames");
	json_int_t active = json_integer_value(json_object_get(root, "activeProfileIndex"));

	assert_int_equal(json_array_size(profiles), 15);
	for (size_t i = 0; i < json_array_size(profiles); i++)
		check_profile(json_array_get(profiles, i), json_array_size(frames));
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(profiles, (size_t)active), "name")),
			    "memory_bound");
	assert_int_equal(
		json_integer_value(json_object_get(json_array_get(profiles, 2), "endValue")),
		(800 + 300 + 5 + 20) * (json_int_t)SCENE_SLOTS_PER_MS);
	json_decref(root);
	ctd_strbuf_free(&out);
	sample_end(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_profile_for_each_figure)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
