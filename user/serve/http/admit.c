/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* admit.c - shares out the places for connections, so that nobody can hold them all. */
#include <arpa/inet.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/log.h"
#include "serve/http/http.h"

/*
 * A connection without a whole request, or with an answer that nobody takes, costs its client
 * nothing: where places are short, the oldest such connection of the address that holds the most
 * gives way. So a client that asks and reads is let in beside any number of others that hold on.
 *
 * An address that has all its places gives way itself. Where all places of all are taken, new
 * connections wait in the kernel's queue until one can give way: complete requests are answered
 * within a quarter of a second, and are not displaced.
 */

/* A client has so long for a request before it can be displaced, and for taking its answer. */
#define REQUEST_GRACE_NS 10000000ull
#define ANSWER_GRACE_NS 1000000000ull
/* Places that are freed at once while connections wait. */
#define FREED_AT_ONCE 8
/* While all places are taken, look again after this time. */
#define FULL_LOOK_NS 10000000ull

uint64_t ctd_http_group(const struct sockaddr *address)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
	uint32_t last;
	uint64_t network;

	if (address && address->sa_family == AF_INET)
		return 1ull << 32 | v4->sin_addr.s_addr;
	if (!address || address->sa_family != AF_INET6)
		return 0;
	if (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr)) {
		memcpy(&last, &v6->sin6_addr.s6_addr[12], sizeof(last));
		return 1ull << 32 | last;
	}
	/* One client has a /64 of addresses. */
	memcpy(&network, v6->sin6_addr.s6_addr, sizeof(network));
	return network;
}

static bool can_give_way(const struct ctd_client *client, uint64_t now_ns)
{
	uint64_t grace_ns = client->request ? ANSWER_GRACE_NS : REQUEST_GRACE_NS;

	return !client->cut && !ctd_http_is_asking(client) && now_ns >= client->since_ns + grace_ns;
}

static int count_of_group(const struct ctd_http *http, uint64_t group)
{
	int count = 0;

	for (const struct ctd_client *client = http->clients; client; client = client->next)
		count += client->group == group && !client->cut;
	return count;
}

/* Unfinished requests before answers that are not taken, then the older one. */
static bool is_worse(const struct ctd_client *client, const struct ctd_client *than)
{
	if (!client->request != !than->request)
		return !client->request;
	return client->since_ns < than->since_ns;
}

/* @p group: of these alone; NULL: of the group that holds the most of all that can give way. */
static struct ctd_client *find_worst(const struct ctd_http *http, const uint64_t *group,
				     uint64_t now_ns)
{
	struct ctd_client *worst = NULL;
	int most = 0;

	for (struct ctd_client *client = http->clients; client; client = client->next) {
		int count;

		if (!can_give_way(client, now_ns) || (group && client->group != *group))
			continue;
		count = group ? 1 : count_of_group(http, client->group);
		if (!worst || count > most || (count == most && is_worse(client, worst))) {
			worst = client;
			most = count;
		}
	}
	return worst;
}

void ctd_http_name_client(struct MHD_Connection *connection, char ret_name[CTD_HOST_BYTES])
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
	const struct sockaddr *address = info ? info->client_addr : NULL;

	snprintf(ret_name, CTD_HOST_BYTES, "somebody");
	if (address && (address->sa_family == AF_INET || address->sa_family == AF_INET6))
		getnameinfo(address,
			    address->sa_family == AF_INET ? sizeof(struct sockaddr_in)
							  : sizeof(struct sockaddr_in6),
			    ret_name, CTD_HOST_BYTES, NULL, 0, NI_NUMERICHOST);
}

bool ctd_http_count_refusal(struct ctd_http *http, enum ctd_http_refusal reason, uint64_t now_ns)
{
	http->refusals[reason]++;
	if (now_ns < http->complain_ns[reason])
		return false;
	http->complain_ns[reason] = now_ns + CTD_HTTP_COMPLAIN_NS;
	return true;
}

static void displace(struct ctd_http *http, struct ctd_client *client, uint64_t now_ns)
{
	char name[CTD_HOST_BYTES];

	if (ctd_http_count_refusal(http, CTD_REFUSED_DISPLACED, now_ns)) {
		ctd_http_name_client(client->connection, name);
		ctd_warn(
			"http: %s holds on to connections without using them, and the oldest one was closed, as others want in (cgtopdown_http_refusals_total counts all)",
			name);
	}
	client->cut = true;
	/* The daemon sees the end of it, and closes. */
	shutdown(client->fd, SHUT_RDWR);
}

enum MHD_Result ctd_http_admit(void *http_context, const struct sockaddr *address, socklen_t bytes)
{
	struct ctd_http *http = http_context;
	uint64_t group = ctd_http_group(address), now_ns = ctd_monotonic_ns();
	struct ctd_client *worst;

	(void)bytes;
	if (http->address.is_path || count_of_group(http, group) < CTD_HTTP_CLIENTS_PER_ADDRESS_MAX)
		return MHD_YES;
	worst = find_worst(http, &group, now_ns);
	if (worst) {
		displace(http, worst, now_ns);
		return MHD_YES;
	}
	if (ctd_http_count_refusal(http, CTD_REFUSED_CROWDED, now_ns))
		ctd_warn(
			"http: an address has %d requests at once that are being answered, and one more was refused",
			CTD_HTTP_CLIENTS_PER_ADDRESS_MAX);
	return MHD_NO;
}

uint64_t ctd_http_make_room(struct ctd_http *http, uint64_t now_ns)
{
	struct pollfd waiting = {.fd = http->listen_fd, .events = POLLIN};
	bool was_full = http->full;
	struct ctd_client *worst;
	int count = 0;

	for (const struct ctd_client *client = http->clients; client; client = client->next)
		count++;
	http->full = count >= CTD_HTTP_CLIENTS_MAX;
	/* The daemon listens again when it runs next: nothing wakes it up. */
	if (!http->full)
		return was_full ? now_ns : 0;
	if (poll(&waiting, 1, 0) == 1)
		for (int i = 0; i < FREED_AT_ONCE && (worst = find_worst(http, NULL, now_ns)); i++)
			displace(http, worst, now_ns);
	return now_ns + FULL_LOOK_NS;
}
