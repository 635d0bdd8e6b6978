/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_write.c - what cannot be written is an error. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/auto.h"
#include "format/format.h"

#include <errno.h>
#include <signal.h>

static void a_full_disk_is_enospc(void **state)
{
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_non_null(out);
	assert_int_equal(ctd_format_write(out, "text", 4), -ENOSPC);
	fclose(out);
}

static void a_reader_that_is_gone_is_epipe(void **state)
{
	int fds[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	FILE *out = fdopen(fds[1], "w");

	assert_int_equal(ctd_format_write(out, "text", 4), -EPIPE);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_disk_is_enospc),
		cmocka_unit_test(a_reader_that_is_gone_is_epipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
