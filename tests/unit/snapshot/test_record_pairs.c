/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_pairs.c - a recording has which cgroups waited behind which. */
#include <cgtopdown/record.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "held.h"
#include "read_recording.h"
#include "snapshot/record_pairs.h"

static void a_recording_has_the_pairs_of_each_snapshot(void **state)
{
	struct recording recording = waits_recording();
	struct ctd_record_reader *reader = open_recording(&recording);

	(void)state;
	for (int sequence = 1; sequence <= 3; sequence++) {
		struct ctd_snapshot snapshot = next_snapshot(reader);

		/* In the second nothing waited yet. */
		assert_int_equal(snapshot.pairs.count, sequence == 2 ? 0 : SAMPLE_WAIT_PAIRS);
		for (size_t i = 0; i < snapshot.pairs.count; i++) {
			const struct ctd_pair *pair = &snapshot.pairs.items[i];

			assert_memory_equal(pair, &sample_pairs[i],
					    offsetof(struct ctd_pair, sequence));
			assert_int_equal(pair->beside_ns, sample_pairs[i].beside_ns);
		}
		ctd_snapshot_free(&snapshot);
	}
	close_recording(&recording, reader);
}

static struct ctd_record_held hold_pairs(const struct ctd_snapshot *snapshot)
{
	return hold(snapshot, ctd_record_pairs_bytes(snapshot), ctd_record_put_pairs);
}

static void assert_taken(struct ctd_record_held held, int wanted)
{
	struct ctd_snapshot to = sample_snapshot(5);

	assert_int_equal(ctd_record_take_pairs(&held, &to), wanted);
	/* It is of one snapshot alone. */
	assert_int_equal(held.bytes, 0);
	ctd_pairs_free(&to.pairs);
}

static void a_block_that_is_cut_or_of_another_snapshot_is_refused(void **state)
{
	struct ctd_snapshot from = sample_snapshot(5);
	struct ctd_record_held held;
	size_t bytes;

	(void)state;
	from.pairs = (struct ctd_pairs){sample_pairs, SAMPLE_WAIT_PAIRS};
	bytes = (size_t)ctd_record_pairs_bytes(&from);
	for (size_t cut = 0; cut <= bytes; cut++) {
		held = hold_pairs(&from);
		held.bytes = cut;
		assert_taken(held, cut == 0 || cut == bytes ? 0 : -EBADMSG);
		free(held.payload);
	}
	from.sequence = 6;
	held = hold_pairs(&from);
	assert_taken(held, -EBADMSG);
	free(held.payload);
}

static void pairs_out_of_order_or_twice_are_refused(void **state)
{
	for (int i = 0; i < 2; i++) {
		struct ctd_pair pairs[] = {sample_pairs[1], sample_pairs[i]};
		struct ctd_snapshot from = sample_snapshot(5);
		struct ctd_record_held held;

		(void)state;
		from.pairs = (struct ctd_pairs){pairs, 2};
		held = hold_pairs(&from);
		assert_taken(held, -EBADMSG);
		free(held.payload);
	}
}

/* A later program may know more figures, an earlier one fewer. */
static void figures_that_are_not_known_are_passed_over(void **state)
{
	for (uint32_t figures = 0; figures < 6; figures++) {
		struct ctd_record_list head = {5, 1, figures};
		struct ctd_record_held held = {.bytes = CTD_RECORD_LIST_BYTES + 8 * (2 + figures)};
		struct ctd_record_cursor cursor = {.writing = true};
		struct ctd_snapshot to = sample_snapshot(5);

		(void)state;
		held.payload = calloc(1, held.bytes);
		cursor.at = held.payload;
		ctd_record_move_list(&cursor, &head);
		for (uint64_t i = 0; i < 2 + figures; i++)
			ctd_record_move_u64(&cursor, &(uint64_t){10 + i});
		assert_int_equal(ctd_record_take_pairs(&held, &to), 0);
		assert_int_equal(to.pairs.items[0].victim_id, 10);
		assert_int_equal(to.pairs.items[0].occupier_id, 11);
		assert_int_equal(to.pairs.items[0].wait_ns, figures < 1 ? 0 : 12);
		assert_int_equal(to.pairs.items[0].preempted, figures < 3 ? 0 : 14);
		ctd_pairs_free(&to.pairs);
		free(held.payload);
	}
}

/* Its number of pairs would overflow, had it so many. */
static void an_impossible_number_of_figures_is_refused(void **state)
{
	static const struct ctd_record_list heads[] = {
		{5, 1, UINT32_MAX}, {5, UINT32_MAX, 3}, {5, UINT32_MAX, UINT32_MAX}, {5, 0, 3}};

	(void)state;
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		unsigned char payload[CTD_RECORD_LIST_BYTES + 40] = {0};
		struct ctd_record_held held = {.payload = payload, .bytes = sizeof(payload)};
		struct ctd_record_cursor cursor = {.at = payload, .writing = true};
		struct ctd_record_list head = heads[i];

		ctd_record_move_list(&cursor, &head);
		assert_taken(held, -EBADMSG);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_has_the_pairs_of_each_snapshot),
		cmocka_unit_test(a_block_that_is_cut_or_of_another_snapshot_is_refused),
		cmocka_unit_test(pairs_out_of_order_or_twice_are_refused),
		cmocka_unit_test(figures_that_are_not_known_are_passed_over),
		cmocka_unit_test(an_impossible_number_of_figures_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
