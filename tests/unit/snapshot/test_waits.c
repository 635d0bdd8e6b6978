/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_waits.c - waits add up, and a recording gives them back. */
#include <cgtopdown/record.h>
#include <cgtopdown/waits.h>

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "held.h"
#include "read_recording.h"
#include "snapshot/record_waits.h"

#define ROWS (sizeof(sample_rows) / sizeof(sample_rows[0]))

static struct ctd_waits waits_from(uint64_t first)
{
	struct ctd_waits waits = {};

	for (int i = 0; i < CTD_WAITS_FIGURES; i += 2)
		ctd_waits_set(&waits, i, first + (uint64_t)i);
	return waits;
}

static void the_whole_is_the_sum_of_its_parts(void **state)
{
	struct ctd_waits waits = {.ns = {1, 2, 3, 4, 5, 6, 7}, .histogram = {1, [18] = 2}}, sum;

	(void)state;
	assert_int_equal(ctd_waits_ns(&waits), 28);
	assert_int_equal(ctd_waits_count(&waits), 3);
	assert_true(ctd_waits_any(&waits));
	sum = waits;
	ctd_waits_add(&sum, &waits);
	assert_int_equal(sum.ns[CTD_WAIT_SHORT], 14);
	assert_true(ctd_waits_subtract(&sum, &waits, &sum));
	assert_memory_equal(&sum, &waits, sizeof(sum));
	waits.preempted = 1;
	assert_false(ctd_waits_subtract(&sum, &waits, &sum));
	assert_false(ctd_waits_any(&(struct ctd_waits){}));
}

static void buckets_are_powers_of_two_and_the_last_has_no_end(void **state)
{
	(void)state;
	for (int i = 0; i < CTD_WAIT_BUCKETS - 1; i++)
		assert_int_equal(ctd_wait_bucket_ns(i), 4096ull << i);
	assert_int_equal(ctd_wait_bucket_ns(CTD_WAIT_BUCKETS - 1), 0);
}

/* A recording of three snapshots, of which the second has no waits. */
static struct recording record(void)
{
	struct ctd_record_header header = sample_header();
	struct memory_file file = memory_file_new();
	struct ctd_record_writer *writer;
	struct ctd_waits waits[ROWS];

	for (size_t i = 0; i < ROWS; i++)
		waits[i] = waits_from(1000 * i);
	assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
	for (uint64_t sequence = 1; sequence <= 3; sequence++) {
		struct ctd_snapshot snapshot = sample_snapshot(sequence);

		snapshot.waits = sequence == 2 ? NULL : waits;
		assert_int_equal(ctd_record_write_snapshot(writer, &snapshot), 0);
	}
	assert_int_equal(ctd_record_close(writer), 0);
	return memory_file_take(&file);
}

static void a_recording_has_the_waits_of_each_snapshot(void **state)
{
	struct recording recording = record();
	struct ctd_record_reader *reader = open_recording(&recording);
	struct ctd_record_item item;
	char why[160];

	(void)state;
	for (int sequence = 1; sequence <= 3; sequence++) {
		struct ctd_snapshot snapshot = next_snapshot(reader);

		assert_int_equal(snapshot.waits == NULL, sequence == 2);
		for (size_t i = 0; snapshot.waits && i < ROWS; i++) {
			struct ctd_waits want = waits_from(1000 * i);

			assert_memory_equal(&snapshot.waits[i], &want, sizeof(want));
		}
		ctd_snapshot_free(&snapshot);
	}
	assert_int_equal(ctd_record_next(reader, &item, why), 0);
	assert_int_equal(item.kind, CTD_RECORD_END);
	close_recording(&recording, reader);
}

static struct ctd_record_held hold_waits(const struct ctd_snapshot *snapshot)
{
	return hold(snapshot, ctd_record_waits_bytes(snapshot), ctd_record_put_waits);
}

static void waits_that_are_cut_or_of_another_snapshot_are_refused(void **state)
{
	struct ctd_waits waits[ROWS];
	struct ctd_snapshot from = sample_snapshot(5);
	size_t bytes;

	(void)state;
	for (size_t i = 0; i < ROWS; i++)
		waits[i] = waits_from(1);
	from.waits = waits;
	bytes = (size_t)ctd_record_waits_bytes(&from);
	for (size_t cut = 0; cut <= bytes; cut++) {
		struct ctd_record_held held = hold_waits(&from);
		struct ctd_snapshot to = sample_snapshot(5);
		int want = cut == 0 || cut == bytes ? 0 : -EBADMSG;

		held.bytes = cut;
		assert_int_equal(ctd_record_take_waits(&held, &to), want);
		assert_int_equal(held.bytes, 0);
		free(to.waits);
		free(held.payload);
	}
	for (int which = 0; which < 2; which++) {
		struct ctd_record_held held = hold_waits(&from);
		struct ctd_snapshot to = sample_snapshot(which ? 5 : 6);

		to.rows_count -= which;
		assert_int_equal(ctd_record_take_waits(&held, &to), -EBADMSG);
		free(to.waits);
		free(held.payload);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_is_the_sum_of_its_parts),
		cmocka_unit_test(buckets_are_powers_of_two_and_the_last_has_no_end),
		cmocka_unit_test(a_recording_has_the_waits_of_each_snapshot),
		cmocka_unit_test(waits_that_are_cut_or_of_another_snapshot_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
