/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_top.c - the functions that have most, and what all others have, are the whole profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "profile_sink/weights.h"
#include "unit/profile_sink/sample_profile.h"

static json_t *write_json(const struct sample *sample)
{
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	json_t *json;

	assert_int_equal(ctd_profile_json(&sample->options, &sample->profile, &text), 0);
	json = json_loadb(text.text, text.bytes, 0, NULL);
	assert_non_null(json);
	return json;
}

static json_int_t value_at(const json_t *values, size_t weight)
{
	const json_t *value = json_array_get(values, weight);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static void nothing_is_lost_and_the_largest_come_first(void **state)
{
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	struct sample sample;
	char name[40];

	(void)state;
	sample_make(&sample);
	ctd_profile_free(&sample.profile);
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof(name), "f%d|main", i);
		sample_add(sample.stacks, i % 2 ? 4 : 5, name, 1 + (uint64_t)i, 1, .1);
	}
	sample.profile = sample_profile(&sample.scene, sample.stacks, &sample.rollup);

	json_t *json = write_json(&sample), *top = json_object_get(json, "top");
	json_t *functions = json_object_get(top, "functions"), *function;
	size_t by = (size_t)json_integer_value(json_object_get(top, "weight")), i;
	int count = ctd_weights_list(&sample.profile, weights);

	assert_int_equal(json_array_size(functions), 10);
	assert_int_equal(weights[by].kind, CTD_WEIGHT_SLOTS);
	assert_true(json_integer_value(json_object_get(top, "more")) > 25);
	for (size_t weight = 0; weight < (size_t)count; weight++) {
		json_int_t sum = value_at(json_object_get(top, "more_values"), weight);

		json_array_foreach(functions, i, function)
		{
			sum += value_at(json_object_get(function, "values"), weight);
		}
		for (size_t row = 0; row < sample.profile.rows_count; row++)
			sum -= (json_int_t)ctd_weight_of_row(&weights[weight],
							     &sample.profile.rows[row]);
		assert_int_equal(sum, 0);
	}
	for (i = 1; i < 10; i++)
		assert_true(
			value_at(json_object_get(json_array_get(functions, i), "values"), by) <=
			value_at(json_object_get(json_array_get(functions, i - 1), "values"), by));
	json_decref(json);
	sample_end(&sample);
}

static void a_category_that_a_row_does_not_know_has_no_sum(void **state)
{
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	struct sample sample;
	int count;

	(void)state;
	sample_make(&sample);
	count = ctd_weights_list(&sample.profile, weights);
	assert_int_equal(weights[count - 1].kind, CTD_WEIGHT_NODE);
	sample.profile.rows[1].node_slots_known &= ~(1u << weights[count - 1].node);

	json_t *json = write_json(&sample), *top = json_object_get(json, "top");
	json_t *values = json_object_get(top, "more_values");

	assert_true(json_is_null(json_array_get(values, (size_t)count - 1)));
	assert_true(json_is_integer(json_array_get(values, (size_t)count - 2)));
	json_decref(json);
	sample_end(&sample);
}

static void without_slots_it_is_by_time(void **state)
{
	struct sample sample;

	(void)state;
	sample_make_empty(&sample);

	json_t *json = write_json(&sample), *top = json_object_get(json, "top");
	size_t by = (size_t)json_integer_value(json_object_get(top, "weight"));
	json_t *weight = json_array_get(json_object_get(json, "weights"), by);

	assert_string_equal(json_string_value(json_object_get(weight, "name")), "cpu");
	json_decref(json);
	sample_end(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost_and_the_largest_come_first),
		cmocka_unit_test(a_category_that_a_row_does_not_know_has_no_sum),
		cmocka_unit_test(without_slots_it_is_by_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
