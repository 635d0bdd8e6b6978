/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expr_run.c - evaluates a compiled metric expression. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

static inline bool is_known(double a, double b)
{
	return !isnan(a) && !isnan(b);
}

/* In each lane, of the last two values one: at @p left, of which A is the old one. */
#define EACH(result)                              \
	for (size_t i = 0; i < lanes; i++) {      \
		double a = left[i], b = right[i]; \
                                                  \
		left[i] = (result);               \
	}                                         \
	break

static inline __attribute__((always_inline)) void
calculate(enum expr_code code, size_t lanes, double *restrict left, const double *restrict right)
{
	switch (code) {
	/* Nearly all are of these, of which NaN comes out by itself. */
	case EXPR_ADD:
		EACH(a + b);
	case EXPR_SUBTRACT:
		EACH(a - b);
	case EXPR_MULTIPLY:
		EACH(a * b);
	case EXPR_DIVIDE:
		EACH(b == 0 ? NAN : a / b);
	case EXPR_OR:
	case EXPR_XOR:
	case EXPR_AND:
		EACH(combine(code, a, b));
	case EXPR_LESS:
		EACH(is_known(a, b) ? a < b : NAN);
	case EXPR_GREATER:
		EACH(is_known(a, b) ? a > b : NAN);
	case EXPR_AT_MOST:
		EACH(is_known(a, b) ? a <= b : NAN);
	case EXPR_AT_LEAST:
		EACH(is_known(a, b) ? a >= b : NAN);
	case EXPR_EQUAL:
		EACH(is_known(a, b) ? a == b : NAN);
	case EXPR_NOT_EQUAL:
		EACH(is_known(a, b) ? a != b : NAN);
	case EXPR_MODULO:
		EACH(is_known(a, b) && trunc(b) != 0 ? fmod(trunc(a), trunc(b)) : NAN);
	case EXPR_MIN:
		EACH(!is_known(a, b) ? NAN : a < b ? a : b);
	case EXPR_MAX:
		EACH(!is_known(a, b) ? NAN : a > b ? a : b);
	default:
		EACH(!is_known(a, b) ? NAN : b == 0 ? 0 : a / b);
	}
}

/* Compiled for one lane, and for all: which operation comes next is found out once for all of them,
 * and takes longer than most operations. Operands are on the stack before their operator: the
 * parser saw to it. */
/* NOLINTBEGIN(clang-analyzer-core.CallAndMessage) */
static inline __attribute__((always_inline)) void
run(const struct ctd_expr *expr, const double *values, size_t lanes, double *stack)
{
	const struct expr_operation *end = expr->operations + expr->count;
	double *top = stack; /* the place above the last value */

	for (const struct expr_operation *at = expr->operations; at < end; at++) {
		switch (at->code) {
		case EXPR_PUSH_VALUE:
			for (size_t i = 0; i < lanes; i++)
				top[i] = values[at->value * lanes + i];
			top += lanes;
			break;
		case EXPR_PUSH_NUMBER:
			for (size_t i = 0; i < lanes; i++)
				top[i] = at->number;
			top += lanes;
			break;
		case EXPR_NEGATE:
			for (size_t i = 1; i <= lanes; i++)
				top[-(ptrdiff_t)i] = -top[-(ptrdiff_t)i];
			break;
		case EXPR_SELECT:
			top -= 2 * lanes;
			for (double *a = top - lanes, *is = top; a < top; a++, is++)
				*a = isnan(*is) ? NAN : *is != 0 ? *a : is[lanes];
			break;
		default:
			top -= lanes;
			calculate(at->code, lanes, top - lanes, top);
		}
	}
	assert(top == stack + lanes);
}
/* NOLINTEND(clang-analyzer-core.CallAndMessage) */

double ctd_expr_evaluate(const struct ctd_expr *expr, const double *values)
{
	double stack[EXPR_STACK_MAX];

	run(expr, values, 1, stack);
	return stack[0];
}

void ctd_expr_evaluate_lanes(const struct ctd_expr *expr, const double *values,
			     double ret_results[CTD_EXPR_LANES])
{
	double stack[EXPR_STACK_MAX * CTD_EXPR_LANES];

	run(expr, values, CTD_EXPR_LANES, stack);
	memcpy(ret_results, stack, CTD_EXPR_LANES * sizeof(*stack));
}

double ctd_expr_calculate(enum expr_code code, double a, double b)
{
	calculate(code, 1, &a, &b);
	return a;
}
