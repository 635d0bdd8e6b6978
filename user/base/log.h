/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* log.h - lines for people on stderr: "cgtopdown: what failed, on which object, why; what to do". */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdint.h>

enum ctd_log_level { CTD_LOG_ERROR, CTD_LOG_WARNING, CTD_LOG_INFO, CTD_LOG_DEBUG };

/* Messages above this level are dropped; CTD_LOG_WARNING at start. */
void ctd_log_set_level(enum ctd_log_level level);
enum ctd_log_level ctd_log_level(void);

/*
 * From here on no line waits for the reader of a pipe, socket or terminal that stderr is. A line
 * without room there is lost; when there is room again, a line says how many were lost.
 */
void ctd_log_never_wait(void);
/* How many lines could not be written, so far. Thread-safe. */
uint64_t ctd_log_lost(void);

/* Prints one line, of 4 KiB at most; errno is preserved. Colour only where stderr is a terminal. */
void ctd_log(enum ctd_log_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints one that is worded already, all but its end. */
void ctd_log_line(const char *text);

/* The words of a negative errno, with which the lines of ctd_log_error() end. */
const char *ctd_log_reason(int error);

/*
 * Logs "format: reason" at level error and returns @p error, so that a failing function
 * ends in `return ctd_log_error(-errno, "open '%s'", path)`. With error -EINVAL or another whose
 * text would mislead, end the format with a full sentence and use ctd_log() instead.
 */
int ctd_log_error(int error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define ctd_warn(...) ctd_log(CTD_LOG_WARNING, __VA_ARGS__)
#define ctd_info(...) ctd_log(CTD_LOG_INFO, __VA_ARGS__)
#define ctd_debug(...) ctd_log(CTD_LOG_DEBUG, __VA_ARGS__)

#endif
