/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_shared.c - expressions that share a program give what each gives alone. */
#include "metric/shared.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "metric/set.h"
#include "metrics.h"

#define INPUTS 3

static int find(const void *context, const char *function, const char *name,
		struct ctd_expr_operand *ret_operand)
{
	(void)context;
	(void)function;
	*ret_operand = (struct ctd_expr_operand){.value = (unsigned int)(name[0] - 'a')};
	return name[0] >= 'a' && name[0] < 'a' + INPUTS ? 0 : -ENOENT;
}

static struct ctd_expr *compile(const char *text)
{
	const struct ctd_expr_scope scope = {.find = find};
	struct ctd_expr_error error;
	struct ctd_expr *expr;

	assert_int_equal(ctd_expr_compile(text, strlen(text), &scope, &expr, &error), 0);
	return expr;
}

static int add(struct ctd_shared *shared, const char *text, uint32_t *ret_place)
{
	struct ctd_expr *expr = compile(text);
	int error = ctd_shared_add(shared, expr, 0, ret_place);

	ctd_expr_free(expr);
	return error;
}

static void assert_same(double a, double b)
{
	assert_true(isnan(a) ? isnan(b) : memcmp(&a, &b, sizeof(a)) == 0);
}

static void every_operator_gives_what_it_gives_alone(void **state)
{
	static const char *const texts[] = {
		"a",
		"0.25",
		"-b",
		"a + b * c",
		"a - (b - c)",
		"a / b / c",
		"a % b",
		"min(a, b)",
		"max(0, a - b)",
		"d_ratio(a, b)",
		"a < b",
		"a > b | c",
		"a <= b & c",
		"a >= b ^ c",
		"a == b",
		"a != b",
		"a if b else c",
		"(a if b > c else b) / (a + c)",
	};
	enum { TEXTS = sizeof(texts) / sizeof(*texts) };
	static const double some[] = {0, 1, 3, 7e8, NAN};
	struct ctd_shared shared = {.inputs_count = INPUTS};
	double values[INPUTS + SHARED_OPERATIONS_MAX];
	struct ctd_expr *alone[TEXTS];
	uint32_t places[TEXTS];

	(void)state;
	for (int i = 0; i < TEXTS; i++) {
		alone[i] = compile(texts[i]);
		assert_int_equal(add(&shared, texts[i], &places[i]), 0);
	}
	for (int round = 0; round < 125; round++) {
		values[0] = some[round % 5];
		values[1] = some[round / 5 % 5];
		values[2] = some[round / 25];
		ctd_shared_run(&shared, shared.count, values);
		for (int i = 0; i < TEXTS; i++)
			assert_same(ctd_expr_evaluate(alone[i], values), values[places[i]]);
	}
	for (int i = 0; i < TEXTS; i++)
		ctd_expr_free(alone[i]);
}

static void what_several_contain_occurs_once(void **state)
{
	struct ctd_shared shared = {.inputs_count = INPUTS};
	uint32_t first, second;

	(void)state;
	assert_int_equal(add(&shared, "a / (b + c)", &first), 0);
	assert_int_equal(add(&shared, "b / (b + c)", &second), 0);
	assert_int_equal(shared.count, 3);
	assert_int_equal(first, INPUTS + 1);
	assert_int_equal(second, INPUTS + 2);
}

static void more_operations_than_there_is_room_for_are_refused(void **state)
{
	struct ctd_shared shared = {.inputs_count = INPUTS};
	uint32_t place = 0;
	char text[16];

	(void)state;
	for (int i = 0; i < SHARED_OPERATIONS_MAX; i++) {
		snprintf(text, sizeof(text), "%d", i);
		assert_int_equal(add(&shared, text, &place), 0);
	}
	assert_int_equal(add(&shared, "a + b", &place), -EINVAL);
	assert_int_equal(add(&shared, "7", &place), 0);
	assert_int_equal(place, INPUTS + 7);
}

/* Of counts that no formula is made for, too. */
static void nodes_of_all_models_have_the_values_of_their_formulas(void **state)
{
	double values[METRIC_INPUTS + SHARED_OPERATIONS_MAX];

	(void)state;
	srand(1);
	for (size_t model = 0; ctd_cpu_models[model]; model++) {
		const struct ctd_metric_set *set = metrics_of(ctd_cpu_models[model]);

		for (size_t i = 0; i < METRIC_INPUTS; i++)
			values[i] = rand() % 10 ? rand() : 0;
		for (int i = 0; i < set->model->nodes_count; i++) {
			bool ipc = ctd_node_is_ipc(&set->model->nodes[i]);
			int group = ipc ? 0 : set->model->nodes[i].group;

			ctd_shared_run(&set->shared[ipc], set->end[i], values);
			assert_same(ctd_metric_value(set, i, &values[group * METRIC_GROUP_INPUTS]),
				    values[set->place[i]]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_operator_gives_what_it_gives_alone),
		cmocka_unit_test(what_several_contain_occurs_once),
		cmocka_unit_test(more_operations_than_there_is_room_for_are_refused),
		cmocka_unit_test(nodes_of_all_models_have_the_values_of_their_formulas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
