/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* health.c - answers whether the program is well. */
#include "serve/http/http.h"

#include <inttypes.h>
#include <stdio.h>

/* Without an interval for so many of them, and for so long, something is wrong. */
#define HEALTHY_INTERVALS 10
#define HEALTHY_NS 10000000000ull

enum MHD_Result ctd_http_answer_health(struct ctd_http *http, struct MHD_Connection *connection,
				       const struct ctd_route *route, uint64_t now_ns)
{
	uint64_t put_ns = ctd_mailbox_put_ns(http->options.mailbox);
	uint64_t since_ns = put_ns ? put_ns : http->started_ns;
	/* A view may have come since the clock was read. */
	uint64_t idle_ns = now_ns > since_ns ? now_ns - since_ns : 0;
	struct ctd_answer answer = {.status = MHD_HTTP_OK, .text = "ok\n"};
	char reason[80];

	if (route->kind == CTD_ROUTE_READY && !put_ns) {
		answer.status = MHD_HTTP_SERVICE_UNAVAILABLE;
		answer.text = CTD_HTTP_NO_VIEW;
	} else if (route->kind == CTD_ROUTE_HEALTHY &&
		   idle_ns > HEALTHY_INTERVALS * http->options.interval_ns + HEALTHY_NS) {
		snprintf(reason, sizeof(reason), "No interval has ended for %" PRIu64 " s.\n",
			 idle_ns / 1000000000);
		answer.status = MHD_HTTP_SERVICE_UNAVAILABLE;
		answer.text = reason;
	}
	return ctd_http_answer(connection, &answer);
}
