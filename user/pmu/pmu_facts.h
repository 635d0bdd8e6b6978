/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* pmu_facts.h - the sources of what is known of a machine: one PMU, the kernel, the processor. */
#ifndef PMU_PMU_FACTS_H
#define PMU_PMU_FACTS_H

#include <cgtopdown/counters.h>

/* Sets what the PMU called @p name shows of itself, if it is there. Logs. @return 0 or negative
 * errno. */
int ctd_facts_read_pmu(struct ctd_pmu_facts *facts, const char *name);

/* Sets what all core types share: sysctls, and whether hyper-threading is on. Logs. */
int ctd_facts_read_system(struct ctd_pmu_facts *facts);

/*
 * Sets vendor, title and hypervisor of x86, and the id, all of the first processor in
 * /proc/cpuinfo. @p ret_ids: of each CPU that is in there; family 0: it is not. Logs. @return 0 or
 * negative errno.
 */
int ctd_cpuinfo_read(struct ctd_pmu_facts *facts, struct ctd_cpu_id ret_ids[CTD_CPUS_MAX]);

#endif
