/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* arm.h - what sysfs tells of an arm64 machine's processor, in places of its own. */
#ifndef PMU_ARM_H
#define PMU_ARM_H

#include <cgtopdown/counters.h>

#define CTD_PMU_NAME_BYTES 64

/* Finds the directory names of the core PMUs, @p most at most, in order. @return how many, or
 * negative errno, logged. */
int ctd_arm_core_pmus_find(char ret_names[][CTD_PMU_NAME_BYTES], int most);

/* A CPU's MIDR_EL1 as an id. @return 1, 0 if it is not there or makes no sense, or negative errno,
 * logged. */
int ctd_arm_id_read(int cpu, struct ctd_cpu_id *ret_id);

/* Sets slots_per_cycle from the PMU of @p facts, where it tells. */
void ctd_arm_slots_read(struct ctd_pmu_facts *facts);

/* The name of the cores of a PMU, as people know it. */
void ctd_arm_core_name(const char *pmu, char *ret_name, size_t bytes);

#endif
