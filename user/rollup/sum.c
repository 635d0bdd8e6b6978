/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.c - adds rows up, and says how far the sum can be trusted. */
#include "rollup/sum.h"

#include <stdbool.h>

/* For a part whose counts are not known, as many as there may be. */
static const uint64_t no_counts[CTD_ROTATION_GROUPS_MAX * CTD_COUNTERS_MAX];

static void add_counts(struct ctd_rollup_part *part, const uint64_t *count,
		       const uint64_t *group_ns, const uint64_t *count_ns, uint64_t *counts,
		       struct ctd_counts_shape shape)
{
	uint64_t *sum = counts, *group_sum_ns, *count_sum_ns;

	if (!sum) {
		part->count = count;
		part->group_ns = group_ns;
		part->count_ns = count_ns;
		return;
	}
	group_sum_ns = sum + shape.counts;
	count_sum_ns = group_sum_ns + shape.groups;
	for (size_t i = 0; i < shape.counts; i++)
		sum[i] += count[i];
	for (size_t group = 0; group < shape.groups; group++) {
		group_sum_ns[group] += group_ns[group];
		count_sum_ns[group] += count_ns[group];
	}
	part->count = sum;
	part->group_ns = group_sum_ns;
	part->count_ns = count_sum_ns;
}

static void add_caches(struct ctd_rollup_part *part, const uint64_t *cache_ns)
{
	for (uint32_t i = 0; part->cache_ns && cache_ns && i < part->cache_parts; i++)
		part->cache_ns[i] += cache_ns[i];
}

void ctd_part_add_row(struct ctd_rollup_part *part, const struct ctd_interval_row *row,
		      uint64_t *counts, struct ctd_counts_shape shape)
{
	part->ran = true;
	part->cpu_ns += row->oncpu_ns;
	part->slices += row->slices;
	part->switches += row->switches;
	if (part->waits && row->waits)
		ctd_waits_add(part->waits, row->waits);
	if (part->siblings && row->siblings)
		ctd_interval_siblings_add(part->siblings, row->siblings);
	add_caches(part, row->cache_ns);
	/* A row that held no CPU still has a quality, if it is the only one. */
	part->weight[row->quality] += row->oncpu_ns ? row->oncpu_ns : 1;
	if (row->quality > CTD_LOW_CONFIDENCE)
		add_counts(part, no_counts, no_counts, no_counts, counts, shape);
	else
		add_counts(part, row->count, row->group_ns, row->count_ns, counts, shape);
}

void ctd_part_add(struct ctd_rollup_part *part, const struct ctd_rollup_part *other,
		  uint64_t *counts, struct ctd_counts_shape shape)
{
	part->ran |= other->ran;
	part->cpu_ns += other->cpu_ns;
	part->slices += other->slices;
	part->switches += other->switches;
	if (part->waits && other->waits)
		ctd_waits_add(part->waits, other->waits);
	if (part->siblings && other->siblings)
		ctd_interval_siblings_add(part->siblings, other->siblings);
	add_caches(part, other->cache_ns);
	for (int i = 0; i <= CTD_UNSUPPORTED; i++)
		part->weight[i] += other->weight[i];
	if (other->count)
		add_counts(part, other->count, other->group_ns, other->count_ns, counts, shape);
	else
		add_counts(part, no_counts, no_counts, no_counts, counts, shape);
}

/*
 * A sum is as good as the worst of its rows, those with less than 1 % of its CPU time left aside,
 * with one exception: where some rows have counts and others have none, it is of low confidence,
 * for its ratios speak for a part of it only.
 */
enum ctd_quality ctd_weight_quality(const uint64_t weight[CTD_UNSUPPORTED + 1])
{
	enum ctd_quality worst = CTD_OK;
	uint64_t all = 0;
	bool some = false;

	for (int i = 0; i <= CTD_UNSUPPORTED; i++)
		all += weight[i];
	if (all == 0)
		return CTD_NO_DATA;
	for (int i = 0; i <= CTD_UNSUPPORTED; i++) {
		if (i <= CTD_LOW_CONFIDENCE && weight[i] > 0)
			some = true;
		if (weight[i] > 0 && weight[i] >= all / 100)
			worst = i;
	}
	return some && worst > CTD_LOW_CONFIDENCE ? CTD_LOW_CONFIDENCE : worst;
}

enum ctd_quality ctd_rollup_part_quality(const struct ctd_rollup_part *part)
{
	return ctd_weight_quality(part->weight);
}
