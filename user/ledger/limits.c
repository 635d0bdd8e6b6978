/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* limits.c - of the limits above an account's rows, the one that its tasks waited for longest. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/add.h"

/* One row that waited for a limit above it. The account has a row of this rollup, and is not freed
 * before the next one. */
struct ctd_waited_limit {
	struct ledger_account *account;
	const struct ctd_rollup_row *row;
	uint64_t waited_ns;
};

int ctd_waited_limits_make(const struct ctd_rollup *rollup, struct ctd_waited_limits *ret_limits)
{
	size_t count = 0;

	for (size_t i = 0; i < rollup->rows_count; i++)
		count += rollup->rows[i].above_bytes ? (size_t)rollup->rows[i].core_types : 0;
	*ret_limits = (struct ctd_waited_limits){0};
	if (!count)
		return 0;
	ret_limits->items = malloc(count * sizeof(*ret_limits->items));
	return ret_limits->items ? 0 : -ENOMEM;
}

void ctd_waited_limits_note(struct ctd_waited_limits *limits, struct ledger_account *account,
			    const struct ctd_addition *addition)
{
	const struct ctd_waits *waits = addition->part->waits;

	limits->items[limits->count++] = (struct ctd_waited_limit){
		account, addition->row, waits ? waits->ns[CTD_WAIT_THROTTLED] : 0};
}

/* An account's follow each other, and of these the rows below one limit: the outermost first. */
static int compare(const void *left, const void *right)
{
	const struct ctd_waited_limit *a = left, *b = right;

	if (a->account->account.id != b->account->account.id)
		return a->account->account.id < b->account->account.id ? -1 : 1;
	if (a->row->above_bytes != b->row->above_bytes)
		return a->row->above_bytes < b->row->above_bytes ? -1 : 1;
	/* A path may be shorter since the limit was read: it was renamed. */
	return strncmp(a->row->identity->path, b->row->identity->path, a->row->above_bytes);
}

void ctd_waited_limits_take(struct ctd_waited_limits *limits)
{
	const struct ctd_waited_limit *most = NULL;
	uint64_t most_ns = 0;

	if (limits->count)
		qsort(limits->items, limits->count, sizeof(*limits->items), compare);
	for (size_t i = 0, next; i < limits->count; i = next) {
		const struct ctd_waited_limit *limit = &limits->items[i];
		struct ctd_account *to = &limit->account->account;
		uint64_t sum_ns = 0;

		for (next = i; next < limits->count && !compare(limit, &limits->items[next]);
		     next++)
			sum_ns += limits->items[next].waited_ns;
		if (most && limit->account == most->account && sum_ns <= most_ns)
			continue;
		most = limit;
		most_ns = sum_ns;
		to->above_limit_ns = limit->row->above_limit_ns;
		to->above_bytes = limit->row->above_bytes;
	}
}

void ctd_waited_limits_free(struct ctd_waited_limits *limits)
{
	free(limits->items);
}
