/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expr.h - metric expressions as perf's and Intel's files have them: compiled once, then evaluated.
 */
#ifndef METRIC_EXPR_H
#define METRIC_EXPR_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The language is that of tools/perf/util/expr.y, and what Intel's own files have beside it. From
 * low to high precedence:
 *
 *     A if C else B    |    ^    &    < > <= >= == !=    + -    * / %    -A
 *
 * with min(A, B), max(A, B), d_ratio(A, B), which is 0 where B is 0, and source_count(EVENT),
 * has_event(EVENT), aggr_nr(EVENT), strcmp_cpuid_str(ID). A name may have any character behind a
 * backslash, also as its first: topdown\-retiring, cpu@EVENT\,cmask\=1@. A literal begins with '#'.
 *
 * An unknown value is NaN. Other than in perf it stays unknown through comparisons, min, max, and
 * as a condition, and so does what divides by 0: no data never becomes a number. Only what does not
 * depend on it is known: 0 & A is 0, 1 | A is 1.
 */
/* The longest of Intel's, with all names written out, has 89,000. */
#define CTD_EXPR_BYTES_MAX 131072
#define CTD_EXPR_NAME_BYTES 256

enum ctd_expr_kind {
	CTD_EXPR_VALUE, /* one of the values that it is evaluated over */
	CTD_EXPR_NUMBER,
	CTD_EXPR_TEXT, /* another expression, of the same scope */
};

/* What a name stands for. */
struct ctd_expr_operand {
	enum ctd_expr_kind kind;
	unsigned int value; /* its index */
	double number;
	const char *text;
};

struct ctd_expr_scope {
	/*
	 * @p name: without backslashes, a literal with its '#'. @p function: NULL, or which of
	 * "source_count", "has_event", "aggr_nr", "strcmp_cpuid_str" it is the argument of.
	 * @return 0, or -ENOENT if there is no such thing.
	 */
	int (*find)(const void *context, const char *function, const char *name,
		    struct ctd_expr_operand *ret_operand);
	const void *context;
};

struct ctd_expr_error {
	size_t at; /* of the byte in the text, from 0 */
	bool within; /* it is in a text that a name there stands for: the reason says where */
	char reason[CTD_EXPR_NAME_BYTES + 128];
};

struct ctd_expr;

/*
 * @return 0; -EINVAL with the place and the reason: malformed, unknown name, too long, too deep;
 * -ENOMEM.
 */
int ctd_expr_compile(const char *text, size_t bytes, const struct ctd_expr_scope *scope,
		     struct ctd_expr **ret_expr, struct ctd_expr_error *ret_error);

/* @p values: as many as the largest index that the scope gave out needs. @return NaN: no data. */
double ctd_expr_evaluate(const struct ctd_expr *expr, const double *values);

/* The same of so many sets of values at once: of the value with an index there are as many, one
 * after the other, as there are results. Each is to the last bit what it is by itself. */
#define CTD_EXPR_LANES 8
void ctd_expr_evaluate_lanes(const struct ctd_expr *expr, const double *values,
			     double ret_results[CTD_EXPR_LANES]);

/*
 * The values that it is evaluated over, one after the other, some several times: begin with @p at
 * 0. What a condition of numbers leaves out is none of these. @return false: there are no more.
 */
bool ctd_expr_next_value(const struct ctd_expr *expr, size_t *at, unsigned int *ret_value);

void ctd_expr_free(struct ctd_expr *expr);

#endif
