/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* access.c - lets a request in, or refuses it. */
#include "serve/http/http.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include "base/log.h"

/* A line for refused requests at most so often, however many there are. */
#define COMPLAIN_NS 60000000000ull

bool ctd_http_may_read(const struct ctd_http *http, struct MHD_Connection *connection)
{
	const struct ctd_auth *auth = &http->setup.auth;
	char *user, *password = NULL;
	bool allowed;

	if (!ctd_auth_needed(auth) ||
	    ctd_auth_token(auth, MHD_lookup_connection_value(connection, MHD_HEADER_KIND,
							     MHD_HTTP_HEADER_AUTHORIZATION)))
		return true;
	user = MHD_basic_auth_get_username_password(connection, &password);
	allowed = user && password && ctd_auth_user(auth, user, password);
	MHD_free(user);
	MHD_free(password);
	return allowed;
}

/* An intruder, or a scraper that was not given the secret. */
static void complain(struct ctd_http *http, struct MHD_Connection *connection, uint64_t now_ns)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	char host[NI_MAXHOST] = "somebody";

	if (now_ns < http->complain_ns)
		return;
	http->complain_ns = now_ns + COMPLAIN_NS;
	if (info && info->client_addr &&
	    (info->client_addr->sa_family == AF_INET || info->client_addr->sa_family == AF_INET6))
		getnameinfo(info->client_addr,
			    info->client_addr->sa_family == AF_INET ? sizeof(struct sockaddr_in)
								    : sizeof(struct sockaddr_in6),
			    host, sizeof(host), NULL, 0, NI_NUMERICHOST);
	ctd_warn("http: %s was refused: it showed no user or token that is in the files", host);
}

enum MHD_Result ctd_http_refuse(struct ctd_http *http, struct MHD_Connection *connection,
				uint64_t now_ns)
{
	struct ctd_answer answer = {
		.status = MHD_HTTP_UNAUTHORIZED,
		.text = "Who are you?\n",
		.header = MHD_HTTP_HEADER_WWW_AUTHENTICATE,
		/* There is a token or there are users: see check_serve() of the options. */
		.value = http->setup.auth.token.text
				 ? "Bearer realm=\"cgtopdown\""
				 : "Basic realm=\"cgtopdown\", charset=\"UTF-8\"",
	};

	complain(http, connection, now_ns);
	return ctd_http_answer(connection, &answer);
}
