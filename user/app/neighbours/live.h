/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* live.h - tags of this moment: those of a running serve, or judged here. */
#ifndef APP_NEIGHBOURS_LIVE_H
#define APP_NEIGHBOURS_LIVE_H

#include "app/neighbours/show.h"

/*
 * neighbours/remote.c: shows the tags of the serve at --url, or of one that runs here and judges.
 * Logs. @return true: it did, with *ret_error; false: they are to be judged here.
 */
bool ctd_neighbours_remote(struct ctd_tags_show *show, int *ret_error);
/* Counts here, and shows the tags of each sample until it is stopped. Logs. @return the exit
 * status. */
int ctd_neighbours_live(struct ctd_tags_show *show);

#endif
