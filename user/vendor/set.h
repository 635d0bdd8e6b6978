/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* set.h - formulas of a vendor's table, compiled; and their evaluation. Private to user/vendor/. */
#ifndef VENDOR_SET_H
#define VENDOR_SET_H

#include <cgtopdown/vendor.h>

#include "base/intern.h"
#include "metric/expr.h"

enum ctd_compiling { CTD_NOT_COMPILED, CTD_IN_WORK, CTD_COMPILED };

struct ctd_vendor_program {
	enum ctd_compiling state;
	struct ctd_expr *expr, *threshold; /* owned; NULL: there is none */
	char *why, *threshold_why; /* owned */
	enum ctd_vendor_lack lack;
	bool needs_latency;
	uint32_t *uses; /* owned; which counts and latencies it needs, also for metrics in it */
	size_t uses_count, uses_room;
};

struct ctd_vendor_set {
	const struct ctd_vendor_table *table; /* borrowed */
	struct ctd_vendor_program *programs; /* owned; of each metric */
	size_t *order; /* owned; metrics after those that they need */
	size_t order_count;
	struct ctd_vendor_count *counts; /* owned, and their names */
	size_t counts_count, counts_room;
	struct ctd_intern places; /* of counts */
};

/* Formulas are evaluated over an array: the values of the metrics, then the seconds, then the
 * counts. */
static inline uint32_t ctd_vendor_place_of_seconds(const struct ctd_vendor_set *set)
{
	return (uint32_t)set->table->metrics_count;
}
static inline uint32_t ctd_vendor_place_of_counts(const struct ctd_vendor_set *set)
{
	return ctd_vendor_place_of_seconds(set) + 1;
}

/* Marks in @p wanted also what wanted metrics need. @return how many, and in @p ret_metrics, which
 * has room for all, each after those that it needs. */
size_t ctd_vendor_set_order(const struct ctd_vendor_set *set, bool *wanted, size_t *ret_metrics);

/* Some metrics in such an order, with lanes as of ctd_expr_evaluate_lanes(): seconds and counts are
 * there, other values stay as they are. */
void ctd_vendor_evaluate_lanes(const struct ctd_vendor_set *set, const size_t *metrics,
			       size_t metrics_count, double *values);
/* ctd_vendor_hot() of each lane. */
void ctd_vendor_hot_lanes(const struct ctd_vendor_set *set, size_t metric, const double *values,
			  double ret_hot[CTD_EXPR_LANES]);

#endif
