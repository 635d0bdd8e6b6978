/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* caches.c - finds the CPUs that share their last cache and their memory node, in sysfs. */
#include "collect/caches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/num.h"
#include "base/root.h"

/* Those below are one core's, or a few cores': what is behind them has more room and less hurry. */
#define LEVEL_LEAST 3
#define INDICES_MAX 10
#define NODES_MAX 1024
#define LIST_BYTES 16384
#define NOT_KNOWN UINT8_MAX

_Static_assert(CTD_CACHES_MAX < NOT_KNOWN, "an index is a byte");

/* A list of numbers below @p count. @return whether there is one. */
static bool read_list(const char *path, bool *ret_set, int count)
{
	char text[LIST_BYTES];

	memset(ret_set, 0, (size_t)count * sizeof(*ret_set));
	return ctd_root_read(text, sizeof(text), "%s", path) > 0 &&
	       !ctd_parse_cpu_list(text, strlen(text), ret_set, (size_t)count);
}

/* @return the number in sysfs of the CPU's last cache; -1: it is not known, or a core's own. */
static int last_index(int cpu)
{
	long long level, last = LEVEL_LEAST - 1;
	int at = -1;

	for (int i = 0; i < INDICES_MAX; i++) {
		if (ctd_root_read_integer(
			    &level, "/sys/devices/system/cpu/cpu%d/cache/index%d/level", cpu, i))
			break;
		if (level > last) {
			last = level;
			at = i;
		}
	}
	return at;
}

/* The CPUs that share the last cache of this one, with itself. @return whether they are known. */
static bool read_shared(int cpu, bool *ret_shared, int cpus)
{
	int index = last_index(cpu);
	char path[96];

	if (index < 0)
		return false;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cache/index%d/shared_cpu_list",
		 cpu, index);
	return read_list(path, ret_shared, cpus) && ret_shared[cpu];
}

/* Of each CPU the number of its memory node; -1: not known. */
static void find_nodes(bool *nodes, bool *set, int cpus, int *ret_node_of)
{
	char path[64];

	memset(ret_node_of, -1, (size_t)cpus * sizeof(*ret_node_of));
	if (!read_list("/sys/devices/system/node/online", nodes, NODES_MAX))
		return;
	for (int node = 0; node < NODES_MAX; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/cpulist", node);
		if (!nodes[node] || !read_list(path, set, cpus))
			continue;
		for (int cpu = 0; cpu < cpus; cpu++)
			if (set[cpu])
				ret_node_of[cpu] = node;
	}
}

/* The CPUs that share what is to be told apart with this one. @return whether they are known. */
static bool find_alike(int cpu, bool by_cache, const int *node_of, int cpus, bool *ret_alike)
{
	bool known = by_cache ? read_shared(cpu, ret_alike, cpus) : node_of[cpu] >= 0;

	/* A cache that is said to be of several nodes is divided among them. */
	for (int other = 0; known && other < cpus; other++)
		ret_alike[other] =
			(!by_cache || ret_alike[other]) && node_of[other] == node_of[cpu];
	return known;
}

/* @return how many there are; with one more than there is room for the search ends. */
static uint32_t find_groups(bool by_cache, const int *node_of, bool *alike, int cpus,
			    struct ctd_caches *caches, uint8_t *cache_of)
{
	uint32_t count = 0;

	memset(cache_of, NOT_KNOWN, (size_t)cpus);
	for (int cpu = 0; cpu < cpus && count <= CTD_CACHES_MAX; cpu++) {
		if (cache_of[cpu] != NOT_KNOWN || !find_alike(cpu, by_cache, node_of, cpus, alike))
			continue;
		for (int other = cpu; other < cpus; other++)
			if (alike[other] && cache_of[other] == NOT_KNOWN)
				cache_of[other] = (uint8_t)count;
		/* Where sysfs is silent all are on node 0. */
		if (count < CTD_CACHES_MAX)
			caches->node[count] = node_of[cpu] > 0 ? (uint32_t)node_of[cpu] : 0;
		count++;
	}
	return count;
}

/* Do cores share any of them? Where each has its own, as in virtual machines that make a socket of
 * each CPU, none presses on another's. */
static bool is_any_shared(const uint8_t *cache_of, const int *siblings, int cpus)
{
	for (int cpu = 0; cpu < cpus; cpu++)
		for (int other = cpu + 1; cache_of[cpu] != NOT_KNOWN && other < cpus; other++)
			if (cache_of[other] == cache_of[cpu] &&
			    (!siblings || siblings[cpu] != other))
				return true;
	return false;
}

int ctd_caches_find(int cpus, const int *siblings, struct ctd_caches *ret_caches,
		    uint8_t *ret_cache_of)
{
	autofree bool *set = calloc((size_t)cpus, sizeof(*set));
	autofree bool *nodes = calloc(NODES_MAX, sizeof(*nodes));
	autofree int *node_of = calloc((size_t)cpus, sizeof(*node_of));
	struct ctd_caches caches = {0};

	if (!set || !nodes || !node_of)
		return -ENOMEM;
	find_nodes(nodes, set, cpus, node_of);
	caches.count = find_groups(true, node_of, set, cpus, &caches, ret_cache_of);
	if (caches.count > CTD_CACHES_MAX || !is_any_shared(ret_cache_of, siblings, cpus))
		caches.count = find_groups(false, node_of, set, cpus, &caches, ret_cache_of);
	if (caches.count < 2 || caches.count > CTD_CACHES_MAX)
		caches = (struct ctd_caches){0};
	for (int cpu = 0; cpu < cpus; cpu++)
		if (ret_cache_of[cpu] >= caches.count)
			ret_cache_of[cpu] = (uint8_t)caches.count;
	*ret_caches = caches;
	return 0;
}
