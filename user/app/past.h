/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.h - report of a history: the sum of a time that is over. */
#ifndef APP_PAST_H
#define APP_PAST_H

#include "app/options/options.h"

/* Is it of a history, rather than of a recording? */
bool ctd_past_is_asked(const struct ctd_options *options);
/* @return the exit status. */
int ctd_past_main(const struct ctd_options *options);

#endif
