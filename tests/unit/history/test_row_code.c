/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_row_code.c - what is known of rows has its limit, whatever a file says. */
#include "history/row_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/varint.h"
#include "history/interval_code.h"
#include "made.h"

#define MEMORY_MAX_KB 250000

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		/* First, as no other one is to have taken memory. */
		cmocka_unit_test(a_hostile_block_takes_no_memory),
		cmocka_unit_test(a_chain_ends_where_its_rows_are_too_many),
		cmocka_unit_test(an_interval_with_too_many_rows_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
