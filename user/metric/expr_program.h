/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expr_program.h - what the parser of metric expressions makes: operations over a stack of values. */
#ifndef METRIC_EXPR_PROGRAM_H
#define METRIC_EXPR_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "metric/expr.h"

/* Values that wait for their operators: of each of the parser's DEPTH_MAX levels some. */
#define EXPR_STACK_MAX 512

enum expr_code {
	EXPR_PUSH_VALUE,
	EXPR_PUSH_NUMBER,
	EXPR_OR,
	EXPR_XOR,
	EXPR_AND,
	EXPR_LESS,
	EXPR_GREATER,
	EXPR_AT_MOST,
	EXPR_AT_LEAST,
	EXPR_EQUAL,
	EXPR_NOT_EQUAL,
	EXPR_ADD,
	EXPR_SUBTRACT,
	EXPR_MULTIPLY,
	EXPR_DIVIDE,
	EXPR_MODULO,
	EXPR_MIN,
	EXPR_MAX,
	EXPR_D_RATIO,
	EXPR_NEGATE,
	EXPR_SELECT, /* A C B: A if C else B */
};

struct expr_operation {
	enum expr_code code;
	uint32_t value; /* its index */
	double number;
};

struct ctd_expr {
	size_t count, room;
	struct expr_operation *operations;
};

/* @p code: that of an operator or a function of two values. */
double ctd_expr_calculate(enum expr_code code, double a, double b);

#endif
