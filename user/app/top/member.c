/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* member.c - asks one machine of a cluster, so that none waits for another. */
#include "app/top/member.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/remote/remote.h"
#include "app/stop.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "remote/client.h"

/* Where serve's own intervals are longer, it is asked for views in between. */
static uint64_t age_ns(const struct ctd_top_member *member)
{
	const struct ctd_remote_view *newest = &member->machine.after;
	uint64_t wanted_ns = member->round->interval_ns;

	return newest->look_ns && wanted_ns < newest->interval_ns ? wanted_ns / 4 : UINT64_MAX;
}

/* With the lock, which is given up meanwhile. */
static void ask(struct ctd_top_member *member, struct ctd_remote_client *client)
{
	char why[CTD_REMOTE_WHY_BYTES] = "";
	uint64_t its_age_ns = age_ns(member);
	struct ctd_remote_view view;
	int error;

	member->number = member->round->number;
	member->is_asked = true;
	pthread_mutex_unlock(&member->round->lock);
	error = ctd_remote_client_set_age(client, its_age_ns);
	if (!error)
		error = ctd_remote_client_get(client, &view, why);
	pthread_mutex_lock(&member->round->lock);
	member->is_asked = false;
	if (error)
		ctd_remote_machine_fail(&member->machine, *why ? why : ctd_log_reason(error));
	else
		ctd_remote_machine_take(&member->machine, &view, ctd_monotonic_ns());
	pthread_cond_signal(&member->round->answered);
}

static struct ctd_remote_client *open_client(struct ctd_top_member *member)
{
	const struct ctd_options *options = member->round->options;
	struct ctd_remote_place place = ctd_remote_place_of(options, CTD_REMOTE_VIEW);
	struct ctd_remote_client *client = NULL;
	int error;

	place.url = member->listed.url;
	place.socket = member->listed.socket;
	/* Of --url that is checked at the start. */
	if (place.token_file && !place.socket && !ctd_options_is_safe_url(place.url)) {
		ctd_remote_machine_fail(&member->machine,
					"a token is shown to https URLs and this machine only");
		return NULL;
	}
	error = ctd_remote_client_new(&place, ctd_stop_came, &client);
	if (error)
		ctd_remote_machine_fail(&member->machine, ctd_log_reason(error));
	return client;
}

static void *ask_on(void *context)
{
	struct ctd_top_member *member = context;
	struct ctd_top_round *round = member->round;
	struct ctd_remote_client *client;

	pthread_mutex_lock(&round->lock);
	client = open_client(member);
	while (client && !member->leaves && !round->ends) {
		if (member->number == round->number)
			pthread_cond_wait(&round->begun, &round->lock);
		else
			ask(member, client);
	}
	member->has_ended = true;
	pthread_cond_signal(&round->answered);
	pthread_mutex_unlock(&round->lock);
	ctd_remote_client_free(client);
	return NULL;
}

struct ctd_top_member *ctd_top_member_new(struct ctd_top_round *round,
					  struct ctd_remote_listed *listed)
{
	struct ctd_top_member *member = calloc(1, sizeof(*member));
	char why[CTD_REMOTE_WHY_BYTES];
	int error = 0;

	if (!member) {
		ctd_log_error(-ENOMEM, "ask a node");
		return NULL;
	}
	*member = (struct ctd_top_member){.round = round, .listed = *listed};
	*listed = (struct ctd_remote_listed){0};
	if (!member->listed.url) {
		ctd_remote_machine_fail(&member->machine, member->listed.why);
		member->has_ended = true;
		return member;
	}
	error = ctd_thread_start(&member->thread, "ctd-ask", ask_on, member);
	member->has_thread = !error;
	if (!error)
		return member;
	/* It is missed until a later list begins it anew. */
	snprintf(why, sizeof(why), "no thread can ask it: %s", ctd_log_reason(error));
	ctd_remote_machine_fail(&member->machine, why);
	member->has_ended = true;
	return member;
}

const char *ctd_top_member_name(const struct ctd_top_member *member)
{
	const char *host;

	if (member->listed.name)
		return member->listed.name;
	if (*member->machine.after.node)
		return member->machine.after.node;
	host = strstr(member->listed.url, "://");
	return host ? host + 3 : member->listed.url;
}

void ctd_top_member_free(struct ctd_top_member *member)
{
	if (!member)
		return;
	if (member->has_thread)
		pthread_join(member->thread, NULL);
	ctd_remote_machine_free(&member->machine);
	ctd_remote_listed_free(&member->listed);
	free(member);
}
