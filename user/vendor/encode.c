/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* encode.c - the places of an event's parts in struct perf_event_attr. */
#include "vendor/encode.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "vendor/fields.h"

/*
 * Where a part goes: up to two spans of bits of a word. arch/x86/events/intel/core.c and amd/core.c
 * have the formats; in what is said here they do not contradict each other: AMD's codes have four
 * bits more, and Intel's masks eight.
 */
struct span {
	unsigned int shift, bits;
};

static const struct part {
	const char *name;
	int word; /* of config, config1, config2 */
	struct span low, high;
} parts[] = {
	{"event", 0, {0, 8}, {32, 4}},	  {"umask", 0, {8, 8}, {40, 8}},
	{"edge", 0, {18, 1}, {0, 0}},	  {"any", 0, {21, 1}, {0, 0}},
	{"inv", 0, {23, 1}, {0, 0}},	  {"cmask", 0, {24, 8}, {0, 0}},
	{"in_tx", 0, {32, 1}, {0, 0}},	  {"in_tx_cp", 0, {33, 1}, {0, 0}},
	{"eq", 0, {36, 1}, {0, 0}},	  {"ldlat", 1, {0, 16}, {0, 0}},
	{"frontend", 1, {0, 24}, {0, 0}}, {"offcore_rsp", 1, {0, 63}, {63, 1}},
	{"config", 0, {0, 63}, {63, 1}},  {"config1", 1, {0, 63}, {63, 1}},
	{"config2", 2, {0, 63}, {63, 1}},
};
/* Armv8's PMU: 16 bits of code. */
static const struct part arm_event = {"event", 0, {0, 16}, {0, 0}};
static const char *const passed_over[] = {"period", "name", "percore", NULL};

static uint64_t mask_of(struct span span)
{
	return ((UINT64_C(1) << span.bits) - 1) << span.shift;
}

static int put(struct ctd_vendor_code *code, const struct part *part, uint64_t number)
{
	uint64_t *words[] = {&code->config, &code->config1, &code->config2};
	uint64_t *word = words[part->word], rest = number >> part->low.bits;

	if (rest >> part->high.bits)
		return -ERANGE;
	*word &= ~(mask_of(part->low) | mask_of(part->high));
	*word |= (number << part->low.shift & mask_of(part->low)) | rest << part->high.shift;
	return 0;
}

static bool is(const char *name, const char *part, size_t bytes)
{
	return strlen(name) == bytes && memcmp(name, part, bytes) == 0;
}

int ctd_vendor_encode(struct ctd_vendor_code *code, bool arm, const char *part, size_t bytes,
		      uint64_t number)
{
	if (arm && is(arm_event.name, part, bytes))
		return put(code, &arm_event, number);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (is(parts[i].name, part, bytes))
			return put(code, &parts[i], number);
	for (size_t i = 0; passed_over[i]; i++)
		if (is(passed_over[i], part, bytes))
			return 0;
	return -ENOENT;
}

/* Fixed counters' events by perf's codes, which the kernel also puts into general-purpose counters
 * (tools/perf/pmu-events/jevents.py): vendors' files have those of the fixed counters, or none. */
static const struct {
	const char *name;
	uint64_t config;
} fixed_events[] = {
	{"inst_retired.any", 0xc0},
	{"inst_retired.any_p", 0xc0},
	{"cpu_clk_unhalted.ref", 0x300},
	{"cpu_clk_unhalted.ref_tsc", 0x300},
	{"cpu_clk_unhalted.thread", 0x3c},
	{"cpu_clk_unhalted.core", 0x3c},
	{"cpu_clk_unhalted.thread_any", 0x20003c},
};

/* arch/x86/events/intel/core.c: EVENT_ATTR_STR(). */
static const struct {
	const char *name;
	uint64_t config;
} kernel_events[] = {
	{"slots", 0x400},
	{"topdown-retiring", 0x8000},
	{"topdown-bad-spec", 0x8100},
	{"topdown-fe-bound", 0x8200},
	{"topdown-be-bound", 0x8300},
	{"topdown-heavy-ops", 0x8400},
	{"topdown-br-mispredict", 0x8500},
	{"topdown-fetch-lat", 0x8600},
	{"topdown-mem-bound", 0x8700},
	/* What perfmon calls them. */
	{"perf_metrics.retiring", 0x8000},
	{"perf_metrics.bad_speculation", 0x8100},
	{"perf_metrics.frontend_bound", 0x8200},
	{"perf_metrics.backend_bound", 0x8300},
	{"perf_metrics.heavy_operations", 0x8400},
	{"perf_metrics.branch_mispredicts", 0x8500},
	{"perf_metrics.fetch_latency", 0x8600},
	{"perf_metrics.memory_bound", 0x8700},
	{"tx-start", 0x1c9},
	{"el-start", 0x1c8},
	{"cycles-t", 0x10000003c},
	{"cycles-ct", 0x30000003c},
};

/* What the kernel has on all of its processors (arch/x86/events/{intel,amd}/core.c). */
static const struct {
	const char *name;
	uint64_t intel, amd;
} common_events[] = {
	{"cycles", 0x3c, 0x76},
	{"cpu-cycles", 0x3c, 0x76},
	{"instructions", 0xc0, 0xc0},
	{"branches", 0xc4, 0xc2},
	{"branch-instructions", 0xc4, 0xc2},
	{"branch-misses", 0xc5, 0xc3},
};

static const uint64_t *find_kernel(const char *name, bool amd)
{
	for (size_t i = 0; i < sizeof(common_events) / sizeof(*common_events); i++)
		if (strcasecmp(common_events[i].name, name) == 0)
			return amd ? &common_events[i].amd : &common_events[i].intel;
	for (size_t i = 0; !amd && i < sizeof(kernel_events) / sizeof(*kernel_events); i++)
		if (strcasecmp(kernel_events[i].name, name) == 0)
			return &kernel_events[i].config;
	return NULL;
}

int ctd_vendor_encode_kernel(const char *name, bool amd, struct ctd_vendor_code *ret_code)
{
	const uint64_t *config = find_kernel(name, amd);

	if (!config)
		return -ENOENT;
	*ret_code = (struct ctd_vendor_code){.config = *config};
	return 0;
}

/* "0,1,2,3", "Fixed counter 1". */
static void read_counters(const char *text, struct ctd_vendor_event *event)
{
	static const char fixed[] = "fixed counter ";
	uint64_t number;

	if (strncasecmp(text, fixed, strlen(fixed)) == 0) {
		text += strlen(fixed);
		if (ctd_vendor_number(text, strlen(text), &number) == 0 && number < 64)
			event->fixed_counter = (int)number;
		return;
	}
	while (*text) {
		char *end;
		unsigned long counter = strtoul(text, &end, 10);

		if (end == text || counter >= 64)
			return;
		event->counters |= UINT64_C(1) << counter;
		text = end + strspn(end, ", ");
	}
}

/* Which register more the event needs, by its number. */
static const struct {
	uint64_t number;
	const char *part;
} registers[] = {
	{0x3f6, "ldlat"}, {0x3f7, "frontend"}, {0x1a6, "offcore_rsp"}, {0x1a7, "offcore_rsp"}};

static int encode_register(const json_t *entry, struct ctd_vendor_code *code)
{
	uint64_t number, value;

	if (ctd_field_number(entry, "MSRIndex", &number) ||
	    ctd_field_number(entry, "MSRValue", &value))
		return -EINVAL;
	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		if (registers[i].number == number)
			return ctd_vendor_encode(code, false, registers[i].part,
						 strlen(registers[i].part), value);
	return number ? -ENOENT : 0;
}

static const struct {
	const char *field, *part;
} fields[] = {
	{"UMask", "umask"}, {"EdgeDetect", "edge"},   {"AnyThread", "any"},
	{"Invert", "inv"},  {"CounterMask", "cmask"}, {"Equal", "eq"},
};

static int encode_fields(const json_t *entry, bool arm, struct ctd_vendor_code *code)
{
	uint64_t number, mask;
	int r = ctd_field_number(entry, "EventCode", &number);

	if (r == 0)
		r = ctd_vendor_encode(code, arm, "event", strlen("event"), number);
	for (size_t i = 0; r == 0 && i < sizeof(fields) / sizeof(*fields); i++) {
		r = ctd_field_number(entry, fields[i].field, &number);
		if (r == 0 && number)
			r = ctd_vendor_encode(code, false, fields[i].part, strlen(fields[i].part),
					      number);
	}
	if (r == 0)
		r = ctd_field_number(entry, "UMaskExt", &number);
	mask = (code->config >> 8 & 0xff) | number << 8;
	if (r == 0 && number)
		r = ctd_vendor_encode(code, false, "umask", strlen("umask"), mask);
	return r ? r : encode_register(entry, code);
}

static const uint64_t *fixed_code(const char *name)
{
	for (size_t i = 0; i < sizeof(fixed_events) / sizeof(*fixed_events); i++)
		if (strcasecmp(fixed_events[i].name, name) == 0)
			return &fixed_events[i].config;
	return NULL;
}

int ctd_vendor_encode_entry(struct ctd_vendor_table *table, const json_t *entry,
			    struct ctd_vendor_event *event)
{
	struct ctd_vendor_code code = {0};
	const uint64_t *fixed = fixed_code(event->name);
	const char *lack = NULL;
	uint64_t register_number;
	int r = encode_fields(entry, table->arm, &code);

	event->fixed_counter = -1;
	read_counters(ctd_field_text(entry, "Counter"), event);
	if (fixed)
		code = (struct ctd_vendor_code){.config = *fixed};
	else if (r == -EINVAL)
		lack = "a field of its code is no number";
	else if (r == -ERANGE)
		lack = "a field of its code is too large";
	else if (r == -ENOENT)
		lack = "it needs a register that the kernel does not give to events";
	else if (event->fixed_counter < 0 && !json_object_get(entry, "EventCode"))
		lack = "it has no EventCode";
	event->taken_alone = ctd_field_is(entry, "TakenAlone");
	event->precise = ctd_field_is(entry, "Precise") || ctd_field_is(entry, "PEBS");
	event->deprecated = ctd_field_is(entry, "Deprecated");
	if (ctd_field_number(entry, "SampleAfterValue", &event->sample_after))
		event->sample_after = 0;
	event->offcore = !ctd_field_number(entry, "MSRIndex", &register_number) &&
			 (register_number == 0x1a6 || register_number == 0x1a7);
	event->config = code.config;
	event->config1 = code.config1;
	event->config2 = code.config2;
	event->lack = lack ? ctd_vendor_keep(table, lack) : NULL;
	return lack && !event->lack ? -ENOMEM : 0;
}
