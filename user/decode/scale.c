/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* scale.c - turns a row's raw counts into full-time counts, or says it cannot. */
#include "scale.h"

/* Products of two 64-bit figures, which a recording may make as large as it likes. */
typedef unsigned __int128 wide;

/* Was the row counted all the time? Both times come with one reading; around a failed one another
 * clock is used, which may differ by a thousandth. */
static bool is_full_time(const struct ctd_interval_row *row)
{
	return (wide)row->running_ns * 1000 >= (wide)row->oncpu_ns * 999;
}

static enum ctd_quality judge(const struct ctd_interval_row *row, uint32_t counters_count)
{
	if (counters_count == 0)
		return CTD_UNSUPPORTED;
	/* A running CPU offers slots: a count of 0 means that nothing was counted. */
	if (row->oncpu_ns > 0 && (row->running_ns == 0 || row->raw[0] == 0))
		return CTD_NO_DATA;
	if (is_full_time(row))
		return CTD_OK;
	/* Scaled more than tenfold, a count is a guess. */
	if ((wide)row->running_ns * 10 >= row->oncpu_ns)
		return CTD_SCALED;
	return CTD_LOW_CONFIDENCE;
}

static uint64_t scale(uint64_t raw, uint64_t oncpu_ns, uint64_t running_ns)
{
	wide scaled = ((wide)raw * oncpu_ns + running_ns / 2) / running_ns;

	return scaled > UINT64_MAX ? UINT64_MAX : (uint64_t)scaled;
}

bool ctd_interval_row_is_scaled(const struct ctd_interval_row *row)
{
	return row->quality == CTD_SCALED || row->quality == CTD_LOW_CONFIDENCE;
}

uint64_t ctd_interval_row_scale_count(const struct ctd_interval_row *row, uint64_t raw)
{
	return ctd_interval_row_is_scaled(row) ? scale(raw, row->oncpu_ns, row->running_ns) : raw;
}

void ctd_interval_row_scale(struct ctd_interval_row *row, uint32_t counters_count)
{
	row->quality = judge(row, counters_count);
	for (uint32_t i = 0; i < counters_count; i++)
		row->count[i] = ctd_interval_row_scale_count(row, row->raw[i]);
}
