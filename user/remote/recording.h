/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recording.h - asks a running serve for a recording of the seconds to come. */
#ifndef REMOTE_RECORDING_H
#define REMOTE_RECORDING_H

#include <stdbool.h>

#include "remote/view.h"

/*
 * Writes it to @p fd. @p is_stopped ends the request. @return 0; -EINTR: stopped; -EOPNOTSUPP: this
 * serve cannot; -EAGAIN: it has no place for one more; or other negative errno. With an error
 * *ret_why says it in words.
 */
int ctd_remote_recording_get(const char *path, unsigned int seconds, bool (*is_stopped)(void),
			     int fd, char ret_why[CTD_REMOTE_WHY_BYTES]);

#endif
