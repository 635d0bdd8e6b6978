/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expr_run.c - evaluates a compiled metric expression. */
#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "metric/expr_program.h"

/* Beyond this a double has no exact place among long integers, on which perf's |, & and ^ work. */
#define INTEGER_MAX 9e18

/* As perf's: of the integers, and so 0 or 1 of comparisons. */
static double combine(enum expr_code code, double a, double b)
{
	if (code == EXPR_AND && (a == 0 || b == 0))
		return 0;
	if (code == EXPR_OR && (a == 1 || b == 1))
		return 1;
	if (!(fabs(a) < INTEGER_MAX && fabs(b) < INTEGER_MAX))
		return NAN;
	switch (code) {
	case EXPR_AND:
		return (double)((int64_t)a & (int64_t)b);
	case EXPR_OR:
		return (double)((int64_t)a | (int64_t)b);
	default:
		return (double)((int64_t)a ^ (int64_t)b);
	}
}

/* Neither is NaN. */
static double calculate_known(enum expr_code code, double a, double b)
{
	switch (code) {
	case EXPR_LESS:
		return a < b;
	case EXPR_GREATER:
		return a > b;
	case EXPR_AT_MOST:
		return a <= b;
	case EXPR_AT_LEAST:
		return a >= b;
	case EXPR_EQUAL:
		return a == b;
	case EXPR_NOT_EQUAL:
		return a != b;
	case EXPR_MODULO:
		return trunc(b) == 0 ? NAN : fmod(trunc(a), trunc(b));
	case EXPR_MIN:
		return a < b ? a : b;
	case EXPR_MAX:
		return a > b ? a : b;
	default:
		return b == 0 ? 0 : a / b;
	}
}

double ctd_expr_calculate(enum expr_code code, double a, double b)
{
	switch (code) {
	/* Nearly all are of these, of which NaN comes out by itself. */
	case EXPR_ADD:
		return a + b;
	case EXPR_SUBTRACT:
		return a - b;
	case EXPR_MULTIPLY:
		return a * b;
	case EXPR_DIVIDE:
		return b == 0 ? NAN : a / b;
	case EXPR_OR:
	case EXPR_XOR:
	case EXPR_AND:
		return combine(code, a, b);
	default:
		return isnan(a) || isnan(b) ? NAN : calculate_known(code, a, b);
	}
}

/* Operands are on the stack before their operator: the parser saw to it. */
/* NOLINTBEGIN(clang-analyzer-core.CallAndMessage) */
double ctd_expr_evaluate(const struct ctd_expr *expr, const double *values)
{
	const struct expr_operation *end = expr->operations + expr->count;
	double stack[EXPR_STACK_MAX], *top = stack; /* the place above the last value */

	for (const struct expr_operation *at = expr->operations; at < end; at++) {
		switch (at->code) {
		case EXPR_PUSH_VALUE:
			*top++ = values[at->value];
			continue;
		case EXPR_PUSH_NUMBER:
			*top++ = at->number;
			continue;
		case EXPR_NEGATE:
			top[-1] = -top[-1];
			continue;
		case EXPR_SELECT:
			top -= 2;
			top[-1] = isnan(top[0]) ? NAN : top[0] != 0 ? top[-1] : top[1];
			continue;
		default:
			top--;
			top[-1] = ctd_expr_calculate(at->code, top[-1], top[0]);
		}
	}
	assert(top == stack + 1);
	return stack[0];
}
/* NOLINTEND(clang-analyzer-core.CallAndMessage) */
