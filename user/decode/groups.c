/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* groups.c - makes of an interval one of other groups of counters: of some of its own, or sums. */
#include <cgtopdown/interval.h>

#include <errno.h>

#include "rows.h"

/* Where groups go, and how wide they are on both sides. */
struct placing {
	const struct ctd_group_place *places;
	uint32_t groups_count; /* of the interval that they come from */
	uint32_t from_width, to_width;
	bool as_counted; /* rather than scaled up */
};

static void add_counts(const struct placing *placing, const uint64_t *from, uint64_t *to)
{
	for (uint32_t group = 0; group < placing->groups_count; group++) {
		const struct ctd_group_place *place = &placing->places[group];

		for (uint32_t i = 0; i < place->counters_count; i++)
			to[(size_t)place->group * placing->to_width + i] +=
				from[(size_t)group * placing->from_width + i];
	}
}

static void add_times(const struct placing *placing, const uint64_t *from_ns, uint64_t *to_ns)
{
	for (uint32_t group = 0; group < placing->groups_count; group++)
		if (placing->places[group].counters_count)
			to_ns[placing->places[group].group] += from_ns[group];
}

/* Of what these groups counted, if they did; else it is as good as it was: it may not have run in
 * their steps. */
static enum ctd_quality judge(enum ctd_quality quality, const struct ctd_interval_row *row,
			      uint32_t groups_count)
{
	uint64_t group_ns = 0, count_ns = 0;

	for (uint32_t group = 0; group < groups_count; group++) {
		group_ns += row->group_ns[group];
		count_ns += row->count_ns[group];
	}
	if (!group_ns)
		return quality;
	/* As a row is judged of one group: see scale.c. */
	if (group_ns >= count_ns - count_ns / 1000)
		return CTD_OK;
	return group_ns >= count_ns / 10 ? CTD_SCALED : CTD_LOW_CONFIDENCE;
}

/* @p to has its memory. */
static void take_row(const struct placing *placing, const struct ctd_interval *interval,
		     const struct ctd_interval_row *from, struct ctd_interval_row *to)
{
	ctd_interval_row_copy_uncounted(from, interval, to);
	add_counts(placing, from->raw, to->raw);
	add_counts(placing, placing->as_counted ? from->raw : from->count, to->count);
	add_times(placing, from->group_ns, to->group_ns);
	add_times(placing, placing->as_counted ? from->group_ns : from->count_ns, to->count_ns);
	to->quality = judge(from->quality, to, interval->groups_count);
}

static void take_totals(const struct placing *placing, const struct ctd_interval_totals *from,
			struct ctd_interval_totals *to)
{
	add_counts(placing, from->total, to->total);
	add_counts(placing, from->unattributed, to->unattributed);
	/* Unsigned: sums of them are the same. */
	add_counts(placing, (const uint64_t *)from->residual, (uint64_t *)to->residual);
}

/* What belongs to no row and no group. */
static int take_rest(const struct ctd_interval *from, struct ctd_interval *to)
{
	static const struct ctd_throttlings none = {.known = true};
	int error = ctd_throttlings_subtract(&from->throttlings, &none, &to->throttlings);

	return error ? error : ctd_pairs_copy(&from->pairs, &to->pairs);
}

int ctd_interval_place_groups(const struct ctd_interval *interval,
			      const struct ctd_group_place *places, uint32_t groups_count,
			      uint32_t counters_count, bool whole,
			      struct ctd_interval *ret_interval)
{
	const struct placing placing = {places, interval->groups_count, interval->counters_count,
					counters_count, !whole};
	struct ctd_interval to = *interval;

	to.rows = NULL;
	to.counts = to.total_counts = to.cache_ns = NULL;
	to.waits = NULL;
	to.siblings = NULL;
	to.throttlings = (struct ctd_throttlings){0};
	to.pairs = (struct ctd_pairs){0};
	to.groups_count = groups_count;
	to.counters_count = counters_count;
	to.has_waits = whole && interval->has_waits;
	to.has_siblings = whole && interval->has_siblings;
	if (!whole)
		to.caches = (struct ctd_caches){0};
	if (ctd_interval_reserve(&to, interval->rows_count) || ctd_interval_reserve_totals(&to))
		return -ENOMEM;
	for (size_t i = 0; i < interval->rows_count; i++)
		take_row(&placing, &to, &interval->rows[i], &to.rows[i]);
	for (int core = 0; core < CTD_CORE_TYPES_MAX; core++)
		take_totals(&placing, &interval->totals[core], &to.totals[core]);
	if (whole && take_rest(interval, &to)) {
		ctd_interval_free(&to);
		return -ENOMEM;
	}
	*ret_interval = to;
	return 0;
}

void ctd_interval_forget_sibling_counts(struct ctd_interval *interval)
{
	for (size_t i = 0; i < interval->rows_count; i++)
		for (int part = 0; interval->rows[i].siblings && part < CTD_SIBLINGS; part++) {
			interval->rows[i].siblings[part].leader_count = 0;
			interval->rows[i].siblings[part].counted_ns = 0;
		}
}
