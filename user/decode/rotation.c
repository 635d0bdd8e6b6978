/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rotation.c - adds up intervals of rotating groups of counters: each group keeps its own counts. */
#include "rotation.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rows.h"
#include "scale.h"
#include "siblings.h"

static void shift(uint64_t *counts, uint32_t counters_count, uint32_t first)
{
	memmove(counts + first, counts, counters_count * sizeof(*counts));
	memset(counts, 0, first * sizeof(*counts));
}

uint32_t ctd_snapshot_group(const struct ctd_snapshot *snapshot, int core_type)
{
	uint32_t groups = snapshot->core_type_groups[core_type];

	return groups ? snapshot->group % groups : snapshot->group;
}

void ctd_interval_place(struct ctd_interval *interval, const struct ctd_snapshot *after)
{
	uint32_t counters_count = interval->counters_count, group[CTD_CORE_TYPES_MAX];

	for (int core = 0; core < CTD_CORE_TYPES_MAX; core++) {
		struct ctd_interval_totals *totals = &interval->totals[core];

		group[core] = ctd_snapshot_group(after, core);
		shift(totals->total, counters_count, group[core] * counters_count);
		shift(totals->unattributed, counters_count, group[core] * counters_count);
		shift((uint64_t *)totals->residual, counters_count, group[core] * counters_count);
	}
	for (size_t i = 0; i < interval->rows_count; i++) {
		struct ctd_interval_row *row = &interval->rows[i];

		/* Without the time in which others had the PMU. */
		row->group_ns[group[row->core_type]] =
			row->running_ns < row->oncpu_ns ? row->running_ns : row->oncpu_ns;
		row->count_ns[group[row->core_type]] =
			ctd_interval_row_is_scaled(row) ? row->oncpu_ns : row->running_ns;
		shift(row->raw, counters_count, group[row->core_type] * counters_count);
		shift(row->count, counters_count, group[row->core_type] * counters_count);
		for (int part = 0; row->siblings && group[row->core_type] && part < CTD_SIBLINGS;
		     part++)
			memset(row->siblings[part].count, 0, sizeof(row->siblings[part].count));
	}
}

int ctd_interval_row_compare(const struct ctd_interval_row *a, const struct ctd_interval_row *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->cgroup_id != b->cgroup_id)
		return a->cgroup_id < b->cgroup_id ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->core_type < b->core_type ? -1 : a->core_type > b->core_type;
}

/* If only one of the parts has counts, they are of a part of the time. */
static enum ctd_quality join(enum ctd_quality a, enum ctd_quality b)
{
	enum ctd_quality worse = a > b ? a : b, better = a > b ? b : a;

	return better <= CTD_LOW_CONFIDENCE && worse > CTD_LOW_CONFIDENCE ? CTD_LOW_CONFIDENCE
									  : worse;
}

static void add_row(struct ctd_interval_row *to, const struct ctd_interval_row *row,
		    const struct ctd_interval *interval)
{
	size_t counts_count = ctd_interval_counts(interval);

	/* A part in which the row did not run does not change the quality. */
	if (!to->oncpu_ns)
		to->quality = row->quality;
	else if (row->oncpu_ns)
		to->quality = join(to->quality, row->quality);
	to->oncpu_ns += row->oncpu_ns;
	to->running_ns += row->running_ns;
	to->slices += row->slices;
	to->switches += row->switches;
	for (size_t i = 0; i < counts_count; i++) {
		to->raw[i] += row->raw[i];
		to->count[i] += row->count[i];
	}
	for (size_t group = 0; group < interval->groups_count; group++) {
		to->group_ns[group] += row->group_ns[group];
		to->count_ns[group] += row->count_ns[group];
	}
	if (to->waits && row->waits)
		ctd_waits_add(to->waits, row->waits);
	if (to->siblings && row->siblings)
		ctd_interval_siblings_add(to->siblings, row->siblings);
	for (uint32_t i = 0;
	     to->cache_ns && row->cache_ns && i < ctd_caches_parts(&interval->caches); i++)
		to->cache_ns[i] += row->cache_ns[i];
}

/* Is each row of @p later one of @p interval, too, and nothing that those have to be left out? */
static bool has_all(const struct ctd_interval *interval, const struct ctd_interval *later)
{
	size_t a = 0, b = 0;

	if ((interval->has_waits && !later->has_waits) ||
	    (interval->has_siblings && !later->has_siblings) ||
	    !ctd_caches_are_same(&interval->caches, &later->caches))
		return false;
	while (a < interval->rows_count && b < later->rows_count) {
		int order = ctd_interval_row_compare(&interval->rows[a], &later->rows[b]);

		if (order > 0)
			return false;
		a++;
		b += order == 0;
	}
	return b == later->rows_count;
}

/* What ran in one turn of many groups ran in most others: sums of all groups need not be copied for
 * each. */
static void add_in_place(struct ctd_interval *interval, const struct ctd_interval *later)
{
	for (size_t a = 0, b = 0; b < later->rows_count; a++)
		if (ctd_interval_row_compare(&interval->rows[a], &later->rows[b]) == 0)
			add_row(&interval->rows[a], &later->rows[b++], interval);
}

/* Both are sorted, so one pass adds them. */
static int add_rows(struct ctd_interval *interval, const struct ctd_interval *later)
{
	size_t count = 0, a = 0, b = 0;
	struct ctd_interval sum = {.groups_count = interval->groups_count,
				   .counters_count = interval->counters_count,
				   /* Of a part of the time they would be less than they were. */
				   .has_waits = interval->has_waits && later->has_waits,
				   .has_siblings = interval->has_siblings && later->has_siblings};

	if (has_all(interval, later)) {
		add_in_place(interval, later);
		return 0;
	}
	if (ctd_caches_are_same(&interval->caches, &later->caches))
		sum.caches = interval->caches;
	if (ctd_interval_reserve(&sum, interval->rows_count + later->rows_count))
		return -ENOMEM;
	while (a < interval->rows_count || b < later->rows_count) {
		int order = a == interval->rows_count ? 1
			    : b == later->rows_count
				    ? -1
				    : ctd_interval_row_compare(&interval->rows[a], &later->rows[b]);

		ctd_interval_row_copy(order <= 0 ? &interval->rows[a++] : &later->rows[b++],
				      interval, &sum.rows[count]);
		if (order == 0)
			add_row(&sum.rows[count], &later->rows[b++], interval);
		count++;
	}
	ctd_interval_free_rows(interval);
	interval->waits = sum.waits;
	interval->has_waits = sum.has_waits;
	interval->siblings = sum.siblings;
	interval->has_siblings = sum.has_siblings;
	interval->caches = sum.caches;
	interval->cache_ns = sum.cache_ns;
	interval->rows = sum.rows;
	interval->rows_count = count;
	interval->counts = sum.counts;
	return 0;
}

static void add_totals(struct ctd_interval_totals *to, const struct ctd_interval_totals *later,
		       size_t counts_count)
{
	to->cpus_online = later->cpus_online;
	to->empty_ns += later->empty_ns;
	for (size_t i = 0; i < counts_count; i++) {
		to->total[i] += later->total[i];
		to->unattributed[i] += later->unattributed[i];
		/* Unsigned: a damaged recording may hold figures that overflow. */
		to->residual[i] =
			(int64_t)((uint64_t)to->residual[i] + (uint64_t)later->residual[i]);
	}
}

/* Mean of two figures by their weights; either may be NaN. */
static double mean(double a, double weight_a, double b, double weight_b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return weight_a + weight_b > 0 ? (a * weight_a + b * weight_b) / (weight_a + weight_b) : a;
}

/* Call before the window and switches are added. */
static void add_health(struct ctd_interval *interval, const struct ctd_interval *later)
{
	struct ctd_interval_health *to = &interval->health;
	const struct ctd_interval_health *health = &later->health;

	to->ns_per_switch = mean(to->ns_per_switch, (double)to->count[CTD_HEALTH_SWITCHES],
				 health->ns_per_switch, (double)health->count[CTD_HEALTH_SWITCHES]);
	if (ctd_value_known(health->l1_sum_over_slots) && ctd_value_known(to->l1_sum_over_slots))
		to->l1_sum_over_slots.ratio =
			mean(to->l1_sum_over_slots.ratio, (double)interval->window_ns,
			     health->l1_sum_over_slots.ratio, (double)later->window_ns);
	else if (ctd_value_known(health->l1_sum_over_slots))
		to->l1_sum_over_slots = health->l1_sum_over_slots;
	for (int i = 0; i < CTD_HEALTH_COUNTERS; i++)
		to->count[i] += health->count[i];
	to->empty_ns += health->empty_ns;
	to->budget = health->budget;
	to->latencies = health->latencies;
}

static void copy_totals(const struct ctd_interval *from, struct ctd_interval *to)
{
	for (int core = 0; core < CTD_CORE_TYPES_MAX; core++) {
		const struct ctd_interval_totals *totals = &from->totals[core];

		for (size_t i = 0; i < ctd_interval_counts(from); i++) {
			to->totals[core].total[i] = totals->total[i];
			to->totals[core].unattributed[i] = totals->unattributed[i];
			to->totals[core].residual[i] = totals->residual[i];
		}
	}
}

/* A copy with memory of its own, so that both can be freed. */
static int copy(const struct ctd_interval *from, struct ctd_interval *ret_copy)
{
	static const struct ctd_throttlings none = {.known = true};
	struct ctd_interval copy = *from;

	copy.throttlings = (struct ctd_throttlings){0};
	copy.pairs = (struct ctd_pairs){0};
	copy.total_counts = NULL;
	if (ctd_interval_reserve(&copy, from->rows_count) || ctd_interval_reserve_totals(&copy))
		return -ENOMEM;
	copy_totals(from, &copy);
	if (ctd_pairs_copy(&from->pairs, &copy.pairs)) {
		ctd_interval_free(&copy);
		return -ENOMEM;
	}
	for (size_t i = 0; i < from->rows_count; i++)
		ctd_interval_row_copy(&from->rows[i], from, &copy.rows[i]);
	if (ctd_throttlings_subtract(&from->throttlings, &none, &copy.throttlings)) {
		ctd_interval_free(&copy);
		return -ENOMEM;
	}
	*ret_copy = copy;
	return 0;
}

int ctd_interval_add(struct ctd_interval *interval, const struct ctd_interval *later)
{
	struct ctd_throttlings throttlings = {0};
	struct ctd_pairs pairs = {0};
	int error;

	if (!interval->groups_count)
		return copy(later, interval);
	if (interval->counters_count != later->counters_count ||
	    interval->groups_count != later->groups_count)
		return -EBADMSG;
	/* Rows come last: they may be added to where they are, and what follows cannot fail. */
	error = ctd_throttlings_sum(&interval->throttlings, &later->throttlings, &throttlings);
	if (!error)
		error = ctd_pairs_copy(&interval->pairs, &pairs);
	if (!error)
		error = ctd_pairs_add(&pairs, &later->pairs);
	if (!error)
		error = add_rows(interval, later);
	if (error) {
		ctd_throttlings_free(&throttlings);
		ctd_pairs_free(&pairs);
		return error;
	}
	ctd_throttlings_free(&interval->throttlings);
	interval->throttlings = throttlings;
	ctd_pairs_free(&interval->pairs);
	interval->pairs = pairs;
	for (int core = 0; core < CTD_CORE_TYPES_MAX; core++)
		add_totals(&interval->totals[core], &later->totals[core],
			   ctd_interval_counts(interval));
	interval->unattributed_ns += later->unattributed_ns;
	add_health(interval, later);
	interval->window_ns += later->window_ns;
	interval->realtime_ns = later->realtime_ns;
	interval->sequence = later->sequence;
	interval->cpus_online = later->cpus_online;
	return 0;
}
