/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expr_token.c - cuts a metric expression into its words. */
#include "metric/expr_token.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_BYTES 64

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* As in perf's expr.l. Intel's formulas also have one alias with an index: a[0]. */
static bool is_name_part(char c)
{
	return is_name_start(c) || is_digit(c) || (c && strchr(".:@?[]", c));
}

static size_t digits(const char *text, size_t bytes, size_t at)
{
	while (at < bytes && is_digit(text[at]))
		at++;
	return at;
}

/* "7", "0.25", "1e-6" */
static size_t decimal_end(const char *text, size_t bytes, size_t at)
{
	size_t exponent;

	at = digits(text, bytes, at);
	if (at < bytes && text[at] == '.')
		at = digits(text, bytes, at + 1);
	if (at >= bytes || (text[at] != 'e' && text[at] != 'E'))
		return at;
	exponent = at + 1;
	if (exponent < bytes && (text[exponent] == '-' || text[exponent] == '+'))
		exponent++;
	return digits(text, bytes, exponent) > exponent ? digits(text, bytes, exponent) : at;
}

static size_t hexadecimal_end(const char *text, size_t bytes, size_t at)
{
	at += strlen("0x");
	while (at < bytes && (is_digit(text[at]) || (text[at] >= 'a' && text[at] <= 'f') ||
			      (text[at] >= 'A' && text[at] <= 'F')))
		at++;
	return at;
}

static void read_number(const char *text, size_t bytes, struct ctd_token *token)
{
	bool hexadecimal = text[token->at] == '0' && token->at + 1 < bytes &&
			   (text[token->at + 1] == 'x' || text[token->at + 1] == 'X');
	size_t end = hexadecimal ? hexadecimal_end(text, bytes, token->at)
				 : decimal_end(text, bytes, token->at);
	char number[NUMBER_BYTES], *rest;

	token->kind = CTD_TOKEN_BAD;
	token->bytes = end - token->at;
	token->reason = "is not a number";
	if (token->bytes >= sizeof(number) || (end < bytes && is_name_part(text[end])))
		return;
	memcpy(number, &text[token->at], token->bytes);
	number[token->bytes] = 0;
	token->number = strtod(number, &rest);
	if (!*rest)
		token->kind = CTD_TOKEN_NUMBER;
}

/* "cpu=cpu_atom", "msr_val=0x1", but not "a == b": with nothing around it a '=' is of a name. */
static bool is_assignment(const char *text, size_t bytes, size_t at)
{
	return text[at] == '=' && at + 1 < bytes &&
	       (is_name_start(text[at + 1]) || is_digit(text[at + 1]));
}

static void read_name(const char *text, size_t bytes, struct ctd_token *token)
{
	size_t end = token->at + (text[token->at] != '\\');

	token->kind = CTD_TOKEN_BAD;
	for (; end < bytes; end++) {
		if (text[end] != '\\') {
			if (!is_name_part(text[end]) && !is_assignment(text, bytes, end))
				break;
		} else if (++end == bytes || !text[end]) {
			token->reason = "ends with a backslash";
			return;
		}
	}
	token->kind = CTD_TOKEN_NAME;
	token->bytes = end - token->at;
}

/* Intel's files have "> =" for ">=". */
static void read_operator(const char *text, size_t bytes, struct ctd_token *token)
{
	size_t next = token->at + 1;

	token->kind = CTD_TOKEN_OPERATOR;
	token->bytes = 1;
	token->operator[0] = text[token->at];
	if (!strchr("<>=!", token->operator[0]))
		return;
	while (next < bytes && text[next] == ' ')
		next++;
	if (next < bytes && text[next] == '=') {
		token->operator[1] = '=';
		token->bytes = next + 1 - token->at;
	} else if (strchr("=!", token->operator[0])) {
		token->kind = CTD_TOKEN_BAD;
		token->reason = "lacks the '=' behind it";
	}
}

struct ctd_token ctd_token_read(const char *text, size_t bytes, size_t at)
{
	struct ctd_token token = {.kind = CTD_TOKEN_END};

	while (at < bytes && text[at] && strchr(" \t\r\n", text[at]))
		at++;
	token.at = at;
	if (at == bytes)
		return token;
	token.bytes = 1;
	if (is_digit(text[at]) || (text[at] == '.' && at + 1 < bytes && is_digit(text[at + 1]))) {
		read_number(text, bytes, &token);
	} else if (is_name_start(text[at]) || (text[at] && strchr("#\\", text[at]))) {
		read_name(text, bytes, &token);
	} else if (text[at] && strchr("+-*/%()<>|&^,=!", text[at])) {
		read_operator(text, bytes, &token);
	} else {
		token.kind = CTD_TOKEN_BAD;
		token.reason = "has no meaning here";
	}
	return token;
}

int ctd_token_name(const char *text, const struct ctd_token *token, size_t room, char *ret_name)
{
	size_t bytes = 0;

	for (size_t i = token->at; i < token->at + token->bytes; i++) {
		i += text[i] == '\\';
		if (bytes + 1 >= room)
			return -ENAMETOOLONG;
		ret_name[bytes++] = text[i];
	}
	ret_name[bytes] = 0;
	return 0;
}

int ctd_token_is(const char *text, const struct ctd_token *token, const char *word)
{
	if (token->kind == CTD_TOKEN_OPERATOR)
		return strcmp(token->operator, word) == 0;
	return token->kind == CTD_TOKEN_NAME && token->bytes == strlen(word) &&
	       memcmp(&text[token->at], word, token->bytes) == 0;
}
