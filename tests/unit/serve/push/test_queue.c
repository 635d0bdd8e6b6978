/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_queue.c - what is kept for a receiver that is away, and what counts as delivered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "serve/push/queue.h"

static void add(struct ctd_push_queue *queue, uint64_t sequence, unsigned int part, bool last)
{
	struct ctd_push_request *request = calloc(1, sizeof(*request));

	*request = (struct ctd_push_request){
		.sequence = sequence, .part = part, .last = last, .bytes = 10, .data = malloc(10)};
	ctd_push_queue_add(queue, request);
}

static void empty(struct ctd_push_queue *queue)
{
	ctd_push_queue_drop_before(queue, UINT64_MAX);
	assert_int_equal(queue->requests, 0);
	assert_int_equal(queue->bytes, 0);
	assert_null(queue->first);
	assert_null(queue->last);
}

static void the_oldest_are_dropped_and_counted(void **state)
{
	struct ctd_push_queue queue = {.requests_max = 3, .bytes_max = 1000};

	(void)state;
	for (uint64_t i = 1; i <= 5; i++)
		add(&queue, i, 0, true);
	assert_int_equal(queue.requests, 3);
	assert_int_equal(queue.dropped, 2);
	assert_int_equal(queue.first->sequence, 3);
	empty(&queue);
	assert_int_equal(queue.dropped, 5);
}

static void bytes_are_bounded_as_well(void **state)
{
	struct ctd_push_queue queue = {.requests_max = 100, .bytes_max = 25};

	(void)state;
	for (uint64_t i = 1; i <= 5; i++)
		add(&queue, i, 0, true);
	assert_int_equal(queue.requests, 2);
	assert_int_equal(queue.bytes, 20);
	empty(&queue);
}

static void a_view_of_more_parts_than_fit_is_kept_whole(void **state)
{
	struct ctd_push_queue queue = {.requests_max = 3, .bytes_max = 25};

	(void)state;
	add(&queue, 1, 0, true);
	for (unsigned int part = 0; part < 5; part++)
		add(&queue, 2, part, part == 4);
	assert_int_equal(queue.requests, 5);
	assert_int_equal(queue.dropped, 1);
	/* But it makes way for the next one. */
	add(&queue, 3, 0, true);
	assert_int_equal(queue.requests, 2);
	empty(&queue);
}

static void a_view_is_acknowledged_when_all_its_parts_were_taken(void **state)
{
	static const struct {
		int line;
		bool taken[5]; /* parts 0, 1, 2 of view 1; 0, 1 of view 2 */
		uint64_t acknowledged;
	} cases[] = {
		{__LINE__, {true, true, true, true, true}, 2},
		{__LINE__, {true, true, true, true, false}, 1},
		{__LINE__, {true, true, true, false, true}, 1},
		{__LINE__, {false, true, true, true, true}, 2},
		{__LINE__, {true, false, true, true, false}, 0},
		{__LINE__, {true, true, false, false, false}, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct ctd_push_queue queue = {.requests_max = 9, .bytes_max = 1000};

		for (unsigned int part = 0; part < 3; part++)
			add(&queue, 1, part, part == 2);
		add(&queue, 2, 0, false);
		add(&queue, 2, 1, true);
		for (size_t at = 0; at < 5; at++)
			ctd_push_queue_done(&queue, cases[i].taken[at]);
		if (queue.acknowledged != cases[i].acknowledged)
			fail_msg("case of line %d: %llu", cases[i].line,
				 (unsigned long long)queue.acknowledged);
		empty(&queue);
	}
}

static void a_view_whose_begin_was_dropped_is_not_acknowledged(void **state)
{
	struct ctd_push_queue queue = {.requests_max = 2, .bytes_max = 1000};

	(void)state;
	add(&queue, 1, 0, false);
	add(&queue, 1, 1, true);
	add(&queue, 2, 0, true); /* drops the first part of 1 */
	ctd_push_queue_done(&queue, true);
	assert_int_equal(queue.acknowledged, 0);
	ctd_push_queue_done(&queue, true);
	assert_int_equal(queue.acknowledged, 2);
	empty(&queue);
}

static void at_the_end_only_the_newest_view_is_of_use(void **state)
{
	struct ctd_push_queue queue = {.requests_max = 9, .bytes_max = 1000};

	(void)state;
	add(&queue, 1, 0, true);
	add(&queue, 2, 0, false);
	add(&queue, 2, 1, true);
	ctd_push_queue_drop_before(&queue, 2);
	assert_int_equal(queue.requests, 2);
	assert_int_equal(queue.dropped, 1);
	empty(&queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_oldest_are_dropped_and_counted),
		cmocka_unit_test(bytes_are_bounded_as_well),
		cmocka_unit_test(a_view_of_more_parts_than_fit_is_kept_whole),
		cmocka_unit_test(a_view_is_acknowledged_when_all_its_parts_were_taken),
		cmocka_unit_test(a_view_whose_begin_was_dropped_is_not_acknowledged),
		cmocka_unit_test(at_the_end_only_the_newest_view_is_of_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
