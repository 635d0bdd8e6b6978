/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* log.c - prints lines for people on stderr. */
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static enum ctd_log_level level_max = CTD_LOG_WARNING;

static const struct {
	const char *colour;
	const char *label;
} styles[] = {
	[CTD_LOG_ERROR] = {"\033[31m", ""},
	[CTD_LOG_WARNING] = {"\033[33m", "warning: "},
	[CTD_LOG_INFO] = {"", ""},
	[CTD_LOG_DEBUG] = {"\033[2m", "debug: "},
};

/* @p reason is NULL or what follows the text after a colon. */
__attribute__((format(printf, 3, 0))) static void
print_line(enum ctd_log_level level, const char *reason, const char *format, va_list arguments)
{
	const char *colour = isatty(STDERR_FILENO) ? styles[level].colour : "";

	flockfile(stderr);
	fprintf(stderr, "%scgtopdown: %s", colour, styles[level].label);
	vfprintf(stderr, format, arguments);
	fprintf(stderr, "%s%s%s\n", reason ? ": " : "", reason ? reason : "",
		*colour ? "\033[0m" : "");
	funlockfile(stderr);
}

void ctd_log_set_level(enum ctd_log_level level)
{
	level_max = level;
}

enum ctd_log_level ctd_log_level(void)
{
	return level_max;
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

int ctd_log_error(int error, const char *format, ...)
{
	int errno_before = errno;
	va_list arguments;

	va_start(arguments, format);
	print_line(CTD_LOG_ERROR, strerror(-error), format, arguments);
	va_end(arguments);
	errno = errno_before;
	return error;
}
