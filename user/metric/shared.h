/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* shared.h - the expressions of a set as one program, in which what several contain occurs once. */
#ifndef METRIC_SHARED_H
#define METRIC_SHARED_H

#include <stddef.h>
#include <stdint.h>

#include "metric/expr_program.h"

/* The largest model has 45. */
#define SHARED_OPERATIONS_MAX 128

/* Its result is behind the inputs, and those of the operations before it. */
struct shared_operation {
	enum expr_code code;
	uint32_t a, b, c; /* where its operands are */
	double number;
};

struct ctd_shared {
	size_t inputs_count, count;
	struct shared_operation operations[SHARED_OPERATIONS_MAX];
};

/*
 * Adds @p expr, whose values begin at @p first_input.
 * @return 0, or -EINVAL: more than SHARED_OPERATIONS_MAX operations in all.
 */
int ctd_shared_add(struct ctd_shared *shared, const struct ctd_expr *expr, uint32_t first_input,
		   uint32_t *ret_place);

/* Runs the first @p count operations. @p values: the inputs, and room for each operation's result.
 * Each is what ctd_expr_evaluate() gives, to the last digit. */
void ctd_shared_run(const struct ctd_shared *shared, size_t count, double *values);

#endif
