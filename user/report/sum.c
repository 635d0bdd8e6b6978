/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.c - adds rows up, and says how far the sum can be trusted. */
#include "report/sum.h"

#include <stdbool.h>

void ctd_sum_add_row(struct ctd_sum *sum, const struct ctd_interval_row *row, size_t counts_count)
{
	sum->oncpu_ns += row->oncpu_ns;
	sum->slices += row->slices;
	sum->switches += row->switches;
	/* A row that held no CPU still has a quality, if it is the only one. */
	sum->weight[row->quality] += row->oncpu_ns ? row->oncpu_ns : 1;
	if (row->quality > CTD_LOW_CONFIDENCE)
		return;
	for (size_t i = 0; i < counts_count; i++)
		sum->count[i] += row->count[i];
	for (int group = 0; group < CTD_GROUPS_MAX; group++) {
		sum->group_ns[group] += row->group_ns[group];
		sum->count_ns[group] += row->count_ns[group];
	}
}

void ctd_sum_add(struct ctd_sum *sum, const struct ctd_sum *other)
{
	sum->oncpu_ns += other->oncpu_ns;
	sum->slices += other->slices;
	sum->switches += other->switches;
	for (int i = 0; i <= CTD_UNSUPPORTED; i++)
		sum->weight[i] += other->weight[i];
	for (int i = 0; i < CTD_COUNTS_MAX; i++)
		sum->count[i] += other->count[i];
	for (int group = 0; group < CTD_GROUPS_MAX; group++) {
		sum->group_ns[group] += other->group_ns[group];
		sum->count_ns[group] += other->count_ns[group];
	}
}

void ctd_sums_add(struct ctd_sum *sums, const struct ctd_sum *others, int count)
{
	for (int i = 0; i < count; i++)
		ctd_sum_add(&sums[i], &others[i]);
}

bool ctd_sum_is_of_any(const struct ctd_sum *sum)
{
	uint64_t all = sum->oncpu_ns;

	for (int i = 0; i <= CTD_UNSUPPORTED; i++)
		all |= sum->weight[i];
	return all != 0;
}

/*
 * A sum is as good as the worst of its rows, those with less than 1 % of its CPU time left aside,
 * with one exception: where some rows have counts and others have none, it is of low confidence,
 * for its ratios speak for a part of it only.
 */
enum ctd_quality ctd_sum_quality(const struct ctd_sum *sum)
{
	enum ctd_quality worst = CTD_OK;
	uint64_t all = 0;
	bool some = false;

	for (int i = 0; i <= CTD_UNSUPPORTED; i++)
		all += sum->weight[i];
	if (all == 0)
		return CTD_NO_DATA;
	for (int i = 0; i <= CTD_UNSUPPORTED; i++) {
		if (i <= CTD_LOW_CONFIDENCE && sum->weight[i] > 0)
			some = true;
		if (sum->weight[i] > 0 && sum->weight[i] >= all / 100)
			worst = i;
	}
	return some && worst > CTD_LOW_CONFIDENCE ? CTD_LOW_CONFIDENCE : worst;
}
