/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sums.h - the regions of one program: records of one name added up, and what came since before. */
#ifndef REGIONS_SUMS_H
#define REGIONS_SUMS_H

#include <cgtopdown/regions_abi.h>
#include <stdbool.h>
#include <stddef.h>

#include "regions/memory.h"

/* Retiring to backend_bound; the counted halves; the other halves. */
#define CTD_REGION_NODES 12
#define CTD_REGION_LEVEL1_NODES 4

struct ctd_region_sum {
	char name[CTD_REGIONS_NAME_BYTES];
	struct ctd_regions_totals before, now; /* at two instants */
	struct ctd_regions_totals reading; /* what is being added up */
	bool partial; /* a record of it could not be read: `now` stays as it was */
	bool from_now; /* it counts from the first reading on that is not partial */
	char why_lost[CTD_REGIONS_WHY_BYTES]; /* "": none was lost so far */
};

struct ctd_region_sums {
	struct ctd_region_sum *items; /* owned; in the order of the records */
	size_t count, capacity;
	bool from_now; /* so do all that the next reading finds */
};

/*
 * Reads all records of the copy of a program's memory: `now` of each region. @p regions_max: so
 * many names at most. @return 0; -EBADMSG: @p ret_why tells what is wrong with it; -ENOSPC: there
 * are more names; -ENOMEM.
 */
int ctd_region_sums_read(struct ctd_region_sums *sums, const void *memory, size_t bytes,
			 size_t regions_max, char ret_why[CTD_REGION_REFUSAL_BYTES]);
/* What comes is to be counted from now on. */
void ctd_region_sums_done(struct ctd_region_sums *sums);
/* From `before` to `now`. */
void ctd_region_sum_growth(const struct ctd_region_sum *sum, struct ctd_regions_totals *ret_growth);
void ctd_region_sums_free(struct ctd_region_sums *sums);

/* Ratios as ctd_rdpmc_ratios() makes them: NaN where nothing is known. @return how many are. */
int ctd_region_ratios(const struct ctd_regions_totals *totals, double ret_ratio[CTD_REGION_NODES]);
/* As ctd_rdpmc_error_ratio(). */
double ctd_region_error_ratio(const struct ctd_regions_totals *totals);
/* As in cgtopdown's designs: "retiring", "core_bound". */
const char *ctd_region_node_name(int node);

#endif
