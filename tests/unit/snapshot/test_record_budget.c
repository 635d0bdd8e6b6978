/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_budget.c - a recording has what the measurement cost, and what was given up for it. */
#include "snapshot/record_budget.h"

#include <cgtopdown/record.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "held.h"
#include "read_recording.h"

static const struct ctd_budget_state sample_state = {
	.limit_ppm = 5000,
	.cost_ns = 70000000,
	.capacity_ns = 10000000000,
	.given_up = 1 << CTD_BUDGET_WAITS | 1 << CTD_BUDGET_LEVEL,
	.exceeded = 1,
	.changes = {[CTD_BUDGET_WAITS] = 11, [CTD_BUDGET_INTERVAL] = 12},
};

static struct ctd_record_held hold_budget(uint64_t sequence, const struct ctd_budget_state *state)
{
	struct ctd_snapshot snapshot = sample_snapshot(sequence);

	snapshot.budget = *state;
	return hold(&snapshot, CTD_RECORD_BUDGET_BYTES, ctd_record_put_budget);
}

static int take(struct ctd_record_held held, struct ctd_budget_state *ret_state)
{
	struct ctd_snapshot to = sample_snapshot(5);
	int result = ctd_record_take_budget(&held, &to);

	/* It is of one snapshot alone. */
	assert_int_equal(held.bytes, 0);
	*ret_state = to.budget;
	return result;
}

static void a_snapshot_has_the_budget_that_was_written_ahead_of_it(void **state)
{
	struct ctd_record_held held = hold_budget(5, &sample_state);
	struct ctd_budget_state found;

	(void)state;
	assert_int_equal(take(held, &found), 0);
	assert_memory_equal(&found, &sample_state, sizeof(found));
	free(held.payload);
	/* Without one it has none. */
	assert_int_equal(take((struct ctd_record_held){0}, &found), 0);
	assert_int_equal(found.limit_ppm, 0);
}

static void a_recording_has_the_budget_of_each_snapshot(void **state)
{
	struct recording recording = waits_recording();
	struct ctd_record_reader *reader = open_recording(&recording);

	(void)state;
	for (uint64_t sequence = 1; sequence <= 3; sequence++) {
		struct ctd_snapshot snapshot = next_snapshot(reader);

		assert_int_equal(snapshot.budget.limit_ppm, sequence == 1 ? 0 : 5000);
		assert_int_equal(snapshot.budget.changes[CTD_BUDGET_WAITS],
				 sequence == 1 ? 0 : sequence);
		ctd_snapshot_free(&snapshot);
	}
	close_recording(&recording, reader);
}

static void a_block_that_is_cut_or_of_another_snapshot_is_refused(void **state)
{
	struct ctd_record_held held = hold_budget(5, &sample_state), cut = held;
	struct ctd_budget_state found;

	(void)state;
	for (cut.bytes = 1; cut.bytes < held.bytes; cut.bytes++)
		assert_int_equal(take(cut, &found), -EBADMSG);
	free(held.payload);
	held = hold_budget(6, &sample_state);
	assert_int_equal(take(held, &found), -EBADMSG);
	free(held.payload);
}

static void what_cannot_be_is_refused(void **state)
{
	struct ctd_budget_state bad[] = {sample_state, sample_state, sample_state}, found;
	static const struct ctd_record_list heads[] = {
		{5, 1, 0},	    {5, 0, CTD_BUDGET_FIGURES}, {5, 2, CTD_BUDGET_FIGURES},
		{5, 1, UINT32_MAX}, {5, UINT32_MAX, 1},
	};

	(void)state;
	bad[0].limit_ppm = 0;
	bad[1].limit_ppm = 1000001;
	bad[2].exceeded = 2;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct ctd_record_held held = hold_budget(5, &bad[i]);

		assert_int_equal(take(held, &found), -EBADMSG);
		free(held.payload);
	}
	for (size_t i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		struct ctd_record_held held = hold_budget(5, &sample_state);
		struct ctd_record_cursor cursor = {.at = held.payload, .writing = true};
		struct ctd_record_list head = heads[i];

		ctd_record_move_list(&cursor, &head);
		assert_int_equal(take(held, &found), -EBADMSG);
		free(held.payload);
	}
}

/* A later program may know more figures and more parts, an earlier one fewer. */
static void figures_and_parts_that_are_not_known_are_passed_over(void **state)
{
	(void)state;
	for (uint32_t figures = 1; figures < CTD_BUDGET_FIGURES + 3; figures++) {
		struct ctd_record_list head = {5, 1, figures};
		struct ctd_record_held held = {.bytes = CTD_RECORD_LIST_BYTES + 8 * figures};
		struct ctd_record_cursor cursor = {.writing = true};
		struct ctd_budget_state found;

		held.payload = calloc(1, held.bytes);
		cursor.at = held.payload;
		ctd_record_move_list(&cursor, &head);
		for (uint32_t i = 0; i < figures; i++)
			ctd_record_move_u64(&cursor, &(uint64_t){i == 3	  ? UINT64_MAX
								 : i == 4 ? 0
									  : 10 + i});
		assert_int_equal(take(held, &found), 0);
		assert_int_equal(found.limit_ppm, 10);
		assert_int_equal(found.cost_ns, figures > 1 ? 11 : 0);
		assert_int_equal(found.given_up, figures > 3 ? (1 << CTD_BUDGET_PARTS) - 1 : 0);
		free(held.payload);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_snapshot_has_the_budget_that_was_written_ahead_of_it),
		cmocka_unit_test(a_recording_has_the_budget_of_each_snapshot),
		cmocka_unit_test(a_block_that_is_cut_or_of_another_snapshot_is_refused),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(figures_and_parts_that_are_not_known_are_passed_over),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
