/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* write_stacks.c - puts stacks into the payload of a recording's block; record.h has the format. */
#include <cgtopdown/recorded_stacks.h>

#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/varint.h"
#include "profile/recorded.h"

static void add_text(struct ctd_strbuf *out, const char *text)
{
	size_t all = strlen(text),
	       bytes = all < CTD_RECORDED_TEXT_MAX ? all : CTD_RECORDED_TEXT_MAX;

	ctd_varint_add(out, bytes);
	ctd_strbuf_add_bytes(out, text, bytes);
}

static void add_modules(struct ctd_strbuf *out, const struct ctd_stacks *stacks, size_t first)
{
	ctd_varint_add(out, stacks->modules_count - first);
	for (size_t i = first; i < stacks->modules_count; i++) {
		ctd_varint_add(out, stacks->modules[i].kernel);
		add_text(out, stacks->modules[i].file);
		add_text(out, stacks->modules[i].build_id);
	}
}

static void add_functions(struct ctd_strbuf *out, const struct ctd_stacks *stacks, size_t first)
{
	ctd_varint_add(out, stacks->functions_count - first);
	for (size_t i = first; i < stacks->functions_count; i++) {
		ctd_varint_add(out, stacks->functions[i].module);
		ctd_varint_add(out, stacks->functions[i].address);
		add_text(out, stacks->functions[i].name);
	}
}

/* A frame that says how the trace ends is not written: the end is. */
static void add_traces(struct ctd_strbuf *out, const struct ctd_stacks *stacks, size_t first)
{
	ctd_varint_add(out, stacks->traces_count - first);
	for (size_t i = first; i < stacks->traces_count; i++) {
		const struct ctd_trace *trace = &stacks->traces[i];
		uint32_t count = trace->frames_count - (trace->end != CTD_TRACE_COMPLETE);

		ctd_varint_add(out, trace->end);
		ctd_varint_add(out, count);
		for (uint32_t k = 0; k < count; k++)
			ctd_varint_add(out, stacks->frames[trace->first + k]);
	}
}

static void add_stacks(struct ctd_strbuf *out, const struct ctd_stacks *stacks)
{
	size_t counts = (size_t)stacks->counters_count * (size_t)stacks->groups_count;

	ctd_varint_add(out, stacks->stacks_count);
	for (size_t i = 0; i < stacks->stacks_count; i++) {
		const struct ctd_stack *stack = &stacks->stacks[i];

		ctd_varint_add(out, stack->kind);
		ctd_varint_add(out, stack->cgroup_id);
		ctd_varint_add(out, stack->core_type);
		ctd_varint_add(out, stack->trace);
		ctd_varint_add(out, stack->samples);
		ctd_varint_add(out, stack->windows);
		if (!stack->windows)
			continue;
		ctd_varint_add(out, stack->windows_ns);
		for (size_t k = 0; k < counts; k++)
			ctd_varint_add(out, stack->count[k]);
	}
}

int ctd_recorded_stacks_write(const struct ctd_stacks *stacks, struct ctd_recorded_stacks *recorded,
			      struct ctd_strbuf *payload)
{
	ctd_varint_add(payload, stacks->period_ns);
	if (!stacks->period_ns) {
		add_text(payload, stacks->event.name);
		ctd_varint_add(payload, stacks->event.period);
		ctd_varint_add(payload, stacks->event.precision);
		ctd_varint_add(payload, stacks->event.core_types);
	}
	ctd_varint_add(payload, (uint64_t)stacks->counters_count);
	ctd_varint_add(payload, (uint64_t)stacks->groups_count);
	ctd_varint_add(payload, recorded->modules_count);
	ctd_varint_add(payload, recorded->functions_count);
	ctd_varint_add(payload, recorded->traces_count);
	add_modules(payload, stacks, recorded->modules_count);
	add_functions(payload, stacks, recorded->functions_count);
	add_traces(payload, stacks, recorded->traces_count);
	add_stacks(payload, stacks);
	if (payload->failed)
		return -ENOMEM;
	*recorded = (struct ctd_recorded_stacks){stacks->modules_count, stacks->functions_count,
						 stacks->traces_count};
	return 0;
}
