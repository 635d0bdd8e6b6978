/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* view.h - a ledger's view as programs and people read it from the server. */
#ifndef SERVE_WEB_VIEW_H
#define SERVE_WEB_VIEW_H

#include <cgtopdown/export.h>

#include "base/strbuf.h"

#define CTD_VIEW_SCHEMA "cgtopdown/view/1"

/* Appends one JSON object, docs/api.md. @return 0 or -ENOMEM. */
int ctd_view_json(const struct ctd_ledger_view *view, const struct ctd_self *self,
		  struct ctd_strbuf *out);

#endif
