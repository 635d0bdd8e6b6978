/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* shared.c - joins expressions to one program, in which what several contain occurs once. */
#include "metric/shared.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

static bool is_same(const struct shared_operation *a, const struct shared_operation *b)
{
	return a->code == b->code && a->a == b->a && a->b == b->b && a->c == b->c &&
	       a->number == b->number;
}

/* The place of what is there already, or of a new operation. */
static int find(struct ctd_shared *shared, const struct shared_operation *operation,
		uint32_t *ret_place)
{
	size_t at = 0;

	while (at < shared->count && !is_same(&shared->operations[at], operation))
		at++;
	if (at == SHARED_OPERATIONS_MAX)
		return -EINVAL;
	if (at == shared->count)
		shared->operations[shared->count++] = *operation;
	*ret_place = (uint32_t)(shared->inputs_count + at);
	return 0;
}

/* Goes through the expression's operations as ctd_expr_evaluate() does, with places for values. */
int ctd_shared_add(struct ctd_shared *shared, const struct ctd_expr *expr, uint32_t first_input,
		   uint32_t *ret_place)
{
	uint32_t stack[EXPR_STACK_MAX], *top = stack;
	int error = 0;

	for (size_t i = 0; i < expr->count && !error; i++) {
		const struct expr_operation *from = &expr->operations[i];
		struct shared_operation operation = {.code = from->code};

		switch (from->code) {
		case EXPR_PUSH_VALUE:
			*top++ = first_input + from->value;
			continue;
		case EXPR_PUSH_NUMBER:
			operation.number = from->number;
			break;
		case EXPR_NEGATE:
			operation.a = *--top;
			break;
		case EXPR_SELECT:
			operation.c = *--top;
			operation.b = *--top;
			operation.a = *--top;
			break;
		default:
			operation.b = *--top;
			operation.a = *--top;
		}
		error = find(shared, &operation, top++);
	}
	if (!error)
		*ret_place = stack[0];
	return error;
}

void ctd_shared_run(const struct ctd_shared *shared, size_t count, double *values)
{
	double *result = values + shared->inputs_count;

	for (size_t i = 0; i < count; i++) {
		const struct shared_operation *operation = &shared->operations[i];
		double a = values[operation->a], b = values[operation->b];

		switch (operation->code) {
		case EXPR_PUSH_NUMBER:
			result[i] = operation->number;
			break;
		case EXPR_NEGATE:
			result[i] = -a;
			break;
		case EXPR_SELECT:
			result[i] = isnan(b) ? NAN : b != 0 ? a : values[operation->c];
			break;
		default:
			result[i] = ctd_expr_calculate(operation->code, a, b);
		}
	}
}
