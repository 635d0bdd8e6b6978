/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* scope.h - the part of others' pressure that reaches a container from where they run. */
#ifndef NEIGHBOUR_SCOPE_H
#define NEIGHBOUR_SCOPE_H

#include "neighbour/detector.h"

/* By cache: how much of the pressure there reaches one container. */
struct ctd_reach {
	uint32_t count; /* of caches, or 1 */
	float weight[CTD_CACHES_MAX];
};

/* Has the machine several nodes, or caches that tell more than its nodes? */
bool ctd_scope_exists(const struct ctd_neighbours *neighbours, enum ctd_scope scope);
/* Makes of where it ran the parts of it that are on each cache. */
void ctd_scope_place(const struct ctd_neighbours *neighbours, struct ctd_subject *subject);
/* The pressure of all containers of a domain, each with its part on each cache, by tick. */
void ctd_scope_add_up(struct ctd_neighbours *neighbours, uint32_t domain);

struct ctd_reach ctd_reach_make(const struct ctd_neighbours *neighbours,
				const struct ctd_subject *victim, enum ctd_scope scope);
/* How much of the other's pressure reaches it: 0 where they have nothing in common. */
float ctd_reach_of(const struct ctd_reach *reach, const struct ctd_subject *other);
/* Of all others: what was added up of the victim's domain, but for its own. */
void ctd_reach_others(const struct ctd_neighbours *neighbours, const struct ctd_subject *victim,
		      enum ctd_kind kind, const struct ctd_reach *reach,
		      float ret_pressure[SERIES]);

#endif
