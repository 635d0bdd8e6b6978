/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_files.c - files stay open, and nobody takes the room of others. */
#include "profile/lines/files.h"

#include <cgtopdown/profile_abi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"

static struct ctd_line_files files;

static int begin(void **state)
{
	(void)state;
	files = (struct ctd_line_files){.open_max = 4};
	return 0;
}

static int end(void **state)
{
	(void)state;
	ctd_line_files_free(&files);
	return 0;
}

/* A file of its own. */
static uint64_t keep(uint64_t owner)
{
	autoclose int fd = memfd_create("x", MFD_CLOEXEC);
	uint64_t name;

	assert_int_equal(ctd_line_files_keep(&files, fd, "/x", owner, &name), 0);
	return name;
}

static bool is_open(uint64_t name, uint64_t owner)
{
	return ctd_line_files_place(&files, name, 0x1000, owner);
}

/* One that is sampled, too. */
static uint64_t keep_sampled(uint64_t owner)
{
	uint64_t name = keep(owner);

	assert_true(is_open(name, owner));
	return name;
}

static void a_place_names_file_and_address(void **state)
{
	uint64_t place;

	(void)state;
	keep_sampled(1);
	place = ctd_line_files_place(&files, keep(1), 0x12345, 1);
	assert_int_equal(CTD_FRAME_EXECUTABLE(place), 2);
	assert_int_equal(CTD_FRAME_ADDRESS(place), 0x12345);
	assert_int_equal(ctd_line_files_place(&files, 0, 0x12345, 1), 0);
}

/* The library of a process may be sampled first in another cgroup. */
static void a_file_is_of_the_cgroup_in_which_it_was_sampled_first(void **state)
{
	uint64_t name;

	(void)state;
	name = keep(1);
	assert_int_equal(files.files[0].owner->cgroup_id, 1);
	ctd_line_files_place(&files, name, 0x1000, 2);
	ctd_line_files_place(&files, name, 0x1000, 3);
	assert_int_equal(files.files[0].owner->cgroup_id, 2);
	assert_int_equal(files.owners.count, 1);
}

static void one_that_was_not_sampled_makes_room(void **state)
{
	uint64_t names[5];

	(void)state;
	for (uint64_t i = 0; i < 5; i++)
		names[i] = i == 1 || i == 2 ? keep(7) : keep_sampled(7);
	/* The oldest. */
	for (uint64_t i = 0; i < 5; i++)
		assert_int_equal(is_open(names[i], 7), i != 1);
	assert_int_equal(files.refused, 1);
	assert_int_equal(files.open_count, 4);
}

static void who_has_most_makes_room(void **state)
{
	uint64_t other, many[8];

	(void)state;
	other = keep_sampled(100);
	for (uint64_t i = 0; i < 8; i++)
		many[i] = keep_sampled(200);
	assert_true(is_open(other, 100));
	assert_true(is_open(many[0], 200));
	assert_true(is_open(keep(300), 300));
	assert_true(is_open(other, 100));
	/* A number that stacks have is no other file's. */
	assert_int_not_equal(many[7] & 0xffff, many[6] & 0xffff);
	assert_int_equal(files.open_count, 4);
}

/* Nor does a process that maps file after file take the room of what others will be sampled in. */
static void what_is_mapped_takes_the_room_of_its_own_cgroup(void **state)
{
	uint64_t library = keep(100), name = 0;

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		name = keep(200);
	assert_true(is_open(library, 100));
	assert_true(is_open(name, 200));
	/* Their numbers were given again. */
	assert_int_equal(files.numbers, 4);
	assert_in_range(files.count, 4, 5);
}

static void a_number_is_given_again_when_no_stack_has_it(void **state)
{
	uint64_t first = keep_sampled(200), name = first;

	(void)state;
	for (uint64_t i = 0; i < 8; i++)
		name = keep_sampled(200);
	assert_int_equal(files.numbers, 9);
	ctd_line_files_end_set(&files);
	assert_int_equal(files.numbers, 4);
	assert_true(is_open(first, 200));
	/* The name of a file that was forgotten does not stand for the file that has its number now.
	 */
	for (uint64_t i = 0; i < 8; i++)
		keep_sampled(200);
	assert_false(is_open(name, 200));
	assert_true(files.count <= 12);
}

/* As many as one has had. */
static void there_are_numbers_left_for_others(void **state)
{
	uint64_t name;

	(void)state;
	/* All but a hundred are of cgroups that are not seen here. */
	files.numbers = CTD_LINE_NUMBERS_MAX - 100;
	while ((name = keep(200)))
		ctd_line_files_place(&files, name, 0x1000, 200);
	assert_int_equal(files.numbers, CTD_LINE_NUMBERS_MAX - 50);
	/* What has no number takes no room either. */
	assert_int_equal(files.open_count, 4);
	assert_int_equal(files.refused, 50 - 4 + 1);
	assert_true(is_open(keep(100), 100));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_place_names_file_and_address),
		TEST(a_file_is_of_the_cgroup_in_which_it_was_sampled_first),
		TEST(one_that_was_not_sampled_makes_room),
		TEST(who_has_most_makes_room),
		TEST(what_is_mapped_takes_the_room_of_its_own_cgroup),
		TEST(a_number_is_given_again_when_no_stack_has_it),
		TEST(there_are_numbers_left_for_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
