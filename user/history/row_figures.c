/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* row_figures.c - a row of an interval as a list of figures, each with the one that predicts it. */
#include "history/row_figures.h"

#include <string.h>

#define QUALITY_MASK 7u
#define ODD_RUNNING (1u << 3) /* running_ns is not oncpu_ns */
#define ODD_COUNTS (1u << 4) /* counts are not raw */
#define ODD_TIMES (1u << 5) /* of groups: not all of running_ns */
#define FLAGS_END (1u << 6)

size_t ctd_row_columns(uint32_t counters_count, uint32_t groups_count)
{
	return CTD_ROW_RAW + 2 * (size_t)counters_count * groups_count + 2 * (size_t)groups_count;
}

size_t ctd_row_base(size_t column, uint32_t counters_count, uint32_t groups_count)
{
	size_t counts = (size_t)counters_count * groups_count;

	if (column >= CTD_ROW_RAW + 2 * counts)
		return CTD_ROW_ONCPU;
	if (column >= CTD_ROW_RAW + counts)
		return column - counts;
	if (column >= CTD_ROW_RAW) {
		size_t counter = (column - CTD_ROW_RAW) % counters_count;

		return counter ? column - counter : CTD_ROW_ONCPU;
	}
	return column == CTD_ROW_FLAGS	    ? CTD_ROW_BASE_NONE
	       : column == CTD_ROW_ONCPU    ? CTD_ROW_BASE_WINDOW
	       : column == CTD_ROW_SWITCHES ? CTD_ROW_SLICES
					    : CTD_ROW_ONCPU;
}

static uint64_t counted_ns(uint64_t oncpu_ns, uint64_t running_ns)
{
	return running_ns < oncpu_ns ? running_ns : oncpu_ns;
}

/* What group_ns and count_ns are where no group rotates, nothing was scaled and all is counted. */
static bool times_are_plain(const struct ctd_interval_row *row, uint32_t groups_count)
{
	for (uint32_t i = 1; i < groups_count; i++)
		if (row->group_ns[i] || row->count_ns[i])
			return false;
	return row->group_ns[0] == counted_ns(row->oncpu_ns, row->running_ns) &&
	       row->count_ns[0] == row->running_ns;
}

void ctd_row_to_values(const struct ctd_interval_row *row, uint32_t counters_count,
		       uint32_t groups_count, uint64_t *ret_values)
{
	size_t counts = (size_t)counters_count * groups_count;
	uint64_t *value = ret_values + CTD_ROW_RAW, flags = (uint64_t)row->quality;

	if (row->running_ns != row->oncpu_ns)
		flags |= ODD_RUNNING;
	if (counts && memcmp(row->raw, row->count, counts * sizeof(*row->raw)) != 0)
		flags |= ODD_COUNTS;
	if (!times_are_plain(row, groups_count))
		flags |= ODD_TIMES;
	ret_values[CTD_ROW_FLAGS] = flags;
	ret_values[CTD_ROW_ONCPU] = row->oncpu_ns;
	ret_values[CTD_ROW_RUNNING] = row->running_ns;
	ret_values[CTD_ROW_SLICES] = row->slices;
	ret_values[CTD_ROW_SWITCHES] = row->switches;
	for (size_t i = 0; i < counts; i++) {
		value[i] = row->raw[i];
		value[counts + i] = row->count[i];
	}
	value += 2 * counts;
	for (uint32_t i = 0; i < groups_count; i++) {
		value[i] = row->group_ns[i];
		value[groups_count + i] = row->count_ns[i];
	}
}

bool ctd_row_follows(uint64_t *values, size_t column, size_t counts, uint32_t groups_count)
{
	size_t times = CTD_ROW_RAW + 2 * counts;
	uint64_t flags = values[CTD_ROW_FLAGS];

	if (column == CTD_ROW_RUNNING && !(flags & ODD_RUNNING)) {
		values[column] = values[CTD_ROW_ONCPU];
		return true;
	}
	if (column >= CTD_ROW_RAW + counts && column < times && !(flags & ODD_COUNTS)) {
		values[column] = values[column - counts];
		return true;
	}
	if (column < times || flags & ODD_TIMES)
		return false;
	values[column] = column == times
				 ? counted_ns(values[CTD_ROW_ONCPU], values[CTD_ROW_RUNNING])
			 : column == times + groups_count ? values[CTD_ROW_RUNNING]
							  : 0;
	return true;
}

bool ctd_row_from_values(const uint64_t *values, uint32_t counters_count, uint32_t groups_count,
			 struct ctd_interval_row *row)
{
	size_t counts = (size_t)counters_count * groups_count;
	const uint64_t *value = values + CTD_ROW_RAW;

	if (values[CTD_ROW_FLAGS] >= FLAGS_END ||
	    (values[CTD_ROW_FLAGS] & QUALITY_MASK) > CTD_UNSUPPORTED)
		return false;
	row->quality = values[CTD_ROW_FLAGS] & QUALITY_MASK;
	row->oncpu_ns = values[CTD_ROW_ONCPU];
	row->running_ns = values[CTD_ROW_RUNNING];
	row->slices = values[CTD_ROW_SLICES];
	row->switches = values[CTD_ROW_SWITCHES];
	for (size_t i = 0; i < counts; i++) {
		row->raw[i] = value[i];
		row->count[i] = value[counts + i];
	}
	value += 2 * counts;
	for (uint32_t i = 0; i < groups_count; i++) {
		row->group_ns[i] = value[i];
		row->count_ns[i] = value[groups_count + i];
	}
	return true;
}
