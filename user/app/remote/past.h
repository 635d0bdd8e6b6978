/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* past.h - the time before the first view of a running serve, from its history. */
#ifndef APP_REMOTE_PAST_H
#define APP_REMOTE_PAST_H

#include "app/remote/remote.h"

/* Asks there once, and hands what there is to taker->take_past(). Nothing is said where that is
 * nothing: figures are those from here on then. */
void ctd_remote_ask_past(const struct ctd_remote_place *place, const struct ctd_remote_view *first,
			 const struct ctd_remote_plan *plan, const struct ctd_remote_taker *taker);

#endif
