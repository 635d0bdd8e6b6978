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

/* Functions f0 to f30 with ever more samples, those with odd numbers in the first row. */
static void sample_make_many(struct sample *sample)
{
	char name[40];

	sample_make(sample);
	ctd_profile_free(&sample->profile);
	for (int i = 0; i < 30; i++) {
		snprintf(name, sizeof(name), "f%d|main", i);
		sample_add(sample->stacks, i % 2 ? 4 : 5, name, 1 + (uint64_t)i, 1, .1);
	}
	/* Of the second row most. */
	sample_add(sample->stacks, 5, "f30|main", 1000, 1, .1);
	sample->profile = sample_profile(&sample->scene, sample->stacks, &sample->rollup);
}

static void nothing_is_lost_and_the_largest_come_first(void **state)
{
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	struct sample sample;

	(void)state;
	sample_make_many(&sample);

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

/* By its name; NULL: it is not among them. */
static const json_t *values_of(const json_t *top, const char *name)
{
	const json_t *functions = json_object_get(top, "functions"), *function;
	size_t i;

	json_array_foreach(functions, i, function)
	{
		if (strcmp(json_string_value(json_object_get(function, "name")), name) == 0)
			return json_object_get(function, "values");
	}
	return NULL;
}

static void a_category_that_its_row_does_not_know_a_function_has_not(void **state)
{
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	struct sample sample;
	size_t last;

	(void)state;
	sample_make(&sample);
	last = (size_t)ctd_weights_list(&sample.profile, weights) - 1;
	assert_int_equal(weights[last].kind, CTD_WEIGHT_NODE);
	sample.profile.rows[1].node_slots_known &= ~(1u << weights[last].node);

	json_t *json = write_json(&sample), *top = json_object_get(json, "top");

	assert_true(json_is_null(json_array_get(values_of(top, "count"), last)));
	assert_true(json_is_integer(json_array_get(values_of(top, "count"), last - 1)));
	assert_true(json_is_integer(json_array_get(values_of(top, "hash"), last)));
	assert_int_equal(value_at(json_object_get(top, "more_values"), last), 0);
	json_decref(json);
	sample_end(&sample);
}

/* As 0 slots they would be the last, and those that others have of a function all that it has. */
static void slots_of_a_row_that_was_not_counted_are_not_known(void **state)
{
	struct ctd_weight weights[CTD_WEIGHTS_MAX];
	int counted = 0, not_counted = 0, number;
	struct sample sample;

	(void)state;
	sample_make_many(&sample);
	sample_forget_slots(&sample.profile.rows[1]);

	json_t *json = write_json(&sample), *top = json_object_get(json, "top");
	json_t *functions = json_object_get(top, "functions"), *function;
	json_t *more = json_object_get(top, "more_values");
	size_t by = (size_t)json_integer_value(json_object_get(top, "weight")), i;
	int count = ctd_weights_list(&sample.profile, weights);

	assert_int_equal(weights[by].kind, CTD_WEIGHT_CPU);
	for (size_t weight = 0; weight < (size_t)count; weight++) {
		bool is_exact = weight == by || weights[weight].kind == CTD_WEIGHT_SAMPLES;

		json_array_foreach(functions, i, function)
		{
			const json_t *values = json_object_get(function, "values");
			const char *name = json_string_value(json_object_get(function, "name"));
			bool is_odd = sscanf(name, "f%d", &number) == 1 && number % 2;
			bool is_even = sscanf(name, "f%d", &number) == 1 && !(number % 2);

			counted += is_odd;
			not_counted += is_even;
			if (is_exact || is_odd)
				value_at(values, weight);
			else if (is_even)
				assert_true(json_is_null(json_array_get(values, weight)));
		}
		/* Functions of both rows are among the others. */
		assert_int_equal(json_is_integer(json_array_get(more, weight)), is_exact);
	}
	assert_true(counted > 0 && not_counted > 0);
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
		cmocka_unit_test(a_category_that_its_row_does_not_know_a_function_has_not),
		cmocka_unit_test(slots_of_a_row_that_was_not_counted_are_not_known),
		cmocka_unit_test(without_slots_it_is_by_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
