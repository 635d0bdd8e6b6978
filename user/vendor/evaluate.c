/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* evaluate.c - makes of counts the values of a vendor's metrics, and finds those worth a look. */
#include <math.h>

#include "vendor/set.h"

size_t ctd_vendor_set_room(const struct ctd_vendor_set *set)
{
	return ctd_vendor_place_of_counts(set) + set->counts_count;
}

size_t ctd_vendor_set_order(const struct ctd_vendor_set *set, bool *wanted, size_t *ret_metrics)
{
	uint32_t place = ctd_vendor_place_of_seconds(set), value;
	size_t count = 0;

	/* What a metric needs is before it. */
	for (size_t i = set->order_count; i-- > 0;) {
		const struct ctd_vendor_program *program = &set->programs[set->order[i]];

		if (!wanted[set->order[i]] || program->lack || !program->expr)
			continue;
		for (size_t at = 0; ctd_expr_next_value(program->expr, &at, &value);)
			if (value < place)
				wanted[value] = true;
	}
	for (size_t i = 0; i < set->order_count; i++)
		if (wanted[set->order[i]])
			ret_metrics[count++] = set->order[i];
	return count;
}

void ctd_vendor_evaluate(const struct ctd_vendor_set *set, const double *counts, double seconds,
			 double *ret_values)
{
	ret_values[ctd_vendor_place_of_seconds(set)] = seconds;
	for (size_t i = 0; i < set->counts_count; i++)
		ret_values[ctd_vendor_place_of_counts(set) + i] =
			set->counts[i].latency ? set->counts[i].event->latency : counts[i];
	for (size_t i = 0; i < set->order_count; i++) {
		const struct ctd_vendor_program *program = &set->programs[set->order[i]];

		ret_values[set->order[i]] = program->lack || !program->expr
						    ? NAN
						    : ctd_expr_evaluate(program->expr, ret_values);
	}
}

double ctd_vendor_hot(const struct ctd_vendor_set *set, size_t metric, const double *values)
{
	const struct ctd_expr *threshold = set->programs[metric].threshold;

	return threshold ? ctd_expr_evaluate(threshold, values) : NAN;
}

static void evaluate_lanes(const struct ctd_expr *expr, const double *values,
			   double ret_results[CTD_EXPR_LANES])
{
	if (expr)
		ctd_expr_evaluate_lanes(expr, values, ret_results);
	for (int i = 0; !expr && i < CTD_EXPR_LANES; i++)
		ret_results[i] = NAN;
}

void ctd_vendor_evaluate_lanes(const struct ctd_vendor_set *set, const size_t *metrics,
			       size_t metrics_count, double *values)
{
	for (size_t i = 0; i < metrics_count; i++) {
		const struct ctd_vendor_program *program = &set->programs[metrics[i]];

		evaluate_lanes(program->lack ? NULL : program->expr, values,
			       &values[metrics[i] * CTD_EXPR_LANES]);
	}
}

void ctd_vendor_hot_lanes(const struct ctd_vendor_set *set, size_t metric, const double *values,
			  double ret_hot[CTD_EXPR_LANES])
{
	evaluate_lanes(set->programs[metric].threshold, values, ret_hot);
}
