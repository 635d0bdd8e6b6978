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

#define CTD_REMOTE_WHO_BYTES 128
/* Looks for a running serve that samples stacks as is asked for; says why, if there is one that
 * does not. @return true: it does, and is called by @p ret_who. */
bool ctd_remote_has_profiles(const struct ctd_options *options, char ret_who[CTD_REMOTE_WHO_BYTES]);
/* remote_profile.c: shows the profile that it samples. @return true: it did, with the exit status
 * in *ret_status; false: stacks are to be sampled here. */
bool ctd_remote_profile(const struct ctd_options *options, int *ret_status);

/* Says so if a serve runs, which may hold the counters that record wants. */
void ctd_remote_tell_record(void);

#endif
