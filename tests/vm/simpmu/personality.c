// SPDX-License-Identifier: GPL-2.0-only
/* personality.c - finds a personality by its name. */
#include <linux/kernel.h>
#include <linux/string.h>

#include "simpmu.h"

const struct personality *const simpmu_personalities[] = {
	&simpmu_sapphire_rapids,
	&simpmu_granite_rapids,
	&simpmu_ice_lake,
	&simpmu_alder_lake,
	&simpmu_arrow_lake,
	&simpmu_sierra_forest,
	&simpmu_skylake,
	&simpmu_broadwell,
	&simpmu_zen4,
	&simpmu_zen5,
	&simpmu_neoverse_n1,
	&simpmu_neoverse_v1,
	&simpmu_neoverse_v2,
	&simpmu_neoverse_n2,
	&simpmu_neoverse_n2_r0p0,
	&simpmu_neoverse_n3,
	&simpmu_neoverse_v3,
};

const struct personality *simpmu_personality_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(simpmu_personalities); i++) {
		if (strcmp(simpmu_personalities[i]->name, name) == 0)
			return simpmu_personalities[i];
	}
	pr_err("simpmu: there is no personality %s; there are:\n", name);
	for (i = 0; i < ARRAY_SIZE(simpmu_personalities); i++)
		pr_err("simpmu:   %s\n", simpmu_personalities[i]->name);
	return NULL;
}
