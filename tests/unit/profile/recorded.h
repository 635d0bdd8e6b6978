/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recorded.h - stacks as blocks of a recording, to read them again. */
#ifndef TESTS_UNIT_PROFILE_RECORDED_H
#define TESTS_UNIT_PROFILE_RECORDED_H

#include <cgtopdown/recorded_stacks.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

#define PERIOD_NS 20408163
#define COUNTERS 3
#define GROUPS 2

static inline struct ctd_stacks *begin(void)
{
	struct ctd_stacks *stacks;

	assert_int_equal(ctd_stacks_new(PERIOD_NS, COUNTERS, GROUPS, &stacks), 0);
	return stacks;
}

/* Samples of "leaf|main" in a cgroup, with or without windows. */
static inline void add(struct ctd_stacks *stacks, uint64_t cgroup_id, const char *leaf,
		       enum ctd_trace_end end, uint64_t samples, uint64_t windows)
{
	uint64_t count[CTD_COUNTS_MAX] = {0};
	uint32_t module, functions[2];
	struct ctd_stack stack = {
		.cgroup_id = cgroup_id,
		.kind = cgroup_id ? CTD_ROW_CGROUP : CTD_ROW_KERNEL,
		.core_type = cgroup_id % 2,
		.samples = samples,
		.windows = windows,
		.windows_ns = windows * 50000,
		.count = count,
	};

	for (uint64_t i = 0; windows && i < COUNTERS * GROUPS; i++)
		count[i] = windows << 8 * i;
	assert_int_equal(ctd_stacks_module(stacks, cgroup_id ? "/usr/bin/a" : "[kernel]", "ab12",
					   !cgroup_id, &module),
			 0);
	assert_int_equal(ctd_stacks_function(stacks, module, 0x1000, leaf, &functions[0]), 0);
	assert_int_equal(ctd_stacks_function(stacks, module, UINT64_MAX, "main", &functions[1]), 0);
	assert_int_equal(ctd_stacks_trace(stacks, functions, 2, end, &stack.trace), 0);
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
}

static inline void add_some(struct ctd_stacks *stacks)
{
	add(stacks, 7, "walk<int>", CTD_TRACE_COMPLETE, 40, 30);
	add(stacks, 7, "", CTD_TRACE_TRUNCATED, 3, 0);
	add(stacks, 1ULL << 60, "walk<int>", CTD_TRACE_COMPLETE, 1, 1);
	add(stacks, 0, "kswapd", CTD_TRACE_BROKEN, 2, 2);
}

static inline struct ctd_strbuf payload_of(const struct ctd_stacks *stacks,
					   struct ctd_recorded_stacks *recorded)
{
	struct ctd_strbuf payload = {0};

	assert_int_equal(ctd_recorded_stacks_write(stacks, recorded, &payload), 0);
	return payload;
}

/* Of exact size, so that the address sanitizer sees a byte read too many. */
static inline int take(struct ctd_stacks_reader *reader, const void *data, size_t bytes)
{
	void *copy = malloc(bytes ? bytes : 1);
	const char *why = NULL;
	int result;

	assert_non_null(copy);
	memcpy(copy, data, bytes);
	result = ctd_stacks_reader_take(reader, copy, bytes, &why);
	if (result)
		assert_true(result == -EBADMSG && why && *why);
	free(copy);
	return result;
}

static inline struct ctd_stacks_reader *reader_new(void)
{
	struct ctd_stacks_reader *reader;

	assert_int_equal(ctd_stacks_reader_new(&reader), 0);
	return reader;
}

#endif
