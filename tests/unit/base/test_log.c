/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_log.c - what is logged reaches stderr as one line, or not at all. */
#include "base/log.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"

static FILE *captured;
static int stderr_fd;

/* Every test runs with stderr in a file, and with the level the program starts with. */
static int capture_stderr(void **state)
{
	(void)state;
	ctd_log_set_level(CTD_LOG_WARNING);
	captured = tmpfile();
	stderr_fd = dup(STDERR_FILENO);
	return captured && stderr_fd >= 0 && dup2(fileno(captured), STDERR_FILENO) >= 0 ? 0 : -1;
}

static int restore_stderr(void **state)
{
	(void)state;
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	fclose(captured);
	return 0;
}

/* What was logged since the last call. */
static const char *logged(void)
{
	static char text[512];
	size_t bytes;

	rewind(captured);
	bytes = fread(text, 1, sizeof(text) - 1, captured);
	text[bytes] = '\0';
	rewind(captured);
	assert_int_equal(ftruncate(fileno(captured), 0), 0);
	return text;
}

static void a_line_names_the_program_and_its_level(void **state)
{
	(void)state;
	ctd_log_set_level(CTD_LOG_DEBUG);
	ctd_log(CTD_LOG_ERROR, "cannot %s", "start");
	assert_string_equal(logged(), "cgtopdown: cannot start\n");
	ctd_warn("map is %d %% full", 90);
	assert_string_equal(logged(), "cgtopdown: warning: map is 90 % full\n");
	ctd_info("source %s", "sim");
	assert_string_equal(logged(), "cgtopdown: source sim\n");
	ctd_debug("fd %d", 3);
	assert_string_equal(logged(), "cgtopdown: debug: fd 3\n");
}

static void lines_above_the_level_are_dropped(void **state)
{
	(void)state;
	assert_int_equal(ctd_log_level(), CTD_LOG_WARNING);
	ctd_info("not shown");
	ctd_debug("not shown");
	assert_string_equal(logged(), "");
	ctd_log_set_level(CTD_LOG_ERROR);
	assert_int_equal(ctd_log_level(), CTD_LOG_ERROR);
	ctd_warn("not shown");
	assert_string_equal(logged(), "");
	ctd_log(CTD_LOG_ERROR, "shown");
	assert_string_equal(logged(), "cgtopdown: shown\n");
}

static void log_error_adds_the_reason_and_returns_it(void **state)
{
	(void)state;
	assert_int_equal(ctd_log_error(-ENOENT, "open '%s'", "/x"), -ENOENT);
	assert_string_equal(logged(), "cgtopdown: open '/x': No such file or directory\n");
}

static void errno_is_preserved(void **state)
{
	(void)state;
	/* stderr is a file: isatty() inside sets errno to ENOTTY. */
	errno = EBUSY;
	ctd_warn("shown");
	assert_int_equal(errno, EBUSY);
	ctd_log_error(-EPERM, "shown");
	assert_int_equal(errno, EBUSY);
	ctd_debug("not shown");
	assert_int_equal(errno, EBUSY);
}

static void a_line_longer_than_any_buffer_is_whole(void **state)
{
	char text[4000];
	long bytes;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ctd_log(CTD_LOG_ERROR, "%s", text);
	assert_int_equal(fseek(captured, 0, SEEK_END), 0);
	bytes = ftell(captured);
	assert_int_equal(bytes, strlen("cgtopdown: ") + sizeof(text) - 1 + strlen("\n"));
}

#define CAPTURED(test) cmocka_unit_test_setup_teardown(test, capture_stderr, restore_stderr)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CAPTURED(a_line_names_the_program_and_its_level),
		CAPTURED(lines_above_the_level_are_dropped),
		CAPTURED(log_error_adds_the_reason_and_returns_it),
		CAPTURED(errno_is_preserved),
		CAPTURED(a_line_longer_than_any_buffer_is_whole),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
