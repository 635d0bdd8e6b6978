/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* log.h - keeps messages from the screen for as long as it is there. */
#ifndef APP_TOP_LOG_H
#define APP_TOP_LOG_H

#include "base/strbuf.h"

struct ctd_top_log {
	int fd; /* owned; what is written to stderr is read from here; -1: stderr is no terminal */
	int stderr_fd; /* owned; where it goes otherwise */
	struct ctd_strbuf text; /* what came so far */
};

/* Takes stderr, if it is a terminal. */
void ctd_top_log_begin(struct ctd_top_log *log);
/* @return the last line that came since the last call, without the program's name, the caller's; or
 * NULL. */
char *ctd_top_log_read(struct ctd_top_log *log);
/* Gives stderr back, with all that was written meanwhile. */
void ctd_top_log_end(struct ctd_top_log *log);

#endif
