/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* access.c - lets a request in, or refuses it. */
#include "serve/http/http.h"

#include "base/log.h"

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
	char name[CTD_HOST_BYTES];

	if (!ctd_http_count_refusal(http, CTD_REFUSED_UNAUTHORIZED, now_ns))
		return;
	ctd_http_name_client(connection, name);
	ctd_warn("http: %s was refused: it showed no user or token that is in the files", name);
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

enum MHD_Result ctd_http_refuse_name(struct ctd_http *http, struct MHD_Connection *connection,
				     uint64_t now_ns)
{
	static const struct ctd_answer answer = {
		.status = MHD_HTTP_MISDIRECTED_REQUEST,
		.text = "This listens for its own machine alone: ask for it as localhost or by its address.\n",
	};

	if (ctd_http_count_refusal(http, CTD_REFUSED_NAME, now_ns))
		ctd_warn(
			"http: a request for another host was refused: behind a proxy, let it send 'Host: localhost'");
	return ctd_http_answer(connection, &answer);
}
