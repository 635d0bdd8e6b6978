/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* words.c - what programs are told of a node's role and unit. */
#include <cgtopdown/cpu.h>

#include <string.h>

static const char *const roles[] = {
	[CTD_ROLE_RETIRING] = "retiring",
	[CTD_ROLE_BAD_SPECULATION] = "bad_speculation",
	[CTD_ROLE_FRONTEND_BOUND] = "frontend_bound",
	[CTD_ROLE_BACKEND_BOUND] = "backend_bound",
	[CTD_ROLE_SMT_CONTENTION] = "smt_contention",
	[CTD_ROLE_HEAVY_OPERATIONS] = "heavy_operations",
	[CTD_ROLE_LIGHT_OPERATIONS] = "light_operations",
	[CTD_ROLE_BRANCH_MISPREDICTS] = "branch_mispredicts",
	[CTD_ROLE_MACHINE_CLEARS] = "machine_clears",
	[CTD_ROLE_FETCH_LATENCY] = "fetch_latency",
	[CTD_ROLE_FETCH_BANDWIDTH] = "fetch_bandwidth",
	[CTD_ROLE_MEMORY_BOUND] = "memory_bound",
	[CTD_ROLE_CORE_BOUND] = "core_bound",
	[CTD_ROLE_RESOURCE_BOUND] = "resource_bound",
	[CTD_ROLE_FRONTEND_STALLS] = "frontend_stalls",
	[CTD_ROLE_BACKEND_STALLS] = "backend_stalls",
	[CTD_ROLE_IPC] = "ipc",
	[CTD_ROLE_CPI] = "cpi",
	[CTD_ROLE_GHZ] = "ghz",
	[CTD_ROLE_BRANCH_MPKI] = "branch_mpki",
	[CTD_ROLE_CACHE_MPKI] = "cache_mpki",
};

static const char *const units[] = {
	[CTD_UNIT_RATIO] = "ratio",
	[CTD_UNIT_PER_CYCLE] = "per_cycle",
	[CTD_UNIT_CYCLES] = "cycles",
	[CTD_UNIT_GHZ] = "ghz",
	[CTD_UNIT_PER_THOUSAND] = "per_thousand",
};

#define COUNT(names) ((int)(sizeof(names) / sizeof(*(names))))

/* @return the index of @p name, or 0. */
static int find(const char *const *names, int count, const char *name)
{
	for (int i = 0; name && i < count; i++)
		if (names[i] && strcmp(names[i], name) == 0)
			return i;
	return 0;
}

const char *ctd_node_role_name(enum ctd_node_role role)
{
	return (int)role < COUNT(roles) ? roles[role] : NULL;
}

enum ctd_node_role ctd_node_role_find(const char *name)
{
	return find(roles, COUNT(roles), name);
}

const char *ctd_unit_name(enum ctd_unit unit)
{
	return units[unit];
}

enum ctd_unit ctd_unit_find(const char *name)
{
	return find(units, COUNT(units), name);
}
