/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_add_lines.c - places become lines, and what was inlined frames of their own. */
#include <cgtopdown/stacks.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "profile/lines/lines.h"

static struct ctd_stacks *stacks, *with;
static struct ctd_lines lines;

static int begin(void **state)
{
	(void)state;
	lines = (struct ctd_lines){0};
	with = NULL;
	return ctd_stacks_new(1000000, 1, 1, &stacks);
}

static int end(void **state)
{
	(void)state;
	ctd_lines_free(&lines);
	ctd_stacks_free(stacks);
	ctd_stacks_free(with);
	return 0;
}

/* A place of a function, or the function itself. */
static uint32_t place(const char *name, uint64_t at)
{
	uint32_t module, function;

	assert_int_equal(ctd_stacks_module(stacks, "/bin/a", "", false, &module), 0);
	assert_int_equal(ctd_stacks_function(stacks, module, 0x1000, name, &function), 0);
	if (at)
		assert_int_equal(ctd_stacks_place(stacks, function,
						  &(struct ctd_function){.place = at}, &function),
				 0);
	return function;
}

static void sample(const uint32_t *functions, size_t count, enum ctd_trace_end trace_end)
{
	struct ctd_stack stack = {.cgroup_id = 7, .samples = 5, .count = (uint64_t[]){9}};

	assert_int_equal(ctd_stacks_trace(stacks, functions, count, trace_end, &stack.trace), 0);
	assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
}

static struct ctd_line_frame frame(const char *name, const char *source, uint32_t line)
{
	struct ctd_line_frame made = {.line = line, .start_line = line ? line - 1 : 0};

	assert_int_equal(ctd_lines_find_text(&lines, name, &made.name), 0);
	assert_int_equal(ctd_lines_find_text(&lines, source, &made.source), 0);
	return made;
}

static void tell(uint32_t function, const struct ctd_line_frame *frames, size_t count)
{
	assert_int_equal(ctd_lines_add(&lines, function, frames, count), 0);
}

static void assert_stacks(const char *wanted)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};

	assert_int_equal(ctd_stacks_add_lines(stacks, &lines, &with), 0);
	for (size_t i = 0; i < with->stacks_count; i++) {
		const struct ctd_trace *trace = &with->traces[with->stacks[i].trace];

		for (uint32_t k = 0; k < trace->frames_count; k++)
			ctd_strbuf_addf(&out, "%s|",
					with->functions[with->frames[trace->first + k]].label);
		ctd_strbuf_addf(&out, "%d\n", (int)with->stacks[i].samples);
	}
	assert_string_equal(out.text ? out.text : "", wanted);
}

static void inlined_functions_are_frames(void **state)
{
	uint32_t functions[] = {place("walk", 0x1010), place("main", 0x1020)};
	struct ctd_line_frame chain[3];

	(void)state;
	chain[0] = frame("square", "/src/math.h", 7);
	chain[1] = frame("step", "/src/walk.c", 20);
	chain[2] = frame("", "/src/walk.c", 42);
	tell(functions[0], chain, 3);
	sample(functions, 2, CTD_TRACE_TRUNCATED);
	assert_stacks("square (math.h:7)|step (walk.c:20)|walk (walk.c:42)|main|[truncated]|5\n");
	for (size_t i = 0; i < with->functions_count; i++) {
		const struct ctd_function *function = &with->functions[i];

		assert_int_equal(function->inlined, !strncmp(function->label, "square (", 8) ||
							    !strncmp(function->label, "step (", 6));
		assert_int_equal(function->place, 0);
		assert_int_equal(with->functions[function->whole].whole, function->whole);
		assert_string_equal(with->functions[function->whole].name, function->name);
	}
	assert_int_equal(with->stacks[0].count[0], 9);
}

/* Two instructions of a line are one place; two lines are two places of one function. */
static void places_of_one_line_are_one(void **state)
{
	uint32_t one = place("walk", 1), two = place("walk", 2), three = place("walk", 3),
		 none = place("walk", 4), whole = place("walk", 0);
	struct ctd_line_frame line = frame("", "/src/walk.c", 42), other = line;

	(void)state;
	other.line = 43;
	tell(one, &line, 1);
	tell(two, &line, 1);
	tell(three, &other, 1);
	sample(&one, 1, CTD_TRACE_COMPLETE);
	sample(&two, 1, CTD_TRACE_COMPLETE);
	sample(&three, 1, CTD_TRACE_COMPLETE);
	sample(&none, 1, CTD_TRACE_COMPLETE);
	sample(&whole, 1, CTD_TRACE_COMPLETE);
	assert_stacks("walk (walk.c:42)|10\nwalk (walk.c:43)|5\nwalk|10\n");
}

/* A recording may say that everything has the longest chain. */
static void deep_inlining_is_cut(void **state)
{
	struct ctd_line_frame chain[CTD_LINE_FRAMES_MAX];
	uint32_t functions[200];

	(void)state;
	for (uint32_t i = 0; i < CTD_LINE_FRAMES_MAX; i++)
		chain[i] = frame(i + 1 < CTD_LINE_FRAMES_MAX ? "in" : "", "/a.c", i + 1);
	for (uint32_t i = 0; i < 200; i++) {
		functions[i] = place("walk", i + 1);
		tell(functions[i], chain, CTD_LINE_FRAMES_MAX);
	}
	sample(functions, 200, CTD_TRACE_COMPLETE);
	assert_int_equal(ctd_stacks_add_lines(stacks, &lines, &with), 0);
	/* 16 whole chains are 1024; the 184 others have what is there. */
	assert_int_equal(with->traces[with->stacks[0].trace].frames_count, 1024 + 184);
}

static void lines_of_what_is_no_place_are_left_aside(void **state)
{
	uint32_t whole = place("walk", 0);
	struct ctd_line_frame line = frame("", "/src/walk.c", 42);

	(void)state;
	tell(whole, &line, 1);
	tell(1000, &line, 1);
	sample(&whole, 1, CTD_TRACE_COMPLETE);
	assert_stacks("walk|5\n");
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(inlined_functions_are_frames),
		TEST(places_of_one_line_are_one),
		TEST(deep_inlining_is_cut),
		TEST(lines_of_what_is_no_place_are_left_aside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
