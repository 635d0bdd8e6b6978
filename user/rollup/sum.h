/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.h - integers of rows added up, and what can be said of the sum. Private to user/rollup/. */
#ifndef ROLLUP_SUM_H
#define ROLLUP_SUM_H

#include <cgtopdown/rollup.h>

/* The counts of a plan, and in memory behind them the two times of each group. */
struct ctd_counts_shape {
	size_t counts, groups;
};
static inline size_t ctd_counts_size(struct ctd_counts_shape shape)
{
	return shape.counts + 2 * shape.groups;
}

/* Adds a row of an interval. @p counts: memory for the sums of counts and times; NULL: this is the
 * part's only member, whose counts it may point to. */
void ctd_part_add_row(struct ctd_rollup_part *part, const struct ctd_interval_row *row,
		      uint64_t *counts, struct ctd_counts_shape shape);
/* Adds another part, of the same core type. */
void ctd_part_add(struct ctd_rollup_part *part, const struct ctd_rollup_part *other,
		  uint64_t *counts, struct ctd_counts_shape shape);

/* How far a sum of so much CPU time of each quality can be trusted. */
enum ctd_quality ctd_weight_quality(const uint64_t weight[CTD_UNSUPPORTED + 1]);

/* evaluate.c: what the sums of a part come to. @p values and @p node_slots: memory for the nodes of
 * the core type's model. */
void ctd_part_evaluate(const struct ctd_rollup_plan *plan, int core_type, enum ctd_rollup_kind kind,
		       struct ctd_value *values, uint64_t *node_slots,
		       struct ctd_rollup_part *part);
/* siblings.c: the same by what the other hardware thread did. Call when the part is evaluated. */
void ctd_part_take_siblings(const struct ctd_rollup_plan *plan, int core_type,
			    struct ctd_rollup_part *part);
/* The sums of all parts. */
void ctd_row_evaluate(const struct ctd_rollup_plan *plan, struct ctd_rollup_row *row);

/* slots.c: the row's slots by the nodes that @p values are of. @return a bit for each node whose
 * slots are known; those of the others are 0. */
uint32_t ctd_slots_split(const struct ctd_cpu_model *model, const struct ctd_value *values,
			 uint64_t slots, uint64_t *ret_slots);

#endif
