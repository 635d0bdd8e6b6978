/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_metric_expr.c - no text makes the compiler of metric expressions, or what it made, fail. */
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "metric/expr.h"

#define VALUES 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* "a" to "d" are values, "n" is a number, "t" a text, "r" one that needs itself. */
static int find(const void *context, const char *function, const char *name,
		struct ctd_expr_operand *ret_operand)
{
	(void)context;
	assert(strlen(name) < CTD_EXPR_NAME_BYTES);
	if (function || *name == '#') {
		*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_NUMBER, .number = 1};
		return 0;
	}
	if (*name >= 'a' && *name < 'a' + VALUES)
		*ret_operand = (struct ctd_expr_operand){.value = (unsigned int)(*name - 'a')};
	else if (*name == 'n')
		*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_NUMBER, .number = -2.5};
	else if (*name == 't')
		*ret_operand =
			(struct ctd_expr_operand){.kind = CTD_EXPR_TEXT, .text = "a / b - 1"};
	else if (*name == 'r')
		*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_TEXT, .text = "r + r"};
	else
		return -ENOENT;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	static const double values[][VALUES] = {
		{1, 2, 3, 4}, {0, 0, 0, 0}, {NAN, 1e300, -1e300, 0}, {INFINITY, -1, 0.5, NAN}};
	const struct ctd_expr_scope scope = {.find = find};
	struct ctd_expr_error error;
	struct ctd_expr *expr = NULL;
	int r = ctd_expr_compile((const char *)data, bytes, &scope, &expr, &error);

	assert(r == 0 || r == -EINVAL || r == -ENOMEM);
	assert(!r == !!expr);
	if (r == -EINVAL)
		assert(error.at <= bytes && *error.reason);
	for (size_t i = 0; expr && i < sizeof(values) / sizeof(*values); i++)
		ctd_expr_evaluate(expr, values[i]);
	ctd_expr_free(expr);
	return 0;
}
