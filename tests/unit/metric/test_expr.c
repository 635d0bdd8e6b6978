/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_expr.c - metric expressions: values, unknown ones, and what is refused where. */
#include "metric/expr.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
	const char *name;
	struct ctd_expr_operand operand;
} names[] = {
	{"zero", {.value = 0}},
	{"one", {.value = 1}},
	{"two", {.value = 2}},
	{"unknown", {.value = 3}},
	{"topdown-retiring", {.value = 4}},
	{"cpu_core@UOPS_ISSUED.ANY,cmask=1@", {.value = 5}},
	{"MEM.LATENCY:R", {.value = 6}},
	{"a[0]", {.value = 7}},
	{"msr@tsc,cpu=cpu_atom@", {.value = 5}},
	{"a\\b", {.value = 5}},
	{"4K_Aliasing", {.value = 2}},
	{"#SMT_on", {.kind = CTD_EXPR_NUMBER, .number = 1}},
	{"#num_cpus_online", {.kind = CTD_EXPR_NUMBER, .number = 8}},
	{"tma_half", {.kind = CTD_EXPR_TEXT, .text = "one / two"}},
	{"tma_quarter", {.kind = CTD_EXPR_TEXT, .text = "tma_half / two"}},
	{"tma_sum", {.kind = CTD_EXPR_TEXT, .text = "one + two"}},
	{"endless", {.kind = CTD_EXPR_TEXT, .text = "endless + one"}},
	{"wrong", {.kind = CTD_EXPR_TEXT, .text = "1 + nothing"}},
	{"source_count(UNC_CHA)", {.kind = CTD_EXPR_NUMBER, .number = 16}},
	{"has_event(one)", {.kind = CTD_EXPR_NUMBER, .number = 1}},
	{"strcmp_cpuid_str(0x410fd493)", {.kind = CTD_EXPR_NUMBER, .number = 0}},
};

static const double values[] = {0, 1, 2, NAN, 40, 50, 60, 70};

static int find(const void *context, const char *function, const char *name,
		struct ctd_expr_operand *ret_operand)
{
	char text[CTD_EXPR_NAME_BYTES + 32];

	(void)context;
	snprintf(text, sizeof(text), function ? "%s(%s)" : "%s%s", function ? function : "", name);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(names[i].name, text) == 0) {
			*ret_operand = names[i].operand;
			return 0;
		}
	}
	return -ENOENT;
}

static const struct ctd_expr_scope scope = {.find = find};

static struct ctd_expr *compiled(const char *text)
{
	struct ctd_expr_error error;
	struct ctd_expr *expr = NULL;

	if (ctd_expr_compile(text, strlen(text), &scope, &expr, &error))
		fail_msg("'%s', byte %zu: %s", text, error.at, error.reason);
	return expr;
}

static double value_of(const char *text)
{
	struct ctd_expr *expr = compiled(text);
	double value = ctd_expr_evaluate(expr, values);

	ctd_expr_free(expr);
	return value;
}

/* Of values that are other ones in each lane, some of them unknown. */
static void assert_lanes_are_alike(const char *text)
{
	double lanes[8 * CTD_EXPR_LANES], one[8], results[CTD_EXPR_LANES];
	struct ctd_expr *expr = compiled(text);

	for (size_t i = 0; i < 8; i++)
		for (size_t lane = 0; lane < CTD_EXPR_LANES; lane++)
			lanes[i * CTD_EXPR_LANES + lane] = values[(i + lane) % 8];
	ctd_expr_evaluate_lanes(expr, lanes, results);
	for (size_t lane = 0; lane < CTD_EXPR_LANES; lane++) {
		double want;

		for (size_t i = 0; i < 8; i++)
			one[i] = values[(i + lane) % 8];
		want = ctd_expr_evaluate(expr, one);
		if (isnan(results[lane]) != isnan(want) ||
		    (!isnan(want) && memcmp(&results[lane], &want, sizeof(want)) != 0))
			fail_msg("'%s', lane %zu: %.17g, not %.17g", text, lane, results[lane],
				 want);
	}
	ctd_expr_free(expr);
}

static void side_by_side_each_is_what_it_is_by_itself(void **state)
{
	static const char *const operators[] = {"+", "-", "*", "/",  "%",  "|",	 "^",
						"&", "<", ">", "<=", ">=", "==", "!="};
	static const char *const texts[] = {
		"one",
		"7",
		"-two",
		"min(one, two)",
		"max(unknown, two)",
		"d_ratio(one, zero)",
		"one if unknown else two",
		"one if zero > two else two * 3",
		"(one + 2) * (two - 3 / (zero + 1)) if one < two | two == 1 else -zero",
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		snprintf(text, sizeof(text), "(one %s two) * 3 - two", operators[i]);
		assert_lanes_are_alike(text);
	}
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_lanes_are_alike(texts[i]);
}

static void an_expression_has_the_value_that_perf_gives_it(void **state)
{
	static const struct {
		const char *text;
		double value;
	} cases[] = {
		{"1 + 2 * 3", 7},
		{"(1 + 2) * 3", 9},
		{"8 - 4 - 2", 2},
		{"8 / 4 / 2", 1},
		{"7 % 4 + 0.25e-1", 3.025},
		{"7.9 % 4.9", 3},
		{"1e-06 * 1E+6 + .5 + 1.", 2.5},
		{"0x10", 16},
		{"-two * -3", 6},
		{"- - 3", 3},
		{"2 - -3", 5},
		{"1 < 2", 1},
		{"2 <= 2", 1},
		{"2 > = 3", 0},
		{"two == 2", 1},
		{"two != 2", 0},
		{"1 | 0 ^ 1", 1},
		{"0 | 1 & 0", 0},
		{"6 & 3", 2},
		{"6 | 3", 7},
		{"6 ^ 3", 5},
		{"1 < 2 & 3 > 2", 1},
		{"1 + 1 < 2 + 1", 1},
		{"1 if 2 > 3 else 4 if 0 else 5", 5},
		{"(1 if one else 2) + 10", 11},
		{"1 + 1 if zero else 2 + 2", 4},
		{"min(3, max(1, 2)) + d_ratio(1, 4)", 2.25},
		{"d_ratio(1, zero)", 0},
		{"max(one, two)", 2},
		{"min(one if zero else two, 5)", 2},
		{"topdown\\-retiring / 4", 10},
		{"cpu_core@UOPS_ISSUED.ANY\\,cmask\\=1@/MEM.LATENCY:R", 50.0 / 60},
		{"a[0] - 70", 0},
		{"msr@tsc\\,cpu=cpu_atom@*2 + a\\\\b + 0", 150},
		{"2 * \\4K_Aliasing", 4},
		{"two==two", 1},
		{"#SMT_on + #num_cpus_online", 9},
		{"tma_half + tma_quarter", 0.75},
		{"2 * tma_sum", 6},
		{"source_count(UNC_CHA) * has_event(one) + strcmp_cpuid_str(0x410fd493)", 16},
		{"  one\t+\ntwo\r\n", 3},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double value = value_of(cases[i].text);

		if (!(fabs(value - cases[i].value) < 1e-12))
			fail_msg("'%s' is %.17g", cases[i].text, value);
	}
}

static void what_is_not_known_never_becomes_a_number(void **state)
{
	static const char *const cases[] = {
		"1 / zero",
		"zero / zero",
		"1 % zero",
		"1 % 0.5",
		"unknown + 1",
		"-unknown",
		"max(0, unknown)",
		"min(unknown, 1)",
		"max(0, 1 / zero)",
		"unknown > 0",
		"unknown == unknown",
		"unknown != unknown",
		"1 if unknown else 2",
		"1 if 1 / zero > 0 else 2",
		"unknown if one else 2",
		"d_ratio(unknown, 0)",
		"d_ratio(1, unknown)",
		"1 & unknown",
		"unknown | 0",
		"1 ^ unknown",
		"1e300 & 1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		double value = value_of(cases[i]);

		if (!isnan(value))
			fail_msg("'%s' is %.17g", cases[i], value);
	}
}

static void what_does_not_depend_on_the_unknown_is_known(void **state)
{
	(void)state;
	assert_true(value_of("1 | unknown") == 1);
	assert_true(value_of("unknown | 1") == 1);
	assert_true(value_of("0 & unknown") == 0);
	assert_true(value_of("unknown & 0") == 0);
	assert_true(value_of("7 if one else unknown") == 7);
	assert_true(value_of("7 if one else 1 / zero") == 7);
}

/* The events of a side that constants leave out need not be counted. */
static void a_condition_of_numbers_leaves_one_side_out(void **state)
{
	static const struct {
		const char *text;
		size_t count;
	} cases[] = {
		{"one if 1 else two", 1},
		{"one if 0 > 1 else two + one", 2},
		{"(one if 0 else 3) * (two if 1 & 1 else one + one)", 1},
		{"one if 0 else two if 1 else one + two", 1},
		{"one if two else 3", 2},
		{"one if 0 / 0 else two", 2},
		{"1 if 1 else one + two", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_expr *expr = compiled(cases[i].text);
		size_t count = 0;
		unsigned int value;

		for (size_t at = 0; ctd_expr_next_value(expr, &at, &value);)
			count++;
		ctd_expr_free(expr);
		if (count != cases[i].count)
			fail_msg("'%s' needs %zu values", cases[i].text, count);
	}
}

static void what_is_wrong_is_said_with_its_place(void **state)
{
	static const struct {
		const char *text;
		size_t at;
		const char *reason;
	} cases[] = {
		{"", 0, "it ends where a value should be"},
		{"1 +", 3, "it ends where a value should be"},
		{"(1", 2, "it ends where ')' should be"},
		{"1 + (2 * (3 - 4)", 16, "it ends where ')' should be"},
		{"1)", 1, "')' stands where an operator should"},
		{"()", 1, "')' stands where a value should"},
		{"1 2", 2, "'2' stands where an operator should"},
		{"* 2", 0, "'*' stands where a value should"},
		{"max(1)", 5, "')' stands where ',' should"},
		{"max(1, 2, 3)", 8, "',' stands where ')' should"},
		{"median(1, 2)", 0, "there is no function 'median'"},
		{"1 if 2", 6, "it ends where 'else' should be"},
		{"1 else 2", 2, "'else' stands where an operator should"},
		{"if 1 else 2", 0, "'if' stands where a value should"},
		{"one + nothing", 6, "there is no 'nothing'"},
		{"#nothing", 0, "there is no '#nothing'"},
		{"source_count(UNC_M2M)", 13, "there is no 'UNC_M2M'"},
		{"has_event()", 10, "')' stands where a name should"},
		{"1 $ 2", 2, "'$' has no meaning here"},
		{"1 = 2", 2, "'=' lacks the '=' behind it"},
		{"one ! two", 4, "'!' lacks the '=' behind it"},
		{"2x", 0, "'2' is not a number"},
		{"1.2.3", 0, "'1.2' is not a number"},
		{"0x", 0, "'0x' is not a number"},
		{"one\\", 0, "'o' ends with a backslash"},
		{"1 + \\", 4, "'\\' ends with a backslash"},
		{"1 + wrong", 4, "in 'wrong', column 5: there is no 'nothing'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_expr_error error = {0};
		struct ctd_expr *expr = NULL;
		int r = ctd_expr_compile(cases[i].text, strlen(cases[i].text), &scope, &expr,
					 &error);

		if (r != -EINVAL || error.at != cases[i].at ||
		    strcmp(error.reason, cases[i].reason) != 0)
			fail_msg("'%s': %d, byte %zu: %s", cases[i].text, r, error.at,
				 error.reason);
		assert_null(expr);
	}
}

/* @p open and @p close, each so many times, around a 1. */
static char *nest(const char *open, const char *close, size_t levels)
{
	char *text = malloc(levels * (strlen(open) + strlen(close)) + 2), *at = text;

	assert_non_null(text);
	for (size_t i = 0; i < levels; i++)
		at = stpcpy(at, open);
	at = stpcpy(at, "1");
	for (size_t i = 0; i < levels; i++)
		at = stpcpy(at, close);
	return text;
}

static void assert_refused(const char *text, const char *reason)
{
	struct ctd_expr_error error = {0};
	struct ctd_expr *expr = NULL;

	assert_int_equal(ctd_expr_compile(text, strlen(text), &scope, &expr, &error), -EINVAL);
	if (!strstr(error.reason, reason))
		fail_msg("'%.20s': byte %zu: %s", text, error.at, error.reason);
	assert_in_range(error.at, 0, strlen(text));
	assert_null(expr);
}

static void ten_thousand_levels_are_refused(void **state)
{
	static const char *const shapes[][2] = {{"(", ")"},
						{"-", ""},
						{"max(0,", ")"},
						{"1 if 1 else ", ""},
						{"1|2^3&4<5+6*(", ")"}};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		char *deep = nest(shapes[i][0], shapes[i][1],
				  10000 / (strlen(shapes[i][0]) > 1 ? 4 : 1));
		char *shallow = nest(shapes[i][0], shapes[i][1], 30);

		assert_refused(deep, i == 4 ? "values wait" : "nested deeper");
		assert_false(isnan(value_of(shallow)));
		free(deep);
		free(shallow);
	}
	assert_refused("endless", "names within names");
}

static void a_megabyte_is_refused(void **state)
{
	char *text = nest("1 + ", "", 500000), *name = malloc(1001);
	struct ctd_expr_error error = {0};
	struct ctd_expr *expr = NULL;

	(void)state;
	assert_non_null(name);
	assert_refused(text, "longer than 131072 bytes");
	/* What may be as long has a value. */
	assert_int_equal(ctd_expr_compile(text + 500000 * 4 + 1 - CTD_EXPR_BYTES_MAX + 3,
					  CTD_EXPR_BYTES_MAX - 3, &scope, &expr, &error),
			 0);
	assert_true(ctd_expr_evaluate(expr, values) == CTD_EXPR_BYTES_MAX / 4.0);
	ctd_expr_free(expr);
	memset(name, 'n', 1000);
	name[1000] = 0;
	assert_refused(name, "a name of more than 255 bytes");
	free(name);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(side_by_side_each_is_what_it_is_by_itself),
		cmocka_unit_test(an_expression_has_the_value_that_perf_gives_it),
		cmocka_unit_test(what_is_not_known_never_becomes_a_number),
		cmocka_unit_test(what_does_not_depend_on_the_unknown_is_known),
		cmocka_unit_test(a_condition_of_numbers_leaves_one_side_out),
		cmocka_unit_test(what_is_wrong_is_said_with_its_place),
		cmocka_unit_test(ten_thousand_levels_are_refused),
		cmocka_unit_test(a_megabyte_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
