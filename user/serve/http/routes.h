/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* routes.h - the paths that the server answers. */
#ifndef SERVE_HTTP_ROUTES_H
#define SERVE_HTTP_ROUTES_H

#include <cgtopdown/export.h>
#include <stdbool.h>
#include <stddef.h>

#define CTD_ROUTES_MAX 16

enum ctd_route_kind {
	CTD_ROUTE_HEALTHY, /* 200 while intervals go on; without a body of its own */
	CTD_ROUTE_READY, /* 200 once there is a view */
	CTD_ROUTE_FILE, /* a file of the page, the same as long as the program runs */
	/* The newest view, as it is: neither ends an interval, nor counts as having fetched
	 * containers that have ended. */
	CTD_ROUTE_VIEW,
	CTD_ROUTE_TABLE, /* the same as text, as wide as the request says */
	CTD_ROUTE_PROFILE, /* stacks of a time to come, as pprof's file */
	CTD_ROUTE_RECORDING, /* the same with all that was counted, as a recording */
	CTD_ROUTE_RECENT_PROFILE, /* of the time that is over, as JSON */
	CTD_ROUTE_HISTORY, /* times that are over, as JSON */
	CTD_ROUTE_SCRAPE, /* a view of this moment, and counts as fetched */
};

struct ctd_route {
	const char *path;
	const char *help; /* its readers */
	enum ctd_route_kind kind;
	bool open; /* needs no token and no password */
	bool openmetrics; /* the row of its path for clients that prefer OpenMetrics */
	const char *content_type; /* NULL: plain text */
	const char *policy; /* Content-Security-Policy; NULL: nothing is to be run or loaded */
	/* Of what comes from a view: appends the whole text. @return 0 or -ENOMEM. */
	int (*write)(const struct ctd_ledger_view *view, const struct ctd_self *self,
		     struct ctd_strbuf *text);
};

extern const struct ctd_route ctd_routes[];
extern const size_t ctd_routes_count;

/* @p accept: the header of that name, or NULL. What the page needs is on the route of the page.
 * @return NULL for a path that there is not. */
const struct ctd_route *ctd_route_find(const char *path, const char *accept);
/* One line for each path. */
void ctd_routes_list(char *ret_text, size_t bytes);

#endif
