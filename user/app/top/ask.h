/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* ask.h - intervals of a running serve for the screen: a thread that asks for them. */
#ifndef APP_TOP_ASK_H
#define APP_TOP_ASK_H

#include <cgtopdown/report.h>

#include "app/options/options.h"
#include "app/remote/remote.h"
#include "top/view.h"

struct ctd_top_ask;

/* Asks from here on; @p run is taken over. @p wake_fd: as of a feed. Logs. @return 0 or negative
 * errno; *ret_ask is to be ended in any case. */
int ctd_top_ask_begin(const struct ctd_options *options, struct ctd_remote_run *run,
		      struct ctd_top_history *history, int wake_fd, struct ctd_top_ask **ret_ask);
/* Marks rows that neighbours slow down, where that serve judges them: of the @p newest interval, as
 * tags are of now. With the history's lock. NULL is fine. */
void ctd_top_ask_mark(const struct ctd_top_ask *ask, bool newest, struct ctd_report *report);
/* Says what is known of the functions of @p row, which has its own screen. NULL: no row has its own
 * screen. With the history's lock. A NULL ask is fine. */
void ctd_top_ask_functions(struct ctd_top_ask *ask, const struct ctd_report_row *row,
			   struct ctd_top_view *view);
/* As the program is about to end. NULL is fine. @return true: it had failed. */
bool ctd_top_ask_end(struct ctd_top_ask *ask);

#endif
