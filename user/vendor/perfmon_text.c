/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* perfmon_text.c - puts names into formulas of github.com/intel/perfmon. */
#include "vendor/perfmon_text.h"

#include <stdbool.h>
#include <string.h>

#include "metric/expr_token.h"
#include "vendor/fields.h"

#define NAME_BYTES 256

/* The value of the pair in @p pairs whose "Alias" is @p alias. @return NULL: there is none. */
static const char *find_alias(const json_t *pairs, const char *value, const char *alias)
{
	const json_t *pair;
	size_t i;

	json_array_foreach(pairs, i, pair)
	{
		if (strcmp(ctd_field_text(pair, "Alias"), alias) == 0)
			return ctd_field_text(pair, value);
	}
	return NULL;
}

/* As one name, whatever is in it. */
static void add_name(struct ctd_strbuf *text, const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_.:@?[]";

	/* "4K_Aliasing" is none without. */
	if (*name >= '0' && *name <= '9')
		ctd_strbuf_add(text, "\\");
	for (; *name; name++)
		ctd_strbuf_addf(text, strchr(plain, *name) ? "%c" : "\\%c", *name);
}

/* A number, or a product of the machine's: in brackets; else a literal. */
static void add_constant(struct ctd_strbuf *text, const char *constant)
{
	bool number = *constant >= '0' && *constant <= '9';

	if (number || strchr(constant, ' '))
		ctd_strbuf_addf(text, "(%s)", constant);
	else
		ctd_strbuf_addf(text, "#%s", constant);
}

static void add_operand(struct ctd_strbuf *text, const char *name, const json_t *metric)
{
	const char *event = find_alias(json_object_get(metric, "Events"), "Name", name);
	const char *constant = find_alias(json_object_get(metric, "Constants"), "Name", name);

	if (event)
		add_name(text, event);
	else if (constant)
		add_constant(text, constant);
	else
		add_name(text, name);
}

void ctd_perfmon_formula_add(struct ctd_strbuf *text, const json_t *metric)
{
	const char *formula = ctd_field_text(metric, "Formula");
	size_t bytes = strlen(formula), at = 0;
	char name[NAME_BYTES];

	for (struct ctd_token token = ctd_token_read(formula, bytes, 0);
	     token.kind != CTD_TOKEN_END && token.kind != CTD_TOKEN_BAD;
	     token = ctd_token_read(formula, bytes, at)) {
		size_t end = token.at + token.bytes;

		if (token.kind == CTD_TOKEN_NAME &&
		    !ctd_token_name(formula, &token, sizeof(name), name)) {
			ctd_strbuf_add_bytes(text, formula + at, token.at - at);
			add_operand(text, name, metric);
		} else {
			ctd_strbuf_add_bytes(text, formula + at, end - at);
		}
		at = end;
	}
	/* What is malformed stays as it is, for the compiler to say so. */
	ctd_strbuf_add(text, formula + at);
}

/* "metric_TMA_..Fetch_Latency(%)", as on their screens, is Fetch_Latency. */
static const char *after_prefix(const char *name)
{
	static const char metric[] = "metric_", tma[] = "TMA_";

	if (strncmp(name, metric, strlen(metric)) != 0)
		return name;
	name += strlen(metric);
	if (strncmp(name, tma, strlen(tma)) == 0)
		name += strlen(tma);
	return name + strspn(name, ".");
}

static void add_metric_name(struct ctd_strbuf *text, const char *screen_name, bool of_ratio)
{
	static const char percent[] = "(%)";
	char name[NAME_BYTES];
	size_t bytes;

	snprintf(name, sizeof(name), "%s", after_prefix(screen_name));
	bytes = strlen(name);
	if (bytes > strlen(percent) && strcmp(name + bytes - strlen(percent), percent) == 0)
		name[bytes - strlen(percent)] = 0;
	if (of_ratio)
		ctd_strbuf_add(text, "(0.01 * ");
	add_name(text, name);
	if (of_ratio)
		ctd_strbuf_add(text, ")");
}

/* The values are in per cent; the numbers that these are compared with are so, or are ratios. */
static bool compares_ratios(const char *text, const json_t *metric)
{
	size_t bytes = strlen(text);
	bool numbers = false;

	if (strcmp(ctd_field_text(metric, "UnitOfMeasure"), "percent") != 0)
		return false;
	for (struct ctd_token token = ctd_token_read(text, bytes, 0);
	     token.kind != CTD_TOKEN_END && token.kind != CTD_TOKEN_BAD;
	     token = ctd_token_read(text, bytes, token.at + token.bytes)) {
		if (token.kind == CTD_TOKEN_NUMBER && token.number >= 1)
			return false;
		numbers = numbers || token.kind == CTD_TOKEN_NUMBER;
	}
	return numbers;
}

static size_t percent_bytes(const char *text)
{
	return strncmp(text, "(%)", 3) == 0 ? 3 : 0;
}

void ctd_perfmon_threshold_add(struct ctd_strbuf *text, const json_t *metric)
{
	const json_t *threshold = json_object_get(metric, "Threshold");
	const json_t *names = json_object_get(threshold, "ThresholdMetrics");
	const char *formula = ctd_field_text(threshold, "Formula");
	bool of_ratio = compares_ratios(formula, metric);
	char last = 0;
	size_t bytes = strlen(formula), at = 0;
	char name[NAME_BYTES];

	for (struct ctd_token token = ctd_token_read(formula, bytes, 0);
	     token.kind != CTD_TOKEN_END && token.kind != CTD_TOKEN_BAD;
	     token = ctd_token_read(formula, bytes, at)) {
		char only = (char)(token.bytes == 1 ? formula[token.at] : 0);

		ctd_strbuf_add_bytes(text, formula + at, token.at - at);
		at = token.at + token.bytes;
		if (token.kind == CTD_TOKEN_NAME &&
		    !ctd_token_name(formula, &token, sizeof(name), name)) {
			const char *full = find_alias(names, "Value", name);

			add_metric_name(text, full ? full : name, of_ratio);
			at += full ? 0 : percent_bytes(formula + at);
		} else if (!only || only != last || !strchr("&|", only)) { /* "&&", "||" */
			ctd_strbuf_add_bytes(text, formula + token.at, token.bytes);
		}
		last = only;
	}
	ctd_strbuf_add(text, formula + at);
}
