/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* expr_token.h - a metric expression, cut into its words. */
#ifndef METRIC_EXPR_TOKEN_H
#define METRIC_EXPR_TOKEN_H

#include <stddef.h>

enum ctd_token_kind {
	CTD_TOKEN_END,
	CTD_TOKEN_NUMBER,
	CTD_TOKEN_NAME, /* also a "#literal" */
	CTD_TOKEN_OPERATOR, /* also brackets and commas */
	CTD_TOKEN_BAD, /* none of these; no token comes behind it */
};

struct ctd_token {
	enum ctd_token_kind kind;
	size_t at, bytes; /* in the text */
	double number;
	char operator[3]; /* "<=" */
	const char *reason; /* of a bad one */
};

/* @return the first token of @p text from @p at on. */
struct ctd_token ctd_token_read(const char *text, size_t bytes, size_t at);

/* Without backslashes. @return 0, or -ENAMETOOLONG. */
int ctd_token_name(const char *text, const struct ctd_token *token, size_t room, char *ret_name);

/* Is it the name or the operator @p word? */
int ctd_token_is(const char *text, const struct ctd_token *token, const char *word);

#endif
