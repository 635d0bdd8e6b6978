/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_memory.c - what another program had in its memory is read, or not believed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "regions/memory.h"

#define RECORDS 2

static struct {
	struct ctd_regions_header header;
	struct ctd_regions_record record[RECORDS];
} memory;

static char why[CTD_REGION_REFUSAL_BYTES];
static struct ctd_region_copy copy;

static int begin(void **state)
{
	(void)state;
	memset(&memory, 0, sizeof(memory));
	memcpy(memory.header.magic, CTD_REGIONS_MAGIC, sizeof(memory.header.magic));
	memory.header.version = CTD_REGIONS_VERSION;
	memory.header.header_bytes = sizeof(memory.header);
	memory.header.record_bytes = sizeof(memory.record[0]);
	memory.header.records_max = RECORDS;
	memory.header.records_count = 1;
	memory.header.pid = 12;
	memory.record[0].state = CTD_REGIONS_TAKEN;
	strcpy(memory.record[0].name, "parse");
	return 0;
}

static int check(size_t bytes)
{
	struct ctd_regions_header header = {0};
	int error = ctd_region_memory_check(&memory, bytes, &header, why);

	assert_int_equal(header.pid, error ? 0 : 12);
	return error;
}

static void other_memory_is_refused(void **state)
{
	const struct {
		uint32_t *member;
		int error;
		const char *says;
	} cases[] = {
		{&memory.header.header_bytes, -EBADMSG, "another size"},
		{&memory.header.record_bytes, -EBADMSG, "another size"},
		{&memory.header.records_max, -EBADMSG, "more records"},
	};

	assert_int_equal(check(sizeof(memory)), 0);
	assert_int_equal(check(sizeof(memory) - 1), -EBADMSG);
	assert_int_equal(check(sizeof(memory.header) - 1), -EBADMSG);
	assert_int_equal(check(0), -EBADMSG);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		++*cases[i].member;
		assert_int_equal(check(sizeof(memory)), cases[i].error);
		assert_non_null(strstr(why, cases[i].says));
		*cases[i].member = UINT32_MAX;
		assert_int_equal(check(sizeof(memory)), cases[i].error);
		begin(state);
	}
	memory.header.magic[7] = 'X';
	assert_int_equal(check(sizeof(memory)), -EBADMSG);
}

static void another_version_is_told(void **state)
{
	(void)state;
	memory.header.version = 7;
	/* Of which nothing else is known. */
	memory.header.record_bytes = 8;
	assert_int_equal(check(sizeof(memory)), -EPROTONOSUPPORT);
	assert_string_equal(
		why,
		"the layout is of version 7, and this cgtopdown reads 1: build the program with this one's regions.h");
}

static void there_are_never_more_records_than_there_is_room_for(void **state)
{
	(void)state;
	assert_int_equal(ctd_region_memory_count(&memory, sizeof(memory)), 1);
	memory.header.records_count = UINT32_MAX;
	memory.header.records_max = UINT32_MAX; /* it was checked before */
	assert_int_equal(ctd_region_memory_count(&memory, sizeof(memory)), RECORDS);
	assert_int_equal(ctd_region_memory_count(&memory, sizeof(memory) - 1), RECORDS - 1);
}

static void the_newest_bank_is_read(void **state)
{
	(void)state;
	memory.record[0].bank[0].totals.slots = 5;
	memory.record[0].bank[1].totals.slots = 7;
	for (uint64_t number = 0; number < 4; number++) {
		memory.record[0].number = number;
		assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), 0);
		assert_int_equal(copy.bank.totals.slots, number % 2 ? 7 : 5);
	}
	assert_string_equal(copy.name, "parse");
	memory.record[0].state = CTD_REGIONS_LEFT;
	assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), 0);
	assert_int_equal(ctd_region_memory_read(&memory, 1, &copy), -ENOENT);
}

static void what_no_program_of_ours_writes_is_not_believed(void **state)
{
	struct ctd_regions_bank *bank = &memory.record[0].bank[0];
	int64_t *const parts[] = {&bank->totals.part[0], &bank->totals.part[7],
				  &bank->totals.whole_slots};
	uint64_t *const totals[] = {&bank->totals.measured,	&bank->totals.lost,
				    &bank->totals.measured_ns,	&bank->totals.lost_ns,
				    &bank->totals.nodes_known,	&bank->totals.slots,
				    &bank->totals.rounded_slots};

	for (size_t i = 0; i < sizeof(totals) / sizeof(*totals); i++) {
		*totals[i] = UINT64_C(1) << 62;
		assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), -EBADMSG);
		begin(state);
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		*parts[i] = -(INT64_C(1) << 62);
		assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), -EBADMSG);
		*parts[i] = INT64_MAX;
		assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), -EBADMSG);
		*parts[i] = -5;
		assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), 0);
		begin(state);
	}
	memset(bank->why_lost, 'x', sizeof(bank->why_lost));
	assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), -EBADMSG);
	begin(state);
	memset(memory.record[0].name, 'x', sizeof(memory.record[0].name));
	assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), -EBADMSG);
	memory.record[0].name[0] = '\0';
	assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), -EBADMSG);
}

/* As copies have it: ctd_region_file_copy(). */
static void of_what_never_rests_the_name_is_known(void **state)
{
	(void)state;
	memory.record[0].state = CTD_REGION_RESTLESS;
	memory.record[0].bank[0].totals.slots = UINT64_MAX;
	assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), 0);
	assert_true(copy.restless);
	assert_string_equal(copy.name, "parse");
	memset(memory.record[0].name, 'x', sizeof(memory.record[0].name));
	assert_int_equal(ctd_region_memory_read(&memory, 0, &copy), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(other_memory_is_refused, begin),
		cmocka_unit_test_setup(another_version_is_told, begin),
		cmocka_unit_test_setup(there_are_never_more_records_than_there_is_room_for, begin),
		cmocka_unit_test_setup(the_newest_bank_is_read, begin),
		cmocka_unit_test_setup(what_no_program_of_ours_writes_is_not_believed, begin),
		cmocka_unit_test_setup(of_what_never_rests_the_name_is_known, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
