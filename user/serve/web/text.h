/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* text.h - a view as a table of text, for terminals and for browsers without
 * script. */
#ifndef SERVE_WEB_TEXT_H
#define SERVE_WEB_TEXT_H

#include <cgtopdown/ledger.h>

#include "base/strbuf.h"

#define CTD_VIEW_TEXT_WIDTH 120

/* Appends the table of the newest interval, @p width columns wide. @return 0 or
 * -ENOMEM. */
int ctd_view_text(const struct ctd_ledger_view *view, int width, struct ctd_strbuf *out);

#endif
