/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* offering.h - a program on a made-up processor that offers its regions. */
#ifndef TESTS_UNIT_REGIONS_OFFERING_H
#define TESTS_UNIT_REGIONS_OFFERING_H

#include "../rdpmc/machine.h"

#include <cgtopdown/regions.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A processor with level 2. */
static inline void offering_open(struct ctd_rdpmc_group *group, unsigned int flags)
{
	machine_begin("sapphire_rapids");
	assert_int_equal(machine_open(group, flags), CTD_RDPMC_OK);
}

static inline void offering_pass(struct ctd_rdpmc_group *group, struct ctd_regions_entry *entry,
				 const uint64_t load[PARTS_MAX], uint64_t thousands)
{
	assert_int_equal(ctd_regions_begin(group, entry), CTD_RDPMC_OK);
	work(load, thousands);
	assert_int_equal(ctd_regions_end(group, entry), CTD_RDPMC_OK);
}

#endif
