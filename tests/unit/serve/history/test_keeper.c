/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_keeper.c - a history stays within its size, and grows coarser with age. */
#include "serve/history/keeper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "kept.h"

/* What is not of this boot. */
static void remove_foreign(const struct world *world)
{
	autoclose int directory_fd = open(world->path, O_RDONLY | O_DIRECTORY);
	struct ctd_part *parts;
	size_t count;

	assert_int_equal(ctd_parts_list(directory_fd, &parts, &count), 0);
	for (size_t i = 0; i < count; i++) {
		char name[CTD_PART_NAME_BYTES];

		if (parts[i].boot != 0x0badcafe)
			continue;
		ctd_part_name(&parts[i], name);
		assert_int_equal(unlinkat(directory_fd, name, 0), 0);
	}
	free(parts);
}

static void what_fits_stays_as_it_was(void **state)
{
	struct world world;
	struct found found;

	(void)state;
	srandom(3);
	world_open(&world, BYTES_MAX);
	for (int i = 0; i < 10; i++)
		assert_int_equal(append(&world, 20), 0);
	found = find(&world);
	assert_memory_equal(&found.sum, &world.sum, sizeof(found.sum));
	assert_int_equal(found.parts, 10);
	assert_true(found.longest_ns[1] == MADE_S);
	world_close(&world);
}

/* Some hours of seconds, of which no slot is lost while steps can be made longer. */
static void older_times_grow_coarser_within_the_size(void **state)
{
	struct world world;
	struct found found;

	(void)state;
	srandom(4);
	world_open(&world, BYTES_MAX);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(append(&world, 60), 0);
		assert_true(world.keeper.bytes <= BYTES_MAX);
	}
	found = find(&world);
	assert_true(found.bytes == world.keeper.bytes && found.bytes > BYTES_MAX / 2);
	assert_memory_equal(&found.sum, &world.sum, sizeof(found.sum));
	assert_true(found.longest_ns[0] == MADE_S);
	assert_true(found.longest_ns[1] >= 10 * MADE_S);
	world_close(&world);
}

/* Files grow with the size, so that it is the limit, and not their number: those that were put
 * together have half a segment or more. */
static void the_largest_size_has_room_in_as_many_files_as_there_may_be(void **state)
{
	(void)state;
	for (uint64_t mb = 1; mb <= CTD_KEEPER_MB_MAX; mb++) {
		uint64_t bytes = mb * 1000000, segment = ctd_keeper_segment_bytes(bytes);

		assert_true(bytes / segment <= CTD_KEEPER_PARTS_MAX / 2);
		assert_in_range(segment, 64 << 10, 40000000);
	}
}

/* Others' files, more than there may be of ours. */
static void files_that_are_left_take_no_place_from_ours(void **state)
{
	struct world world;
	struct found found;

	(void)state;
	srandom(12);
	world_open(&world, BYTES_MAX);
	for (uint32_t number = 1; number <= CTD_KEEPER_PARTS_MAX; number++) {
		char path[160];
		FILE *file;

		snprintf(path, sizeof(path), "%s/0badcafe-%08u-%08u-1s.ctdrec", world.path, number,
			 number);
		file = fopen(path, "w");
		assert_non_null(file);
		fputs("not ours", file);
		fclose(file);
	}
	for (int i = 0; i < 5; i++)
		assert_int_equal(append(&world, 20), 0);
	remove_foreign(&world);
	found = find(&world);
	assert_int_equal(found.parts, 5);
	assert_true(found.longest_ns[1] == MADE_S);
	world_close(&world);
}

/* Each serve begins a file, and some begin often. */
static void many_small_files_are_put_together(void **state)
{
	struct world world;
	struct found found;

	(void)state;
	srandom(13);
	world_open(&world, BYTES_MAX);
	for (int i = 0; i <= CTD_KEEPER_PARTS_MAX + 20; i++)
		assert_int_equal(append(&world, 2), 0);
	found = find(&world);
	assert_in_range(found.parts, 2, CTD_KEEPER_PARTS_MAX);
	assert_memory_equal(&found.sum, &world.sum, sizeof(found.sum));
	assert_true(found.longest_ns[0] == MADE_S);
	world_close(&world);
}

/* A clock that was three days ahead for a while: what was counted then is as old as it is. */
static void what_a_clock_ahead_dated_grows_coarser_in_its_turn(void **state)
{
	const struct ctd_part *part;
	struct world world;

	(void)state;
	srandom(15);
	world_open(&world, (uint64_t)64 << 10);
	world.second = 300000;
	for (int i = 0; i < 8; i++)
		assert_int_equal(append(&world, 10), 0);
	world.second = 0;
	for (int i = 0; i < 200; i++)
		assert_int_equal(append(&world, 10), 0);
	/* The first eight. */
	for (part = world.keeper.parts; part < world.keeper.parts + world.keeper.parts_count;
	     part++)
		assert_true(part->first > 8 || part->step_s > 1);
	assert_int_equal(part[-2].step_s, 1);
	world_close(&world);
}

static void the_oldest_goes_at_last(void **state)
{
	struct world world;
	struct found found;

	(void)state;
	srandom(5);
	world_open(&world, (uint64_t)64 << 10);
	for (int i = 0; i < 300; i++) {
		assert_int_equal(append(&world, 10), 0);
		world.second += 20000;
	}
	found = find(&world);
	assert_true(found.bytes <= 64 << 10);
	assert_true(found.sum.window_ns < world.sum.window_ns);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_stays_as_it_was),
		cmocka_unit_test(older_times_grow_coarser_within_the_size),
		cmocka_unit_test(the_largest_size_has_room_in_as_many_files_as_there_may_be),
		cmocka_unit_test(files_that_are_left_take_no_place_from_ours),
		cmocka_unit_test(many_small_files_are_put_together),
		cmocka_unit_test(what_a_clock_ahead_dated_grows_coarser_in_its_turn),
		cmocka_unit_test(the_oldest_goes_at_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
