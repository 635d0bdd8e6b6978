/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.c - adds the members of a cluster up. */
#include "app/top/sum.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/clock.h"
#include "base/strbuf.h"
#include "base/utf8.h"

/* Figures of less are rounded away. */
#define WINDOW_LEAST_NS 10000000ull

/* A sum on its way. */
struct build {
	struct ctd_top_sum *sum;
	uint64_t interval_ns, now_ns;
	struct ctd_remote_span *spans; /* owned */
	size_t count;
	char **names; /* owned, and each of them; of the members, in one line each */
	size_t names_count;
	bool is_used[CTD_CORE_TYPES_MAX]; /* of the merge's */
	bool no_room; /* one is of a design too many */
	struct ctd_strbuf missing;
	bool is_new; /* one of them has not been shown */
	bool replan;
};

static void build_free(struct build *build)
{
	for (size_t i = 0; build->names && i < build->names_count; i++)
		free(build->names[i]);
	free((void *)build->names);
	free(build->spans);
	ctd_strbuf_free(&build->missing);
}

/* Is it among those that there are, under another URL? */
static const char *find_same(const struct build *build, const struct ctd_remote_view *view)
{
	for (size_t i = 0; i < build->count; i++)
		if (ctd_remote_view_is_of_run(view, build->spans[i].after))
			return build->spans[i].node;
	return NULL;
}

/* Two of one name are told apart by where they are asked, whichever of them have figures now. */
static char *name_of(struct ctd_top_member **members, size_t at)
{
	const char *name = ctd_top_member_name(members[at]), *url = members[at]->listed.url;
	bool is_taken = false;
	char *own = NULL;

	for (size_t i = 0; i < at && !is_taken; i++)
		is_taken =
			!members[i]->leaves && strcmp(ctd_top_member_name(members[i]), name) == 0;
	if (!is_taken || !url)
		own = strdup(name);
	else if (asprintf(&own, "%s (%s)", name, url) < 0)
		own = NULL;
	if (own)
		ctd_utf8_mask_controls(own);
	return own;
}

static int name_all(struct build *build, struct ctd_top_member **members, size_t count)
{
	build->names = calloc(count + 1, sizeof(*build->names));
	if (!build->names)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		build->names[i] = name_of(members, i);
		if (!build->names[i])
			return -ENOMEM;
		build->names_count++;
	}
	return 0;
}

/* @return false: it cannot be among the others, and @p why says why; or *error is set. */
static bool add_span(struct build *build, struct ctd_top_member *member, const char *name,
		     char why[CTD_REMOTE_WHY_BYTES], int *error)
{
	struct ctd_remote_machine *machine = &member->machine;
	struct ctd_remote_span *span = &build->spans[build->count];
	const char *same;

	if (!ctd_remote_machine_is_fresh(machine, build->interval_ns, build->now_ns, why))
		return false;
	same = find_same(build, &machine->after);
	if (same) {
		snprintf(why, CTD_REMOTE_WHY_BYTES, "it is the same serve as %s", same);
		return false;
	}
	*span = (struct ctd_remote_span){
		.before = &machine->before, .after = &machine->after, .node = name};
	*error = ctd_remote_merge_add(&build->sum->merge, &machine->after, span->core_type, why);
	build->replan |= *error == 1;
	build->no_room |= *error == -ENOSPC;
	if (*error < 0) {
		*error = *error == -ENOMEM ? -ENOMEM : 0;
		return false;
	}
	*error = 0;
	for (int i = 0; i < machine->after.core_types_count; i++)
		build->is_used[span->core_type[i]] = true;
	build->count++;
	build->sum->has_vendor |= machine->after.vendor;
	build->is_new |= machine->is_new;
	machine->is_new = false;
	return true;
}

static int add_member(struct build *build, struct ctd_top_member *member, const char *name)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	int error = 0;

	build->sum->nodes.asked++;
	if (add_span(build, member, name, why, &error) || error)
		return error;
	/* It may be text of the other side, which is not to look like that of another node. */
	ctd_utf8_mask_controls(why);
	ctd_strbuf_addf(&build->missing, "%s\t%s\n", name, why);
	return 0;
}

static int add_members(struct build *build, struct ctd_top_member **members)
{
	int error = 0;

	build->sum->nodes = (struct ctd_top_nodes){0};
	build->count = 0;
	build->no_room = false;
	build->sum->has_vendor = false;
	memset(build->is_used, 0, sizeof(build->is_used));
	ctd_strbuf_free(&build->missing);
	for (size_t i = 0; !error && i < build->names_count; i++)
		if (!members[i]->leaves)
			error = add_member(build, members[i], build->names[i]);
	return error;
}

/* Is a node left out only because core types of nodes that are gone still take up slots? */
static bool is_merge_stale(const struct build *build)
{
	for (int i = 0; build->no_room && i < build->sum->merge.types.core_types_count; i++)
		if (!build->is_used[i])
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *first = a, *second = b;

	return *first < *second ? -1 : *first > *second;
}

/* As long as most are: one that was away for a while has a long one. But where views come less
 * often than they are asked for, intervals must not overlap: trends add them up. @return 0 without
 * memory.
 */
static uint64_t window_ns(const struct build *build)
{
	uint64_t since_ns = build->now_ns - build->sum->shown_ns, usual_ns;
	autofree uint64_t *windows = calloc(build->count, sizeof(*windows));

	for (size_t i = 0; windows && i < build->count; i++)
		windows[i] = build->spans[i].after->elapsed_ns - build->spans[i].before->elapsed_ns;
	if (!windows)
		return 0;
	qsort(windows, build->count, sizeof(*windows), compare);
	usual_ns = windows[(build->count - 1) / 2];
	if (since_ns < WINDOW_LEAST_NS)
		since_ns = WINDOW_LEAST_NS;
	return build->sum->shown_ns && since_ns < usual_ns ? since_ns : usual_ns;
}

static int make_plan(struct ctd_top_sum *sum)
{
	char why[CTD_REMOTE_WHY_BYTES];
	struct ctd_remote_plan *plan;
	/* Each of them was planned by itself: what is left is memory. */
	int error = ctd_remote_merge_plan(&sum->merge, &plan, why);

	if (error)
		return -ENOMEM;
	if (sum->is_new_plan)
		ctd_remote_plan_free(sum->plan);
	sum->plan = plan;
	sum->is_new_plan = true;
	return 0;
}

static int add_up(struct build *build)
{
	struct ctd_top_sum *sum = build->sum;
	int error = build->replan || !sum->plan ? make_plan(sum) : 0;
	uint64_t ns = window_ns(build);

	if (!error)
		error = ns ? ctd_remote_interval_merge(sum->plan, build->spans, build->count, ns,
						       ctd_realtime_ns(), &sum->interval)
			   : -ENOMEM;
	sum->has_interval = !error;
	if (!error)
		sum->shown_ns = build->now_ns;
	return error;
}

int ctd_top_sum_make(struct ctd_top_sum *sum, struct ctd_top_member **members, size_t count,
		     uint64_t interval_ns)
{
	__attribute__((cleanup(build_free))) struct build build = {
		.sum = sum,
		.interval_ns = interval_ns,
		.now_ns = ctd_monotonic_ns(),
		.spans = calloc(count + 1, sizeof(*build.spans)),
	};
	int error = build.spans ? name_all(&build, members, count) : -ENOMEM;

	sum->nodes = (struct ctd_top_nodes){0};
	if (!error)
		error = add_members(&build, members);
	if (!error && is_merge_stale(&build)) {
		/* What was shown keeps its plan. */
		ctd_remote_merge_free(&sum->merge);
		build.replan = true;
		error = add_members(&build, members);
	}
	if (!error && build.missing.failed)
		error = -ENOMEM;
	if (!error && build.is_new)
		error = add_up(&build);
	sum->nodes.shown = build.count;
	sum->nodes.missing = take_ptr(build.missing.text);
	return error;
}

static void free_plan(void *plan)
{
	ctd_remote_plan_free(plan);
}

/* With the history's lock. */
static int show(struct ctd_top_sum *sum, struct ctd_top_history *history)
{
	int error = 0;

	if (sum->is_new_plan && sum->has_interval) {
		sum->is_new_plan = false;
		error = ctd_top_history_keep_plan(history, sum->plan, free_plan);
		if (error)
			sum->plan = NULL;
	}
	if (!error && sum->has_interval)
		error = ctd_top_history_add(history, ctd_remote_plan_rollup(sum->plan),
					    &sum->interval.interval,
					    take_ptr(sum->interval.identities));
	if (!error)
		error = ctd_top_history_tell_nodes(history, &sum->nodes, sum->has_interval);
	history->has_vendor = sum->has_vendor;
	snprintf(history->why, sizeof(history->why), "%s",
		 history->nodes.shown || !history->count ? "" : "No node has figures of now.");
	return error;
}

int ctd_top_sum_show(struct ctd_top_sum *sum, struct ctd_top_history *history)
{
	int error;

	pthread_mutex_lock(&history->lock);
	error = show(sum, history);
	pthread_mutex_unlock(&history->lock);
	if (sum->has_interval)
		ctd_remote_interval_free(&sum->interval);
	sum->has_interval = false;
	ctd_top_nodes_free(&sum->nodes);
	return error;
}

void ctd_top_sum_free(struct ctd_top_sum *sum)
{
	if (sum->is_new_plan)
		ctd_remote_plan_free(sum->plan);
	if (sum->has_interval)
		ctd_remote_interval_free(&sum->interval);
	ctd_top_nodes_free(&sum->nodes);
	ctd_remote_merge_free(&sum->merge);
	*sum = (struct ctd_top_sum){0};
}
