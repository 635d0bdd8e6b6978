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

/* A file of its own, sampled in a cgroup; 0: not sampled. */
static uint32_t keep(uint64_t owner)
{
	autoclose int fd = memfd_create("x", MFD_CLOEXEC);
	uint32_t number;

	assert_int_equal(ctd_line_files_keep(&files, fd, "/x", &number), 0);
	if (owner)
		ctd_line_files_place(&files, number, 0x1000, owner);
	return number;
}

static bool is_open(uint32_t number)
{
	return files.files[number - 1].fd >= 0;
}

static void a_place_names_file_and_address(void **state)
{
	uint64_t place;

	(void)state;
	keep(1);
	place = ctd_line_files_place(&files, keep(1), 0x12345, 1);
	assert_int_equal(CTD_FRAME_EXECUTABLE(place), 2);
	assert_int_equal(CTD_FRAME_ADDRESS(place), 0x12345);
	assert_int_equal(ctd_line_files_place(&files, 0, 0x12345, 1), 0);
	assert_int_equal(files.files[1].owner, 1);
}

static void one_that_was_not_sampled_makes_room(void **state)
{
	uint32_t numbers[5];

	(void)state;
	for (uint64_t i = 0; i < 5; i++)
		numbers[i] = keep(i == 2 ? 0 : 7);
	for (uint64_t i = 0; i < 5; i++)
		assert_int_equal(is_open(numbers[i]), i != 2);
	assert_int_equal(files.refused, 1);
	assert_int_equal(files.open_count, 4);
}

static void who_has_most_makes_room(void **state)
{
	uint32_t other, many[8];

	(void)state;
	other = keep(100);
	for (uint64_t i = 0; i < 8; i++)
		many[i] = keep(200);
	assert_true(is_open(other));
	assert_true(is_open(many[0]));
	assert_true(is_open(keep(300)));
	assert_true(is_open(other));
	/* A number is no other file's later. */
	assert_int_not_equal(many[7], many[6]);
	assert_int_equal(files.open_count, 4);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(a_place_names_file_and_address),
		TEST(one_that_was_not_sampled_makes_room),
		TEST(who_has_most_makes_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
