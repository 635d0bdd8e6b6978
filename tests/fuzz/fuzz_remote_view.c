/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_remote_view.c - no answer of a server breaks the reader of views, or what is made of two. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "remote/interval.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void roll_up(const struct ctd_remote_plan *plan, const struct ctd_remote_interval *interval)
{
	for (int by = CTD_GROUP_CGROUP; by <= CTD_GROUP_OWNER; by++) {
		const struct ctd_rollup_options options = {.by = by};
		struct ctd_rollup rollup;

		if (!ctd_remote_rollup_make(plan, interval, &options, &rollup))
			ctd_rollup_free(&rollup);
	}
}

static void subtract(const struct ctd_remote_view *before, const struct ctd_remote_view *after)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_interval interval;
	struct ctd_remote_plan *plan;
	int error = ctd_remote_plan_new(before, true, &plan, why);

	assert(!error || *why);
	if (error)
		return;
	if (ctd_remote_view_is_of_plan(after, before) &&
	    !ctd_remote_interval_make(plan, before, after, &interval)) {
		roll_up(plan, &interval);
		ctd_remote_interval_free(&interval);
	}
	ctd_remote_plan_free(plan);
}

/* Two views, with a byte 0 between them; where there is none, one before itself. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const uint8_t *end = bytes ? memchr(data, 0, bytes) : NULL;
	size_t first = end ? (size_t)(end - data) : bytes, second = end ? bytes - first - 1 : bytes;
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_view before, after;

	if (ctd_remote_view_parse((const char *)data, first, &before, why)) {
		assert(*why && memchr(why, '\0', sizeof(why)));
		return 0;
	}
	if (!ctd_remote_view_parse((const char *)(end ? end + 1 : data), second, &after, why)) {
		subtract(&before, &after);
		ctd_remote_view_free(&after);
	}
	ctd_remote_view_free(&before);
	return 0;
}
