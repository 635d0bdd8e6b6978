/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rows.h - what the regions of all programs did in an interval, in the order that is asked for. */
#ifndef APP_REGIONS_ROWS_H
#define APP_REGIONS_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "regions/programs.h"

struct ctd_region_row {
	const struct ctd_region_program *program; /* borrowed */
	const struct ctd_region_sum *sum; /* borrowed */
	struct ctd_regions_totals growth;
	double ratio[CTD_REGION_NODES];
	int known; /* of them; 0: nothing is known of the slots */
};

struct ctd_region_rows {
	struct ctd_region_row *items; /* owned */
	size_t count;
};

/* Is it a key of --sort? "cpu" is the time. */
bool ctd_region_can_sort(const char *key);
/* One row for each region that a pass ended in. @p sort: NULL: by time. @return 0 or -ENOMEM. */
int ctd_region_rows_make(const struct ctd_region_programs *programs, const char *sort,
			 struct ctd_region_rows *ret_rows);
/* Of all passes, also those that were lost. */
uint64_t ctd_region_calls(const struct ctd_region_row *row);
double ctd_region_time_s(const struct ctd_region_row *row);
void ctd_region_rows_free(struct ctd_region_rows *rows);

#endif
