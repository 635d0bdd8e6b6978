/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_kept.c - what was kept is read again, and a file that is not whole is none. */
#include "serve/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char directory[] = "/tmp/ctd-kept-XXXXXX";
static struct ctd_kept kept;

static int begin(void **state)
{
	(void)state;
	strcpy(directory + sizeof(directory) - 7, "XXXXXX");
	assert_non_null(mkdtemp(directory));
	return ctd_kept_open(directory, "name", &kept);
}

static int end(void **state)
{
	char command[64];

	(void)state;
	ctd_kept_close(&kept);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	return system(command);
}

static void reopen(void)
{
	ctd_kept_close(&kept);
	assert_int_equal(ctd_kept_open(directory, "name", &kept), 0);
}

static void expect(const char *wanted)
{
	void *bytes;
	size_t count;

	reopen();
	assert_int_equal(ctd_kept_read(&kept, &bytes, &count), 0);
	assert_int_equal(count, strlen(wanted));
	assert_memory_equal(bytes, wanted, count);
	free(bytes);
}

static char *path_of(int bank)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/name.%d", directory, bank);
	return path;
}

static void the_newest_is_read_however_many_there_were(void **state)
{
	void *bytes;
	size_t count;

	(void)state;
	assert_int_equal(ctd_kept_read(&kept, &bytes, &count), -ENOENT);
	assert_int_equal(ctd_kept_write(&kept, "one, which is longer", 20), 0);
	expect("one, which is longer");
	assert_int_equal(ctd_kept_write(&kept, "two", 3), 0);
	expect("two");
	assert_int_equal(ctd_kept_write(&kept, "three", 5), 0);
	expect("three");
	assert_int_equal(ctd_kept_write(&kept, "", 0), 0);
	expect("");
}

/* A process that is killed while it writes leaves a part of the file: at each byte. */
static void a_file_that_was_not_written_to_its_end_leaves_the_one_before(void **state)
{
	struct stat whole;

	(void)state;
	assert_int_equal(ctd_kept_write(&kept, "before", 6), 0);
	assert_int_equal(ctd_kept_write(&kept, "after", 5), 0);
	assert_int_equal(stat(path_of(0), &whole), 0);
	for (off_t bytes = whole.st_size - 1; bytes >= 0; bytes--) {
		assert_int_equal(truncate(path_of(0), bytes), 0);
		expect("before");
	}
	/* And the next one takes the place of the part. */
	assert_int_equal(ctd_kept_write(&kept, "again", 5), 0);
	expect("again");
}

static void a_changed_byte_is_seen_wherever_it_is(void **state)
{
	struct stat whole;
	void *bytes;
	size_t count;

	(void)state;
	assert_int_equal(ctd_kept_write(&kept, "figures", 7), 0);
	assert_int_equal(stat(path_of(1), &whole), 0);
	for (off_t at = 0; at < whole.st_size; at++) {
		int fd = open(path_of(1), O_RDWR);
		char byte;

		assert_int_equal(pread(fd, &byte, 1, at), 1);
		byte ^= 1;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		reopen();
		assert_int_equal(ctd_kept_read(&kept, &bytes, &count), -EBADMSG);
		byte ^= 1;
		assert_int_equal(pwrite(fd, &byte, 1, at), 1);
		close(fd);
	}
	expect("figures");
}

static void a_second_process_is_kept_out_and_a_link_is_not_followed(void **state)
{
	struct ctd_kept second;

	(void)state;
	assert_int_equal(ctd_kept_open(directory, "name", &second), -EWOULDBLOCK);
	assert_int_equal(ctd_kept_open("/nowhere", "name", &second), -ENOENT);
	ctd_kept_close(&kept);
	assert_int_equal(unlink(path_of(0)), 0);
	assert_int_equal(symlink("/tmp/elsewhere", path_of(0)), 0);
	assert_int_equal(ctd_kept_open(directory, "name", &second), -ELOOP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_newest_is_read_however_many_there_were, begin,
						end),
		cmocka_unit_test_setup_teardown(
			a_file_that_was_not_written_to_its_end_leaves_the_one_before, begin, end),
		cmocka_unit_test_setup_teardown(a_changed_byte_is_seen_wherever_it_is, begin, end),
		cmocka_unit_test_setup_teardown(
			a_second_process_is_kept_out_and_a_link_is_not_followed, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
