/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_latencies.c - of what a ring buffer says only samples are taken, and nothing that cannot be;
 * and there are no more of them than a turn may have. */
#include "pmu/latencies.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define RING_BYTES 64

static _Alignas(8) unsigned char ring[RING_BYTES];
static uint64_t end;

static int empty_ring(void **state)
{
	(void)state;
	memset(ring, 0xff, sizeof(ring));
	end = 0;
	return 0;
}

static void put(uint64_t number)
{
	memcpy(&ring[end % RING_BYTES], &number, sizeof(number));
	end += sizeof(number);
}

static void put_header(uint32_t type, uint16_t size)
{
	const struct perf_event_header header = {.type = type, .size = size};
	uint64_t number;

	memcpy(&number, &header, sizeof(number));
	put(number);
}

/* With other parts of the weight, which are none of ours. */
static void put_sample(uint64_t latency)
{
	put_header(PERF_RECORD_SAMPLE, 16);
	put(latency << 48 | 0x123456789abc);
}

static void put_lost(uint64_t lost)
{
	put_header(PERF_RECORD_LOST, 24);
	put(7);
	put(lost);
}

static void assert_taken(uint64_t tail, uint64_t samples, uint64_t cycles, uint64_t lost)
{
	struct ctd_latency sum = {1, 1000};

	assert_int_equal(ctd_latency_take_records(ring, RING_BYTES, end, &tail, &sum),
			 samples + lost);
	assert_int_equal(tail, end);
	assert_int_equal(sum.samples, 1 + samples);
	assert_int_equal(sum.cycles, 1000 + cycles);
}

static void samples_add_up(void **state)
{
	(void)state;
	assert_taken(0, 0, 0, 0);
	put_sample(40);
	put_sample(0);
	put_sample(65535);
	assert_taken(0, 3, 40 + 65535, 0);
}

static void a_record_may_begin_at_the_end_of_the_ring(void **state)
{
	(void)state;
	end = (uint64_t)-8;
	put_sample(5);
	put_lost(3);
	put_sample(6);
	assert_taken((uint64_t)-8, 2, 11, 3);
}

static void other_records_are_passed_over(void **state)
{
	(void)state;
	put_header(PERF_RECORD_THROTTLE, 32);
	put(1);
	put(2);
	put(3);
	put_header(PERF_RECORD_SAMPLE, 8);
	put_sample(9);
	assert_taken(0, 1, 9, 0);
}

/* What is ahead of it is taken. */
static void what_cannot_be_ends_it(void **state)
{
	static const uint16_t sizes[] = {0, 4, 7, 12, 32, 65528};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		empty_ring(NULL);
		put_sample(5);
		put_header(PERF_RECORD_SAMPLE, sizes[i]);
		put(UINT64_MAX);
		assert_taken(0, 1, 5, 0);
	}
	/* More than the ring has, backwards, and not in eights. */
	end = RING_BYTES + 8;
	assert_taken(0, 0, 0, 0);
	end = 0;
	assert_taken(8, 0, 0, 0);
	end = 17;
	assert_taken(1, 0, 0, 0);
}

static void where_there_is_nothing_to_sample_there_is_no_sampler(void **state)
{
	static const bool cpus[] = {true};
	/* A type that no PMU has. */
	static const struct ctd_latency_event event = {.event = {.type = UINT32_MAX}};
	struct ctd_rotations rotations = {.core_types_count = 1};
	struct ctd_latencies latencies;

	(void)state;
	assert_null(ctd_latency_sampler_new(&rotations, NULL, cpus, 1));
	rotations.latencies[0] = &event;
	rotations.latencies_count[0] = 1;
	assert_null(ctd_latency_sampler_new(&rotations, NULL, cpus, 1));
	assert_true(ctd_latency_sampler_turn(NULL, 5) == UINT64_MAX);
	ctd_latency_sampler_read(NULL, &latencies);
	assert_int_equal(latencies.count, 0);
	ctd_latency_sampler_free(NULL);
}

static void each_sample_has_an_interrupt(void **state)
{
	struct ctd_latency_event latency = {.period = 7};
	struct perf_event_attr attr;

	(void)state;
	ctd_latency_attr(&latency, &attr);
	assert_int_equal(attr.sample_period, 7);
	assert_false(attr.freq);
	/* Else the kernel gathers them: PERF_X86_EVENT_AUTO_RELOAD and _LARGE_PEBS. */
	assert_int_equal(attr.wakeup_events, 1);
	assert_false(attr.watermark);
	latency.period = 0;
	ctd_latency_attr(&latency, &attr);
	assert_int_equal(attr.sample_period % 2, 1);
}

/* perf_event.event_limit, as _perf_event_refresh() and perf_event_overflow() have it. */
static int limit;
static bool runs, refuses;

static int kernel(int fd, unsigned long request, unsigned long argument)
{
	assert_int_equal(fd, 42);
	if (refuses)
		return -1;
	if (request == PERF_EVENT_IOC_REFRESH)
		limit += (int)argument;
	else
		assert_int_equal(request, PERF_EVENT_IOC_ENABLE);
	runs = true;
	return 0;
}

static void a_turn_has_no_more_samples_after_a_thousand_without_any(void **state)
{
	uint8_t left = 0;

	(void)state;
	limit = 0;
	for (int turn = 0; turn < 1000; turn++) {
		runs = false;
		left = ctd_latency_let_go_on(kernel, 42, left);
		assert_true(runs);
		assert_int_equal(left, 16);
		assert_int_equal(limit, 16);
	}
	/* Some came, and all. */
	left = limit = 5;
	assert_int_equal(ctd_latency_let_go_on(kernel, 42, left), 16);
	assert_int_equal(limit, 16);
	left = limit = 0;
	refuses = true;
	assert_int_equal(ctd_latency_let_go_on(kernel, 42, left), 0);
	refuses = false;
	assert_int_equal(limit, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(samples_add_up, empty_ring),
		cmocka_unit_test_setup(a_record_may_begin_at_the_end_of_the_ring, empty_ring),
		cmocka_unit_test_setup(other_records_are_passed_over, empty_ring),
		cmocka_unit_test(what_cannot_be_ends_it),
		cmocka_unit_test(where_there_is_nothing_to_sample_there_is_no_sampler),
		cmocka_unit_test(each_sample_has_an_interrupt),
		cmocka_unit_test(a_turn_has_no_more_samples_after_a_thousand_without_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
