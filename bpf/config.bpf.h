/* SPDX-License-Identifier: GPL-2.0-only */
/* config.bpf.h - the knobs: constants once loaded, so the verifier removes code that is switched
 * off. */
#ifndef CONFIG_BPF_H
#define CONFIG_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <cgtopdown/abi.h>

/* The defaults let the object load bare: no counters, time only. Each program reads a knob once
 * into a local, because every volatile access stays in the program as a load. */
const volatile __u32 cfg_read = CTD_READ_NONE; /* enum ctd_read */
const volatile __u32 cfg_counters = 0; /* counters in the group; 0 with CTD_READ_NONE */
const volatile __u32 cfg_by = CTD_BY_CGROUP; /* enum ctd_by */
const volatile __u32 cfg_cpus = 1; /* possible CPUs */
const volatile __s32 cfg_subsystem = -1; /* index of a v1 controller in css_set, -1: v2 */
const volatile __s32 cfg_hierarchy = 0; /* cgroup_root.hierarchy_id of the accounted hierarchy */
const volatile __u64 cfg_max_slice_ns = 0; /* cgtd_long_slice closes slices longer than this */
/* Slices are told apart by what the core's other hardware thread did. Only ever asked in an if, so
 * that nothing is left of what it is about where it is 0. */
const volatile __u32 cfg_siblings = 0;
const volatile __u32 cfg_waits = 0; /* waits are counted; asked likewise */
const volatile __u32 cfg_rows = 0; /* rows in cgtd_rows, with waits */

/* Unrolled: the verifier knows the number of counters and removes the iterations beyond it. */
#define FOR_COUNTERS(i, first, counters_count)                                       \
	_Pragma("clang loop unroll(full)") for (int i = first; i < CTD_COUNTERS_MAX; \
						i++) if (i < (int)(counters_count))

#endif
