/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.h - report of a history: the sum of a time that is over. */
#ifndef APP_PAST_H
#define APP_PAST_H

#include "app/options/options.h"
#include "history/walk.h"

/* Is it of a history, rather than of a recording? */
bool ctd_past_is_asked(const struct ctd_options *options);
/* @return the exit status. */
int ctd_past_main(const struct ctd_options *options);

/* A ctd_walk_damaged: warns. */
void ctd_past_tell_damage(const char *name, const char *why, bool read_on, uint64_t lost_bytes);
/* Logs that nothing that was wanted is in @p directory, and what is. @return -ENODATA. */
int ctd_past_tell_nothing(const char *directory, const struct ctd_walk *walk);

#endif
