/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_merge.c - stacks of two times are those of both, and what finds no room is in `other`. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "unit/profile/sample_stacks.h"

static uint64_t samples_of(const struct ctd_stacks *stacks, uint64_t cgroup_id)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < stacks->stacks_count; i++)
		if (!cgroup_id || stacks->stacks[i].cgroup_id == cgroup_id)
			sum += stacks->stacks[i].samples;
	return sum;
}

static void what_is_in_both_is_there_once(void **state)
{
	struct scene scene;
	struct ctd_stacks *all, *more;
	uint32_t function, trace;
	struct ctd_stack stack = {.cgroup_id = 7, .kind = CTD_ROW_CGROUP, .samples = 5};
	uint64_t count[CTD_COUNTS_MAX] = {0};

	(void)state;
	scene_begin(&scene);
	all = sample_begin(&scene);
	more = sample_begin(&scene);
	/* Not in the same order, so that indices differ. */
	sample_add(all, 1, "memcpy|main", 3, 2, 0.5);
	sample_add(more, 2, "walk|main", 1, 1, 0);
	sample_add(more, 1, "memcpy|main", 4, 1, 0.5);
	ctd_stacks_function(more, 1, 16, "deep", &function);
	ctd_stacks_trace(more, &function, 1, CTD_TRACE_TRUNCATED, &trace);
	stack.trace = trace;
	stack.count = count;
	ctd_stacks_add(more, &stack);
	assert_int_equal(ctd_stacks_merge(all, more), 0);
	assert_int_equal(all->stacks_count, 3);
	assert_int_equal(all->stacks[0].samples, 7);
	assert_int_equal(all->stacks[0].windows, 3);
	assert_int_equal(all->stacks[0].count[0], 3 * SAMPLE_WINDOW_SLOTS);
	assert_int_equal(all->traces[all->stacks[2].trace].end, CTD_TRACE_TRUNCATED);
	assert_int_equal(all->traces[all->stacks[2].trace].frames_count, 2);
	ctd_stacks_free(all);
	ctd_stacks_free(more);
	scene_end(&scene);
}

static void stacks_of_other_counters_are_refused(void **state)
{
	struct ctd_stacks *one, *other;

	(void)state;
	assert_int_equal(ctd_stacks_new(1, 2, 1, &one), 0);
	assert_int_equal(ctd_stacks_new(1, 2, 2, &other), 0);
	assert_int_equal(ctd_stacks_merge(one, other), -EBADMSG);
	ctd_stacks_free(one);
	ctd_stacks_free(other);
}

/* 500 containers with 20 stacks each: what finds no room keeps its sums, container by container. */
static void memory_is_bounded_and_sums_stay(void **state)
{
	enum { CONTAINERS = 500, STACKS = 10000, MOST = 2000 };
	struct scene scene;
	struct ctd_stacks *all, *bounded;
	uint64_t other = 0;
	char names[64];

	(void)state;
	scene_begin(&scene);
	all = sample_begin(&scene);
	bounded = sample_begin(&scene);
	bounded->elements_max = MOST;
	for (int i = 0; i < STACKS; i++) {
		snprintf(names, sizeof(names), "leaf_%d|middle_%d|main", i, i % 100);
		sample_add(all, 1 + (uint64_t)(i % CONTAINERS), names, 2, 1, 0.5);
	}
	assert_int_equal(ctd_stacks_merge(bounded, all), 0);
	/* What is there already is found again, and what is not is `other` again. */
	assert_int_equal(ctd_stacks_merge(bounded, all), 0);
	assert_true(bounded->stacks_count <= MOST + CONTAINERS);
	assert_true(bounded->functions_count <= MOST && bounded->traces_count <= MOST);
	for (uint64_t id = 1; id <= CONTAINERS; id++)
		assert_int_equal(samples_of(bounded, id), 2 * samples_of(all, id));
	for (size_t i = 0; i < bounded->stacks_count; i++)
		if (bounded->stacks[i].trace == CTD_TRACE_OTHER)
			other += bounded->stacks[i].samples;
	assert_true(other > 0 && other < 4 * STACKS);
	ctd_stacks_free(all);
	ctd_stacks_free(bounded);
	scene_end(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_in_both_is_there_once),
		cmocka_unit_test(stacks_of_other_counters_are_refused),
		cmocka_unit_test(memory_is_bounded_and_sums_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
