/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* parse_metrics.c - compiles every formula in vendors' files of metrics, and counts them. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "metric/expr.h"

/* MetricExpr, MetricThreshold: perf's; Formula, BaseFormula: Intel's; formula: Arm's. */
static const char *const keys[] = {"MetricExpr", "MetricThreshold", "Formula", "BaseFormula",
				   "formula"};

/* Any name may be an event or a metric. */
static int find(const void *context, const char *function, const char *name,
		struct ctd_expr_operand *ret_operand)
{
	(void)context;
	(void)function;
	(void)name;
	*ret_operand = (struct ctd_expr_operand){.kind = CTD_EXPR_NUMBER, .number = 1};
	return 0;
}

struct counts {
	unsigned int parsed, failed;
};

static void parse(const char *path, const char *text, struct counts *counts)
{
	const struct ctd_expr_scope scope = {.find = find};
	struct ctd_expr_error error;
	struct ctd_expr *expr;

	if (ctd_expr_compile(text, strlen(text), &scope, &expr, &error)) {
		printf("%s: byte %zu of '%.300s': %s\n", path, error.at, text, error.reason);
		counts->failed++;
		return;
	}
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

/* Arguments: JSON files. Prints what is no expression, and at last how many are. */
int main(int argc, char **argv)
{
	struct counts counts = {0};

	for (int i = 1; i < argc; i++) {
		json_t *content = json_load_file(argv[i], 0, NULL);

		walk(argv[i], content, &counts);
		json_decref(content);
	}
	printf("%u formulas\n", counts.parsed);
	return counts.failed ? 1 : 0;
}
