/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_keeper.c - a history stays within its size, grows coarser with age, and loses nothing that
 * it need not. */
#include "serve/history/keeper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../history/folder.h"
#include "../../history/foreign.h"
#include "../../history/made.h"
#include "base/auto.h"
#include "base/log.h"
#include "history/segment.h"

#define CGROUPS 8
#define BYTES_MAX ((uint64_t)1 << 20)

struct world {
	char path[FOLDER_PATH_BYTES];
	struct ctd_keeper keeper;
	uint64_t second; /* the last one that was appended */
	struct made_sum sum;
};

static void world_open(struct world *world, uint64_t bytes_max)
{
	*world = (struct world){};
	folder_make(world->path);
	ctd_log_set_level(CTD_LOG_ERROR);
	ctd_keeper_init(world->path, bytes_max, &world->keeper);
}

static void world_close(struct world *world)
{
	ctd_keeper_close(&world->keeper);
	folder_remove(world->path);
}

/* Appends a segment of so many seconds, in chunks of one interval. @return the last error. */
static int append(struct world *world, uint64_t seconds)
{
	const struct ctd_record_header header = made_header();
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};
	int error;

	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	for (uint64_t i = 0; i < seconds; i++) {
		struct ctd_interval interval = made_interval(++world->second, CGROUPS);

		assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
		error = ctd_keeper_append(&world->keeper, !i, 1,
					  interval.realtime_ns - interval.window_ns,
					  interval.realtime_ns, text.text, text.bytes);
		if (!error)
			made_add(&world->sum, &interval);
		ctd_interval_free(&interval);
		if (!error)
			text.bytes = 0;
	}
	ctd_segment_end(&writer);
	ctd_strbuf_free(&text);
	return error;
}

/* What a reader finds. */
struct found {
	struct made_sum sum;
	uint64_t bytes,
		longest_ns[2]; /* of intervals in the newest fiftieth and in the rest of the time */
	size_t parts;
};

static void read_part(int fd, struct found *found, uint64_t now_ns)
{
	struct ctd_segment_damage damage;
	struct ctd_segment_reader reader;
	struct ctd_record_interval coded;
	struct ctd_strbuf data = {0};

	assert_int_equal(ctd_part_read(fd, &data), 0);
	assert_int_equal(ctd_segment_open(data.text, data.bytes, NULL, &reader, &damage), 0);
	while (ctd_segment_next(&reader, &coded) > 0) {
		struct ctd_interval interval;
		int old;

		assert_int_equal(ctd_segment_decode(&reader, &coded, &interval), 0);
		old = 50 * (now_ns - interval.realtime_ns) > now_ns - MADE_BEGIN_NS;
		if (interval.window_ns > found->longest_ns[old])
			found->longest_ns[old] = interval.window_ns;
		made_add(&found->sum, &interval);
		ctd_interval_free(&interval);
	}
	ctd_segment_close(&reader);
	ctd_strbuf_free(&data);
}

static struct found find(const struct world *world)
{
	autoclose int directory_fd = open(world->path, O_RDONLY | O_DIRECTORY);
	struct found found = {0};
	struct ctd_part *parts;
	size_t count;

	assert_int_equal(ctd_parts_list(directory_fd, &parts, &count), 0);
	for (size_t i = 0; i < count; i++) {
		char name[CTD_PART_NAME_BYTES];
		autoclose int fd = -1;

		if (parts[i].covered)
			continue;
		ctd_part_name(&parts[i], name);
		fd = openat(directory_fd, name, O_RDONLY);
		assert_true(fd >= 0);
		read_part(fd, &found, MADE_BEGIN_NS + world->second * MADE_S);
		found.bytes += parts[i].bytes;
		found.parts++;
	}
	free(parts);
	return found;
}

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

/* Killed after the new part was there and before the old ones were away. */
static void what_a_killed_writer_left_twice_counts_once(void **state)
{
	struct world world;
	struct found found;
	char from[160], to[160];
	uint32_t boot = ctd_part_boot();

	(void)state;
	srandom(6);
	world_open(&world, BYTES_MAX);
	assert_int_equal(append(&world, 30), 0);
	assert_int_equal(append(&world, 30), 0);
	ctd_keeper_close(&world.keeper);
	snprintf(from, sizeof(from), "%s/%08x-00000001-00000001-1s.ctdrec", world.path, boot);
	snprintf(to, sizeof(to), "%s/%08x-00000001-00000001-10s.ctdrec", world.path, boot);
	assert_int_equal(link(from, to), 0);
	snprintf(to, sizeof(to), "%s/new.tmp", world.path);
	assert_int_equal(link(from, to), 0);
	found = find(&world);
	assert_memory_equal(&found.sum, &world.sum, sizeof(found.sum));
	assert_int_equal(ctd_keeper_open(&world.keeper), 0);
	assert_int_equal(access(from, F_OK), -1);
	assert_int_equal(access(to, F_OK), -1);
	/* It goes on where the other ended. */
	assert_int_equal(append(&world, 30), 0);
	found = find(&world);
	assert_int_equal(found.parts, 3);
	assert_memory_equal(&found.sum, &world.sum, sizeof(found.sum));
	world_close(&world);
}

/* A file of another version, and one that is none: left, not counted, and serve goes on. */
static void what_cannot_be_read_is_left_alone(void **state)
{
	struct world world;
	char path[160];
	struct stat status;
	FILE *file;

	(void)state;
	srandom(7);
	world_open(&world, (uint64_t)64 << 10);
	snprintf(path, sizeof(path), "%s/0badcafe-00000001-00000001-1s.ctdrec", world.path);
	file = fopen(path, "w");
	assert_non_null(file);
	fwrite(CTD_RECORD_MAGIC "\377\0\0", 12, 1, file);
	for (int i = 0; i < 100000; i++)
		fputc('x', file);
	fclose(file);
	for (int i = 0; i < 40; i++)
		assert_int_equal(append(&world, 10), 0);
	assert_int_equal(stat(path, &status), 0);
	assert_int_equal(status.st_size, 100012);
	assert_true(world.keeper.bytes <= 64 << 10);
	assert_int_equal(unlink(path), 0);
	world_close(&world);
}

/* Writes a segment whose intervals are blocks of @p type as part number @p number. @return it. */
static struct ctd_strbuf write_foreign(const struct world *world, uint32_t number, uint32_t type,
				       char ret_path[160])
{
	const struct ctd_record_header header = made_header();
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};
	FILE *file;

	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	for (uint64_t second = 1; second <= 10; second++) {
		struct ctd_interval interval = made_interval(second, CGROUPS);

		assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
		ctd_interval_free(&interval);
	}
	ctd_segment_end(&writer);
	foreign_make(&text, type);
	snprintf(ret_path, 160, "%s/0badcafe-%08u-%08u-1s.ctdrec", world->path, number, number);
	file = fopen(ret_path, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(text.text, 1, text.bytes, file), text.bytes);
	assert_int_equal(fclose(file), 0);
	return text;
}

static void expect_file(const char *path, const struct ctd_strbuf *text)
{
	autoclose int fd = open(path, O_RDONLY);
	struct ctd_strbuf data = {0};

	assert_true(fd >= 0);
	assert_int_equal(ctd_part_read(fd, &data), 0);
	assert_int_equal(data.bytes, text->bytes);
	assert_memory_equal(data.text, text->text, text->bytes);
	ctd_strbuf_free(&data);
}

/* Header and plan are as ours, and the intervals are not: an upgrade, and a step back from one. */
static void what_another_version_wrote_is_left_alone(void **state)
{
	static const uint32_t types[2] = {FOREIGN_OLDER, FOREIGN_NEWER};
	struct ctd_strbuf texts[2];
	char paths[2][160];
	struct world world;

	(void)state;
	srandom(11);
	world_open(&world, (uint64_t)64 << 10);
	for (uint32_t i = 0; i < 2; i++)
		texts[i] = write_foreign(&world, i + 1, types[i], paths[i]);
	assert_int_equal(ctd_keeper_open(&world.keeper), 0);
	assert_true(world.keeper.parts[0].left && world.keeper.parts[1].left);
	assert_int_equal(world.keeper.bytes, 0);
	for (int i = 0; i < 40; i++)
		assert_int_equal(append(&world, 10), 0);
	for (int i = 0; i < 2; i++) {
		expect_file(paths[i], &texts[i]);
		assert_int_equal(unlink(paths[i]), 0);
		ctd_strbuf_free(&texts[i]);
	}
	assert_true(find(&world).bytes == world.keeper.bytes);
	world_close(&world);
}

/* Of two keepers one waits until the other has ended. */
static void two_do_not_write_at_once(void **state)
{
	struct ctd_keeper second;
	struct world world;

	(void)state;
	world_open(&world, BYTES_MAX);
	assert_int_equal(append(&world, 3), 0);
	ctd_keeper_init(world.path, BYTES_MAX, &second);
	assert_int_equal(ctd_keeper_open(&second), -EBUSY);
	ctd_keeper_close(&world.keeper);
	assert_int_equal(ctd_keeper_open(&second), 0);
	ctd_keeper_close(&second);
	world_close(&world);
}

/* The path of the only part that @p world begins with. */
static void make_first_part(struct world *world, char ret_path[160])
{
	world_open(world, (uint64_t)64 << 10);
	assert_int_equal(append(world, 10), 0);
	snprintf(ret_path, 160, "%s/%08x-00000001-00000001-1s.ctdrec", world->path,
		 ctd_part_boot());
	assert_int_equal(access(ret_path, F_OK), 0);
}

static void goes_on_within_the_size(struct world *world)
{
	for (int i = 0; i < 40; i++)
		assert_int_equal(append(world, 10), 0);
	assert_true(world->keeper.bytes <= 64 << 10);
	assert_true(find(world).bytes == world->keeper.bytes);
}

/* By hand, while serve runs. */
static void a_part_that_was_removed_is_forgotten(void **state)
{
	struct world world;
	char path[160];

	(void)state;
	srandom(8);
	make_first_part(&world, path);
	assert_int_equal(unlink(path), 0);
	goes_on_within_the_size(&world);
	world_close(&world);
}

/* A directory can be opened as the file was, and not be read: so is a file on a bad disk. */
static void a_part_on_a_bad_disk_is_left_alone(void **state)
{
	struct world world;
	char path[160];

	(void)state;
	srandom(9);
	make_first_part(&world, path);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkdir(path, 0700), 0);
	goes_on_within_the_size(&world);
	assert_int_equal(rmdir(path), 0);
	world_close(&world);
}

/* What is open is the old directory: nothing can be made in it. */
static void a_directory_that_was_replaced_is_opened_anew(void **state)
{
	struct world world;
	char path[160];

	(void)state;
	srandom(10);
	make_first_part(&world, path);
	folder_remove(world.path);
	assert_int_equal(append(&world, 1), -ENOENT);
	assert_int_equal(append(&world, 1), -ENOENT);
	assert_int_equal(mkdir(world.path, 0700), 0);
	assert_int_equal(append(&world, 10), 0);
	assert_int_equal(find(&world).parts, 1);
	world_close(&world);
}

/* Each try reads and adds up a part: not with each interval. */
static void room_that_cannot_be_made_is_tried_for_again_later(void **state)
{
	struct world world;
	char path[160];

	(void)state;
	srandom(14);
	make_first_part(&world, path);
	/* Where a coarser part is to be written. */
	snprintf(path, sizeof(path), "%s/new.tmp", world.path);
	assert_int_equal(mkdir(path, 0700), 0);
	while (!world.keeper.stuck)
		assert_int_equal(append(&world, 1), 0);
	assert_int_equal(rmdir(path), 0);
	for (int i = 1; i < 10; i++)
		assert_int_equal(append(&world, 1), 0);
	assert_int_equal(world.keeper.stuck, -EISDIR);
	assert_true(world.keeper.bytes > world.keeper.bytes_max);
	assert_int_equal(append(&world, 1), 0);
	assert_int_equal(world.keeper.stuck, 0);
	assert_true(world.keeper.bytes <= world.keeper.bytes_max);
	assert_true(find(&world).bytes == world.keeper.bytes);
	world_close(&world);
}

static void a_place_that_cannot_be_written_is_said_and_tried_again(void **state)
{
	struct world world;

	(void)state;
	world_open(&world, BYTES_MAX);
	world.keeper.path = "/dev/null/history";
	assert_int_equal(append(&world, 3), -ENOTDIR);
	world.keeper.path = world.path;
	assert_int_equal(append(&world, 3), 0);
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
		cmocka_unit_test(what_a_killed_writer_left_twice_counts_once),
		cmocka_unit_test(what_cannot_be_read_is_left_alone),
		cmocka_unit_test(what_another_version_wrote_is_left_alone),
		cmocka_unit_test(a_part_that_was_removed_is_forgotten),
		cmocka_unit_test(a_part_on_a_bad_disk_is_left_alone),
		cmocka_unit_test(a_directory_that_was_replaced_is_opened_anew),
		cmocka_unit_test(two_do_not_write_at_once),
		cmocka_unit_test(room_that_cannot_be_made_is_tried_for_again_later),
		cmocka_unit_test(a_place_that_cannot_be_written_is_said_and_tried_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
