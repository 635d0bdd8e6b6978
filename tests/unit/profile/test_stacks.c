/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_stacks.c - what is equal is there once, and says what it is called. */
#include <cgtopdown/stacks.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "failing_memory.h"

static struct ctd_stacks *begin(void)
{
	struct ctd_stacks *stacks;

	assert_int_equal(ctd_stacks_new(1000, 2, 1, &stacks), 0);
	return stacks;
}

static void functions_without_a_name_are_called_by_their_place(void **state)
{
	struct ctd_stacks *stacks = begin();
	uint32_t libc, function, named;

	(void)state;
	assert_int_equal(ctd_stacks_module(stacks, "/usr/lib/libc.so.6", "ab12", false, &libc), 0);
	assert_int_equal(ctd_stacks_function(stacks, libc, 0x28150, "", &function), 0);
	assert_int_equal(ctd_stacks_function(stacks, libc, 0x28150, "main", &named), 0);
	assert_string_equal(stacks->functions[function].label, "libc.so.6+0x28150");
	assert_string_equal(stacks->functions[function].name, "");
	assert_string_equal(stacks->functions[named].label, "main");
	assert_int_not_equal(function, named);
	ctd_stacks_free(stacks);
}

static void the_same_is_added_once(void **state)
{
	struct ctd_stacks *stacks = begin();
	uint32_t module[3], function[3], trace[4];
	size_t frames;

	(void)state;
	ctd_stacks_module(stacks, "/a", "1", false, &module[0]);
	ctd_stacks_module(stacks, "/a", "2", false, &module[1]);
	ctd_stacks_module(stacks, "/a", "1", false, &module[2]);
	assert_int_equal(module[0], module[2]);
	assert_int_not_equal(module[0], module[1]);
	ctd_stacks_function(stacks, module[0], 16, "f", &function[0]);
	ctd_stacks_function(stacks, module[1], 16, "f", &function[1]);
	ctd_stacks_function(stacks, module[0], 16, "f", &function[2]);
	assert_int_equal(function[0], function[2]);
	assert_int_not_equal(function[0], function[1]);
	ctd_stacks_trace(stacks, function, 2, CTD_TRACE_COMPLETE, &trace[0]);
	frames = stacks->frames_count;
	ctd_stacks_trace(stacks, function, 2, CTD_TRACE_COMPLETE, &trace[1]);
	assert_int_equal(stacks->frames_count, frames);
	ctd_stacks_trace(stacks, function, 2, CTD_TRACE_BROKEN, &trace[2]);
	ctd_stacks_trace(stacks, function, 3, CTD_TRACE_COMPLETE, &trace[3]);
	assert_int_equal(trace[0], trace[1]);
	assert_int_not_equal(trace[0], trace[2]);
	assert_int_not_equal(trace[0], trace[3]);
	ctd_stacks_free(stacks);
}

static void a_trace_that_is_not_complete_says_so_in_its_last_frame(void **state)
{
	static const struct {
		enum ctd_trace_end end, is;
		size_t count;
		const char *last;
	} cases[] = {
		{CTD_TRACE_COMPLETE, CTD_TRACE_COMPLETE, 1, "f"},
		{CTD_TRACE_TRUNCATED, CTD_TRACE_TRUNCATED, 1, "[truncated]"},
		{CTD_TRACE_BROKEN, CTD_TRACE_BROKEN, 1, "[broken]"},
		{CTD_TRACE_COMPLETE, CTD_TRACE_BROKEN, 0, "[broken]"},
	};
	struct ctd_stacks *stacks = begin();
	uint32_t module, function, at;

	(void)state;
	ctd_stacks_module(stacks, "/a", "", false, &module);
	ctd_stacks_function(stacks, module, 16, "f", &function);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct ctd_trace *trace;
		uint32_t last;

		ctd_stacks_trace(stacks, &function, cases[i].count, cases[i].end, &at);
		trace = &stacks->traces[at];
		last = stacks->frames[trace->first + trace->frames_count - 1];
		assert_int_equal(trace->end, cases[i].is);
		assert_string_equal(stacks->functions[last].label, cases[i].last);
	}
	ctd_stacks_free(stacks);
}

static void samples_of_one_trace_in_one_cgroup_are_added_up(void **state)
{
	struct ctd_stacks *stacks = begin();
	uint64_t count[2] = {5, 7};
	struct ctd_stack stack = {.cgroup_id = 9,
				  .trace = CTD_TRACE_OTHER,
				  .samples = 3,
				  .windows = 2,
				  .windows_ns = 100,
				  .count = count};

	(void)state;
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	stack.cgroup_id = 10;
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	stack.core_type = 1;
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	assert_int_equal(stacks->stacks_count, 3);
	assert_int_equal(stacks->stacks[0].samples, 6);
	assert_int_equal(stacks->stacks[0].windows, 4);
	assert_int_equal(stacks->stacks[0].windows_ns, 200);
	assert_int_equal(stacks->stacks[0].count[1], 14);
	ctd_stacks_free(stacks);
}

static void ten_thousand_traces_are_kept_apart(void **state)
{
	struct ctd_stacks *stacks = begin();
	uint32_t module, function[100], trace;
	uint64_t count[2] = {1, 1};

	(void)state;
	ctd_stacks_module(stacks, "/a", "", false, &module);
	for (uint32_t i = 0; i < 100; i++)
		ctd_stacks_function(stacks, module, i + 1, "", &function[i]);
	for (uint32_t i = 0; i < 20000; i++) {
		uint32_t frames[3] = {function[i % 100], function[i / 100 % 100], function[0]};
		struct ctd_stack stack = {.cgroup_id = 1, .samples = 1, .count = count};

		assert_int_equal(ctd_stacks_trace(stacks, frames, 3, CTD_TRACE_COMPLETE, &trace),
				 0);
		stack.trace = trace;
		assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	}
	assert_int_equal(stacks->traces_count, CTD_TRACES_FIXED + 10000);
	assert_int_equal(stacks->stacks_count, 10000);
	for (size_t i = 0; i < stacks->stacks_count; i++)
		assert_int_equal(stacks->stacks[i].samples, 2);
	ctd_stacks_free(stacks);
}

/* Sums stay: what has no room is its cgroup's [other]. */
static void what_has_no_room_is_other(void **state)
{
	struct ctd_stacks *stacks = begin();
	uint64_t count[2] = {3, 4}, samples = 0;

	(void)state;
	stacks->elements_max = 10;
	for (uint32_t i = 0; i < 100; i++) {
		struct ctd_stack stack = {.cgroup_id = 1 + i % 2, .samples = 1, .count = count};
		char name[16];
		uint32_t module, function;

		snprintf(name, sizeof(name), "/%u", i);
		assert_int_equal(ctd_stacks_module(stacks, name, "", false, &module), 0);
		assert_int_equal(ctd_stacks_function(stacks, module, i, name, &function), 0);
		assert_int_equal(ctd_stacks_trace(stacks, &function, 1, CTD_TRACE_COMPLETE,
						  &stack.trace),
				 0);
		assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	}
	assert_true(stacks->modules_count <= 10 && stacks->functions_count <= 10 &&
		    stacks->traces_count <= 10);
	/* One more than there is room for: each cgroup has its own. */
	assert_in_range(stacks->stacks_count, 3, 10 + 2);
	for (size_t i = 0; i < stacks->stacks_count; i++) {
		samples += stacks->stacks[i].samples;
		assert_int_equal(stacks->stacks[i].count[1], 4 * stacks->stacks[i].samples);
	}
	assert_int_equal(samples, 100);
	ctd_stacks_free(stacks);
}

static void what_was_sampled_is_forgotten_and_names_stay(void **state)
{
	struct ctd_stacks *stacks = begin();
	uint32_t module, function, again;
	uint64_t count[2] = {1, 1};
	struct ctd_stack stack = {.cgroup_id = 1, .samples = 1, .count = count};

	(void)state;
	ctd_stacks_module(stacks, "/a", "", false, &module);
	ctd_stacks_function(stacks, module, 16, "f", &function);
	ctd_stacks_trace(stacks, &function, 1, CTD_TRACE_COMPLETE, &stack.trace);
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	ctd_stacks_clear(stacks);
	assert_int_equal(stacks->stacks_count, 0);
	ctd_stacks_function(stacks, module, 16, "f", &again);
	assert_int_equal(again, function);
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
	assert_int_equal(stacks->stacks_count, 1);
	assert_int_equal(stacks->stacks[0].samples, 1);
	ctd_stacks_free(stacks);
}

/* All of it once, with what was found out first. */
static int build(struct ctd_stacks **ret_stacks)
{
	uint32_t module, function, trace;
	uint64_t count[2] = {1, 1};
	struct ctd_stack stack = {.cgroup_id = 1, .samples = 1, .count = count};
	int error = ctd_stacks_new(1000, 2, 1, ret_stacks);

	if (error)
		return error;
	error = ctd_stacks_module(*ret_stacks, "/a", "1", false, &module);
	if (!error)
		error = ctd_stacks_function(*ret_stacks, module, 16, "f", &function);
	if (!error)
		error = ctd_stacks_trace(*ret_stacks, &function, 1, CTD_TRACE_BROKEN, &trace);
	stack.trace = error ? 0 : trace;
	return error ? error : ctd_stacks_add(*ret_stacks, &stack);
}

static void without_memory_nothing_is_half_added(void **state)
{
	(void)state;
	if (!CAN_FAIL) {
		print_message("the allocator is the sanitizer's\n");
		skip();
	}
	for (long allocation = 0;; allocation++) {
		struct ctd_stacks *stacks = NULL;
		bool failed;
		int error;

		fail_allocation(allocation);
		error = build(&stacks);
		failed = allocation_failed();
		fail_allocation(-1);
		if (!failed) {
			assert_int_equal(error, 0);
			ctd_stacks_free(stacks);
			return;
		}
		assert_int_equal(error, -ENOMEM);
		ctd_stacks_free(stacks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions_without_a_name_are_called_by_their_place),
		cmocka_unit_test(the_same_is_added_once),
		cmocka_unit_test(a_trace_that_is_not_complete_says_so_in_its_last_frame),
		cmocka_unit_test(samples_of_one_trace_in_one_cgroup_are_added_up),
		cmocka_unit_test(ten_thousand_traces_are_kept_apart),
		cmocka_unit_test(what_has_no_room_is_other),
		cmocka_unit_test(what_was_sampled_is_forgotten_and_names_stay),
		cmocka_unit_test(without_memory_nothing_is_half_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
