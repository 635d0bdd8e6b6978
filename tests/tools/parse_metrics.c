/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* parse_metrics.c - compiles every formula in vendors' files of metrics, and tells their values. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "metric/expr.h"

/* MetricExpr, MetricThreshold: perf's; Formula, BaseFormula: Intel's; formula: Arm's. */
static const char *const keys[] = {"MetricExpr", "MetricThreshold", "Formula", "BaseFormula",
				   "formula"};

/* Any name may be an event or a metric; each has a value of its own, which tests/check/models
 * knows. */
static int find(const void *context, const char *function, const char *name,
		struct ctd_expr_operand *ret_operand)
{
	uint32_t sum = 0;

	(void)context;
	(void)function;
	for (; *name; name++)
		sum = (sum * 31 + (unsigned char)*name) % 9973;
	*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_NUMBER, .number = 1 + sum / 1e3};
	return 0;
}

struct counts {
	unsigned int parsed, failed;
};

/* A line: the value, a space, the formula as a string of JSON. */
static void show(const struct ctd_expr *expr, const char *text)
{
	json_t *string = json_string(text);
	double value = ctd_expr_evaluate(expr, NULL);

	if (isnan(value))
		printf("- ");
	else
		printf("%.17g ", value);
	json_dumpf(string, stdout, JSON_ENCODE_ANY);
	putchar('\n');
	json_decref(string);
}

static void parse(const char *path, const char *text, struct counts *counts)
{
	const struct ctd_expr_scope scope = {.find = find};
	struct ctd_expr_error error;
	struct ctd_expr *expr;

	if (ctd_expr_compile(text, strlen(text), &scope, &expr, &error)) {
		printf("! %s: byte %zu of '%.300s': %s\n", path, error.at, text, error.reason);
		counts->failed++;
		return;
	}
	show(expr, text);
	ctd_expr_free(expr);
	counts->parsed++;
}

static void walk(const char *path, json_t *value, struct counts *counts)
{
	const char *key;
	json_t *inner;
	size_t i;

	if (json_is_array(value)) {
		json_array_foreach(value, i, inner)
		{
			walk(path, inner, counts);
		}
	}
	json_object_foreach(value, key, inner)
	{
		/* Intel's thresholds name metrics as on screen: "metric_TMA_..Core_Bound(%)". */
		if (strcmp(key, "Threshold") == 0)
			continue;
		walk(path, inner, counts);
		for (i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			if (json_is_string(inner) && strcmp(key, keys[i]) == 0)
				parse(path, json_string_value(inner), counts);
	}
}

/* Arguments: JSON files. Prints each formula with its value; "! " and why where it is none. */
int main(int argc, char **argv)
{
	struct counts counts = {0};

	for (int i = 1; i < argc; i++) {
		json_t *content = json_load_file(argv[i], 0, NULL);

		walk(argv[i], content, &counts);
		json_decref(content);
	}
	return counts.failed ? 1 : 0;
}
