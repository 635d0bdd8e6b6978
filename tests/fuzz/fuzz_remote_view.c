/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_remote_view.c - no answer of a server breaks the reader of views, or what is made of two. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "remote/merge.h"

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

/* As of two machines of which one was away for a while. */
static void merge(const struct ctd_remote_view *before, const struct ctd_remote_view *after)
{
	static const struct ctd_rollup_options by_node = {.by = CTD_GROUP_NODE};
	struct ctd_remote_span spans[] = {{before, after, "a", {0}}, {before, after, "b", {0}}};
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_interval interval;
	struct ctd_remote_merge types = {0};
	struct ctd_remote_plan *plan = NULL;
	struct ctd_rollup rollup;
	int error = ctd_remote_merge_add(&types, after, spans[0].core_type, why);

	assert(error >= 0 || *why);
	/* Again they are all there. */
	if (error >= 0)
		assert(!ctd_remote_merge_add(&types, after, spans[1].core_type, why));
	if (error >= 0 && !ctd_remote_merge_plan(&types, &plan, why) &&
	    !ctd_remote_interval_merge(plan, spans, 2, 1000000007, 1, &interval)) {
		if (!ctd_rollup_make(ctd_remote_plan_rollup(plan), &interval.interval,
				     interval.identities, &by_node, &rollup))
			ctd_rollup_free(&rollup);
		ctd_remote_interval_free(&interval);
	}
	ctd_remote_plan_free(plan);
	ctd_remote_merge_free(&types);
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
		if (ctd_remote_view_is_of_plan(&after, &before))
			merge(&before, &after);
		ctd_remote_view_free(&after);
	}
	ctd_remote_view_free(&before);
	return 0;
}
