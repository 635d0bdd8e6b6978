/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm.h - what sysfs tells of an arm64 machine's processor, in places of its own. */
#ifndef PMU_ARM_H
#define PMU_ARM_H

#include <cgtopdown/counters.h>

/* Finds the directory name of the core PMU; "" if there is none. @return 0 or negative errno,
 * logged. */
int ctd_arm_core_pmu_find(char *ret_name, size_t bytes);

/*
 * Sets vendor and id of @p facts from MIDR_EL1 of the first CPU of its PMU, and slots_per_cycle
 * from the PMU. What is not there, or makes no sense, is left alone. @return 0 or negative errno,
 * logged.
 */
int ctd_arm_processor_read(struct ctd_pmu_facts *facts);

#endif
