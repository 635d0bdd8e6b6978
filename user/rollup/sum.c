/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.c - adds rows up, and says how far the sum can be trusted. */
#include "rollup/sum.h"

#include <stdbool.h>

/* For a part whose counts are not known, as many as there may be. */
static const uint64_t no_counts[CTD_COUNTS_MAX];

static void add_counts(struct ctd_rollup_part *part, const uint64_t *count, uint64_t *counts,
		       size_t counts_count)
{
	if (!counts) {
		part->count = count;
		return;
	}
	for (size_t i = 0; i < counts_count; i++)
		counts[i] += count[i];
	part->count = counts;
}

void ctd_part_add_row(struct ctd_rollup_part *part, const struct ctd_interval_row *row,
		      uint64_t *counts, size_t counts_count)
{
	part->ran = true;
	part->cpu_ns += row->oncpu_ns;
	part->slices += row->slices;
	part->switches += row->switches;
	if (part->waits && row->waits)
		ctd_waits_add(part->waits, row->waits);
	/* A row that held no CPU still has a quality, if it is the only one. */
	part->weight[row->quality] += row->oncpu_ns ? row->oncpu_ns : 1;
	if (row->quality > CTD_LOW_CONFIDENCE) {
		add_counts(part, no_counts, counts, counts_count);
		return;
	}
	add_counts(part, row->count, counts, counts_count);
	for (int group = 0; group < CTD_GROUPS_MAX; group++) {
		part->group_ns[group] += row->group_ns[group];
		part->count_ns[group] += row->count_ns[group];
	}
}

void ctd_part_add(struct ctd_rollup_part *part, const struct ctd_rollup_part *other,
		  uint64_t *counts, size_t counts_count)
{
	part->ran |= other->ran;
	part->cpu_ns += other->cpu_ns;
	part->slices += other->slices;
	part->switches += other->switches;
	if (part->waits && other->waits)
		ctd_waits_add(part->waits, other->waits);
	for (int i = 0; i <= CTD_UNSUPPORTED; i++)
		part->weight[i] += other->weight[i];
	add_counts(part, other->count ? other->count : no_counts, counts, counts_count);
	for (int group = 0; group < CTD_GROUPS_MAX; group++) {
		part->group_ns[group] += other->group_ns[group];
		part->count_ns[group] += other->count_ns[group];
	}
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
