/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* client.c - the open connections, and the end of those that only hold on. */
#include "serve/http/http.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"

/* The daemon's own limit begins anew with every byte: a byte now and then would hold a connection
 * for hours. These are for the whole of a request, and the whole of an answer. */
#define REQUEST_NS 10000000000ull
#define ANSWER_NS 30000000000ull
/* Answers of earlier views that are held in memory, for clients that take their time. */
#define OLD_ANSWERS_MAX 8

void ctd_http_on_client(void *http_context, struct MHD_Connection *connection, void **context,
			enum MHD_ConnectionNotificationCode code)
{
	struct ctd_http *http = http_context;
	struct ctd_client *client = *context;
	const union MHD_ConnectionInfo *info, *address;

	if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
		if (!client)
			return;
		*client->link = client->next;
		if (client->next)
			client->next->link = client->link;
		free(client);
		return;
	}
	info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	address = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	client = calloc(1, sizeof(*client));
	/* Without memory it is served, and only the daemon's own limit holds. */
	if (!client || !info) {
		free(client);
		return;
	}
	*client =
		(struct ctd_client){.next = http->clients,
				    .link = &http->clients,
				    .connection = connection,
				    .group = ctd_http_group(address ? address->client_addr : NULL),
				    .fd = info->connect_fd,
				    .since_ns = ctd_monotonic_ns()};
	if (client->next)
		client->next->link = &client->next;
	http->clients = client;
	*context = client;
}

bool ctd_http_has_left(const struct ctd_client *client)
{
	struct pollfd end = {.fd = client->fd, .events = POLLRDHUP};

	return poll(&end, 1, 0) > 0 && end.revents & (POLLRDHUP | POLLHUP | POLLERR);
}

static bool holds_old_answer(const struct ctd_http *http, const struct ctd_client *client)
{
	return client->request && client->request->sequence &&
	       client->request->sequence != http->renderer.sequence;
}

uint64_t ctd_http_cut_slow(struct ctd_http *http, uint64_t now_ns)
{
	const struct ctd_client *slowest = NULL;
	uint64_t next_ns = 0;
	int old_answers = 0;

	for (struct ctd_client *client = http->clients; client; client = client->next) {
		uint64_t end_ns = client->since_ns + (client->request ? ANSWER_NS : REQUEST_NS);

		if (holds_old_answer(http, client)) {
			old_answers++;
			if (!slowest || client->since_ns < slowest->since_ns)
				slowest = client;
		}
		if (ctd_http_is_asking(client))
			continue;
		/* The daemon sees the end of it, and closes. */
		if (now_ns >= end_ns)
			shutdown(client->fd, SHUT_RDWR);
		else if (!next_ns || end_ns < next_ns)
			next_ns = end_ns;
	}
	if (old_answers > OLD_ANSWERS_MAX)
		shutdown(slowest->fd, SHUT_RDWR);
	return next_ns;
}
