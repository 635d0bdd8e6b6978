/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_siblings.c - a recording has what rows did beside other hardware threads. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "held.h"
#include "read_recording.h"
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
	struct ctd_record_reader *reader = open_recording(&recording);
	struct ctd_snapshot snapshot = next_snapshot(reader);

	(void)state;
	(void)sample();
	assert_int_equal(snapshot.rows_count, ROWS);
	assert_memory_equal(snapshot.siblings, parts, sizeof(parts));
	ctd_snapshot_free(&snapshot);
	close_recording(&recording, reader);
}

static struct ctd_record_held hold_siblings(const struct ctd_snapshot *snapshot)
{
	return hold(snapshot, ctd_record_siblings_bytes(snapshot), ctd_record_put_siblings);
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
		held = hold_siblings(&from);
		held.bytes = cut;
		assert_taken(held, cut == 0 || cut == bytes ? 0 : -EBADMSG);
	}
	from.sequence = 6;
	assert_taken(hold_siblings(&from), -EBADMSG);
}

static void parts_that_are_not_the_row_are_refused(void **state)
{
	struct ctd_snapshot from = sample();

	(void)state;
	parts[CTD_SIBLING_SAME].oncpu_ns++;
	assert_taken(hold_siblings(&from), -EBADMSG);
	from = sample();
	parts[CTD_SIBLING_OTHER].count[1]++;
	assert_taken(hold_siblings(&from), -EBADMSG);
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
