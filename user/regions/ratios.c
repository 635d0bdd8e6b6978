/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ratios.c - the nodes of a region, by the formulas of rdpmc.h. */
#include <math.h>

#include "regions/sums.h"

/* In the order of enum ctd_rdpmc_node, which tests compare. */
static const char *const names[CTD_REGION_NODES] = {
	"retiring",	    "bad_speculation",	  "frontend_bound",  "backend_bound",
	"heavy_operations", "branch_mispredicts", "fetch_latency",   "memory_bound",
	"light_operations", "machine_clears",	  "fetch_bandwidth", "core_bound",
};

const char *ctd_region_node_name(int node)
{
	return names[node];
}

/* The last four are what remains of level 1 beside the counted halves. */
static double slots_of(const struct ctd_regions_totals *totals, int node)
{
	const int64_t *part = totals->part;

	return node < CTD_REGIONS_PARTS ? (double)part[node]
					: (double)part[node - 8] - (double)part[node - 4];
}

int ctd_region_ratios(const struct ctd_regions_totals *totals, double ret_ratio[CTD_REGION_NODES])
{
	int known = totals->measured && totals->whole_slots > 0 ? (int)totals->nodes_known : 0;

	for (int i = 0; i < CTD_REGION_NODES; i++)
		ret_ratio[i] =
			i < known ? fmin(fmax(slots_of(totals, i) / (double)totals->whole_slots, 0),
					 1)
				  : NAN;
	return known;
}

double ctd_region_error_ratio(const struct ctd_regions_totals *totals)
{
	if (totals->whole_slots <= 0)
		return NAN;
	return (double)totals->rounded_slots / 0xff / (double)totals->whole_slots;
}
