/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_recorded_stacks.c - stacks come out of a recording as they went in, and damaged ones do not.
 */
#include <cgtopdown/recorded_stacks.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "base/varint.h"
#include "unit/profile/recorded.h"

static void assert_same_trace(const struct ctd_stacks *a, uint32_t trace_a,
			      const struct ctd_stacks *b, uint32_t trace_b)
{
	const struct ctd_trace *left = &a->traces[trace_a], *right = &b->traces[trace_b];

	assert_int_equal(left->end, right->end);
	assert_int_equal(left->frames_count, right->frames_count);
	for (uint32_t i = 0; i < left->frames_count; i++) {
		const struct ctd_function *f = &a->functions[a->frames[left->first + i]],
					  *g = &b->functions[b->frames[right->first + i]];

		assert_string_equal(f->name, g->name);
		assert_string_equal(f->label, g->label);
		assert_true(f->address == g->address);
		assert_string_equal(a->modules[f->module].file, b->modules[g->module].file);
		assert_string_equal(a->modules[f->module].build_id, b->modules[g->module].build_id);
		assert_int_equal(a->modules[f->module].kernel, b->modules[g->module].kernel);
	}
}

static void assert_same(const struct ctd_stacks *a, const struct ctd_stacks *b)
{
	assert_int_equal(a->period_ns, b->period_ns);
	assert_string_equal(a->event.name, b->event.name);
	assert_int_equal(a->event.period, b->event.period);
	assert_int_equal(a->event.precision, b->event.precision);
	assert_int_equal(a->counters_count, b->counters_count);
	assert_int_equal(a->groups_count, b->groups_count);
	assert_int_equal(a->stacks_count, b->stacks_count);
	for (size_t i = 0; i < a->stacks_count; i++) {
		const struct ctd_stack *left = &a->stacks[i], *right = &b->stacks[i];

		assert_true(left->cgroup_id == right->cgroup_id);
		assert_int_equal(left->kind, right->kind);
		assert_int_equal(left->core_type, right->core_type);
		assert_int_equal(left->samples, right->samples);
		assert_int_equal(left->windows, right->windows);
		assert_int_equal(left->windows_ns, right->windows_ns);
		assert_memory_equal(left->count, right->count, COUNTERS * GROUPS * 8);
		assert_same_trace(a, left->trace, b, right->trace);
	}
}

static void stacks_come_back(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();

	(void)state;
	add_some(stacks);
	struct ctd_strbuf payload = payload_of(stacks, &recorded);

	assert_null(ctd_stacks_reader_stacks(reader));
	assert_int_equal(take(reader, payload.text, payload.bytes), 0);
	assert_same(stacks, ctd_stacks_reader_stacks(reader));
	ctd_strbuf_free(&payload);
	ctd_stacks_reader_free(reader);
	ctd_stacks_free(stacks);
}

static void names_are_written_once(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin(), *all = begin();

	(void)state;
	for (int block = 0; block < 3; block++) {
		add_some(stacks);
		add_some(all);
		if (block == 1) {
			add(stacks, 9, "new", CTD_TRACE_COMPLETE, 5, 0);
			add(all, 9, "new", CTD_TRACE_COMPLETE, 5, 0);
		}
		struct ctd_strbuf payload = payload_of(stacks, &recorded);

		ctd_stacks_clear(stacks);
		assert_true((memmem(payload.text, payload.bytes, "walk<int>", 9) != NULL) ==
			    (block == 0));
		assert_true((memmem(payload.text, payload.bytes, "new", 3) != NULL) ==
			    (block == 1));
		assert_int_equal(take(reader, payload.text, payload.bytes), 0);
		ctd_strbuf_free(&payload);
	}
	assert_same(all, ctd_stacks_reader_stacks(reader));
	ctd_stacks_reader_free(reader);
	ctd_stacks_free(stacks);
	ctd_stacks_free(all);
}

/* A writer whose set is full begins another. */
static void a_new_set_is_added_to_what_was_read(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	struct ctd_stacks *all = begin();

	(void)state;
	for (int set = 0; set < 2; set++) {
		struct ctd_recorded_stacks recorded = {0};
		struct ctd_stacks *stacks = begin();

		/* In another order: other indices. */
		if (set)
			add(stacks, 3, "first", CTD_TRACE_COMPLETE, 1, 0);
		add_some(stacks);
		struct ctd_strbuf payload = payload_of(stacks, &recorded);

		assert_int_equal(take(reader, payload.text, payload.bytes), 0);
		ctd_strbuf_free(&payload);
		ctd_stacks_free(stacks);
	}
	add_some(all);
	add_some(all);
	add(all, 3, "first", CTD_TRACE_COMPLETE, 1, 0);
	assert_same(all, ctd_stacks_reader_stacks(reader));
	ctd_stacks_free(all);
	ctd_stacks_reader_free(reader);
}

static void a_missing_block_is_noticed(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();

	(void)state;
	add_some(stacks);
	struct ctd_strbuf first = payload_of(stacks, &recorded),
			  second = payload_of(stacks, &recorded);

	assert_int_equal(take(reader, second.text, second.bytes), -EBADMSG);
	ctd_strbuf_free(&first);
	ctd_strbuf_free(&second);
	ctd_stacks_reader_free(reader);
	ctd_stacks_free(stacks);
}

/* Each cut and each changed byte is refused, or is stacks of another kind; nothing else. */
static void damaged_stacks_are_refused_or_stacks(void **state)
{
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();

	(void)state;
	add_some(stacks);
	struct ctd_strbuf payload = payload_of(stacks, &recorded);

	for (size_t bytes = 0; bytes < payload.bytes; bytes++) {
		struct ctd_stacks_reader *reader = reader_new();

		assert_int_equal(take(reader, payload.text, bytes), -EBADMSG);
		ctd_stacks_reader_free(reader);
	}
	for (size_t i = 0; i < payload.bytes; i++) {
		for (int value = 0; value < 256; value += 15) {
			struct ctd_stacks_reader *reader = reader_new();
			char kept = payload.text[i];

			payload.text[i] = (char)value;
			take(reader, payload.text, payload.bytes);
			payload.text[i] = kept;
			ctd_stacks_reader_free(reader);
		}
	}
	ctd_strbuf_free(&payload);
	ctd_stacks_free(stacks);
}

/* Numbers of a payload, ended by END; what may follow a full set of names is a stack. */
#define END UINT64_MAX
static void impossible_stacks_are_refused(void **state)
{
	/* Period, counters, groups, known: 0 0 0; one module "" "", one function, one trace. */
#define HEAD 1000, 1, 1, 0, 0, 0
#define NAMES 1, 0, 0, 0, 1, 0, 5, 0, 1, 0, 1, 0
	static const struct {
		int result;
		uint64_t numbers[40];
	} cases[] = {
		{0, {HEAD, 0, 0, 0, 0, END}},
		{0, {HEAD, NAMES, 1, CTD_ROW_CGROUP, 9, 0, 0, 4, 1, 50, 60, END}},
		{-EBADMSG, {0, 1, 1, 0, 0, 0, 0, 0, 0, 0, END}}, /* no period */
		{-EBADMSG, {1000, CTD_COUNTERS_MAX + 1, 1, 0, 0, 0, 0, 0, 0, 0, END}},
		{-EBADMSG, {1000, 1, 0, 0, 0, 0, 0, 0, 0, 0, END}}, /* no group */
		{-EBADMSG, {1000, 1, CTD_GROUPS_MAX + 1, 0, 0, 0, 0, 0, 0, 0, END}},
		{-EBADMSG, {1000, 1, 1, 0, 0, 1, 0, 0, 0, 0, END}}, /* known, but never read */
		{-EBADMSG, {HEAD, 0, 0, 0, 0, 0, END}}, /* more behind it */
		{-EBADMSG, {HEAD, 1, 2, 0, 0, 0, 0, 0, END}}, /* neither kernel nor not */
		{-EBADMSG, {HEAD, 1, 0, 1000, 0, 0, 0, 0, END}}, /* name beyond the end */
		{-EBADMSG, {HEAD, 1, 0, 1, 0, 0, 0, 0, 0, END}}, /* NUL in a name */
		{-EBADMSG, {HEAD, 1, 0, 0, 0, 1, 1, 5, 0, 0, 0, END}}, /* function of no module */
		{-EBADMSG, {HEAD, 1, 0, 0, 0, 1, 0, 5, 0, 1, 0, 1, 1, 0, END}}, /* no function */
		{-EBADMSG, {HEAD, 1, 0, 0, 0, 1, 0, 5, 0, 1, 3, 1, 0, 0, END}}, /* no end */
		{-EBADMSG, {HEAD, NAMES, 1, CTD_ROW_KINDS, 0, 0, 0, 4, 0, END}},
		{-EBADMSG, {HEAD, NAMES, 1, CTD_ROW_KERNEL, 9, 0, 0, 4, 0, END}},
		{-EBADMSG, {HEAD, NAMES, 1, CTD_ROW_CGROUP, 9, CTD_CORE_TYPES_MAX, 0, 4, 0, END}},
		{-EBADMSG, {HEAD, NAMES, 1, CTD_ROW_CGROUP, 9, 0, 1, 4, 0, END}}, /* no trace */
		/* More windows than samples; counts that are missing. */
		{-EBADMSG, {HEAD, NAMES, 1, CTD_ROW_CGROUP, 9, 0, 0, 4, 5, 50, 60, END}},
		{-EBADMSG, {HEAD, NAMES, 1, CTD_ROW_CGROUP, 9, 0, 0, 4, 1, 50, END}},
		{-EBADMSG, {HEAD, NAMES, 2, CTD_ROW_CGROUP, 9, 0, 0, 4, 0, END}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_stacks_reader *reader = reader_new();
		auto_ctd_strbuf struct ctd_strbuf payload = {0};

		for (size_t k = 0; cases[i].numbers[k] != END; k++)
			ctd_varint_add(&payload, cases[i].numbers[k]);
		if (take(reader, payload.text, payload.bytes) != cases[i].result)
			fail_msg("case %zu is not %d", i, cases[i].result);
		ctd_stacks_reader_free(reader);
	}
}

/* One recording, one way of sampling, until its plan changes and another reader begins. */
static void stacks_that_were_sampled_otherwise_are_refused(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();

	(void)state;
	struct ctd_strbuf payload = payload_of(stacks, &recorded);

	assert_int_equal(take(reader, payload.text, payload.bytes), 0);
	stacks->period_ns++;
	recorded = (struct ctd_recorded_stacks){0};
	ctd_strbuf_free(&payload);
	payload = payload_of(stacks, &recorded);
	assert_int_equal(take(reader, payload.text, payload.bytes), -EBADMSG);
	ctd_strbuf_free(&payload);
	ctd_stacks_reader_free(reader);
	ctd_stacks_free(stacks);
}

static void of_an_event(struct ctd_stacks *stacks, const char *name, uint64_t period)
{
	stacks->period_ns = 0;
	stacks->event = (struct ctd_stacks_event){
		.period = period, .precision = CTD_PRECISION_EXACT, .core_types = 1};
	strcpy(stacks->event.name, name);
}

static void samples_of_an_event_come_back(void **state)
{
	struct ctd_stacks_reader *reader = reader_new();
	struct ctd_recorded_stacks recorded = {0};
	struct ctd_stacks *stacks = begin();

	(void)state;
	of_an_event(stacks, "MEM_LOAD_RETIRED.L3_MISS:u", 1000000000000);
	struct ctd_strbuf payload = payload_of(stacks, &recorded);

	assert_int_equal(take(reader, payload.text, payload.bytes), 0);
	assert_same(stacks, ctd_stacks_reader_stacks(reader));
	/* Another one in the same run is none of this profile. */
	of_an_event(stacks, "MEM_LOAD_RETIRED.L3_HIT", 1000000000000);
	recorded = (struct ctd_recorded_stacks){0};
	ctd_strbuf_free(&payload);
	payload = payload_of(stacks, &recorded);
	assert_int_equal(take(reader, payload.text, payload.bytes), -EBADMSG);
	ctd_strbuf_free(&payload);
	ctd_stacks_reader_free(reader);
	ctd_stacks_free(stacks);
}

/* Outputs show the name as it stands. */
static void events_that_cannot_be_are_refused(void **state)
{
	static const struct {
		int line;
		const char *name;
		uint64_t period;
		int precision;
	} cases[] = {
		{__LINE__, "", 1, 0},	      {__LINE__, "a b", 1, 0},
		{__LINE__, "a\033[1m", 1, 0}, {__LINE__, "\303\244", 1, 0},
		{__LINE__, "a", 0, 0},	      {__LINE__, "a", 1, CTD_PRECISIONS},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_stacks_reader *reader = reader_new();
		struct ctd_recorded_stacks recorded = {0};
		struct ctd_stacks *stacks = begin();

		of_an_event(stacks, cases[i].name, cases[i].period);
		stacks->event.precision = (enum ctd_precision)cases[i].precision;
		struct ctd_strbuf payload = payload_of(stacks, &recorded);

		if (take(reader, payload.text, payload.bytes) != -EBADMSG)
			fail_msg("line %d: it is taken", cases[i].line);
		ctd_strbuf_free(&payload);
		ctd_stacks_reader_free(reader);
		ctd_stacks_free(stacks);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_come_back),
		cmocka_unit_test(names_are_written_once),
		cmocka_unit_test(a_new_set_is_added_to_what_was_read),
		cmocka_unit_test(a_missing_block_is_noticed),
		cmocka_unit_test(damaged_stacks_are_refused_or_stacks),
		cmocka_unit_test(impossible_stacks_are_refused),
		cmocka_unit_test(stacks_that_were_sampled_otherwise_are_refused),
		cmocka_unit_test(samples_of_an_event_come_back),
		cmocka_unit_test(events_that_cannot_be_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
