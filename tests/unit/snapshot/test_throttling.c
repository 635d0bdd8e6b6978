/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_throttling.c - what limits did adds up, and a recording gives it back. */
#include <cgtopdown/record.h>
#include <cgtopdown/throttling.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "held.h"
#include "read_recording.h"
#include "snapshot/record_throttling.h"

static struct ctd_throttling before_items[] = {{3, 10, 2, 500, 200000000, 0, 79},
					       {7, 100, 50, 900, 1, 0, 1}};
static struct ctd_throttling after_items[] = {{3, 30, 12, 1500, 300000000, 250000000, 100},
					      {5, 4, 1, 77, 5, 0, 0},
					      {7, 90, 60, 1000, 1, 0, 1}};
static const struct ctd_throttlings before = {before_items, 2, true},
				    after = {after_items, 3, true}, unknown;

static void a_difference_has_the_newest_limits_and_begins_anew_where_totals_shrank(void **state)
{
	static const struct ctd_throttling wanted[] = {{3, 20, 10, 1000, 300000000, 250000000, 100},
						       {5, 4, 1, 77, 5, 0, 0},
						       {7, 90, 60, 1000, 1, 0, 1}};
	struct ctd_throttlings difference;

	(void)state;
	assert_int_equal(ctd_throttlings_subtract(&after, &before, &difference), 0);
	assert_true(difference.known);
	assert_int_equal(difference.count, 3);
	assert_memory_equal(difference.items, wanted, sizeof(wanted));
	assert_ptr_equal(ctd_throttlings_find(&difference, 5), &difference.items[1]);
	assert_null(ctd_throttlings_find(&difference, 6));
	ctd_throttlings_free(&difference);
}

static void what_is_known_of_a_part_of_the_time_is_not_known(void **state)
{
	struct ctd_throttlings list;

	(void)state;
	assert_int_equal(ctd_throttlings_subtract(&after, &unknown, &list), 0);
	assert_false(list.known);
	assert_int_equal(list.count, 0);
	assert_int_equal(ctd_throttlings_sum(&after, &unknown, &list), 0);
	assert_false(list.known);
	ctd_throttlings_free(&list);
}

static void a_sum_has_the_cgroups_of_both(void **state)
{
	struct ctd_throttlings sum;

	(void)state;
	assert_int_equal(ctd_throttlings_sum(&before, &after, &sum), 0);
	assert_true(sum.known);
	assert_int_equal(sum.count, 3);
	assert_true(ctd_throttlings_are_ordered(&sum));
	assert_int_equal(sum.items[0].periods, 40);
	assert_int_equal(sum.items[0].throttled_ns, 2000);
	assert_int_equal(sum.items[0].limit_ns, 300000000);
	assert_memory_equal(&sum.items[1], &after_items[1], sizeof(*sum.items));
	assert_int_equal(sum.items[2].throttled, 110);
	ctd_throttlings_free(&sum);
}

static void a_recording_has_what_limits_did_up_to_each_snapshot(void **state)
{
	struct ctd_record_header header = sample_header();
	struct memory_file file = memory_file_new();
	struct ctd_record_writer *writer;
	struct ctd_record_reader *reader;
	struct recording recording;

	(void)state;
	assert_int_equal(ctd_record_create(file.path, &header, &writer), 0);
	for (uint64_t sequence = 1; sequence <= 3; sequence++) {
		struct ctd_snapshot snapshot = sample_snapshot(sequence);

		snapshot.throttlings = sequence == 2 ? unknown : after;
		assert_int_equal(ctd_record_write_snapshot(writer, &snapshot), 0);
	}
	assert_int_equal(ctd_record_close(writer), 0);
	recording = memory_file_take(&file);
	reader = open_recording(&recording);
	for (int sequence = 1; sequence <= 3; sequence++) {
		struct ctd_snapshot snapshot = next_snapshot(reader);

		assert_int_equal(snapshot.throttlings.known, sequence != 2);
		assert_int_equal(snapshot.throttlings.count, sequence == 2 ? 0 : 3);
		if (sequence != 2)
			assert_memory_equal(snapshot.throttlings.items, after_items,
					    sizeof(after_items));
		ctd_snapshot_free(&snapshot);
	}
	close_recording(&recording, reader);
}

static struct ctd_record_held hold_throttling(const struct ctd_snapshot *snapshot)
{
	return hold(snapshot, ctd_record_throttling_bytes(snapshot), ctd_record_put_throttling);
}

/* No cgroup has a limit: that is known. */
static void none_is_a_number_of_them(void **state)
{
	struct ctd_snapshot from = sample_snapshot(5), to = sample_snapshot(5);
	struct ctd_record_held held;

	(void)state;
	from.throttlings = (struct ctd_throttlings){.known = true};
	held = hold_throttling(&from);
	assert_int_equal(ctd_record_take_throttling(&held, &to), 0);
	assert_true(to.throttlings.known);
	assert_int_equal(to.throttlings.count, 0);
	ctd_throttlings_free(&to.throttlings);
	free(held.payload);
}

static void a_block_that_is_cut_or_of_another_snapshot_is_refused(void **state)
{
	struct ctd_snapshot from = sample_snapshot(5);
	size_t bytes;

	(void)state;
	from.throttlings = after;
	bytes = (size_t)ctd_record_throttling_bytes(&from);
	for (size_t cut = 0; cut <= bytes; cut++) {
		struct ctd_record_held held = hold_throttling(&from);
		struct ctd_snapshot to = sample_snapshot(5);

		held.bytes = cut;
		assert_int_equal(ctd_record_take_throttling(&held, &to),
				 cut == 0 || cut == bytes ? 0 : -EBADMSG);
		ctd_throttlings_free(&to.throttlings);
		free(held.payload);
	}
	for (int i = 0; i < 2; i++) {
		struct ctd_throttling twice[] = {after_items[0], after_items[i]};
		struct ctd_snapshot to = sample_snapshot(i ? 6 : 5);
		struct ctd_record_held held;

		from.throttlings = (struct ctd_throttlings){twice, 2, true};
		held = hold_throttling(&from);
		assert_int_equal(ctd_record_take_throttling(&held, &to), -EBADMSG);
		ctd_throttlings_free(&to.throttlings);
		free(held.payload);
	}
}

/* A later program may know more figures, an earlier one fewer. */
static void figures_that_are_not_known_are_passed_over(void **state)
{
	for (uint32_t figures = 1; figures < 12; figures++) {
		struct ctd_record_list head = {5, 1, figures};
		struct ctd_record_held held = {.bytes = CTD_RECORD_LIST_BYTES + 8 * (1 + figures)};
		struct ctd_record_cursor cursor = {.writing = true};
		struct ctd_snapshot to = sample_snapshot(5);

		(void)state;
		held.payload = calloc(1, held.bytes);
		cursor.at = held.payload;
		ctd_record_move_list(&cursor, &head);
		for (uint64_t i = 0; i <= figures; i++)
			ctd_record_move_u64(&cursor, &(uint64_t){10 + i});
		assert_int_equal(ctd_record_take_throttling(&held, &to), 0);
		assert_int_equal(to.throttlings.items[0].cgroup_id, 10);
		assert_int_equal(to.throttlings.items[0].periods, 11);
		assert_int_equal(to.throttlings.items[0].throttled_ns, figures < 3 ? 0 : 13);
		ctd_throttlings_free(&to.throttlings);
		free(held.payload);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_difference_has_the_newest_limits_and_begins_anew_where_totals_shrank),
		cmocka_unit_test(what_is_known_of_a_part_of_the_time_is_not_known),
		cmocka_unit_test(a_sum_has_the_cgroups_of_both),
		cmocka_unit_test(a_recording_has_what_limits_did_up_to_each_snapshot),
		cmocka_unit_test(none_is_a_number_of_them),
		cmocka_unit_test(a_block_that_is_cut_or_of_another_snapshot_is_refused),
		cmocka_unit_test(figures_that_are_not_known_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
