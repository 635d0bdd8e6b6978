/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* show.h - an interval of regions as a table, CSV or JSON. */
#ifndef APP_REGIONS_SHOW_H
#define APP_REGIONS_SHOW_H

#include <cgtopdown/sink.h>
#include <stdint.h>

#include "app/options/options.h"
#include "app/regions/rows.h"
#include "base/strbuf.h"

struct ctd_region_interval {
	const struct ctd_options *options; /* borrowed */
	const struct ctd_sink_options *outlet; /* borrowed */
	const struct ctd_region_programs *programs; /* borrowed */
	const struct ctd_region_rows *rows; /* borrowed */
	size_t rows_count; /* of the rows, those that are shown */
	int nodes_count; /* that are shown: of level 1, or all */
	uint64_t realtime_ns; /* of its end */
	uint64_t window_ns;
	bool first; /* nothing was shown before */
	struct ctd_strbuf *out; /* borrowed */
};

/* Writes it in the format that is asked for. Logs, but not -EPIPE. @return 0 or negative errno. */
int ctd_region_show(const struct ctd_options *options, const struct ctd_sink_options *outlet,
		    const struct ctd_region_programs *programs, uint64_t window_ns, bool first);
/* table.c. @return 0 or -ENOMEM. */
int ctd_region_add_table(const struct ctd_region_interval *interval);

#endif
