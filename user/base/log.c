/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* log.c - prints lines for people on stderr, each in one piece. */
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"

/* So much goes into a pipe whole or not at all: pipe(7). What is longer is cut. */
#define LINE_BYTES PIPE_BUF

static enum ctd_log_level level_max = CTD_LOG_WARNING;

/* All but `lost` with the lock of stderr. */
static struct {
	int fd; /* stderr; or its pipe or terminal, opened once more */
	bool is_socket; /* that is not waited for */
	bool asks; /* whether there is room, as writing may wait */
	char rest[LINE_BYTES]; /* of a line that was taken in part: what comes next */
	size_t rest_bytes;
	uint64_t told; /* of the lost ones */
	_Atomic uint64_t lost;
} out = {.fd = STDERR_FILENO};

static const struct {
	const char *colour;
	const char *label;
} styles[] = {
	[CTD_LOG_ERROR] = {"\033[31m", ""},
	[CTD_LOG_WARNING] = {"\033[33m", "warning: "},
	[CTD_LOG_INFO] = {"", ""},
	[CTD_LOG_DEBUG] = {"\033[2m", "debug: "},
};

/* What snprintf() returned, as far as there was room. */
static size_t fitting(int bytes, size_t room)
{
	if (bytes < 0)
		return 0;
	return (size_t)bytes < room ? (size_t)bytes : room - 1;
}

/* @p line: @p bytes of it, perhaps cut as there was no more room. @return the bytes of all. */
static size_t finish(char line[LINE_BYTES], size_t bytes, const char *end)
{
	if (bytes == LINE_BYTES - strlen(end) - 1)
		memcpy(line + bytes - 3, "...", 3);
	memcpy(line + bytes, end, strlen(end));
	return bytes + strlen(end);
}

/* Names are in it as they are: none is to move the cursor, or to begin a line of its own. */
static void defuse(char *text)
{
	int code;

	for (size_t bytes; *text; text += bytes) {
		bytes = ctd_utf8_next(text, &code);
		if (ctd_utf8_is_control(code) && code != '\t')
			memset(text, '?', bytes);
	}
}

/* @p reason is NULL or what follows the text after a colon. @return the line's bytes. */
__attribute__((format(printf, 4, 0))) static size_t compose(char line[LINE_BYTES],
							    enum ctd_log_level level,
							    const char *reason, const char *format,
							    va_list arguments)
{
	const char *colour = isatty(STDERR_FILENO) ? styles[level].colour : "";
	const char *end = *colour ? "\033[0m\n" : "\n";
	size_t room = LINE_BYTES - strlen(end), bytes, begin;

	bytes = fitting(snprintf(line, room, "%scgtopdown: %s", colour, styles[level].label), room);
	begin = bytes;
	bytes += fitting(vsnprintf(line + bytes, room - bytes, format, arguments), room - bytes);
	defuse(line + begin);
	if (reason)
		bytes +=
			fitting(snprintf(line + bytes, room - bytes, ": %s", reason), room - bytes);
	return finish(line, bytes, end);
}

static ssize_t write_some(const char *text, size_t bytes)
{
	struct pollfd room = {.fd = out.fd, .events = POLLOUT};

	if (out.is_socket)
		return send(out.fd, text, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (out.asks && !poll(&room, 1, 0))
		return -1;
	return TEMP_FAILURE_RETRY(write(out.fd, text, bytes));
}

/* @return how much of it was taken. */
static size_t write_all(const char *text, size_t bytes)
{
	size_t written = 0;

	while (written < bytes) {
		ssize_t taken = write_some(text + written, bytes - written);

		if (taken <= 0)
			break;
		written += (size_t)taken;
	}
	return written;
}

/* The rest of a line that was torn comes before the next. @return false if nothing of it was taken.
 */
static bool put(const char *line, size_t bytes)
{
	size_t written = write_all(out.rest, out.rest_bytes);

	out.rest_bytes -= written;
	memmove(out.rest, out.rest + written, out.rest_bytes);
	if (out.rest_bytes)
		return false;
	written = write_all(line, bytes);
	if (!written)
		return false;
	out.rest_bytes = bytes - written;
	memcpy(out.rest, line + written, out.rest_bytes);
	return true;
}

__attribute__((format(printf, 1, 2))) static bool put_notice(const char *format, ...)
{
	char line[LINE_BYTES];
	va_list arguments;
	size_t bytes;

	va_start(arguments, format);
	bytes = compose(line, CTD_LOG_WARNING, NULL, format, arguments);
	va_end(arguments);
	return put(line, bytes);
}

/* Says how many lines are missing where they are. */
static bool tell_lost(void)
{
	uint64_t lost = out.lost - out.told;

	if (lost && !put_notice("lines that could not be written here: %" PRIu64, lost))
		return false;
	out.told += lost;
	return true;
}

static void print(const char *line, size_t bytes)
{
	flockfile(stderr);
	if (!tell_lost() || !put(line, bytes))
		out.lost++;
	funlockfile(stderr);
}

__attribute__((format(printf, 3, 0))) static void
print_line(enum ctd_log_level level, const char *reason, const char *format, va_list arguments)
{
	char line[LINE_BYTES];

	print(line, compose(line, level, reason, format, arguments));
}

void ctd_log_set_level(enum ctd_log_level level)
{
	level_max = level;
}

enum ctd_log_level ctd_log_level(void)
{
	return level_max;
}

/*
 * O_NONBLOCK is a flag of the open file, which is shared with our parent and with other writers of
 * the pipe or terminal. So we open it anew. Where that is refused, as the file has another owner,
 * we poll for room before each write. A write then waits only if another writer takes that room
 * first, or if a terminal has room for a part of a line: n_tty_poll() (drivers/tty/n_tty.c) does
 * not say how much room there is.
 */
void ctd_log_never_wait(void)
{
	struct stat status;

	if (fstat(STDERR_FILENO, &status))
		return;
	flockfile(stderr);
	if (out.fd != STDERR_FILENO)
		close(out.fd);
	/* A terminal's output may be held, by Ctrl-S, or nobody reads its other end. */
	out.fd = S_ISFIFO(status.st_mode) || isatty(STDERR_FILENO)
			 ? open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
			 : STDERR_FILENO;
	out.asks = out.fd < 0;
	if (out.asks)
		out.fd = STDERR_FILENO;
	out.is_socket = S_ISSOCK(status.st_mode);
	funlockfile(stderr);
}

uint64_t ctd_log_lost(void)
{
	return out.lost;
}

void ctd_log(enum ctd_log_level level, const char *format, ...)
{
	int errno_before = errno;
	va_list arguments;

	if (level > level_max)
		return;
	va_start(arguments, format);
	print_line(level, NULL, format, arguments);
	va_end(arguments);
	errno = errno_before;
}

void ctd_log_line(const char *text)
{
	char line[LINE_BYTES];
	size_t room = LINE_BYTES - strlen("\n");
	size_t bytes = fitting(snprintf(line, room, "%s", text), room);

	defuse(line);
	print(line, finish(line, bytes, "\n"));
}

const char *ctd_log_reason(int error)
{
	/* From ctd_read_file(); its usual text would speak of a seek. */
	return error == -ESPIPE ? "it is no regular file" : strerror(-error);
}

int ctd_log_error(int error, const char *format, ...)
{
	int errno_before = errno;
	va_list arguments;

	va_start(arguments, format);
	print_line(CTD_LOG_ERROR, ctd_log_reason(error), format, arguments);
	va_end(arguments);
	errno = errno_before;
	return error;
}
