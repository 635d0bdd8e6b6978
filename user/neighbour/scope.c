/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* scope.c - whose pressure reaches a container: of those on its caches, its nodes, or anywhere. */
#include "neighbour/scope.h"

#include <math.h>
#include <string.h>

/* Less of all pressure is what sums of 1,000 numbers leave when one is taken out again. */
#define ROUNDING 1e-5F

const char *ctd_scope_name(enum ctd_scope scope)
{
	static const char *const names[CTD_SCOPES] = {
		[CTD_SCOPE_UNKNOWN] = "unknown",
		[CTD_SCOPE_MACHINE] = "machine",
		[CTD_SCOPE_NODE] = "node",
		[CTD_SCOPE_CACHE] = "cache",
	};

	return names[scope];
}

/* Where caches are not told apart, the machine is one place. */
static uint32_t places_count(const struct ctd_neighbours *neighbours)
{
	return neighbours->caches.count ? neighbours->caches.count : 1;
}

bool ctd_scope_exists(const struct ctd_neighbours *neighbours, enum ctd_scope scope)
{
	uint32_t nodes = ctd_caches_nodes(&neighbours->caches);

	/* Where each node has one cache, that is the same. */
	return scope == CTD_SCOPE_NODE ? nodes > 1 : neighbours->caches.count > nodes;
}

void ctd_scope_place(const struct ctd_neighbours *neighbours, struct ctd_subject *subject)
{
	uint32_t count = places_count(neighbours);
	double known_ns = 0;

	for (uint32_t i = 0; i < count; i++)
		known_ns += subject->caches.ns[i];
	/* Of which nothing is known may be anywhere. */
	for (uint32_t i = 0; i < count; i++)
		subject->place[i] = known_ns > 0 ? (float)(subject->caches.ns[i] / known_ns)
						 : 1.0F / (float)count;
}

void ctd_scope_add_up(struct ctd_neighbours *neighbours, uint32_t domain)
{
	uint32_t count = places_count(neighbours);

	memset(neighbours->pressure, 0, count * sizeof(*neighbours->pressure));
	for (size_t i = 0; i < neighbours->subjects_count; i++) {
		const struct ctd_subject *subject = neighbours->subjects[i];

		for (uint32_t c = 0; c < count && subject->domain == domain; c++) {
			const float part = subject->place[c];

			for (int kind = 0; kind < KINDS && part > 0; kind++)
				for (size_t t = 0; t < SERIES; t++)
					neighbours->pressure[c][kind][t] +=
						part * subject->excess[kind].pressure[t];
		}
	}
}

/* How much of what is on a cache reaches the container. */
static float weight_of(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
		       enum ctd_scope scope, uint32_t cache)
{
	const struct ctd_caches *caches = &neighbours->caches;
	float sum = 0;

	if (scope == CTD_SCOPE_CACHE)
		return victim->place[cache];
	if (scope != CTD_SCOPE_NODE)
		return 1;
	for (uint32_t i = 0; i < caches->count; i++)
		if (caches->node[i] == caches->node[cache])
			sum += victim->place[i];
	return sum;
}

struct ctd_reach ctd_reach_make(const struct ctd_neighbours *neighbours,
				const struct ctd_subject *victim, enum ctd_scope scope)
{
	struct ctd_reach reach = {.count = places_count(neighbours)};

	for (uint32_t i = 0; i < reach.count; i++)
		reach.weight[i] = weight_of(neighbours, victim, scope, i);
	return reach;
}

float ctd_reach_of(const struct ctd_reach *reach, const struct ctd_subject *other)
{
	float sum = 0;

	for (uint32_t i = 0; i < reach->count; i++)
		sum += reach->weight[i] * other->place[i];
	return sum;
}

void ctd_reach_others(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
		      enum ctd_kind kind, const struct ctd_reach *reach, float ret_pressure[SERIES])
{
	float own = ctd_reach_of(reach, victim);

	memset(ret_pressure, 0, SERIES * sizeof(*ret_pressure));
	for (uint32_t i = 0; i < reach->count; i++)
		for (size_t t = 0; t < SERIES && reach->weight[i] > 0; t++)
			ret_pressure[t] += reach->weight[i] * neighbours->pressure[i][kind][t];
	for (size_t t = 0; t < SERIES; t++) {
		float others = ret_pressure[t] - own * victim->excess[kind].pressure[t];

		ret_pressure[t] = others > ROUNDING * ret_pressure[t] ? others : 0;
	}
}
