/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* fuzz_remote_past.c - no answer of a server breaks the reader of its history, or the intervals
 * that are made of it and a view. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "remote/recall.h"

/* Intervals of a long history are much alike. */
#define ROLLED_UP_MAX 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

struct taken {
	const struct ctd_remote_plan *plan;
	uint64_t begin_ns; /* not before this time the next one may begin */
	uint64_t until_ns; /* nor may one end after this */
	int count;
};

static int take(struct ctd_remote_interval *interval, void *context)
{
	static const struct ctd_rollup_options options = {.by = CTD_GROUP_CONTAINER};
	struct taken *taken = context;
	uint64_t end_ns = interval->interval.realtime_ns;
	struct ctd_rollup rollup;

	assert(interval->interval.window_ns && end_ns <= taken->until_ns);
	assert(end_ns > interval->interval.window_ns &&
	       end_ns - interval->interval.window_ns >= taken->begin_ns);
	assert(!interval->interval.has_waits && !interval->interval.has_siblings);
	taken->begin_ns = end_ns;
	if (taken->count++ < ROLLED_UP_MAX &&
	    !ctd_remote_rollup_make(taken->plan, interval, &options, &rollup))
		ctd_rollup_free(&rollup);
	return 0;
}

static void recall(const struct ctd_remote_past *past, const struct ctd_remote_view *view)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct taken taken = {.until_ns = view->time_ns};
	struct ctd_remote_plan *plan;

	if (ctd_remote_plan_new(view, true, &plan, why))
		return;
	taken.plan = plan;
	(void)ctd_remote_recall(past, view, plan, take, &taken);
	ctd_remote_plan_free(plan);
}

/* A history and a view, with a byte 0 between them. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const uint8_t *end = bytes ? memchr(data, 0, bytes) : NULL;
	size_t first = end ? (size_t)(end - data) : bytes;
	char why[CTD_REMOTE_WHY_BYTES] = "";
	struct ctd_remote_past past;
	struct ctd_remote_view view;

	if (ctd_remote_past_parse((const char *)data, first, &past, why)) {
		assert(*why && memchr(why, '\0', sizeof(why)));
		return 0;
	}
	if (end && !ctd_remote_view_parse((const char *)end + 1, bytes - first - 1, &view, why)) {
		recall(&past, &view);
		ctd_remote_view_free(&view);
	}
	ctd_remote_past_free(&past);
	return 0;
}
