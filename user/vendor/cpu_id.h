/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cpu_id.h - whether an entry of a vendor's map is of a processor. */
#ifndef VENDOR_CPU_ID_H
#define VENDOR_CPU_ID_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Is @p id, as struct ctd_vendor_cpu has it, what the map's @p pattern is of? As perf does: x86's
 * is an extended regular expression for the whole, with or without the stepping; Arm's is a
 * MIDR_EL1, whose version is the least that there is to be.
 */
bool ctd_vendor_cpu_matches(const char *pattern, const char *id);

/* The number of an Arm core. @return false: it is no such id. */
bool ctd_vendor_midr(const char *id, uint64_t *ret_midr);
/* Of MIDR_EL1. */
static inline uint64_t ctd_midr_implementer(uint64_t midr)
{
	return midr >> 24 & 0xff;
}
static inline uint64_t ctd_midr_part(uint64_t midr)
{
	return midr >> 4 & 0xfff;
}
/* variant << 4 | revision */
static inline uint64_t ctd_midr_revision(uint64_t midr)
{
	return (midr >> 16 & 0xf0) | (midr & 0xf);
}

#endif
