/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* condition.c - tells when a node is worth a look. */
#include "app/explain/condition.h"

#include <string.h>

#include "metric/expr_token.h"

/* "NAME > NUMBER" from @p at on. @return where it ends; 0: it is something else. */
static size_t read_comparison(const char *text, size_t at, struct ctd_token *ret_name,
			      double *ret_ratio)
{
	size_t bytes = strlen(text);
	struct ctd_token name = ctd_token_read(text, bytes, at);
	struct ctd_token above = ctd_token_read(text, bytes, name.at + name.bytes);
	struct ctd_token number = ctd_token_read(text, bytes, above.at + above.bytes);

	if (name.kind != CTD_TOKEN_NAME || !ctd_token_is(text, &above, ">") ||
	    number.kind != CTD_TOKEN_NUMBER)
		return 0;
	*ret_name = name;
	*ret_ratio = number.number;
	return number.at + number.bytes;
}

void ctd_condition_add(struct ctd_strbuf *text, const struct ctd_node *node)
{
	const char *condition = node->condition;
	struct ctd_token operator, name;
	double ratio;
	size_t at = read_comparison(condition, 0, &name, &ratio), next;

	if (at)
		ctd_strbuf_addf(text, "above %.0f%%", 100 * ratio);
	for (; at; at = next) {
		operator= ctd_token_read(condition, strlen(condition), at);
		if (operator.kind == CTD_TOKEN_END)
			return;
		next = read_comparison(condition, operator.at + operator.bytes, &name, &ratio);
		if (!next)
			break;
		ctd_strbuf_addf(text, ", %s %.*s is above %.0f%%",
				ctd_token_is(condition, &operator, "|") ? "or if" : "if",
				(int)name.bytes, &condition[name.at], 100 * ratio);
	}
	ctd_strbuf_addf(text, "%s", &condition[at]);
}
