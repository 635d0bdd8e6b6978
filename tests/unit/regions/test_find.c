/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_find.c - memory that a program writes is copied whole, record by record. */
#include "offering.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/mman.h>

#include "base/auto.h"
#include "regions/find.h"
#include "regions/memory.h"

enum { CALM, BUSY, LAST, RECORDS };
#define CALM_SLOTS 4711
/* Two processors may take turns for some of them. */
#define COPIES 2000

static struct ctd_regions regions;
static struct ctd_regions_record *records;
static bool stops;

static int begin(void **state)
{
	static const char *const names[RECORDS] = {"calm", "busy", "last"};

	(void)state;
	if (ctd_regions_offer(&regions))
		return -1;
	records = (void *)(regions.header + 1);
	for (int i = 0; i < RECORDS; i++) {
		strcpy(records[i].name, names[i]);
		records[i].bank[0].totals.slots = CALM_SLOTS;
		records[i].state = CTD_REGIONS_TAKEN;
	}
	regions.header->records_count = RECORDS;
	stops = false;
	return 0;
}

static int end(void **state)
{
	(void)state;
	ctd_regions_withdraw(&regions);
	return 0;
}

/* As ctd_regions_publish(): each number has a bank in which all is that number. It writes without a
 * pause, as no program can. */
static void *write_banks(void *unused)
{
	struct ctd_regions_record *record = &records[BUSY];

	(void)unused;
	for (uint64_t number = 1; !__atomic_load_n(&stops, __ATOMIC_RELAXED); number++) {
		struct ctd_regions_totals *totals = &record->bank[number % 2].totals;

		__atomic_thread_fence(__ATOMIC_RELEASE);
		totals->measured = totals->lost = totals->slots = number;
		totals->measured_ns = totals->lost_ns = number;
		for (int i = 0; i < CTD_REGIONS_PARTS; i++)
			totals->part[i] = (int64_t)number;
		__atomic_store_n(&record->number, number, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* As none of ours does, but any may. */
static void *write_numbers(void *unused)
{
	(void)unused;
	while (!__atomic_load_n(&stops, __ATOMIC_RELAXED))
		__atomic_fetch_add(&records[BUSY].number, 1, __ATOMIC_RELEASE);
	return NULL;
}

static pthread_t begin_writing(void *(*write)(void *))
{
	pthread_t writer;

	assert_int_equal(pthread_create(&writer, NULL, write, NULL), 0);
	while (!__atomic_load_n(&records[BUSY].number, __ATOMIC_ACQUIRE))
		sched_yield();
	return writer;
}

static void end_writing(pthread_t writer)
{
	__atomic_store_n(&stops, true, __ATOMIC_RELAXED);
	pthread_join(writer, NULL);
}

/* All but the busy one are as they ever were. */
static struct ctd_region_copy copy_busy(void)
{
	autofree void *memory = NULL;
	struct ctd_region_copy copy, busy = {.restless = false};
	size_t bytes;

	assert_int_equal(ctd_region_file_copy(regions.fd, ctd_regions_bytes(), &memory, &bytes), 0);
	assert_int_equal(ctd_region_memory_count(memory, bytes), RECORDS);
	for (uint32_t at = 0; at < RECORDS; at++) {
		assert_int_equal(ctd_region_memory_read(memory, at, &copy), 0);
		assert_string_equal(copy.name, records[at].name);
		if (at == BUSY) {
			busy = copy;
			continue;
		}
		assert_false(copy.restless);
		assert_int_equal(copy.bank.totals.slots, CALM_SLOTS);
	}
	return busy;
}

static void what_is_read_while_it_changes_is_of_one_instant(void **state)
{
	pthread_t writer = begin_writing(write_banks);
	uint64_t before = 0;

	(void)state;
	for (int i = 0; i < COPIES; i++) {
		const struct ctd_region_copy copy = copy_busy();
		const struct ctd_regions_totals *totals = &copy.bank.totals;

		if (copy.restless)
			continue;
		assert_true(totals->slots >= before);
		assert_int_equal(totals->measured, totals->slots);
		assert_int_equal(totals->lost_ns, totals->slots);
		for (int n = 0; n < CTD_REGIONS_PARTS; n++)
			assert_int_equal(totals->part[n], totals->slots);
		before = totals->slots;
	}
	end_writing(writer);
	assert_true(before > 0);
}

static void one_that_never_rests_keeps_no_other_from_being_read(void **state)
{
	pthread_t writer = begin_writing(write_numbers);
	int restless = 0;

	(void)state;
	for (int i = 0; i < COPIES && restless < 3; i++)
		restless += copy_busy().restless;
	end_writing(writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_is_read_while_it_changes_is_of_one_instant,
						begin, end),
		cmocka_unit_test_setup_teardown(one_that_never_rests_keeps_no_other_from_being_read,
						begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
