/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* siblings.c - subtracts and adds up the parts of rows. */
#include "siblings.h"

#include "scale.h"

bool ctd_sibling_parts_grew(const struct ctd_sibling_part after[CTD_SIBLINGS],
			    const struct ctd_sibling_part before[CTD_SIBLINGS])
{
	bool grew = true;

	for (int part = 0; part < CTD_SIBLINGS; part++) {
		grew &= after[part].oncpu_ns >= before[part].oncpu_ns;
		for (int i = 0; i < CTD_COUNTERS_MAX; i++)
			grew &= after[part].count[i] >= before[part].count[i];
	}
	return grew;
}

void ctd_sibling_parts_subtract(const struct ctd_sibling_part after[CTD_SIBLINGS],
				const struct ctd_sibling_part before[CTD_SIBLINGS],
				uint32_t counters_count, const struct ctd_interval_row *row)
{
	uint64_t raw[CTD_COUNTERS_MAX] = {0}, scaled[CTD_COUNTERS_MAX] = {0};

	for (int part = 0; part < CTD_SIBLINGS; part++) {
		struct ctd_interval_sibling *to = &row->siblings[part];

		to->cpu_ns = after[part].oncpu_ns - before[part].oncpu_ns;
		to->counted_ns = row->quality <= CTD_LOW_CONFIDENCE ? to->cpu_ns : 0;
		/* Sums are scaled and not parts, whose rounding would add up. */
		for (uint32_t i = 0; row->quality <= CTD_LOW_CONFIDENCE && i < counters_count;
		     i++) {
			uint64_t sum;

			raw[i] += after[part].count[i] - before[part].count[i];
			sum = ctd_interval_row_scale_count(row, raw[i]);
			to->count[i] = sum - scaled[i];
			scaled[i] = sum;
		}
		to->leader_count = to->count[0];
	}
}

void ctd_interval_siblings_add(struct ctd_interval_sibling to[CTD_SIBLINGS],
			       const struct ctd_interval_sibling from[CTD_SIBLINGS])
{
	for (int part = 0; part < CTD_SIBLINGS; part++) {
		to[part].cpu_ns += from[part].cpu_ns;
		to[part].counted_ns += from[part].counted_ns;
		to[part].leader_count += from[part].leader_count;
		for (int i = 0; i < CTD_COUNTERS_MAX; i++)
			to[part].count[i] += from[part].count[i];
	}
}
