/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_interval_code.c - an interval is the same behind its code, whatever it has. */
#include "history/interval_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>

#include <cmocka.h>

#include "made.h"

static const int l1_counters[4] = {1, 2, 3, 4};

static void expect_same_row(const struct ctd_interval_row *a, const struct ctd_interval_row *b)
{
	assert_true(a->cgroup_id == b->cgroup_id && a->pid == b->pid && a->kind == b->kind &&
		    a->core_type == b->core_type && a->quality == b->quality);
	assert_true(a->oncpu_ns == b->oncpu_ns && a->running_ns == b->running_ns &&
		    a->slices == b->slices && a->switches == b->switches);
	assert_memory_equal(a->raw, b->raw, MADE_COUNTERS * sizeof(*a->raw));
	assert_memory_equal(a->count, b->count, MADE_COUNTERS * sizeof(*a->count));
	assert_memory_equal(a->group_ns, b->group_ns, sizeof(*a->group_ns));
	assert_memory_equal(a->count_ns, b->count_ns, sizeof(*a->count_ns));
}

static void expect_same_totals(const struct ctd_interval *a, const struct ctd_interval *b)
{
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		assert_int_equal(a->totals[type].cpus_online, b->totals[type].cpus_online);
		assert_true(a->totals[type].empty_ns == b->totals[type].empty_ns);
	}
	assert_memory_equal(a->total_counts, b->total_counts,
			    3 * sizeof(*a->total_counts) * MADE_COUNTERS * CTD_CORE_TYPES_MAX);
}

/* @p code has @p interval, of made_header(). */
static void expect_decoded(struct ctd_interval_context *reader, const struct ctd_strbuf *code,
			   const struct ctd_record_header *header,
			   const struct ctd_interval *interval)
{
	struct ctd_interval again;

	assert_int_equal(ctd_interval_decode(reader, code->text, code->bytes, header, NULL, &again),
			 0);
	assert_true(again.realtime_ns == interval->realtime_ns &&
		    again.window_ns == interval->window_ns &&
		    again.sequence == interval->sequence &&
		    again.cpus_online == interval->cpus_online);
	assert_int_equal(again.rows_count, interval->rows_count);
	for (size_t i = 0; i < again.rows_count; i++)
		expect_same_row(&interval->rows[i], &again.rows[i]);
	expect_same_totals(interval, &again);
	assert_memory_equal(again.health.count, interval->health.count, sizeof(again.health.count));
	assert_true(again.unattributed_ns == interval->unattributed_ns);
	ctd_interval_free(&again);
}

/* The next one of a chain, which is freed. */
static void pass_on(struct ctd_interval_context *writer, struct ctd_interval_context *reader,
		    struct ctd_interval *interval)
{
	const struct ctd_record_header header = made_header();
	struct ctd_strbuf code = {0};

	assert_int_equal(ctd_interval_encode(writer, interval, l1_counters, &code), 0);
	expect_decoded(reader, &code, &header, interval);
	ctd_interval_free(interval);
	ctd_strbuf_free(&code);
}

static void an_interval_is_the_same_behind_its_code(void **state)
{
	struct ctd_interval_context writer = {0}, reader = {0};
	const struct ctd_record_header header = made_header();

	(void)state;
	srandom(1);
	for (uint64_t round = 1; round < 300; round++) {
		struct ctd_interval interval = made_interval(round, round % 40);
		struct ctd_strbuf code = {0};
		struct ctd_interval_time time;

		assert_int_equal(ctd_interval_encode(&writer, &interval, l1_counters, &code), 0);
		expect_decoded(&reader, &code, &header, &interval);
		assert_int_equal(ctd_interval_decode_time(code.text, code.bytes, &time), 0);
		assert_true(time.realtime_ns == interval.realtime_ns && time.window_ns == MADE_S);
		assert_true(
			time.after_ns ==
			((round - 1) % CTD_INTERVAL_CHAIN_MAX ? interval.realtime_ns - MADE_S : 0));
		ctd_interval_free(&interval);
		ctd_strbuf_free(&code);
	}
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

static void a_cut_interval_is_none(void **state)
{
	struct ctd_interval_context writer = {0}, reader = {0};
	const struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(1, 10), again;
	struct ctd_strbuf code = {0};

	(void)state;
	assert_int_equal(ctd_interval_encode(&writer, &interval, l1_counters, &code), 0);
	for (size_t bytes = 0; bytes < code.bytes; bytes++)
		assert_int_equal(ctd_interval_decode(&reader, code.text, bytes, &header, NULL,
						     &again),
				 -EBADMSG);
	ctd_interval_free(&interval);
	ctd_strbuf_free(&code);
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

/* Encoded and decoded again @p interval is the same, by itself. */
static void expect_coded(const struct ctd_interval *interval)
{
	struct ctd_interval_context writer = {0}, reader = {0};
	const struct ctd_record_header header = made_header();
	struct ctd_strbuf code = {0};

	assert_int_equal(ctd_interval_encode(&writer, interval, l1_counters, &code), 0);
	expect_decoded(&reader, &code, &header, interval);
	ctd_strbuf_free(&code);
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

/* By a program with a bug, or with ill intent, as checksums tell all else: each byte of one with
 * another value is none, or one that can be written and added up as any. */
static void what_any_other_byte_makes_is_none_or_sound(void **state)
{
	static const unsigned char damages[] = {0x01, 0x55, 0x80, 0xff};
	const struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(1, 10), again;
	struct ctd_interval_context writer = {0};
	struct ctd_strbuf code = {0};
	size_t sound = 0, none = 0;

	(void)state;
	assert_int_equal(ctd_interval_encode(&writer, &interval, l1_counters, &code), 0);
	for (size_t i = 0; i < code.bytes * sizeof(damages); i++) {
		struct ctd_interval_context reader = {0};
		struct ctd_interval sum = {0};
		char *byte = &code.text[i / sizeof(damages)];
		int error;

		*byte ^= (char)damages[i % sizeof(damages)];
		error = ctd_interval_decode(&reader, code.text, code.bytes, &header, NULL, &again);
		*byte ^= (char)damages[i % sizeof(damages)];
		ctd_interval_context_free(&reader);
		if (error) {
			assert_int_equal(error, -EBADMSG);
			none++;
			continue;
		}
		sound++;
		expect_coded(&again);
		assert_int_equal(ctd_interval_add(&sum, &interval), 0);
		assert_int_equal(ctd_interval_add(&sum, &again), 0);
		ctd_interval_free(&sum);
		ctd_interval_free(&again);
	}
	assert_true(sound && none);
	ctd_interval_free(&interval);
	ctd_strbuf_free(&code);
	ctd_interval_context_free(&writer);
}

static uint64_t made_extreme(void)
{
	static const uint64_t extremes[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
	size_t which = (size_t)random() % 8;

	return which < sizeof(extremes) / sizeof(*extremes) ? extremes[which] : made_count();
}

/* Of all 64 bits: differences from what is expected wrap. */
static void the_largest_figures_are_the_same_behind_their_code(void **state)
{
	struct ctd_interval_context writer = {0}, reader = {0};

	(void)state;
	srandom(3);
	for (uint64_t second = 1; second <= 200; second++) {
		struct ctd_interval interval = made_interval(second, 6);
		struct ctd_interval_totals *totals = &interval.totals[0];

		for (size_t i = 0; i < interval.rows_count; i++) {
			struct ctd_interval_row *row = &interval.rows[i];

			row->oncpu_ns = made_extreme();
			row->running_ns = made_extreme();
			row->slices = made_extreme();
			row->switches = made_extreme();
			row->group_ns[0] = made_extreme();
			row->count_ns[0] = made_extreme();
			for (int k = 0; k < MADE_COUNTERS; k++) {
				row->raw[k] = made_extreme();
				row->count[k] = made_extreme();
			}
		}
		for (int k = 0; k < MADE_COUNTERS; k++) {
			totals->total[k] = made_extreme();
			totals->unattributed[k] = made_extreme();
			totals->residual[k] = (int64_t)made_extreme();
		}
		interval.unattributed_ns = made_extreme();
		interval.health.count[0] = made_extreme();
		pass_on(&writer, &reader, &interval);
	}
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

/* For longer than a chain, and for a part of one. */
static void a_row_that_was_away_comes_back_as_it_is(void **state)
{
	struct ctd_interval_context writer = {0}, reader = {0};

	(void)state;
	srandom(4);
	for (uint64_t second = 1; second <= 5 * CTD_INTERVAL_CHAIN_MAX; second++) {
		uint64_t away = second / CTD_INTERVAL_CHAIN_MAX;
		struct ctd_interval interval = made_interval(second, away == 1 || away == 2 ? 2
								     : second % 20 < 10	    ? 1
											    : 9);

		pass_on(&writer, &reader, &interval);
	}
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

/* What an interval follows is told by its end: it follows none that ends with it. */
static void intervals_that_end_together_are_both_read(void **state)
{
	struct ctd_interval_context writer = {0}, reader = {0};

	(void)state;
	srandom(5);
	for (uint64_t i = 0; i < 10; i++) {
		struct ctd_interval interval = made_interval(1 + i / 2, 9);

		pass_on(&writer, &reader, &interval);
	}
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

static void other_counters_are_refused(void **state)
{
	struct ctd_interval_context writer = {0}, reader = {0};
	struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(1, 10), again;
	struct ctd_strbuf code = {0};

	(void)state;
	header.counters_count++;
	assert_int_equal(ctd_interval_encode(&writer, &interval, l1_counters, &code), 0);
	assert_int_equal(ctd_interval_decode(&reader, code.text, code.bytes, &header, NULL, &again),
			 -EBADMSG);
	ctd_interval_free(&interval);
	ctd_strbuf_free(&code);
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

/* What follows a lost interval cannot be read up to where the next chain begins, and is never
 * another one. */
static void a_lost_interval_costs_its_chain_and_no_more(void **state)
{
	const struct ctd_record_header header = made_header();
	struct ctd_interval_context writer = {0}, reader = {0};
	int lost = 0;

	(void)state;
	srandom(2);
	for (uint64_t second = 1; second <= 200; second++) {
		struct ctd_interval interval = made_interval(second, 20), again;
		struct ctd_strbuf code = {0};

		assert_int_equal(ctd_interval_encode(&writer, &interval, l1_counters, &code), 0);
		if (second == 70) {
			lost++;
		} else if (ctd_interval_decode(&reader, code.text, code.bytes, &header, NULL,
					       &again)) {
			assert_in_range(second, 71, 120);
			lost++;
		} else {
			assert_int_equal(again.rows_count, interval.rows_count);
			for (size_t i = 0; i < again.rows_count; i++)
				expect_same_row(&interval.rows[i], &again.rows[i]);
			ctd_interval_free(&again);
		}
		ctd_interval_free(&interval);
		ctd_strbuf_free(&code);
	}
	assert_int_equal(lost, 51);
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

/* Of two groups that take turns, all counts and times are what they were. */
static void groups_that_rotate_are_the_same_behind_their_code(void **state)
{
	struct ctd_interval_context writer = {0}, reader = {0};
	struct ctd_record_header header = made_header();

	(void)state;
	header.groups_count = 2;
	for (uint64_t second = 1; second <= 70; second++) {
		struct ctd_interval interval = {.realtime_ns = second * MADE_S,
						.window_ns = MADE_S,
						.counters_count = MADE_COUNTERS,
						.groups_count = 2},
				    again;
		struct ctd_interval_row *row;
		struct ctd_strbuf code = {0};

		assert_int_equal(ctd_interval_reserve(&interval, 1), 0);
		assert_int_equal(ctd_interval_reserve_totals(&interval), 0);
		interval.rows_count = 1;
		row = interval.rows;
		row->cgroup_id = 5;
		row->oncpu_ns = row->running_ns = made_count();
		for (int k = 0; k < 2 * MADE_COUNTERS; k++) {
			row->raw[k] = made_count();
			row->count[k] = 2 * row->raw[k];
		}
		row->group_ns[0] = row->oncpu_ns / 3;
		row->group_ns[1] = row->count_ns[0] = row->oncpu_ns / 2;
		row->count_ns[1] = row->oncpu_ns;
		assert_int_equal(ctd_interval_encode(&writer, &interval, l1_counters, &code), 0);
		assert_int_equal(ctd_interval_decode(&reader, code.text, code.bytes, &header, NULL,
						     &again),
				 0);
		expect_same_row(row, again.rows);
		assert_memory_equal(row->raw, again.rows->raw, 10 * sizeof(*row->raw));
		assert_memory_equal(row->count, again.rows->count, 10 * sizeof(*row->count));
		assert_memory_equal(row->group_ns, again.rows->group_ns, 2 * sizeof(uint64_t));
		assert_memory_equal(row->count_ns, again.rows->count_ns, 2 * sizeof(uint64_t));
		ctd_interval_free(&interval);
		ctd_interval_free(&again);
		ctd_strbuf_free(&code);
	}
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_interval_is_the_same_behind_its_code),
		cmocka_unit_test(a_cut_interval_is_none),
		cmocka_unit_test(what_any_other_byte_makes_is_none_or_sound),
		cmocka_unit_test(the_largest_figures_are_the_same_behind_their_code),
		cmocka_unit_test(a_row_that_was_away_comes_back_as_it_is),
		cmocka_unit_test(intervals_that_end_together_are_both_read),
		cmocka_unit_test(other_counters_are_refused),
		cmocka_unit_test(a_lost_interval_costs_its_chain_and_no_more),
		cmocka_unit_test(groups_that_rotate_are_the_same_behind_their_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
