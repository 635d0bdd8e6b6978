/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_latencies.c - a recording has how long events took to retire. */
#include "snapshot/record_latencies.h"

#include <cgtopdown/record.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "held.h"
#include "read_recording.h"

static const struct ctd_latencies sample_latencies = {
	.core_types_count = 2,
	.count = 3,
	.of = {{{20, 500}, {0, 0}, {UINT32_MAX, UINT32_MAX}}, {{1, 65535}}},
};

static struct ctd_record_held hold_latencies(uint64_t sequence,
					     const struct ctd_latencies *latencies)
{
	struct ctd_snapshot snapshot = sample_snapshot(sequence);

	snapshot.latencies = *latencies;
	return hold(&snapshot, ctd_record_latencies_bytes(&snapshot), ctd_record_put_latencies);
}

static int take(struct ctd_record_held held, struct ctd_latencies *ret_latencies)
{
	struct ctd_snapshot to = sample_snapshot(5);
	int result = ctd_record_take_latencies(&held, &to);

	/* They are of one snapshot alone. */
	assert_int_equal(held.bytes, 0);
	*ret_latencies = to.latencies;
	return result;
}

static void a_snapshot_has_the_latencies_that_were_written_ahead_of_it(void **state)
{
	struct ctd_record_held held = hold_latencies(5, &sample_latencies);
	struct ctd_latencies found;

	(void)state;
	assert_int_equal(take(held, &found), 0);
	assert_memory_equal(&found, &sample_latencies, sizeof(found));
	free(held.payload);
	/* Without a block it has none. */
	assert_int_equal(take((struct ctd_record_held){0}, &found), 0);
	assert_int_equal(found.count, 0);
}

static void a_recording_has_the_latencies_of_each_snapshot(void **state)
{
	struct recording recording = waits_recording();
	struct ctd_record_reader *reader = open_recording(&recording);

	(void)state;
	for (uint64_t sequence = 1; sequence <= 3; sequence++) {
		struct ctd_snapshot snapshot = next_snapshot(reader);

		assert_int_equal(snapshot.latencies.count, sequence > 1);
		assert_int_equal(snapshot.latencies.of[0][0].samples, sequence > 1 ? sequence : 0);
		ctd_snapshot_free(&snapshot);
	}
	close_recording(&recording, reader);
}

static void a_block_that_is_cut_or_of_another_snapshot_is_refused(void **state)
{
	struct ctd_record_held held = hold_latencies(5, &sample_latencies), cut = held;
	struct ctd_latencies found;

	(void)state;
	for (cut.bytes = 1; cut.bytes < held.bytes; cut.bytes++)
		assert_int_equal(take(cut, &found), -EBADMSG);
	free(held.payload);
	held = hold_latencies(6, &sample_latencies);
	assert_int_equal(take(held, &found), -EBADMSG);
	free(held.payload);
}

static void what_cannot_be_is_refused(void **state)
{
	static const struct ctd_record_list heads[] = {
		{5, 0, 6}, {5, 2, 0}, {5, 2, 5}, {5, 3, 6}, {5, 2, UINT32_MAX}, {5, UINT32_MAX, 6},
	};
	static const struct ctd_latency bad[] = {
		{UINT64_C(1) << 32, 0}, {0, 1}, {20, 20 * 65535 + 1}};
	struct ctd_latencies latencies = sample_latencies, found;

	(void)state;
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		struct ctd_record_held held = hold_latencies(5, &sample_latencies);
		struct ctd_record_cursor cursor = {.at = held.payload, .writing = true};
		struct ctd_record_list head = heads[i];

		ctd_record_move_list(&cursor, &head);
		assert_int_equal(take(held, &found), -EBADMSG);
		free(held.payload);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct ctd_record_held held;

		latencies.of[1][2] = bad[i];
		held = hold_latencies(5, &latencies);
		assert_int_equal(take(held, &found), -EBADMSG);
		free(held.payload);
	}
}

static void more_core_types_than_there_can_be_are_refused(void **state)
{
	struct ctd_record_list head = {5, CTD_CORE_TYPES_MAX + 1, 2};
	struct ctd_record_held held = {.bytes = CTD_RECORD_LIST_BYTES +
						16 * (CTD_CORE_TYPES_MAX + 1)};
	struct ctd_record_cursor cursor = {.writing = true};
	struct ctd_latencies found;

	(void)state;
	held.payload = calloc(1, held.bytes);
	cursor.at = held.payload;
	ctd_record_move_list(&cursor, &head);
	assert_int_equal(take(held, &found), -EBADMSG);
	free(held.payload);
}

/* A later program may know more. */
static void those_for_which_there_is_no_room_are_passed_over(void **state)
{
	struct ctd_record_list head = {5, 2, 2 * (CTD_LATENCIES_MAX + 1)};
	struct ctd_record_held held = {.bytes = CTD_RECORD_LIST_BYTES +
						2 * 16 * (CTD_LATENCIES_MAX + 1)};
	struct ctd_record_cursor cursor = {.writing = true};
	struct ctd_latencies found;

	(void)state;
	held.payload = calloc(1, held.bytes);
	cursor.at = held.payload;
	ctd_record_move_list(&cursor, &head);
	for (uint64_t i = 0; i < 2 * (CTD_LATENCIES_MAX + 1); i++) {
		ctd_record_move_u64(&cursor, &(uint64_t){10 + i});
		ctd_record_move_u64(&cursor, &(uint64_t){100 + i});
	}
	assert_int_equal(take(held, &found), 0);
	assert_int_equal(found.count, CTD_LATENCIES_MAX);
	assert_int_equal(found.of[0][CTD_LATENCIES_MAX - 1].samples, 10 + CTD_LATENCIES_MAX - 1);
	assert_int_equal(found.of[1][0].cycles, 100 + CTD_LATENCIES_MAX + 1);
	free(held.payload);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_snapshot_has_the_latencies_that_were_written_ahead_of_it),
		cmocka_unit_test(a_recording_has_the_latencies_of_each_snapshot),
		cmocka_unit_test(a_block_that_is_cut_or_of_another_snapshot_is_refused),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(more_core_types_than_there_can_be_are_refused),
		cmocka_unit_test(those_for_which_there_is_no_room_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
