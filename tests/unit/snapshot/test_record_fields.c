/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_record_fields.c - payloads have the sizes that the reader checks, and bytes in fixed order. */
#include "snapshot/record_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static unsigned char bytes[4096];

static struct ctd_record_cursor writing(void)
{
	return (struct ctd_record_cursor){.at = bytes, .writing = true};
}

static void fixed_fields_have_their_sizes(void **state)
{
	struct ctd_record_header header = {.counters_count = 9};
	struct ctd_record_name name = {.pid = 1};
	struct ctd_record_task task = {1, 1};
	struct ctd_snapshot snapshot = {.sequence = 1};
	uint32_t health_count = 0;
	struct ctd_record_cursor cursor = writing();

	(void)state;
	ctd_record_move_header(&cursor, &header);
	assert_int_equal(cursor.at - bytes, CTD_RECORD_HEADER_BYTES);
	cursor = writing();
	ctd_record_move_plan(&cursor, &header);
	assert_int_equal(cursor.at - bytes, CTD_RECORD_PLAN_BYTES);
	cursor = writing();
	ctd_record_move_core_type(&cursor, &header.core_types[0]);
	assert_int_equal(cursor.at - bytes, CTD_RECORD_CORE_TYPE_BYTES);
	cursor = writing();
	ctd_record_move_name(&cursor, &name);
	assert_int_equal(cursor.at - bytes, CTD_RECORD_NAME_BYTES);
	cursor = writing();
	ctd_record_move_task(&cursor, &task);
	assert_int_equal(cursor.at - bytes, CTD_RECORD_TASK_BYTES);
	cursor = writing();
	ctd_record_move_snapshot(&cursor, &snapshot, &health_count);
	assert_int_equal(cursor.at - bytes, CTD_RECORD_SNAPSHOT_BYTES);
}

static void a_snapshot_is_as_large_as_its_rows_and_cpus(void **state)
{
	(void)state;
	for (uint32_t counters = 0; counters <= CTD_COUNTERS_MAX; counters++) {
		struct ctd_record_cursor cursor = writing();
		struct ctd_snapshot_row row = {.pid = 1};
		struct ctd_snapshot_cpu cpu = {.cpu = 1};

		ctd_record_move_row(&cursor, &row, counters);
		ctd_record_move_row(&cursor, &row, counters);
		ctd_record_move_cpu(&cursor, &cpu, counters, counters);
		assert_int_equal(cursor.at - bytes + CTD_RECORD_SNAPSHOT_BYTES,
				 ctd_record_snapshot_bytes(2, 1, counters, counters));
	}
}

static void the_largest_counts_do_not_overflow_a_size(void **state)
{
	(void)state;
	assert_true(ctd_record_snapshot_bytes(UINT32_MAX, UINT32_MAX, CTD_COUNTERS_MAX,
					      CTD_RECORD_HEALTH_MAX) ==
		    56 + UINT32_MAX * (180ULL + 412ULL + 8 * 256ULL));
}

/* Written by a version with fewer figures of health, or more. */
static void figures_of_health_that_are_not_known_are_passed(void **state)
{
	static const uint32_t counts[] = {0, CTD_HEALTH_CPU_COUNTERS - 1,
					  CTD_HEALTH_CPU_COUNTERS + 3};

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		struct ctd_record_cursor cursor = {.at = bytes};
		struct ctd_snapshot_cpu cpu = {0};

		memset(bytes, 1, sizeof(bytes));
		ctd_record_move_cpu(&cursor, &cpu, 0, counts[i]);
		assert_int_equal(cursor.at - bytes, 28 + 8 * counts[i]);
		for (uint32_t j = 0; j < CTD_HEALTH_CPU_COUNTERS; j++)
			assert_int_equal(cpu.health[j] != 0, j < counts[i]);
	}
}

static void numbers_are_little_endian(void **state)
{
	struct ctd_record_cursor cursor = writing();
	struct ctd_record_name name = {.cgroup_id = 0x0102030405060708, .pid = 0x090a0b0c};

	(void)state;
	ctd_record_move_name(&cursor, &name);
	assert_memory_equal(bytes, "\x08\x07\x06\x05\x04\x03\x02\x01\x0c\x0b\x0a\x09\0\0\0\0", 16);
}

static void what_follows_the_end_of_a_text_is_not_written(void **state)
{
	struct ctd_record_header header;
	struct ctd_record_cursor cursor = writing();

	(void)state;
	memset(&header, 'x', sizeof(header));
	strcpy(header.source, "sim");
	ctd_record_move_plan(&cursor, &header);
	assert_memory_equal(bytes, "sim\0\0\0\0\0", 8);
	assert_int_equal(bytes[23], 0);
	/* A text without its end is given one. */
	assert_int_equal(bytes[24 + 30], 'x');
	assert_int_equal(bytes[24 + 31], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_fields_have_their_sizes),
		cmocka_unit_test(a_snapshot_is_as_large_as_its_rows_and_cpus),
		cmocka_unit_test(the_largest_counts_do_not_overflow_a_size),
		cmocka_unit_test(figures_of_health_that_are_not_known_are_passed),
		cmocka_unit_test(numbers_are_little_endian),
		cmocka_unit_test(what_follows_the_end_of_a_text_is_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
