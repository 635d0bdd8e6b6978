/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_siblings.c - a recording has what rows did beside other hardware threads. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "recording.h"
#include "snapshot/record_siblings.h"

#define ROWS (sizeof(sample_rows) / sizeof(sample_rows[0]))

static struct ctd_sibling_part parts[ROWS * CTD_SIBLINGS];

static struct ctd_snapshot sample(void)
{
	struct ctd_snapshot snapshot = sample_snapshot(5);

	sample_siblings(parts);
	snapshot.siblings = parts;
	return snapshot;
}

static void a_recording_has_the_parts_of_each_row(void **state)
{
	struct recording recording = waits_recording();
	struct ctd_record_header header;
	struct ctd_record_reader *reader;
	struct ctd_record_item item;
	char why[160];

	(void)state;
	(void)sample();
	assert_int_equal(
		ctd_record_open_memory(recording.data, recording.bytes, &header, &reader, why), 0);
	assert_int_equal(ctd_record_next(reader, &item, why), 0);
	assert_int_equal(item.kind, CTD_RECORD_SNAPSHOT);
	assert_int_equal(item.snapshot.rows_count, ROWS);
	assert_memory_equal(item.snapshot.siblings, parts, sizeof(parts));
	ctd_snapshot_free(&item.snapshot);
	ctd_record_reader_free(reader);
	free(recording.data);
}

/* The payload, held as the reader does. */
static struct ctd_record_held hold(const struct ctd_snapshot *snapshot)
{
	struct ctd_record_held held = {.bytes = (size_t)ctd_record_siblings_bytes(snapshot)};
	struct ctd_record_cursor cursor = {.writing = true};

	held.payload = calloc(1, held.bytes);
	cursor.at = held.payload;
	ctd_record_put_siblings(&cursor, snapshot);
	assert_int_equal(cursor.at - held.payload, held.bytes);
	return held;
}

static void assert_taken(struct ctd_record_held held, int wanted)
{
	struct ctd_snapshot to = sample_snapshot(5);

	assert_int_equal(ctd_record_take_siblings(&held, &to), wanted);
	assert_int_equal(held.bytes, 0);
	free(to.siblings);
	free(held.payload);
}

static void a_block_that_is_cut_or_of_another_snapshot_is_refused(void **state)
{
	struct ctd_snapshot from = sample();
	size_t bytes = (size_t)ctd_record_siblings_bytes(&from);
	struct ctd_record_held held;

	(void)state;
	for (size_t cut = 0; cut <= bytes; cut++) {
		held = hold(&from);
		held.bytes = cut;
		assert_taken(held, cut == 0 || cut == bytes ? 0 : -EBADMSG);
	}
	from.sequence = 6;
	assert_taken(hold(&from), -EBADMSG);
}

static void parts_that_are_not_the_row_are_refused(void **state)
{
	struct ctd_snapshot from = sample();

	(void)state;
	parts[CTD_SIBLING_SAME].oncpu_ns++;
	assert_taken(hold(&from), -EBADMSG);
	from = sample();
	parts[CTD_SIBLING_OTHER].count[1]++;
	assert_taken(hold(&from), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_has_the_parts_of_each_row),
		cmocka_unit_test(a_block_that_is_cut_or_of_another_snapshot_is_refused),
		cmocka_unit_test(parts_that_are_not_the_row_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
