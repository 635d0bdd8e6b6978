/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_recorded_lines.c - stacks of a recording have the lines that it has of their sets. */
#include <cgtopdown/recorded_stacks.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "profile/lines/lines.h"
#include "unit/profile/recorded.h"

/* Two places of one function; as many stacks, unless places are told apart. */
static void add_places(struct ctd_stacks *stacks, struct ctd_lines *lines, uint32_t first_line)
{
	uint64_t count[CTD_COUNTS_MAX] = {0};
	struct ctd_line_frame frames[2] = {{.line = 7}, {.line = first_line}};
	uint32_t module, whole;

	assert_int_equal(ctd_lines_find_text(lines, "square", &frames[0].name), 0);
	assert_int_equal(ctd_lines_find_text(lines, "/src/walk.c", &frames[0].source), 0);
	frames[1].source = frames[0].source;
	assert_int_equal(ctd_stacks_module(stacks, "/usr/bin/a", "ab12", false, &module), 0);
	assert_int_equal(ctd_stacks_function(stacks, module, 0x1000, "walk<int>", &whole), 0);
	for (uint64_t i = 0; i < 2; i++) {
		struct ctd_stack stack = {.cgroup_id = 7, .samples = 10 + i, .count = count};
		uint32_t place;

		assert_int_equal(ctd_stacks_place(stacks, whole,
						  &(struct ctd_function){.place = 0x1004 + i},
						  &place),
				 0);
		assert_int_equal(
			ctd_stacks_trace(stacks, &place, 1, CTD_TRACE_COMPLETE, &stack.trace), 0);
		assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
		/* One is inlined, and the other a line further. */
		assert_int_equal(ctd_lines_add(lines, place, &frames[i], 2 - i), 0);
		frames[1].line++;
	}
}

/* A set of stacks with its lines, as a recorder writes it. */
static void take_set(struct ctd_stacks_reader *reader, uint32_t first_line)
{
	auto_ctd_lines struct ctd_lines lines = {0};
	auto_ctd_strbuf struct ctd_strbuf of_lines = {0};
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();
	struct ctd_strbuf payload;

	add_places(stacks, &lines, first_line);
	payload = payload_of(stacks, &recorded);
	ctd_lines_write(&lines, &of_lines);
	assert_int_equal(take(reader, payload.text, payload.bytes), 0);
	assert_int_equal(ctd_stacks_reader_take_lines(reader, of_lines.text, of_lines.bytes), 0);
	ctd_strbuf_free(&payload);
	ctd_stacks_free(stacks);
}

static void assert_labels(const struct ctd_stacks *stacks, const char *wanted)
{
	auto_ctd_strbuf struct ctd_strbuf out = {0};

	for (size_t i = 0; i < stacks->stacks_count; i++) {
		const struct ctd_trace *trace = &stacks->traces[stacks->stacks[i].trace];

		for (uint32_t k = 0; k < trace->frames_count; k++)
			ctd_strbuf_addf(&out, "%s|",
					stacks->functions[stacks->frames[trace->first + k]].label);
		ctd_strbuf_addf(&out, "%d\n", (int)stacks->stacks[i].samples);
	}
	assert_string_equal(out.text, wanted);
}

static void lines_of_two_sets_are_each_its_own(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	bool any = false;

	(void)state;
	ctd_stacks_reader_want_lines(reader);
	take_set(reader, 42);
	take_set(reader, 142);
	assert_int_equal(ctd_stacks_reader_add_lines(reader, &any), 0);
	assert_true(any);
	assert_labels(ctd_stacks_reader_stacks(reader),
		      "square (walk.c:7)|walk<int> (walk.c:42)|10\n"
		      "walk<int> (walk.c:43)|11\n"
		      "square (walk.c:7)|walk<int> (walk.c:142)|10\n"
		      "walk<int> (walk.c:143)|11\n");
	ctd_stacks_reader_free(reader);
}

/* A place in each line of a function, and a stack of each. */
static void add_many(struct ctd_stacks *stacks, struct ctd_lines *lines, uint32_t places)
{
	uint64_t count[CTD_COUNTS_MAX] = {0};
	struct ctd_line_frame frame = {0};
	uint32_t module, whole, place;

	assert_int_equal(ctd_lines_find_text(lines, "/src/walk.c", &frame.source), 0);
	assert_int_equal(ctd_stacks_module(stacks, "/usr/bin/a", "ab12", false, &module), 0);
	assert_int_equal(ctd_stacks_function(stacks, module, 0x1000, "walk", &whole), 0);
	for (uint32_t i = 1; i <= places; i++) {
		struct ctd_function at = {.place = i};
		struct ctd_stack stack = {.cgroup_id = 7, .samples = 1, .count = count};

		assert_int_equal(ctd_stacks_place(stacks, whole, &at, &place), 0);
		assert_int_equal(
			ctd_stacks_trace(stacks, &place, 1, CTD_TRACE_COMPLETE, &stack.trace), 0);
		assert_int_equal(ctd_stacks_add(stacks, &stack), 0);
		frame.line = i;
		assert_int_equal(ctd_lines_add(lines, place, &frame, 1), 0);
	}
}

/* Each set has numbers of its own: together there are more than find room. */
static void equal_lines_of_many_sets_are_one(void **state)
{
	enum { PLACES = 60000, SETS = CTD_RECORDED_ELEMENTS_MAX / PLACES + 1 };
	struct ctd_stacks_reader *reader = reader_new();
	auto_ctd_strbuf struct ctd_strbuf of_lines = {0};
	auto_ctd_lines struct ctd_lines lines = {0};
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();
	struct ctd_strbuf payload;
	bool any = false;

	(void)state;
	ctd_stacks_reader_want_lines(reader);
	add_many(stacks, &lines, PLACES);
	payload = payload_of(stacks, &recorded);
	ctd_stacks_free(stacks);
	ctd_lines_write(&lines, &of_lines);
	for (int i = 0; i < SETS; i++) {
		assert_int_equal(take(reader, payload.text, payload.bytes), 0);
		assert_int_equal(
			ctd_stacks_reader_take_lines(reader, of_lines.text, of_lines.bytes), 0);
	}
	assert_int_equal(ctd_stacks_reader_add_lines(reader, &any), 0);
	assert_true(any);
	stacks = ctd_stacks_reader_stacks(reader);
	assert_int_equal(stacks->stacks_count, PLACES);
	for (size_t i = 0; i < PLACES; i++)
		assert_int_equal(stacks->stacks[i].samples, SETS);
	ctd_strbuf_free(&payload);
	ctd_stacks_reader_free(reader);
}

/* As of a recorder that was killed, or that looked for none. */
static void a_set_without_lines_keeps_its_stacks(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();
	struct ctd_strbuf payload;
	bool any = false;

	(void)state;
	ctd_stacks_reader_want_lines(reader);
	add_some(stacks);
	payload = payload_of(stacks, &recorded);
	for (int i = 0; i < 2; i++)
		assert_int_equal(take(reader, payload.text, payload.bytes), 0);
	take_set(reader, 42);
	/* What came before the first snapshot is of no interval. */
	ctd_stacks_reader_clear(reader);
	assert_int_equal(take(reader, payload.text, payload.bytes), 0);
	assert_int_equal(ctd_stacks_reader_add_lines(reader, &any), 0);
	assert_true(any);
	assert_labels(ctd_stacks_reader_stacks(reader), "walk<int>|main|40\n"
							"a+0x1000|main|[truncated]|3\n"
							"walk<int>|main|1\n"
							"kswapd|main|[broken]|2\n");
	ctd_strbuf_free(&payload);
	ctd_stacks_free(stacks);
	ctd_stacks_reader_free(reader);
}

/* Also by a reader that knows no lines. */
static void without_lines_places_are_functions(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();

	(void)state;
	take_set(reader, 42);
	take_set(reader, 142);
	assert_labels(ctd_stacks_reader_stacks(reader), "walk<int>|42\n");
	ctd_stacks_reader_free(reader);
}

static void damaged_lines_cost_nothing_but_lines(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	auto_ctd_lines struct ctd_lines lines = {0};
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();
	struct ctd_strbuf payload;
	bool any = true;

	(void)state;
	ctd_stacks_reader_want_lines(reader);
	add_places(stacks, &lines, 42);
	payload = payload_of(stacks, &recorded);
	assert_int_equal(take(reader, payload.text, payload.bytes), 0);
	assert_int_equal(ctd_stacks_reader_take_lines(reader, "\1\1", 2), -EBADMSG);
	assert_int_equal(ctd_stacks_reader_add_lines(reader, &any), 0);
	assert_false(any);
	assert_labels(ctd_stacks_reader_stacks(reader), "walk<int>|21\n");
	ctd_strbuf_free(&payload);
	ctd_stacks_free(stacks);
	ctd_stacks_reader_free(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_two_sets_are_each_its_own),
		cmocka_unit_test(equal_lines_of_many_sets_are_one),
		cmocka_unit_test(a_set_without_lines_keeps_its_stacks),
		cmocka_unit_test(without_lines_places_are_functions),
		cmocka_unit_test(damaged_lines_cost_nothing_but_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
