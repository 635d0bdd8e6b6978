/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_interval_code.c - an interval is the same behind its code, and damage is no interval. */
#include "history/interval_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/varint.h"
#include "made.h"

#define MEMORY_MAX_KB 250000

static const int l1_counters[4] = {1, 2, 3, 4};

static struct ctd_record_header large_header(void)
{
	struct ctd_record_header header = made_header();

	header.counters_count = CTD_COUNTERS_MAX;
	header.groups_count = CTD_GROUPS_MAX;
	return header;
}

/* Of a block: it says that it has so many rows, and has zeros, @p bits_of_row for each. */
static struct ctd_strbuf hostile_code(uint64_t rows, uint64_t bits_of_row)
{
	/* Times, what begins a chain, sequence, CPUs; behind counters and groups no figure. */
	static const uint64_t head[] = {2, 1, 0, 0, 0, 0, 0, 1, 1, CTD_COUNTERS_MAX, CTD_GROUPS_MAX,
					0, 0, 0, 0};
	const char zeros[1000] = {0};
	struct ctd_strbuf code = {0};
	struct ctd_bits bits;

	for (size_t i = 0; i < sizeof(head) / sizeof(*head); i++)
		ctd_varint_add(&code, head[i]);
	ctd_bits_write(&bits, &code);
	ctd_bits_number(&bits, rows);
	assert_int_equal(ctd_bits_end(&bits), 0);
	for (uint64_t bytes = 0; bytes < rows * bits_of_row / 8; bytes += sizeof(zeros))
		ctd_strbuf_add_bytes(&code, zeros, sizeof(zeros));
	return code;
}

/* By what it says of itself it takes a gigabyte, or half of it, with a right checksum: in 1 MB
 * where nothing but the keys of rows is there, and in 3 MB where all their figures are. */
static void a_hostile_block_takes_no_memory(void **state)
{
	static const uint64_t cases[][2] = {{400000, 23}, {200000, 27 + CTD_COUNTS_MAX}};
	const struct ctd_record_header header = large_header();
	struct rusage usage;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct ctd_strbuf code = hostile_code(cases[i][0], cases[i][1]);
		struct ctd_interval_context reader = {0};
		struct ctd_interval interval;

		assert_int_equal(ctd_interval_decode(&reader, code.text, code.bytes, &header, NULL,
						     &interval),
				 -EBADMSG);
		ctd_interval_context_free(&reader);
		ctd_strbuf_free(&code);
	}
	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	assert_true(usage.ru_maxrss < MEMORY_MAX_KB);
}

static struct ctd_interval large_interval(uint64_t second, uint64_t first, uint64_t rows)
{
	struct ctd_interval interval = {.realtime_ns = second * MADE_S,
					.window_ns = MADE_S,
					.counters_count = CTD_COUNTERS_MAX,
					.groups_count = CTD_GROUPS_MAX};

	assert_int_equal(ctd_interval_reserve(&interval, rows), 0);
	assert_int_equal(ctd_interval_reserve_totals(&interval), 0);
	interval.rows_count = rows;
	for (uint64_t i = 0; i < rows; i++)
		interval.rows[i].cgroup_id = first + i;
	return interval;
}

/* Rows that come and go: what is known of them would be too much. */
static void a_chain_ends_where_its_rows_are_too_many(void **state)
{
	const struct ctd_record_header header = large_header();
	struct ctd_interval_context writer = {0}, reader = {0};
	const uint64_t rows = CTD_ROW_FIGURES_MAX / (2 * CTD_COUNTS_MAX) * 3 / 4;
	struct ctd_strbuf codes[2] = {{0}};

	(void)state;
	for (uint64_t i = 0; i < 2; i++) {
		struct ctd_interval interval = large_interval(i + 1, 1 + i * rows, rows);

		assert_int_equal(ctd_interval_encode(&writer, &interval, NULL, &codes[i]), 0);
		ctd_interval_free(&interval);
	}
	assert_int_equal(writer.count, 1);
	ctd_interval_context_free(&writer);
	for (uint64_t i = 0; i < 2; i++) {
		struct ctd_interval interval;

		assert_int_equal(ctd_interval_decode(&reader, codes[i].text, codes[i].bytes,
						     &header, NULL, &interval),
				 0);
		assert_int_equal(interval.rows_count, rows);
		assert_int_equal(interval.rows[0].cgroup_id, 1 + i * rows);
		ctd_interval_free(&interval);
		ctd_strbuf_free(&codes[i]);
	}
	ctd_interval_context_free(&reader);
}

/* And the next one is written again. */
static void an_interval_with_too_many_rows_is_refused(void **state)
{
	const uint64_t rows = CTD_ROW_FIGURES_MAX / (2 * CTD_COUNTS_MAX);
	struct ctd_interval large = large_interval(1, 1, rows), next = large_interval(2, 1, 1);
	struct ctd_interval_context writer = {0};
	struct ctd_strbuf code = {0};

	(void)state;
	assert_int_equal(ctd_interval_encode(&writer, &large, NULL, &code), -EFBIG);
	assert_int_equal(writer.count, 0);
	assert_int_equal(ctd_interval_encode(&writer, &next, NULL, &code), 0);
	ctd_interval_free(&large);
	ctd_interval_free(&next);
	ctd_interval_context_free(&writer);
	ctd_strbuf_free(&code);
}

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

static void an_interval_is_the_same_behind_its_code(void **state)
{
	struct ctd_interval_context writer = {0}, reader = {0};
	const struct ctd_record_header header = made_header();

	(void)state;
	srandom(1);
	for (uint64_t round = 1; round < 300; round++) {
		struct ctd_interval interval = made_interval(round, round % 40), again;
		struct ctd_strbuf code = {0};
		struct ctd_interval_time time;

		assert_int_equal(ctd_interval_encode(&writer, &interval, l1_counters, &code), 0);
		assert_int_equal(ctd_interval_decode(&reader, code.text, code.bytes, &header, NULL,
						     &again),
				 0);
		assert_int_equal(ctd_interval_decode_time(code.text, code.bytes, &time), 0);
		assert_true(time.realtime_ns == interval.realtime_ns && time.window_ns == MADE_S);
		assert_true(
			time.after_ns ==
			((round - 1) % CTD_INTERVAL_CHAIN_MAX ? interval.realtime_ns - MADE_S : 0));
		assert_true(again.realtime_ns == interval.realtime_ns &&
			    again.window_ns == interval.window_ns &&
			    again.sequence == interval.sequence && again.cpus_online == 4);
		assert_int_equal(again.rows_count, interval.rows_count);
		for (size_t i = 0; i < again.rows_count; i++)
			expect_same_row(&interval.rows[i], &again.rows[i]);
		expect_same_totals(&interval, &again);
		assert_memory_equal(again.health.count, interval.health.count,
				    sizeof(again.health.count));
		assert_true(again.unattributed_ns == interval.unattributed_ns);
		ctd_interval_free(&interval);
		ctd_interval_free(&again);
		ctd_strbuf_free(&code);
	}
	ctd_interval_context_free(&writer);
	ctd_interval_context_free(&reader);
}

/* Each byte of it, with each of some other values: never another interval without a word that
 * cannot be added up, never a crash. */
static void damage_is_no_interval(void **state)
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
	for (size_t i = 0; i < code.bytes; i++) {
		code.text[i] ^= 0x55;
		if (!ctd_interval_decode(&reader, code.text, code.bytes, &header, NULL, &again))
			ctd_interval_free(&again);
		code.text[i] ^= 0x55;
	}
	ctd_interval_free(&interval);
	ctd_strbuf_free(&code);
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
		/* First, as no other one is to have taken memory. */
		cmocka_unit_test(a_hostile_block_takes_no_memory),
		cmocka_unit_test(a_chain_ends_where_its_rows_are_too_many),
		cmocka_unit_test(an_interval_with_too_many_rows_is_refused),
		cmocka_unit_test(an_interval_is_the_same_behind_its_code),
		cmocka_unit_test(damage_is_no_interval),
		cmocka_unit_test(other_counters_are_refused),
		cmocka_unit_test(a_lost_interval_costs_its_chain_and_no_more),
		cmocka_unit_test(groups_that_rotate_are_the_same_behind_their_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
