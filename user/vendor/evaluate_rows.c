/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* evaluate_rows.c - makes of what groups counted of rows the values of their metrics. */
#include <math.h>

#include "vendor/counting.h"
#include "vendor/set.h"

/* Some rows that are evaluated side by side, and where their values go. */
struct batch {
	const struct ctd_vendor_counting *counting;
	const struct ctd_vendor_counted_row *rows;
	size_t rows_count; /* at most CTD_EXPR_LANES */
	struct ctd_vendor_value *values;
};

/* The counts of a row in a group; NULL: it has none. */
static const uint64_t *counts_of(const struct batch *batch, size_t row, int group)
{
	const struct ctd_vendor_counted_row *from = &batch->rows[row];
	const uint64_t *count = NULL;

	if (group < from->groups_count)
		count = &from->count[(ptrdiff_t)group * batch->counting->rotation.events_count];
	return count && count[0] && from->count_ns[group] ? count : NULL;
}

static double *lanes_at(const struct ctd_vendor_counting *counting, size_t place)
{
	return &counting->values[place * CTD_EXPR_LANES];
}

/* @p count: NULL: none is known. */
static void set_counts(const struct ctd_vendor_counting *counting, int index, size_t lane,
		       const uint64_t *count)
{
	const struct ctd_vendor_group *group = &counting->groups[index];
	size_t place = ctd_vendor_place_of_counts(counting->set);

	for (size_t i = 0; i < group->events_count; i++)
		if (group->counts[i] != CTD_VENDOR_NO_COUNT)
			lanes_at(counting, place + group->counts[i])[lane] =
				count ? (double)count[i] : NAN;
}

/* @return does any row have counts of the group? */
static bool enter_counts(const struct batch *batch, int group)
{
	double *seconds =
		lanes_at(batch->counting, ctd_vendor_place_of_seconds(batch->counting->set));
	bool any = false;

	for (size_t row = 0; row < batch->rows_count; row++) {
		const uint64_t *count = counts_of(batch, row, group);

		set_counts(batch->counting, group, row, count);
		seconds[row] = count ? (double)batch->rows[row].count_ns[group] / 1e9 : NAN;
		any |= count != NULL;
	}
	return any;
}

/* The values of the group's own metrics, and no others. */
static void evaluate_group(const struct batch *batch, int index)
{
	const struct ctd_vendor_counting *counting = batch->counting;
	const struct ctd_vendor_group *group = &counting->groups[index];

	if (!enter_counts(batch, index))
		return;
	ctd_vendor_evaluate_lanes(counting->set, group->order, group->order_count,
				  counting->values);
	for (size_t row = 0; row < batch->rows_count; row++) {
		struct ctd_vendor_value *values = &batch->values[row * counting->metrics_count];

		for (size_t i = 0; counts_of(batch, row, index) && i < group->own_count; i++) {
			size_t own = group->own[i];
			double value = lanes_at(counting, counting->metrics[own].metric)[row];

			if (isfinite(value))
				values[own].value = value;
		}
		set_counts(counting, index, row, NULL);
	}
}

/* Thresholds are of several metrics, which may be of several groups. */
static void find_hot(const struct batch *batch)
{
	const struct ctd_vendor_counting *counting = batch->counting;
	size_t count = counting->metrics_count;
	double hot[CTD_EXPR_LANES];

	for (size_t i = 0; i < counting->table->metrics_count * CTD_EXPR_LANES; i++)
		counting->values[i] = NAN;
	for (size_t i = 0; i < count; i++)
		for (size_t row = 0; row < batch->rows_count; row++)
			lanes_at(counting, counting->metrics[i].metric)[row] =
				batch->values[row * count + i].value;
	for (size_t i = 0; i < count; i++) {
		ctd_vendor_hot_lanes(counting->set, counting->metrics[i].metric, counting->values,
				     hot);
		for (size_t row = 0; row < batch->rows_count; row++) {
			struct ctd_vendor_value *value = &batch->values[row * count + i];

			value->hot = !isnan(value->value) && hot[row] > 0;
		}
	}
}

static void evaluate_batch(const struct batch *batch)
{
	for (size_t i = 0; i < batch->rows_count * batch->counting->metrics_count; i++)
		batch->values[i] = (struct ctd_vendor_value){.value = NAN};
	for (int group = 0; group < batch->counting->rotation.groups_count; group++)
		evaluate_group(batch, group);
	find_hot(batch);
}

void ctd_vendor_counting_evaluate(const struct ctd_vendor_counting *counting,
				  const struct ctd_vendor_counted_row *rows, size_t rows_count,
				  struct ctd_vendor_value *ret_values)
{
	for (size_t i = 0; i < rows_count; i += CTD_EXPR_LANES) {
		const struct batch batch = {
			.counting = counting,
			.rows = &rows[i],
			.rows_count =
				rows_count - i < CTD_EXPR_LANES ? rows_count - i : CTD_EXPR_LANES,
			.values = &ret_values[i * counting->metrics_count],
		};

		evaluate_batch(&batch);
	}
}
