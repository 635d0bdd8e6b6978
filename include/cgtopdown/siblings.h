/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* siblings.h - figures of a row by what the core's other hardware thread did meanwhile. */
#ifndef CGTOPDOWN_SIBLINGS_H
#define CGTOPDOWN_SIBLINGS_H

#include <cgtopdown/abi.h>
#include <stdbool.h>
#include <stdint.h>

/* While it was in one state. */
struct ctd_beside_part {
	uint64_t cpu_ns, slots, retired_slots;
	uint64_t counted_ns; /* the part of cpu_ns in which the slots were counted */
};

/* The parts are the whole, but for retired slots: each part has its own ratio. */
struct ctd_beside {
	bool known, slots_known; /* ever */
	struct ctd_beside_part parts[CTD_SIBLINGS]; /* by enum ctd_sibling */
};

void ctd_beside_add(struct ctd_beside *to, const struct ctd_beside *from);
/* Slots that retire per CPU time beside another cgroup, divided by those beside an idle thread. Not
 * per slot: two threads share the slots of a core. @return NaN: there was no such time, or nothing
 * retired. */
double ctd_beside_speed(const struct ctd_beside *smt);
/* "idle", "same", "other", "mixed". */
const char *ctd_sibling_name(enum ctd_sibling sibling);

#endif
