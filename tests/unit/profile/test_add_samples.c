/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_add_samples.c - addresses become functions, and windows across two of them say nothing. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <cgtopdown/stacks.h>

#define COUNTERS 3
#define GROUPS 2
#define KERNEL (UINT64_C(0xffff) << 48)

static int asked;
static bool tells_places;

/* Functions are of 256 bytes, and have no name from 0x9000 on. */
static int name_frame(const struct ctd_sample *sample, uint64_t frame,
		      struct ctd_frame_name *ret_name, void *context)
{
	static char name[32];

	asked++;
	if (context)
		return -ENOMEM;
	*ret_name = (struct ctd_frame_name){
		.file = frame >= KERNEL	    ? "[kernel]"
			: sample->tgid == 2 ? "/two"
					    : "/one",
		.build_id = "",
		.kernel = frame >= KERNEL,
		.address = frame & ~UINT64_C(0xff),
		.name = name,
		.place = tells_places ? frame : 0,
	};
	name[0] = '\0';
	if ((frame & 0xffff) < 0x9000)
		snprintf(name, sizeof(name), "f%jx", (uintmax_t)(frame & 0xff00) >> 8);
	return 0;
}

static struct ctd_stacks *begin(void)
{
	struct ctd_stacks *stacks;

	assert_int_equal(ctd_stacks_new(1000, COUNTERS, GROUPS, &stacks), 0);
	asked = 0;
	return stacks;
}

static void add(struct ctd_stacks *stacks, const struct ctd_sample *sample, const uint64_t *frames)
{
	struct ctd_samples samples = {.counters_count = COUNTERS};

	assert_int_equal(ctd_samples_add(&samples, sample, frames), 0);
	assert_int_equal(ctd_stacks_add_samples(stacks, &samples, name_frame, NULL), 0);
	ctd_samples_clear(&samples);
}

/* "f1;f2" of a stack, the outermost first. */
static const char *text_of(const struct ctd_stacks *stacks, size_t at)
{
	const struct ctd_trace *trace = &stacks->traces[stacks->stacks[at].trace];
	static char text[512];
	size_t bytes = 0;

	for (size_t i = trace->frames_count; i-- > 0;)
		bytes +=
			(size_t)snprintf(text + bytes, sizeof(text) - bytes, "%s%s",
					 bytes ? ";" : "",
					 stacks->functions[stacks->frames[trace->first + i]].label);
	return text;
}

static struct ctd_sample sample_of(uint64_t begin_frame, uint16_t user_frames)
{
	return (struct ctd_sample){
		.cgroup_id = 7,
		.kind = CTD_ROW_CGROUP,
		.group = 1,
		.tgid = 1,
		.user_frames = user_frames,
		.begin_frame = begin_frame,
		.samples = 5,
		.windows = 4,
		.windows_ns = 200,
		.count = {10, 20, 30},
	};
}

static void addresses_of_one_function_are_one(void **state)
{
	struct ctd_stacks *stacks = begin();
	struct ctd_sample sample = sample_of(0x1180, 2);

	(void)state;
	add(stacks, &sample, (uint64_t[]){0x1100, 0x2204});
	add(stacks, &sample, (uint64_t[]){0x1190, 0x2220});
	assert_int_equal(stacks->stacks_count, 1);
	assert_string_equal(text_of(stacks, 0), "f22;f11");
	assert_int_equal(stacks->stacks[0].samples, 10);
	assert_int_equal(stacks->stacks[0].windows, 8);
	/* In their group's place. */
	assert_int_equal(stacks->stacks[0].count[COUNTERS + 2], 60);
	assert_int_equal(stacks->stacks[0].count[2], 0);
	ctd_stacks_free(stacks);
}

/* Where lines are wanted; a window may begin at another place of the function. */
static void places_of_one_function_are_two_with_their_windows(void **state)
{
	struct ctd_stacks *stacks = begin();
	struct ctd_sample sample = sample_of(0x1180, 2);

	(void)state;
	tells_places = true;
	add(stacks, &sample, (uint64_t[]){0x1100, 0x2204});
	add(stacks, &sample, (uint64_t[]){0x1190, 0x2204});
	tells_places = false;
	assert_int_equal(stacks->stacks_count, 2);
	for (size_t i = 0; i < 2; i++) {
		const struct ctd_trace *trace = &stacks->traces[stacks->stacks[i].trace];
		const struct ctd_function *function =
			&stacks->functions[stacks->frames[trace->first]];

		assert_string_equal(text_of(stacks, i), "f22;f11");
		assert_int_equal(stacks->stacks[i].samples, 5);
		assert_int_equal(stacks->stacks[i].windows, 4);
		assert_int_equal(function->place, i ? 0x1190 : 0x1100);
		assert_string_equal(stacks->functions[function->whole].name, "f11");
	}
	ctd_stacks_free(stacks);
}

static void windows_across_two_functions_say_nothing(void **state)
{
	struct ctd_stacks *stacks = begin();
	struct ctd_sample sample = sample_of(0x3300, 2);

	(void)state;
	add(stacks, &sample, (uint64_t[]){0x1100, 0x2204});
	assert_int_equal(stacks->stacks[0].samples, 5);
	assert_int_equal(stacks->stacks[0].windows, 0);
	assert_int_equal(stacks->stacks[0].windows_ns, 0);
	assert_int_equal(stacks->stacks[0].count[COUNTERS], 0);
	sample.begin_frame = 0x1105;
	sample.group = GROUPS; /* of another plan */
	add(stacks, &sample, (uint64_t[]){0x1100, 0x2204});
	assert_int_equal(stacks->stacks[0].samples, 10);
	assert_int_equal(stacks->stacks[0].windows, 0);
	ctd_stacks_free(stacks);
}

static void a_part_that_is_not_complete_is_marked_where_it_ends(void **state)
{
	static const struct {
		uint16_t kernel_frames, user_frames;
		enum ctd_stack_end kernel_end, user_end;
		const char *text;
	} cases[] = {
		{0, 1, CTD_STACK_COMPLETE, CTD_STACK_COMPLETE, "f11"},
		{0, 1, CTD_STACK_COMPLETE, CTD_STACK_FRAME_POINTERS, "f11"},
		{0, 1, CTD_STACK_COMPLETE, CTD_STACK_BROKEN, "[broken];f11"},
		{1, 0, CTD_STACK_COMPLETE, CTD_STACK_COMPLETE, "f11"},
		{1, 0, CTD_STACK_TRUNCATED, CTD_STACK_COMPLETE, "[truncated];f11"},
		{1, 0, CTD_STACK_COMPLETE, CTD_STACK_BROKEN, "[broken];f11"},
		{1, 1, CTD_STACK_COMPLETE, CTD_STACK_TRUNCATED, "[truncated];f22;f11"},
		{1, 1, CTD_STACK_BROKEN, CTD_STACK_COMPLETE, "f22;[broken];f11"},
		{0, 0, CTD_STACK_COMPLETE, CTD_STACK_COMPLETE, "[broken]"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_stacks *stacks = begin();
		struct ctd_sample sample = sample_of(0, cases[i].user_frames);

		sample.kernel_frames = cases[i].kernel_frames;
		sample.kernel_end = (uint8_t)cases[i].kernel_end;
		sample.user_end = (uint8_t)cases[i].user_end;
		add(stacks, &sample,
		    (uint64_t[]){cases[i].kernel_frames ? KERNEL + 0x1100 : 0x1100, 0x2200});
		assert_string_equal(text_of(stacks, 0), cases[i].text);
		ctd_stacks_free(stacks);
	}
}

static void processes_have_frames_of_their_own(void **state)
{
	struct ctd_stacks *stacks = begin();
	struct ctd_sample sample = sample_of(0, 1);

	(void)state;
	add(stacks, &sample, (uint64_t[]){0x9100});
	sample.tgid = 2;
	add(stacks, &sample, (uint64_t[]){0x9100});
	assert_int_equal(stacks->stacks_count, 2);
	assert_string_equal(text_of(stacks, 0), "one+0x9100");
	assert_string_equal(text_of(stacks, 1), "two+0x9100");
	ctd_stacks_free(stacks);
}

static void samples_without_room_are_in_other(void **state)
{
	struct ctd_stacks *stacks = begin();
	struct ctd_sample sample = sample_of(0, 0);

	(void)state;
	sample.other = true;
	add(stacks, &sample, NULL);
	assert_int_equal(stacks->stacks[0].trace, CTD_TRACE_OTHER);
	assert_int_equal(stacks->stacks[0].samples, 5);
	assert_int_equal(asked, 0);
	ctd_stacks_free(stacks);
}

static void each_frame_is_asked_for_once(void **state)
{
	struct ctd_stacks *stacks = begin();
	struct ctd_samples samples = {.counters_count = COUNTERS};
	struct ctd_sample sample = sample_of(0x1100, 3);

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(
			ctd_samples_add(&samples, &sample,
					(uint64_t[]){0x1100, 0x1200 + i % 10, 0x1300 + i % 7}),
			0);
	assert_int_equal(ctd_stacks_add_samples(stacks, &samples, name_frame, NULL), 0);
	assert_int_equal(asked, 1 + 10 + 7);
	assert_int_equal(stacks->stacks_count, 1);
	assert_int_equal(stacks->stacks[0].samples, 5000);
	assert_int_equal(ctd_stacks_add_samples(stacks, &samples, name_frame, stacks), -ENOMEM);
	ctd_samples_clear(&samples);
	ctd_stacks_free(stacks);
}

static int show_nothing(const struct ctd_sample *sample, uint64_t frame,
			struct ctd_frame_name *ret_name, void *context)
{
	(void)sample, (void)frame, (void)ret_name, (void)context;
	return 1;
}

static void processes_that_are_not_shown_are_one_trace_with_their_windows(void **state)
{
	struct ctd_stacks *stacks = begin();
	struct ctd_samples samples = {.counters_count = COUNTERS};
	struct ctd_sample sample = sample_of(0x1100, 3);
	uint32_t trace;

	(void)state;
	for (uint64_t i = 0; i < 10; i++)
		assert_int_equal(ctd_samples_add(&samples, &sample,
						 (uint64_t[]){0x1100 * i, 0x1200, 0x1300}),
				 0);
	assert_int_equal(ctd_stacks_add_samples(stacks, &samples, show_nothing, NULL), 0);
	assert_int_equal(ctd_stacks_not_shown(stacks, &trace), 0);
	assert_int_equal(stacks->stacks_count, 1);
	assert_int_equal(stacks->stacks[0].trace, trace);
	assert_int_equal(stacks->stacks[0].samples, 50);
	assert_int_equal(stacks->stacks[0].windows, 10 * sample.windows);
	ctd_samples_clear(&samples);
	ctd_stacks_free(stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_of_one_function_are_one),
		cmocka_unit_test(places_of_one_function_are_two_with_their_windows),
		cmocka_unit_test(windows_across_two_functions_say_nothing),
		cmocka_unit_test(a_part_that_is_not_complete_is_marked_where_it_ends),
		cmocka_unit_test(processes_have_frames_of_their_own),
		cmocka_unit_test(samples_without_room_are_in_other),
		cmocka_unit_test(each_frame_is_asked_for_once),
		cmocka_unit_test(processes_that_are_not_shown_are_one_trace_with_their_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
