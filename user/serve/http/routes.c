/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* routes.c - the table of paths: a new one is a row here. */
#include "serve/http/routes.h"

#include <stdio.h>
#include <string.h>

#include "serve/http/accept.h"
#include "serve/web/files.h"
#include "serve/web/neighbours.h"
#include "serve/web/view.h"

static int write_prometheus(const struct ctd_ledger_view *view, const struct ctd_self *self,
			    struct ctd_strbuf *text)
{
	return ctd_export_metrics(CTD_PROMETHEUS_TEXT, view, self, text);
}

static int write_openmetrics(const struct ctd_ledger_view *view, const struct ctd_self *self,
			     struct ctd_strbuf *text)
{
	return ctd_export_metrics(CTD_OPENMETRICS_TEXT, view, self, text);
}

const struct ctd_route ctd_routes[] = {
	{"/metrics", "for Prometheus", CTD_ROUTE_SCRAPE, .write = write_prometheus,
	 .content_type = "text/plain; version=0.0.4; charset=utf-8"},
	{"/metrics", "for Prometheus", CTD_ROUTE_SCRAPE, .write = write_openmetrics,
	 .content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8",
	 .openmetrics = true},
	{"/api/v1/view", "for programs, as JSON", CTD_ROUTE_VIEW, .write = ctd_view_json,
	 .content_type = "application/json"},
	{"/api/v1/history", "times that are over, as JSON; ?since=2h&points=60&by=namespace",
	 CTD_ROUTE_HISTORY, .content_type = "application/json"},
	{"/api/v1/neighbours", "containers that others slow down, as JSON", CTD_ROUTE_VIEW,
	 .write = ctd_neighbours_json, .content_type = "application/json"},
	{"/api/v1/profile", "flame graphs, as JSON; ?key=ROW&seconds=60", CTD_ROUTE_RECENT_PROFILE,
	 .content_type = "application/json"},
	{"/debug/pprof/profile", "for go tool pprof, Parca, Pyroscope; ?seconds=30",
	 CTD_ROUTE_PROFILE, .content_type = "application/octet-stream"},
	{"/api/v1/recording", "for cgtopdown profile; ?seconds=10", CTD_ROUTE_RECORDING,
	 .content_type = "application/octet-stream"},
	{"/text", "for terminals; ?width=N: columns", CTD_ROUTE_TABLE,
	 .content_type = "text/plain; charset=utf-8"},
	/* The page has figures only after it has asked for them. */
	{"/", "for people", CTD_ROUTE_FILE, .open = true,
	 .policy =
		 "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
	{"/healthz", "for supervisors: intervals go on", CTD_ROUTE_HEALTHY, .open = true},
	{"/readyz", "for supervisors: there are figures", CTD_ROUTE_READY, .open = true},
};
const size_t ctd_routes_count = sizeof(ctd_routes) / sizeof(*ctd_routes);
_Static_assert(sizeof(ctd_routes) / sizeof(*ctd_routes) <= CTD_ROUTES_MAX,
	       "more routes than the renderer has places for");

const struct ctd_route *ctd_route_find(const char *path, const char *accept)
{
	const char *route = ctd_web_file_find(path) ? "/" : path;
	bool openmetrics = ctd_accepts_openmetrics(accept);
	const struct ctd_route *found = NULL;

	for (size_t i = 0; i < ctd_routes_count; i++)
		if (strcmp(ctd_routes[i].path, route) == 0 &&
		    (!found || (openmetrics && ctd_routes[i].openmetrics)))
			found = &ctd_routes[i];
	return found;
}

void ctd_routes_list(char *ret_text, size_t bytes)
{
	size_t used = 0;

	for (size_t i = 0; i < ctd_routes_count && used < bytes; i++)
		if (!ctd_routes[i].openmetrics)
			used += (size_t)snprintf(ret_text + used, bytes - used, "%-20s %s\n",
						 ctd_routes[i].path, ctd_routes[i].help);
}
