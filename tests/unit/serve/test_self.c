/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_self.c - what this process uses is what it uses. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "serve/self.h"

static void descriptors_are_counted_but_for_the_one_that_counts(void **state)
{
	struct ctd_self before = {}, after = {};
	struct rlimit files;
	int fd;

	(void)state;
	ctd_self_read(&before);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	ctd_self_read(&after);
	close(fd);
	assert_true(before.open_fds >= 3);
	assert_int_equal(after.open_fds, before.open_fds + 1);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	assert_int_equal(after.max_fds, files.rlim_cur);
}

/* Without a descriptor to look by, little is known, and nothing is what it was before. */
static void what_cannot_be_looked_at_is_not_known(void **state)
{
	struct ctd_self self = {};
	struct rlimit files, none;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = files.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	ctd_self_read(&self);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	/* Linux 6.2 says this without. */
	assert_true(self.open_fds == 0 || self.open_fds >= 3);
	assert_int_equal(self.resident_bytes, 0);
	assert_true(self.cpu_ns > 0);
}

static void memory_is_what_was_touched(void **state)
{
	static const size_t bytes = 16 << 20;
	struct ctd_self before = {}, after = {};
	char *memory;

	(void)state;
	ctd_self_read(&before);
	memory = malloc(bytes);
	assert_non_null(memory);
	memset(memory, 1, bytes);
	ctd_self_read(&after);
	assert_true(memory[bytes / 2] == 1);
	free(memory);
	assert_true(after.resident_bytes >= before.resident_bytes + bytes / 2);
	assert_true(after.virtual_bytes > after.resident_bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(descriptors_are_counted_but_for_the_one_that_counts),
		cmocka_unit_test(what_cannot_be_looked_at_is_not_known),
		cmocka_unit_test(memory_is_what_was_touched),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
