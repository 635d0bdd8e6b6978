/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_log.c - what is logged reaches stderr as one line, or not at all. */
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
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
	if (!captured || stderr_fd < 0 || dup2(fileno(captured), STDERR_FILENO) < 0)
		return -1;
	/* Unlike the test before. */
	ctd_log_never_wait();
	return 0;
}

static int restore_stderr(void **state)
{
	(void)state;
	dup2(stderr_fd, STDERR_FILENO);
	close(stderr_fd);
	fclose(captured);
	ctd_log_never_wait();
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

static void what_is_in_names_does_nothing_to_the_terminal(void **state)
{
	(void)state;
	ctd_log_error(-ENOENT, "open '%s'",
		      "\033[2J\a\rx\ncgtopdown: all is well\177\xc2\x9b\xc3\xa9");
	assert_string_equal(
		logged(),
		"cgtopdown: open '?[2J??x?cgtopdown: all is well???\xc3\xa9': No such file or directory\n");
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

static void a_long_line_is_whole(void **state)
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

static void a_line_longer_than_a_pipe_takes_in_one_piece_is_cut(void **state)
{
	char text[PIPE_BUF + 100], end[5] = "";

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ctd_log(CTD_LOG_ERROR, "%s", text);
	assert_int_equal(fseek(captured, -4, SEEK_END), 0);
	assert_int_equal(ftell(captured), PIPE_BUF - 1 - 4);
	assert_int_equal(fread(end, 1, 4, captured), 4);
	assert_string_equal(end, "...\n");
}

static void a_line_that_is_worded_already_stays_so(void **state)
{
	(void)state;
	ctd_log_line("cgtopdown serve: 100 % no");
	assert_string_equal(logged(), "cgtopdown serve: 100 % no\n");
}

static void arguments_in_a_worded_line_do_nothing_to_a_terminal(void **state)
{
	(void)state;
	ctd_log_line("cgtopdown: unknown option '--\033[2J\a'");
	assert_string_equal(logged(), "cgtopdown: unknown option '--?[2J?'\n");
}

static void what_is_no_regular_file_is_not_told_as_a_seek(void **state)
{
	(void)state;
	assert_int_equal(ctd_log_error(-ESPIPE, "read 'fifo'"), -ESPIPE);
	assert_string_equal(logged(), "cgtopdown: read 'fifo': it is no regular file\n");
}

/* stderr leads there from now on. */
static void lead_to(int fd)
{
	assert_int_equal(dup2(fd, STDERR_FILENO), STDERR_FILENO);
	close(fd);
	ctd_log_never_wait();
}

/* All that can be read now. */
static const char *read_now(int reader)
{
	static char text[4 << 20];
	size_t bytes = 0;
	ssize_t got;

	assert_int_equal(fcntl(reader, F_SETFL, O_NONBLOCK), 0);
	while ((got = read(reader, text + bytes, sizeof(text) - 1 - bytes)) > 0)
		bytes += (size_t)got;
	text[bytes] = '\0';
	return text;
}

static void log_numbered(int number)
{
	ctd_log(CTD_LOG_ERROR, "%04d %0160d", number, number);
}

/* @return how many lines there are up to the one that is lost. */
static int log_until_lost(void)
{
	uint64_t before = ctd_log_lost();
	int count = 0;

	while (ctd_log_lost() == before && count < 9999)
		log_numbered(count++);
	assert_int_equal(ctd_log_lost(), before + 1);
	return count;
}

/* Whole lines in their order, and after them the end. */
static void check_numbered(const char *text, int count, const char *end)
{
	char line[256];

	for (int i = 0; i < count; i++) {
		size_t bytes =
			(size_t)snprintf(line, sizeof(line), "cgtopdown: %04d %0160d\n", i, i);

		if (strncmp(text, line, bytes) != 0)
			fail_msg("line %d is '%.170s'", i, text);
		text += bytes;
	}
	assert_string_equal(text, end);
}

/* Lines until there is no room, some more, and again after somebody read. */
static void check_full(int reader)
{
	int count = log_until_lost();

	log_numbered(count);
	log_numbered(count);
	check_numbered(read_now(reader), count - 1, "");
	ctd_log(CTD_LOG_ERROR, "again");
	ctd_log(CTD_LOG_ERROR, "and again");
	assert_string_equal(read_now(reader),
			    "cgtopdown: warning: lines that could not be written here: 3\n"
			    "cgtopdown: again\ncgtopdown: and again\n");
	close(reader);
}

static void nobody_waits_for_who_does_not_read_a_pipe(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	lead_to(ends[1]);
	check_full(ends[0]);
}

/* As where the pipe is of somebody else; here no descriptor is left. */
static void nor_where_the_pipe_cannot_be_opened_once_more(void **state)
{
	struct rlimit files, none;
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
	none = (struct rlimit){.rlim_cur = STDERR_FILENO + 1, .rlim_max = files.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	lead_to(ends[1]);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
	check_full(ends[0]);
}

static void nobody_waits_for_who_does_not_read_a_socket(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	lead_to(ends[1]);
	check_full(ends[0]);
}

static void others_of_the_pipe_wait_as_before(void **state)
{
	int ends[2], other;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	other = dup(ends[1]);
	assert_true(other >= 0);
	lead_to(ends[1]);
	assert_int_equal(fcntl(other, F_GETFL) & O_NONBLOCK, 0);
	close(other);
	close(ends[0]);
}

static void who_reads_no_more_is_lost_to(void **state)
{
	uint64_t before = ctd_log_lost();
	int ends[2];

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(pipe(ends), 0);
	lead_to(ends[1]);
	close(ends[0]);
	log_numbered(0);
	assert_int_equal(ctd_log_lost(), before + 1);
}

/* A socket with little room takes a part of a line. */
static void what_was_torn_is_made_whole(void **state)
{
	char text[3000], wanted[4000], got[4000];
	int ends[2], bytes = 1;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	assert_int_equal(setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)), 0);
	lead_to(ends[1]);
	/* What the test before has lost is told. */
	ctd_log(CTD_LOG_ERROR, "first");
	read_now(ends[0]);
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ctd_log(CTD_LOG_ERROR, "second");
	ctd_log(CTD_LOG_ERROR, "%s", text);
	bytes = snprintf(got, sizeof(got), "%s", read_now(ends[0]));
	assert_int_equal(got[bytes - 1], 'x');
	ctd_log(CTD_LOG_ERROR, "next");
	snprintf(got + bytes, sizeof(got) - (size_t)bytes, "%s", read_now(ends[0]));
	snprintf(wanted, sizeof(wanted), "cgtopdown: second\ncgtopdown: %s\ncgtopdown: next\n",
		 text);
	assert_string_equal(got, wanted);
	close(ends[0]);
}

/* Without a terminal's colours and its ends of lines; where it lies. */
static char *plain(char *text)
{
	char *to = text;

	for (char *from = text; *from; from++) {
		if (*from == '\033')
			from += strcspn(from, "m");
		else if (*from != '\r')
			*to++ = *from;
	}
	*to = '\0';
	return text;
}

/* The kernel hands on what a terminal was given, which makes room, a moment later. @return how
 * often a last line had to be said until it was taken; all that came is added to the text. */
static uint64_t say_last(int reader, char *text)
{
	uint64_t said = 0, before;

	do {
		before = ctd_log_lost();
		strcat(text, read_now(reader));
		ctd_log(CTD_LOG_ERROR, "last");
		said++;
	} while (ctd_log_lost() > before);
	while (!strstr(text, "cgtopdown: last"))
		strcat(text, read_now(reader));
	return said;
}

static void nobody_waits_for_who_does_not_read_a_terminal(void **state)
{
	static char text[1 << 20];
	int reader = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), number, last_number = -1;
	uint64_t before, said, came = 0, told = 0, part;

	(void)state;
	assert_true(reader >= 0);
	assert_int_equal(unlockpt(reader), 0);
	lead_to(open(ptsname(reader), O_RDWR | O_NOCTTY | O_CLOEXEC));
	/* What the tests before have lost is told. */
	ctd_log(CTD_LOG_ERROR, "first");
	before = ctd_log_lost();
	alarm(20);
	for (number = 0; number < 1000; number++)
		log_numbered(number);
	assert_true(ctd_log_lost() > before);
	said = (uint64_t)number + say_last(reader, text);
	alarm(0);
	for (char *line = strtok(strstr(plain(text), "cgtopdown: first"), "\n");
	     (line = strtok(NULL, "\n"));) {
		if (sscanf(line,
			   "cgtopdown: warning: lines that could not be written here: %" SCNu64,
			   &part) == 1)
			told += part;
		else
			came++;
		if (sscanf(line, "cgtopdown: %4d", &number) != 1)
			continue;
		assert_true(number > last_number);
		assert_int_equal(strlen(line), strlen("cgtopdown: 0000 ") + 160);
		last_number = number;
	}
	assert_int_equal(told, ctd_log_lost() - before);
	assert_int_equal(came + told, said);
	close(reader);
}

#define CAPTURED(test) cmocka_unit_test_setup_teardown(test, capture_stderr, restore_stderr)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CAPTURED(a_line_names_the_program_and_its_level),
		CAPTURED(lines_above_the_level_are_dropped),
		CAPTURED(log_error_adds_the_reason_and_returns_it),
		CAPTURED(what_is_in_names_does_nothing_to_the_terminal),
		CAPTURED(errno_is_preserved),
		CAPTURED(a_long_line_is_whole),
		CAPTURED(a_line_longer_than_a_pipe_takes_in_one_piece_is_cut),
		CAPTURED(a_line_that_is_worded_already_stays_so),
		CAPTURED(arguments_in_a_worded_line_do_nothing_to_a_terminal),
		CAPTURED(what_is_no_regular_file_is_not_told_as_a_seek),
		CAPTURED(nobody_waits_for_who_does_not_read_a_pipe),
		CAPTURED(nor_where_the_pipe_cannot_be_opened_once_more),
		CAPTURED(nobody_waits_for_who_does_not_read_a_socket),
		CAPTURED(nobody_waits_for_who_does_not_read_a_terminal),
		CAPTURED(others_of_the_pipe_wait_as_before),
		CAPTURED(who_reads_no_more_is_lost_to),
		CAPTURED(what_was_torn_is_made_whole),
	};

	return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
