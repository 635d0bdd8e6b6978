/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* neighbours.h - tags of neighbours as JSON for programs. */
#ifndef SERVE_WEB_NEIGHBOURS_H
#define SERVE_WEB_NEIGHBOURS_H

#include <cgtopdown/export.h>

/* A writer of a route. "tags" is null where nothing was judged, and empty where there is no tag.
 * @return 0 or -ENOMEM. */
int ctd_neighbours_json(const struct ctd_ledger_view *view, const struct ctd_self *self,
			struct ctd_strbuf *text);

#endif
