/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* input.h - files that people name, which may be pipes: <(...) of a shell, a FIFO, what is before a
 * "|". */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

/* Opens a file for reading, and waits until it can be read: see ctd_input_await().
 * @return a descriptor, or negative errno (-EINTR: a signal came while nobody wrote). */
int ctd_input_open(const char *path);
/*
 * Waits until there is something to read, or the end. Nobody may write to a pipe, or not yet: a
 * wait of more than two seconds is told, once, with @p name. @return 0 or -EINTR.
 */
int ctd_input_await(int fd, const char *name);

#endif
