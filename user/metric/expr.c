/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expr.c - compiles a metric expression into a flat program. */
#include "metric/expr.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric/expr_program.h"
#include "metric/expr_token.h"

/* Brackets, signs, `else` and texts within texts: each level takes some frames of the stack. */
#define DEPTH_MAX 200
#define TEXTS_MAX 20
/* Texts within texts may make much of little. */
#define OPERATIONS_MAX 65536
static const struct {
	const char *text;
	int precedence;
	enum expr_code code;
} binary_operators[] = {
	{"|", 0, EXPR_OR},	  {"^", 1, EXPR_XOR},	   {"&", 2, EXPR_AND},
	{"<", 3, EXPR_LESS},	  {">", 3, EXPR_GREATER},  {"<=", 3, EXPR_AT_MOST},
	{">=", 3, EXPR_AT_LEAST}, {"==", 3, EXPR_EQUAL},   {"!=", 3, EXPR_NOT_EQUAL},
	{"+", 4, EXPR_ADD},	  {"-", 4, EXPR_SUBTRACT}, {"*", 5, EXPR_MULTIPLY},
	{"/", 5, EXPR_DIVIDE},	  {"%", 5, EXPR_MODULO},
};

static const struct {
	const char *name;
	enum expr_code code;
} functions[] = {{"min", EXPR_MIN}, {"max", EXPR_MAX}, {"d_ratio", EXPR_D_RATIO}};

/* What these are of is no value, but something to be looked up. */
static const char *const lookups[] = {"source_count", "has_event", "aggr_nr", "strcmp_cpuid_str"};

struct parser {
	const char *text;
	size_t bytes;
	struct ctd_token token; /* the next one */
	int depth, texts;
	int stack; /* values on it after what was emitted so far */
	const struct ctd_expr_scope *scope;
	struct ctd_expr *expr;
	struct ctd_expr_error *error;
};

static int parse_conditional(struct parser *parser);

__attribute__((format(printf, 3, 4))) static int refuse(struct parser *parser, size_t at,
							const char *format, ...)
{
	va_list arguments;

	parser->error->at = at;
	va_start(arguments, format);
	vsnprintf(parser->error->reason, sizeof(parser->error->reason), format, arguments);
	va_end(arguments);
	return -EINVAL;
}

static void next(struct parser *parser)
{
	size_t end = parser->token.at + parser->token.bytes;

	parser->token = ctd_token_read(parser->text, parser->bytes, end);
}

static bool next_is(const struct parser *parser, const char *word)
{
	return ctd_token_is(parser->text, &parser->token, word);
}

/* It stands where it should not. */
static int refuse_token(struct parser *parser, const char *wanted)
{
	const struct ctd_token *token = &parser->token;
	int bytes = token->bytes < 40 ? (int)token->bytes : 40;

	if (token->kind == CTD_TOKEN_END)
		return refuse(parser, token->at, "it ends where %s should be", wanted);
	if (token->kind == CTD_TOKEN_BAD)
		return refuse(parser, token->at, "'%.*s' %s", bytes, &parser->text[token->at],
			      token->reason);
	return refuse(parser, token->at, "'%.*s' stands where %s should", bytes,
		      &parser->text[token->at], wanted);
}

static int take(struct parser *parser, const char *word)
{
	char wanted[16];

	if (!next_is(parser, word)) {
		snprintf(wanted, sizeof(wanted), "'%s'", word);
		return refuse_token(parser, wanted);
	}
	next(parser);
	return 0;
}

/* @p taken: how many values it takes off the stack to leave one there. */
static int emit(struct parser *parser, struct expr_operation operation, int taken)
{
	struct ctd_expr *expr = parser->expr;

	parser->stack += 1 - taken;
	if (parser->stack > EXPR_STACK_MAX)
		return refuse(parser, parser->token.at, "more than %d values wait for operators",
			      EXPR_STACK_MAX);
	if (expr->count == OPERATIONS_MAX)
		return refuse(parser, parser->token.at, "more than %d operations", OPERATIONS_MAX);
	if (expr->count == expr->room) {
		size_t room = expr->room ? 2 * expr->room : 16;
		struct expr_operation *larger =
			realloc(expr->operations, room * sizeof(*expr->operations));

		if (!larger)
			return -ENOMEM;
		expr->operations = larger;
		expr->room = room;
	}
	expr->operations[expr->count++] = operation;
	return 0;
}

static int enter(struct parser *parser)
{
	if (++parser->depth > DEPTH_MAX)
		return refuse(parser, parser->token.at, "nested deeper than %d levels", DEPTH_MAX);
	return 0;
}

/* The text of which a name is the short form. */
static int parse_text(struct parser *parser, const struct ctd_token *name, const char *text)
{
	struct ctd_expr_error error = {0};
	struct parser inner = *parser;
	int r;

	if (++inner.texts > TEXTS_MAX)
		return refuse(parser, name->at, "names within names, more than %d times",
			      TEXTS_MAX);
	inner.text = text;
	inner.bytes = strlen(text);
	inner.error = &error;
	inner.token = ctd_token_read(text, inner.bytes, 0);
	r = parse_conditional(&inner);
	if (r == 0 && inner.token.kind != CTD_TOKEN_END)
		r = refuse_token(&inner, "an operator");
	parser->stack = inner.stack;
	if (r != -EINVAL)
		return r;
	if (error.within)
		refuse(parser, name->at, "%s", error.reason);
	else
		refuse(parser, name->at, "in '%.*s', column %zu: %.*s", (int)name->bytes,
		       &parser->text[name->at], error.at + 1, CTD_EXPR_NAME_BYTES / 2,
		       error.reason);
	parser->error->within = true;
	return r;
}

static int push_name(struct parser *parser, const struct ctd_token *token, const char *function,
		     const char *name)
{
	struct ctd_expr_operand operand = {0};
	int r = parser->scope->find(parser->scope->context, function, name, &operand);

	if (r == -ENOENT)
		return refuse(parser, token->at, "there is no '%s'", name);
	if (r)
		return r;
	switch (operand.kind) {
	case CTD_EXPR_VALUE:
		return emit(parser, (struct expr_operation){EXPR_PUSH_VALUE, operand.value, 0}, 0);
	case CTD_EXPR_NUMBER:
		return emit(parser, (struct expr_operation){EXPR_PUSH_NUMBER, 0, operand.number},
			    0);
	case CTD_EXPR_TEXT:
		return parse_text(parser, token, operand.text);
	}
	return -EINVAL;
}

/* min(A, B) */
static int parse_function(struct parser *parser, enum expr_code code)
{
	int r = take(parser, "(");

	if (r == 0)
		r = parse_conditional(parser);
	if (r == 0)
		r = take(parser, ",");
	if (r == 0)
		r = parse_conditional(parser);
	if (r == 0)
		r = take(parser, ")");
	return r ? r : emit(parser, (struct expr_operation){code, 0, 0}, 2);
}

/* has_event(NAME); a processor's id begins with a digit. */
static int parse_lookup(struct parser *parser, const char *function)
{
	char name[CTD_EXPR_NAME_BYTES];
	struct ctd_token token;
	int r = take(parser, "(");

	if (r)
		return r;
	token = parser->token;
	if (token.kind != CTD_TOKEN_NAME && token.kind != CTD_TOKEN_NUMBER)
		return refuse_token(parser, "a name");
	if (ctd_token_name(parser->text, &token, sizeof(name), name))
		return refuse(parser, token.at, "a name of more than %d bytes",
			      CTD_EXPR_NAME_BYTES - 1);
	next(parser);
	r = take(parser, ")");
	return r ? r : push_name(parser, &token, function, name);
}

static int parse_name(struct parser *parser)
{
	struct ctd_token token = parser->token;
	char name[CTD_EXPR_NAME_BYTES];

	if (next_is(parser, "if") || next_is(parser, "else"))
		return refuse_token(parser, "a value");
	if (ctd_token_name(parser->text, &token, sizeof(name), name))
		return refuse(parser, token.at, "a name of more than %d bytes",
			      CTD_EXPR_NAME_BYTES - 1);
	next(parser);
	if (!next_is(parser, "("))
		return push_name(parser, &token, NULL, name);
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (strcmp(functions[i].name, name) == 0)
			return parse_function(parser, functions[i].code);
	for (size_t i = 0; i < sizeof(lookups) / sizeof(*lookups); i++)
		if (strcmp(lookups[i], name) == 0)
			return parse_lookup(parser, lookups[i]);
	return refuse(parser, token.at, "there is no function '%s'", name);
}

static int parse_unary(struct parser *parser)
{
	struct ctd_token token = parser->token;
	int r;

	if (next_is(parser, "-")) {
		r = enter(parser);
		next(parser);
		if (r == 0)
			r = parse_unary(parser);
		parser->depth--;
		return r ? r : emit(parser, (struct expr_operation){EXPR_NEGATE, 0, 0}, 1);
	}
	if (next_is(parser, "(")) {
		next(parser);
		r = parse_conditional(parser);
		return r ? r : take(parser, ")");
	}
	if (token.kind == CTD_TOKEN_NAME)
		return parse_name(parser);
	if (token.kind != CTD_TOKEN_NUMBER)
		return refuse_token(parser, "a value");
	next(parser);
	return emit(parser, (struct expr_operation){EXPR_PUSH_NUMBER, 0, token.number}, 0);
}

/* @return the index of the operator that is next, if it binds at least so tightly; -1: none. */
static int next_operator(const struct parser *parser, int precedence)
{
	for (size_t i = 0; i < sizeof(binary_operators) / sizeof(*binary_operators); i++)
		if (next_is(parser, binary_operators[i].text))
			return binary_operators[i].precedence >= precedence ? (int)i : -1;
	return -1;
}

static int parse_binary(struct parser *parser, int precedence)
{
	int r = parse_unary(parser), which;

	while (r == 0 && (which = next_operator(parser, precedence)) >= 0) {
		next(parser);
		r = parse_binary(parser, binary_operators[which].precedence + 1);
		if (r == 0)
			r = emit(parser,
				 (struct expr_operation){binary_operators[which].code, 0, 0}, 2);
	}
	return r;
}

/* The value of some operations that leave one, if it is that of numbers only. @return NaN: it is
 * not known yet. */
static double constant(const struct ctd_expr *expr, size_t begin, size_t end)
{
	const struct ctd_expr part = {.count = end - begin, .operations = &expr->operations[begin]};

	for (size_t i = begin; i < end; i++)
		if (expr->operations[i].code == EXPR_PUSH_VALUE)
			return NAN;
	return ctd_expr_evaluate(&part, NULL);
}

/*
 * A if C else B, whose operations begin at @p a, @p c and @p b. Where C is decided already, as
 * #SMT_on is on a machine, the other side is dropped: its events need not be counted.
 */
static int emit_select(struct parser *parser, size_t a, size_t c, size_t b)
{
	struct ctd_expr *expr = parser->expr;
	double condition = constant(expr, c, b);

	if (isnan(condition))
		return emit(parser, (struct expr_operation){EXPR_SELECT, 0, 0}, 3);
	if (condition == 0) {
		memmove(&expr->operations[a], &expr->operations[b],
			(expr->count - b) * sizeof(*expr->operations));
		expr->count -= b - a;
	} else {
		expr->count = c;
	}
	parser->stack -= 2;
	return 0;
}

static int parse_conditional(struct parser *parser)
{
	size_t a = parser->expr->count, b, c;
	int r = enter(parser);

	if (r == 0)
		r = parse_binary(parser, 0);
	if (r == 0 && next_is(parser, "if")) {
		c = parser->expr->count;
		next(parser);
		r = parse_binary(parser, 0);
		b = parser->expr->count;
		if (r == 0)
			r = take(parser, "else");
		if (r == 0)
			r = parse_conditional(parser);
		if (r == 0)
			r = emit_select(parser, a, c, b);
	}
	parser->depth--;
	return r;
}

int ctd_expr_compile(const char *text, size_t bytes, const struct ctd_expr_scope *scope,
		     struct ctd_expr **ret_expr, struct ctd_expr_error *ret_error)
{
	struct parser parser = {.text = text, .bytes = bytes, .scope = scope, .error = ret_error};
	int r;

	*ret_error = (struct ctd_expr_error){0};
	if (bytes > CTD_EXPR_BYTES_MAX)
		return refuse(&parser, CTD_EXPR_BYTES_MAX, "longer than %d bytes",
			      CTD_EXPR_BYTES_MAX);
	parser.expr = calloc(1, sizeof(*parser.expr));
	if (!parser.expr)
		return -ENOMEM;
	parser.token = ctd_token_read(text, bytes, 0);
	r = parse_conditional(&parser);
	if (r == 0 && parser.token.kind != CTD_TOKEN_END)
		r = refuse_token(&parser, "an operator");
	if (r) {
		ctd_expr_free(parser.expr);
		return r;
	}
	*ret_expr = parser.expr;
	return 0;
}

bool ctd_expr_next_value(const struct ctd_expr *expr, size_t *at, unsigned int *ret_value)
{
	while (*at < expr->count) {
		const struct expr_operation *operation = &expr->operations[(*at)++];

		if (operation->code == EXPR_PUSH_VALUE) {
			*ret_value = operation->value;
			return true;
		}
	}
	return false;
}

void ctd_expr_free(struct ctd_expr *expr)
{
	if (expr)
		free(expr->operations);
	free(expr);
}
