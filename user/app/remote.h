/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* remote.h - shows the figures of a running serve. */
#ifndef APP_REMOTE_H
#define APP_REMOTE_H

#include <stdbool.h>

#include "app/options/options.h"

/*
 * Asks a running serve at the local socket, and shows its figures until the run ends. Says where
 * the figures are from, if there is a serve.
 * @return true: it did, with the status of the run in *ret_error, 0 or negative errno; false: the
 * figures are to be counted here.
 */
bool ctd_remote_stat(const struct ctd_options *options, int *ret_error);

/* Says so if a serve runs, which may hold the counters that record wants. */
void ctd_remote_tell_record(void);

#endif
