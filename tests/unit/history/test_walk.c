/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_walk.c - what cannot be read of a history is told, and all else is read. */
#include "history/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "folder.h"
#include "foreign.h"
#include "history/segment.h"
#include "made.h"

#define PARTS 3
#define NOBODY 65534

static int told;
static char told_name[CTD_PART_NAME_BYTES];

static bool told_read_on;
static uint64_t told_bytes;

static void count_damage(const char *name, const char *why, bool read_on, uint64_t lost_bytes)
{
	assert_true(*why);
	told_read_on = read_on;
	told_bytes = lost_bytes;
	snprintf(told_name, sizeof(told_name), "%s", name);
	told++;
}

static void part_name(uint32_t number, char ret_name[CTD_PART_NAME_BYTES])
{
	ctd_part_name(&(struct ctd_part){.boot = 7, .first = number, .last = number, .step_s = 1},
		      ret_name);
}

static void write_file(int directory_fd, uint32_t number, const struct ctd_strbuf *text)
{
	char name[CTD_PART_NAME_BYTES];
	autoclose int fd = -1;

	part_name(number, name);
	fd = openat(directory_fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	assert_int_equal(write(fd, text->text, text->bytes), text->bytes);
}

/* @p type: of the blocks of its intervals. */
static void write_part_of(int directory_fd, uint32_t number, uint32_t type)
{
	const struct ctd_record_header header = made_header();
	struct ctd_interval interval = made_interval(number, 3);
	auto_ctd_strbuf struct ctd_strbuf text = {0};
	struct ctd_segment_writer writer = {0};

	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
	foreign_make(&text, type);
	write_file(directory_fd, number, &text);
	ctd_segment_end(&writer);
	ctd_interval_free(&interval);
}

static void write_part(int directory_fd, uint32_t number)
{
	write_part_of(directory_fd, number, CTD_RECORD_TYPE_INTERVAL);
}

/* @return the descriptor of a directory of three parts, one interval each. */
static int make_parts(char path[FOLDER_PATH_BYTES])
{
	int fd;

	told = 0;
	folder_make(path);
	assert_int_equal(chmod(path, 0755), 0);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	for (uint32_t number = 1; number <= PARTS; number++)
		write_part(fd, number);
	return fd;
}

/* A segment of three intervals of one chain, where these begin, and where the last one ends. */
static void make_chain(struct ctd_strbuf *text, size_t ret_begins[4])
{
	const struct ctd_record_header header = made_header();
	struct ctd_segment_writer writer = {0};

	assert_int_equal(ctd_segment_begin(&writer, &header, text), 0);
	for (uint64_t i = 0; i < 3; i++) {
		struct ctd_interval interval = made_interval(10 + i, 3);

		ret_begins[i] = text->bytes;
		assert_int_equal(ctd_segment_write_interval(&writer, &interval), 0);
		ctd_interval_free(&interval);
	}
	ret_begins[3] = text->bytes;
	ctd_segment_end(&writer);
}

static struct ctd_walk new_walk(void)
{
	return (struct ctd_walk){.until_ns = UINT64_MAX, .damaged = count_damage};
}

/* @return how many intervals there were. */
static int read_all(struct ctd_walk *walk)
{
	struct ctd_interval interval;
	int item, count = 0;

	while ((item = ctd_walk_next(walk, &interval)) > 0)
		if (item == CTD_WALK_INTERVAL) {
			ctd_interval_free(&interval);
			count++;
		}
	assert_int_equal(item, CTD_WALK_END);
	return count;
}

static void is_told_of(uint32_t number)
{
	char name[CTD_PART_NAME_BYTES];

	part_name(number, name);
	assert_false(told_read_on);
	assert_int_equal(told, 1);
	assert_string_equal(told_name, name);
}

/* As nobody, who may not read what others forbid. */
static int open_as_nobody(const char *path, struct ctd_walk *walk)
{
	bool is_root = !geteuid();
	int error;

	if (is_root)
		assert_int_equal(seteuid(NOBODY), 0);
	error = ctd_walk_open(path, walk);
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	return error;
}

static void a_file_that_cannot_be_opened_is_told_and_passed_over(void **state)
{
	struct ctd_walk walk = new_walk();
	char path[FOLDER_PATH_BYTES], name[CTD_PART_NAME_BYTES];
	autoclose int fd = make_parts(path);

	(void)state;
	part_name(2, name);
	assert_int_equal(fchmodat(fd, name, 0, 0), 0);
	assert_int_equal(open_as_nobody(path, &walk), 0);
	is_told_of(2);
	assert_int_equal(read_all(&walk), PARTS - 1);
	assert_int_equal(told, 1);
	ctd_walk_close(&walk);
	folder_remove(path);
}

/* Whoever may read none of them is not told that there is nothing. */
static void where_no_file_can_be_opened_that_is_said(void **state)
{
	struct ctd_walk walk = new_walk();
	char path[FOLDER_PATH_BYTES], name[CTD_PART_NAME_BYTES];
	autoclose int fd = make_parts(path);

	(void)state;
	for (uint32_t number = 1; number <= PARTS; number++) {
		part_name(number, name);
		assert_int_equal(fchmodat(fd, name, 0, 0), 0);
	}
	assert_int_equal(open_as_nobody(path, &walk), -EACCES);
	ctd_walk_close(&walk);
	folder_remove(path);
}

/* A directory in the place of the open file: as of a bad disk, nothing can be read of it. */
static void a_file_that_cannot_be_read_is_told_and_passed_over(void **state)
{
	struct ctd_walk walk = new_walk();
	char path[FOLDER_PATH_BYTES];
	autoclose int fd = make_parts(path);

	(void)state;
	assert_int_equal(ctd_walk_open(path, &walk), 0);
	assert_int_equal(told, 0);
	assert_int_equal(dup2(fd, walk.fds[1]), walk.fds[1]);
	assert_int_equal(read_all(&walk), PARTS - 1);
	is_told_of(2);
	ctd_walk_close(&walk);
	folder_remove(path);
}

static void a_file_of_another_version_is_told_and_passed_over(void **state)
{
	static const uint32_t types[] = {FOREIGN_OLDER, FOREIGN_NEWER};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct ctd_walk walk = new_walk();
		char path[FOLDER_PATH_BYTES];
		autoclose int fd = make_parts(path);

		write_part_of(fd, 2, types[i]);
		assert_int_equal(ctd_walk_open(path, &walk), 0);
		assert_int_equal(read_all(&walk), PARTS - 1);
		is_told_of(2);
		ctd_walk_close(&walk);
		folder_remove(path);
	}
}

/* What was hit, and what followed it and needs it. Where that is all, it is said. */
static void damage_is_told_with_all_that_it_costs(void **state)
{
	(void)state;
	for (int hit = 0; hit < 2; hit++) {
		struct ctd_strbuf text = {0};
		size_t begins[4];
		char path[FOLDER_PATH_BYTES];
		autoclose int fd = make_parts(path);
		struct ctd_walk walk = new_walk();

		make_chain(&text, begins);
		text.text[begins[hit] + CTD_RECORD_HEAD_BYTES] ^= 1;
		/* Its writer was killed besides. */
		ctd_strbuf_add_bytes(&text, "begin", 5);
		write_file(fd, 2, &text);
		assert_int_equal(ctd_walk_open(path, &walk), 0);
		assert_int_equal(read_all(&walk), PARTS - 1 + hit);
		assert_int_equal(told, 1);
		assert_int_equal(told_read_on, hit);
		/* What follows is counted without its head and checksum, with the five at the end. */
		assert_int_equal(told_bytes, hit ? begins[3] - begins[1] - CTD_RECORD_HEAD_BYTES -
							     CTD_RECORD_CRC_BYTES + 5
						 : 0);
		ctd_walk_close(&walk);
		ctd_strbuf_free(&text);
		folder_remove(path);
	}
}

/* The later one of the two ends before the first one begins. */
static void what_was_counted_after_a_clock_went_back_is_found(void **state)
{
	const struct ctd_record_header header = made_header();
	struct ctd_interval intervals[2] = {made_interval(5000, 3), made_interval(1000, 3)};
	struct ctd_segment_writer writer = {0};
	struct ctd_strbuf text = {0};
	char path[FOLDER_PATH_BYTES];
	autoclose int fd = -1;

	(void)state;
	told = 0;
	folder_make(path);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	assert_int_equal(ctd_segment_begin(&writer, &header, &text), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(ctd_segment_write_interval(&writer, &intervals[i]), 0);
	ctd_segment_end(&writer);
	write_file(fd, 1, &text);
	for (int i = 0; i < 2; i++) {
		struct ctd_walk walk = new_walk();

		walk.since_ns = intervals[i].realtime_ns - MADE_S;
		walk.until_ns = intervals[i].realtime_ns;
		assert_int_equal(ctd_walk_open(path, &walk), 0);
		assert_int_equal(read_all(&walk), 1);
		assert_true(walk.begin_ns == intervals[1].realtime_ns - MADE_S &&
			    walk.end_ns == intervals[0].realtime_ns);
		ctd_walk_close(&walk);
	}
	for (int i = 0; i < 2; i++)
		ctd_interval_free(&intervals[i]);
	assert_int_equal(told, 0);
	ctd_strbuf_free(&text);
	folder_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_cannot_be_opened_is_told_and_passed_over),
		cmocka_unit_test(where_no_file_can_be_opened_that_is_said),
		cmocka_unit_test(a_file_that_cannot_be_read_is_told_and_passed_over),
		cmocka_unit_test(a_file_of_another_version_is_told_and_passed_over),
		cmocka_unit_test(damage_is_told_with_all_that_it_costs),
		cmocka_unit_test(what_was_counted_after_a_clock_went_back_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
