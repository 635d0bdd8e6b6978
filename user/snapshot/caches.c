/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* caches.c - compares and counts what is known of a machine's last caches. */
#include <cgtopdown/caches.h>

bool ctd_caches_are_same(const struct ctd_caches *a, const struct ctd_caches *b)
{
	bool same = a->count == b->count;

	for (uint32_t i = 0; same && i < a->count; i++)
		same = a->node[i] == b->node[i];
	return same;
}

uint32_t ctd_caches_nodes(const struct ctd_caches *caches)
{
	uint32_t nodes = 0;

	for (uint32_t i = 0; i < caches->count; i++) {
		bool is_new = true;

		for (uint32_t j = 0; j < i; j++)
			is_new &= caches->node[j] != caches->node[i];
		nodes += is_new;
	}
	return nodes;
}
