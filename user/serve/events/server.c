/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* server.c - finds the API server by the environment of a pod. */
#include "serve/events/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/known.h"

bool ctd_api_server_url(char *ret_url, size_t bytes)
{
	const char *host = ctd_known(getenv("KUBERNETES_SERVICE_HOST"));
	const char *port = ctd_known(getenv("KUBERNETES_SERVICE_PORT"));
	/* An address of IPv6 comes without brackets. */
	bool bare = host && strchr(host, ':') && *host != '[';

	return host && snprintf(ret_url, bytes, "https://%s%s%s:%s", bare ? "[" : "", host,
				bare ? "]" : "", port ? port : "443") < (int)bytes;
}
