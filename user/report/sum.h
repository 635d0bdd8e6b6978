/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sum.h - rows added up: time, slices and counts, with the quality of the whole. */
#ifndef REPORT_SUM_H
#define REPORT_SUM_H

#include <cgtopdown/interval.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start from a zeroed struct. */
struct ctd_sum {
	uint64_t oncpu_ns, slices, switches;
	uint64_t count[CTD_COUNTS_MAX]; /* of the rows whose counts are known */
	uint64_t group_ns[CTD_GROUPS_MAX]; /* of oncpu_ns: in the turns of each group of counters */
	uint64_t count_ns[CTD_GROUPS_MAX]; /* that its count is of */
	uint64_t weight[CTD_UNSUPPORTED + 1]; /* CPU time by the quality of the rows */
};

/* @p counts_count: how many counts the row has. */
void ctd_sum_add_row(struct ctd_sum *sum, const struct ctd_interval_row *row, size_t counts_count);
void ctd_sum_add(struct ctd_sum *sum, const struct ctd_sum *other);
/* The same of @p count sums, each with the other in its place. */
void ctd_sums_add(struct ctd_sum *sums, const struct ctd_sum *others, int count);
/* Has any row been added? */
bool ctd_sum_is_of_any(const struct ctd_sum *sum);
enum ctd_quality ctd_sum_quality(const struct ctd_sum *sum);

#endif
