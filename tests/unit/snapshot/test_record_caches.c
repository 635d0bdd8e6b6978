/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_caches.c - a recording has the caches on which rows ran. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "held.h"
#include "read_recording.h"
#include "snapshot/record_caches.h"

#define ROWS (sizeof(sample_rows) / sizeof(sample_rows[0]))

static uint64_t cache_ns[ROWS * SAMPLE_CACHE_PARTS];

static struct ctd_snapshot sample(void)
{
	struct ctd_snapshot snapshot = sample_snapshot(5);

	sample_caches(&snapshot, cache_ns);
	return snapshot;
}

static struct ctd_record_held hold_caches(const struct ctd_snapshot *snapshot)
{
	return hold(snapshot, ctd_record_caches_bytes(snapshot), ctd_record_put_caches);
}

static void where_each_row_ran_is_read_as_it_was_written(void **state)
{
	struct ctd_snapshot from = sample(), to = sample_snapshot(5);
	struct ctd_record_held held = hold_caches(&from);

	(void)state;
	assert_int_equal(ctd_record_take_caches(&held, &to), 0);
	assert_int_equal(held.bytes, 0);
	assert_true(ctd_caches_are_same(&from.caches, &to.caches));
	assert_int_equal(ctd_caches_nodes(&to.caches), 2);
	assert_memory_equal(to.cache_ns, cache_ns, sizeof(cache_ns));
	free(to.cache_ns);
	free(held.payload);
}

static void a_recording_has_the_caches_of_each_snapshot(void **state)
{
	struct recording recording = caches_recording();
	struct ctd_record_reader *reader = open_recording(&recording);

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct ctd_snapshot snapshot = next_snapshot(reader), want = sample();

		assert_true(ctd_caches_are_same(&snapshot.caches, &want.caches));
		assert_memory_equal(snapshot.cache_ns, cache_ns, sizeof(cache_ns));
		ctd_snapshot_free(&snapshot);
	}
	close_recording(&recording, reader);
}

/* As they were before there were any. */
static void a_recording_without_caches_has_none(void **state)
{
	struct recording recording = waits_recording();
	struct ctd_record_reader *reader = open_recording(&recording);
	struct ctd_snapshot snapshot = next_snapshot(reader);

	(void)state;
	assert_non_null(snapshot.waits);
	assert_int_equal(snapshot.caches.count, 0);
	assert_null(snapshot.cache_ns);
	ctd_snapshot_free(&snapshot);
	close_recording(&recording, reader);
}

static void assert_taken(struct ctd_record_held held, int wanted)
{
	struct ctd_snapshot to = sample_snapshot(5);

	assert_int_equal(ctd_record_take_caches(&held, &to), wanted);
	assert_int_equal(held.bytes, 0);
	free(to.cache_ns);
	free(held.payload);
}

static void a_block_that_is_cut_or_of_another_snapshot_is_refused(void **state)
{
	struct ctd_snapshot from = sample();
	size_t bytes = (size_t)ctd_record_caches_bytes(&from);

	(void)state;
	for (size_t cut = 0; cut <= bytes; cut++) {
		struct ctd_record_held held = hold_caches(&from);

		held.bytes = cut;
		assert_taken(held, cut == 0 || cut == bytes ? 0 : -EBADMSG);
	}
	from.sequence = 6;
	assert_taken(hold_caches(&from), -EBADMSG);
}

static void parts_that_are_not_the_row_are_refused(void **state)
{
	struct ctd_snapshot from = sample();

	(void)state;
	cache_ns[0]++;
	assert_taken(hold_caches(&from), -EBADMSG);
	cache_ns[0] -= 2;
	assert_taken(hold_caches(&from), -EBADMSG);
	/* They come to it with what 64 bits do not hold. */
	from = sample();
	assert_taken(hold_caches(&from), 0);
	cache_ns[0] += UINT64_C(1) << 63;
	cache_ns[1] += UINT64_C(1) << 63;
	assert_taken(hold_caches(&from), -EBADMSG);
}

static void a_machine_of_one_cache_or_of_too_many_is_refused(void **state)
{
	struct ctd_snapshot from = sample();
	struct ctd_record_held held;
	uint32_t parts[] = {0, 1, 2, CTD_CACHE_PARTS_MAX + 1, UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		struct ctd_record_cursor cursor;
		struct ctd_record_list head = {
			.sequence = from.sequence, .items_count = ROWS, .figures_count = parts[i]};

		held = hold_caches(&from);
		cursor = (struct ctd_record_cursor){.at = held.payload, .writing = true};
		ctd_record_move_list(&cursor, &head);
		assert_taken(held, -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_each_row_ran_is_read_as_it_was_written),
		cmocka_unit_test(a_recording_has_the_caches_of_each_snapshot),
		cmocka_unit_test(a_recording_without_caches_has_none),
		cmocka_unit_test(a_block_that_is_cut_or_of_another_snapshot_is_refused),
		cmocka_unit_test(parts_that_are_not_the_row_are_refused),
		cmocka_unit_test(a_machine_of_one_cache_or_of_too_many_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
