/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* intel_cores.h - the processors of those Intel designs that more than one source can count. */
#ifndef CPU_INTEL_CORES_H
#define CPU_INTEL_CORES_H

/* Family, first and last model. */
/* clang-format off */
#define SUNNY_COVE_TITLE "Intel Sunny Cove, Willow Cove, Cypress Cove: Ice Lake, Tiger Lake, Rocket Lake"
#define SUNNY_COVE_IDS \
	{6, 0x6a, 0x6a}, /* Ice Lake SP */ \
	{6, 0x6c, 0x6c}, /* Ice Lake D */ \
	{6, 0x7d, 0x7e}, /* Ice Lake client */ \
	{6, 0x8c, 0x8d}, /* Tiger Lake */ \
	{6, 0xa7, 0xa7} /* Rocket Lake */

/* The hybrid ones have E-cores of another design under the same id: their PMU is another one. */
#define GOLDEN_COVE_TITLE \
	"Intel Golden Cove, Redwood Cove: Sapphire, Emerald and Granite Rapids, P-cores of Alder, Raptor and Meteor Lake"
#define GOLDEN_COVE_IDS \
	{6, 0x8f, 0x8f}, /* Sapphire Rapids */ \
	{6, 0xcf, 0xcf}, /* Emerald Rapids */ \
	{6, 0xad, 0xae}, /* Granite Rapids, Granite Rapids D */ \
	{6, 0x97, 0x97}, /* Alder Lake S */ \
	{6, 0x9a, 0x9a}, /* Alder Lake P */ \
	{6, 0xb7, 0xb7}, /* Raptor Lake S */ \
	{6, 0xba, 0xba}, /* Raptor Lake P */ \
	{6, 0xbf, 0xbf}, /* Raptor Lake, Alder Lake die */ \
	{6, 0xaa, 0xaa}, /* Meteor Lake */ \
	{6, 0xac, 0xac}, /* Meteor Lake S */ \
	{6, 0xb5, 0xb5} /* Arrow Lake U */
/* clang-format on */

#endif
