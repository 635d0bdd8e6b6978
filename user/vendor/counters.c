/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counters.c - which counters a core has, and which of them can count an event. */
#include <string.h>

#include "vendor/rotation.h"

/* Where no file says more: AMD's cores from family 15h on, and Neoverse's N1, N2 and V1. */
#define GENERAL_USUAL 6
#define GENERAL_MAX CTD_PACK_FIXED

#define CODE_BITS 0xff
/* Codes of fixed counters' own events: 0x100 is of the first (Linux: arch/x86/events/intel/core.c,
 * use_fixed_pseudo_encoding()). */
#define FIXED_OF(config) ((unsigned int)((config) >> 8) - 1)
#define FIXED_MAX 16
#define CYCLES 0x3c
#define INSTRUCTIONS 0xc0
#define SLOTS 0x400
#define PERF_METRICS_FIRST 0x8000
#define PERF_METRICS_LAST 0x8700
#define AMD_CYCLES 0x76
/* More than 15 a cycle: retired SSE and AVX FLOPs (arch/x86/events/amd/core.c). */
#define AMD_PAIR 0x03
#define ARM_CYCLES 0x11

static bool is_amd(const struct ctd_vendor_cpu *cpu)
{
	return strncmp(cpu->id, "AuthenticAMD", strlen("AuthenticAMD")) == 0;
}

static bool is_intel(const struct ctd_vendor_table *table, const struct ctd_vendor_cpu *cpu)
{
	return !table->arm && !is_amd(cpu);
}

static uint64_t fixed(unsigned int number)
{
	return UINT64_C(1) << (CTD_PACK_FIXED + number);
}

static uint64_t lowest(int count)
{
	return (UINT64_C(1) << count) - 1;
}

/* Of the core's own events: fixed counters by number, and how many others there have to be. */
static void look_at_events(const struct ctd_vendor_table *table, uint64_t *ret_fixed,
			   int *ret_general)
{
	uint64_t general = 0;

	*ret_fixed = 0;
	for (size_t i = 0; i < table->events_count; i++) {
		const struct ctd_vendor_event *event = &table->events[i];

		if (event->pmu)
			continue;
		general |= event->counters & lowest(GENERAL_MAX);
		if (event->fixed_counter >= 0 && event->fixed_counter < FIXED_MAX)
			*ret_fixed |= fixed((unsigned int)event->fixed_counter);
	}
	*ret_general = general ? 64 - __builtin_clzll(general) : 0;
}

/* The watchdog counts cycles all the time, on the fixed counter for them where there is one. */
static uint64_t without_watchdog(const struct ctd_vendor_table *table,
				 const struct ctd_vendor_cpu *cpu, uint64_t counters)
{
	uint64_t general = counters & lowest(CTD_PACK_FIXED);

	if (table->arm)
		return counters & ~fixed(0);
	if (!is_amd(cpu))
		return counters & ~fixed(1);
	return counters & ~(general & ~(general >> 1));
}

struct ctd_pack_core ctd_vendor_core(const struct ctd_vendor_table *table,
				     const struct ctd_vendor_cpu *cpu, bool perf_metrics,
				     bool watchdog, bool *ret_said)
{
	struct ctd_pack_core core = {.room = CTD_COUNTERS_MAX};
	int general = 0;

	look_at_events(table, &core.counters, &general);
	if (table->general_counters > 0 && table->general_counters <= GENERAL_MAX)
		general = table->general_counters;
	*ret_said = general > 0;
	core.counters |= lowest(general ? general : GENERAL_USUAL);
	if (table->arm)
		core.counters |= fixed(0);
	else if (!is_amd(cpu))
		core.counters |= fixed(0) | fixed(1) | fixed(2) | (perf_metrics ? fixed(3) : 0);
	if (watchdog)
		core.counters = without_watchdog(table, cpu, core.counters);
	return core;
}

bool ctd_vendor_is_perf_metric(const struct ctd_vendor_table *table,
			       const struct ctd_vendor_cpu *cpu,
			       const struct ctd_vendor_count *count)
{
	return is_intel(table, cpu) && (count->config & CODE_BITS) == 0 &&
	       count->config >= PERF_METRICS_FIRST && count->config <= PERF_METRICS_LAST;
}

/* Those that the event's file has, or all. */
static uint64_t general_of(const struct ctd_pack_core *core, const struct ctd_vendor_count *count)
{
	uint64_t all = core->counters & lowest(CTD_PACK_FIXED);
	uint64_t can = count->event ? count->event->counters & lowest(CTD_PACK_FIXED) : 0;

	return can ? can : all;
}

/* The kernel also puts cycles and instructions into general-purpose counters. */
static uint64_t intel_counters(const struct ctd_pack_core *core,
			       const struct ctd_vendor_count *count)
{
	uint64_t all = core->counters & lowest(CTD_PACK_FIXED);
	bool is_fixed = (count->config & CODE_BITS) == 0 && count->config >> 8 &&
			FIXED_OF(count->config) < FIXED_MAX;

	if (is_fixed)
		return fixed(FIXED_OF(count->config));
	if (count->config == CYCLES)
		return all | fixed(1);
	if (count->config == INSTRUCTIONS)
		return all | fixed(0);
	return general_of(core, count);
}

static bool is_response(const struct ctd_vendor_count *count)
{
	static const uint8_t codes[] = {0xb7, 0xbb, 0x2a, 0x2b};

	for (size_t i = 0; count->config1 && i < sizeof(codes); i++)
		if ((count->config & CODE_BITS) == codes[i])
			return true;
	return false;
}

/*
 * Vendors' files say of some events that nothing else may be counted meanwhile. These events share
 * a register, MSR_PEBS_FRONTEND or the like, in which the kernel allows one value: two of them do
 * not go together, but they go together with others.
 */
static void set_register(const struct ctd_vendor_count *count, struct ctd_pack_event *demand)
{
	bool alone = count->event && count->event->taken_alone;

	if (is_response(count)) {
		demand->needs = CTD_PACK_RESPONSES;
		demand->value = count->config1;
	} else if (count->config1 || alone) {
		demand->needs = CTD_PACK_ALONE;
		demand->value = count->config1 ? count->config1 : ~count->config;
	}
}

struct ctd_pack_event ctd_vendor_demand(const struct ctd_vendor_table *table,
					const struct ctd_vendor_cpu *cpu,
					const struct ctd_pack_core *core,
					const struct ctd_vendor_count *count)
{
	struct ctd_pack_event demand = {.counters = general_of(core, count)};

	if (table->arm && count->config == ARM_CYCLES) {
		demand.counters |= fixed(0);
	} else if (is_amd(cpu)) {
		demand.pair = (count->config & (CODE_BITS | UINT64_C(0xf) << 32)) == AMD_PAIR;
	} else if (ctd_vendor_is_perf_metric(table, cpu, count)) {
		demand.counters = 0;
	} else if (!table->arm) {
		demand.counters = intel_counters(core, count);
		set_register(count, &demand);
	}
	return demand;
}

struct ctd_vendor_count ctd_vendor_leader(const struct ctd_vendor_table *table,
					  const struct ctd_vendor_cpu *cpu, bool perf_metrics)
{
	if (perf_metrics)
		return (struct ctd_vendor_count){.name = "slots", .config = SLOTS};
	return (struct ctd_vendor_count){.name = "cycles",
					 .config = table->arm	 ? ARM_CYCLES
						   : is_amd(cpu) ? AMD_CYCLES
								 : CYCLES};
}
