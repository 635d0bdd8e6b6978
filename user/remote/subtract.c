/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* subtract.c - subtracts the rows of two views, so that nothing is lost or there twice. */
#include "remote/subtract.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/idmap.h"

/* Something that is done to each figure, given that of another total. */
typedef void change_fn(uint64_t *figure, uint64_t other, const void *context);

static void change_smt(struct ctd_beside *smt, const struct ctd_beside *other, change_fn *change,
		       const void *context)
{
	for (int i = 0; i < CTD_SIBLINGS; i++) {
		struct ctd_beside_part *part = &smt->parts[i];

		change(&part->cpu_ns, other->parts[i].cpu_ns, context);
		change(&part->counted_ns, other->parts[i].counted_ns, context);
		change(&part->slots, other->parts[i].slots, context);
		change(&part->retired_slots, other->parts[i].retired_slots, context);
	}
}

/* Applies to every cumulative figure; quota limits are not cumulative. */
static void change_each(struct ctd_remote_total *total, const struct ctd_remote_total *other,
			change_fn *change, const void *context)
{
	change(&total->cpu_ns, other->cpu_ns, context);
	change(&total->counted_ns, other->counted_ns, context);
	change(&total->slices, other->slices, context);
	change(&total->switches, other->switches, context);
	change(&total->slots, other->slots, context);
	for (int i = 0; i < CTD_NODES_MAX; i++)
		change(&total->node_slots[i], other->node_slots[i], context);
	change(&total->ipc.counted_ns, other->ipc.counted_ns, context);
	for (int i = 0; i < CTD_IPC_COUNTS; i++)
		change(&total->ipc.count[i], other->ipc.count[i], context);
	for (int i = 0; i < CTD_WAITS_FIGURES; i++) {
		uint64_t figure = ctd_waits_get(&total->waits, i);

		change(&figure, ctd_waits_get(&other->waits, i), context);
		ctd_waits_set(&total->waits, i, figure);
	}
	change_smt(&total->smt, &other->smt, change, context);
	change(&total->throttling.periods, other->throttling.periods, context);
	change(&total->throttling.throttled, other->throttling.throttled, context);
	change(&total->throttling.throttled_ns, other->throttling.throttled_ns, context);
}

/* A foreign view may have totals that shrink, or do not balance. */
static void take_away(uint64_t *from, uint64_t figure, const void *context)
{
	(void)context;
	*from -= figure < *from ? figure : *from;
}

static void subtract(struct ctd_remote_total *from, const struct ctd_remote_total *total)
{
	change_each(from, total, take_away, NULL);
}

static void add(struct ctd_remote_total *to, const struct ctd_remote_total *total)
{
	to->cpu_ns += total->cpu_ns;
	to->counted_ns += total->counted_ns;
	to->slices += total->slices;
	to->switches += total->switches;
	to->slots_known |= total->slots_known;
	to->slots += total->slots;
	for (int i = 0; i < CTD_NODES_MAX; i++)
		to->node_slots[i] += total->node_slots[i];
	if (to->ipc.known < total->ipc.known)
		to->ipc.known = total->ipc.known;
	to->ipc.counted_ns += total->ipc.counted_ns;
	for (int i = 0; i < CTD_IPC_COUNTS; i++)
		to->ipc.count[i] += total->ipc.count[i];
	to->waits_known |= total->waits_known;
	ctd_waits_add(&to->waits, &total->waits);
	ctd_beside_add(&to->smt, &total->smt);
	to->throttling_known |= total->throttling_known;
	ctd_throttling_add(&to->throttling, &total->throttling);
}

static uint64_t hash_cgroup(const struct ctd_remote_row *row)
{
	return ctd_hash(row->cgroup, strlen(row->cgroup)) + (uint64_t)row->core_type;
}

/* The rows of cgroups, by their paths: an index + 1. */
static int list_cgroups(const struct ctd_remote_view *view, struct ctd_idmap *cgroups)
{
	int error = 0;

	for (size_t i = 0; !error && i < view->rows_count; i++)
		if (view->rows[i].kind <= CTD_ACCOUNT_CGROUP)
			error = ctd_idmap_set(cgroups, hash_cgroup(&view->rows[i]), i + 1);
	return error;
}

/* What @p row of an earlier view has become; NULL: it is gone. */
static const struct ctd_remote_row *find(const struct ctd_remote_view *after,
					 const struct ctd_idmap *cgroups,
					 const struct ctd_remote_row *row)
{
	const struct ctd_remote_row *found = ctd_remote_view_find(after, row->key);
	uintptr_t at;

	if (found && found->core_type == row->core_type)
		return found;
	/* It was named in between: it has another key, or is a part of what has that key. */
	if (row->kind > CTD_ACCOUNT_CGROUP || !ctd_idmap_get(cgroups, hash_cgroup(row), &at))
		return NULL;
	found = &after->rows[at - 1];
	return found->core_type == row->core_type && strcmp(found->cgroup, row->cgroup) == 0 ? found
											     : NULL;
}

/* Totals that begin later than they did are of another row under the same key. */
static bool goes_on(const struct ctd_remote_row *row, const struct ctd_remote_row *before)
{
	return strcmp(row->total.since, before->total.since) <= 0;
}

static void subtract_rows(const struct ctd_remote_view *before, const struct ctd_remote_view *after,
			  const struct ctd_idmap *cgroups, struct ctd_remote_difference *difference)
{
	for (size_t i = 0; i < before->rows_count; i++) {
		const struct ctd_remote_row *row = &before->rows[i];
		const struct ctd_remote_row *now = find(after, cgroups, row);

		if (row->kind == CTD_ACCOUNT_OTHER || !now || !goes_on(now, row))
			subtract(&difference->other[row->core_type], &row->total);
		else
			subtract(&difference->rows[now - after->rows], &row->total);
	}
}

int ctd_remote_subtract(const struct ctd_remote_view *before, const struct ctd_remote_view *after,
			struct ctd_remote_difference *ret_difference)
{
	struct ctd_remote_difference difference = {
		.rows = calloc(after->rows_count + 1, sizeof(*difference.rows))};
	struct ctd_idmap cgroups = {0};
	int error = difference.rows ? list_cgroups(after, &cgroups) : -ENOMEM;

	if (error) {
		ctd_idmap_free(&cgroups);
		free(difference.rows);
		return error;
	}
	for (int i = 0; i < after->core_types_count; i++)
		add(&difference.other[i], &after->core_types[i].fetched);
	for (size_t i = 0; i < after->rows_count; i++) {
		const struct ctd_remote_row *row = &after->rows[i];

		add(row->kind == CTD_ACCOUNT_OTHER ? &difference.other[row->core_type]
						   : &difference.rows[i],
		    &row->total);
	}
	for (int i = 0; i < before->core_types_count; i++)
		subtract(&difference.other[i], &before->core_types[i].fetched);
	subtract_rows(before, after, &cgroups, &difference);
	ctd_idmap_free(&cgroups);
	*ret_difference = difference;
	return 0;
}

static void scale(uint64_t *figure, uint64_t other, const void *context)
{
	(void)other;
	*figure = ctd_remote_scale(*figure, context);
}

uint64_t ctd_remote_scale(uint64_t figure, const struct ctd_remote_ratio *ratio)
{
	return ratio->to == ratio->from || !ratio->from
		       ? figure
		       : (uint64_t)((unsigned __int128)figure * ratio->to / ratio->from);
}

void ctd_remote_difference_scale(struct ctd_remote_difference *difference, size_t rows_count,
				 const struct ctd_remote_ratio *ratio)
{
	if (ratio->to == ratio->from)
		return;
	for (size_t i = 0; i < rows_count; i++)
		change_each(&difference->rows[i], &difference->rows[i], scale, ratio);
	for (int i = 0; i < CTD_CORE_TYPES_MAX; i++)
		change_each(&difference->other[i], &difference->other[i], scale, ratio);
}

void ctd_remote_difference_free(struct ctd_remote_difference *difference)
{
	free(difference->rows);
	difference->rows = NULL;
}
