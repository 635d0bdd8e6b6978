/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_keeper_faults.c - a history loses nothing that it need not, whatever becomes of its files. */
#include "serve/history/keeper.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../history/foreign.h"
#include "kept.h"

static struct {
	int count;
	char source[160]; /* has to be there the first time; "": none has */
} synced;

/* In the place of the library's: now the machine may lose its power. */
int fsync(int fd)
{
	struct stat status;

	assert_int_equal(fstat(fd, &status), 0);
	assert_true(S_ISDIR(status.st_mode));
	if (!synced.count++ && *synced.source)
		assert_int_equal(access(synced.source, F_OK), 0);
	return 0;
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

static void sources_go_when_the_name_of_what_was_made_of_them_is_on_the_disk(void **state)
{
	struct world world;

	(void)state;
	srandom(16);
	make_first_part(&world, synced.source);
	synced.count = 0;
	for (int i = 0; !synced.count && i < 100; i++)
		assert_int_equal(append(&world, 1), 0);
	assert_true(synced.count);
	assert_int_equal(access(synced.source, F_OK), -1);
	*synced.source = '\0';
	world_close(&world);
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
		cmocka_unit_test(what_a_killed_writer_left_twice_counts_once),
		cmocka_unit_test(what_cannot_be_read_is_left_alone),
		cmocka_unit_test(sources_go_when_the_name_of_what_was_made_of_them_is_on_the_disk),
		cmocka_unit_test(what_another_version_wrote_is_left_alone),
		cmocka_unit_test(two_do_not_write_at_once),
		cmocka_unit_test(a_part_that_was_removed_is_forgotten),
		cmocka_unit_test(a_part_on_a_bad_disk_is_left_alone),
		cmocka_unit_test(a_directory_that_was_replaced_is_opened_anew),
		cmocka_unit_test(room_that_cannot_be_made_is_tried_for_again_later),
		cmocka_unit_test(a_place_that_cannot_be_written_is_said_and_tried_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
