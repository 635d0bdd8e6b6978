/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* stat.h - shows the figures of a running serve. */
#ifndef APP_REMOTE_STAT_H
#define APP_REMOTE_STAT_H

#include "app/options/options.h"

/*
 * Asks a running serve at the local socket, and shows its figures until the run ends. Says where
 * the figures are from, if there is a serve.
 * @return true: it did, with the status of the run in *ret_error, 0 or negative errno; false: the
 * figures are to be counted here.
 */
bool ctd_remote_stat(const struct ctd_options *options, int *ret_error);

#endif
