/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* answer.c - reads why an API server of Kubernetes refuses an event. */
#include "serve/events/answer.h"

#include <jansson.h>

enum ctd_push_verdict ctd_k8s_event_judge(long status)
{
	/* 409: there is one of this name, which is this one: an answer got lost. */
	if ((status >= 200 && status <= 299) || status == 409)
		return CTD_PUSH_TAKEN;
	/* It would be refused again. All else is of the server, the account or the namespace. */
	if (status == 400 || status == 413 || status == 422)
		return CTD_PUSH_REFUSED;
	return CTD_PUSH_LATER;
}

const char *ctd_k8s_event_remedy(long status)
{
	if (status == 401)
		return "; its token must be one of a ServiceAccount of this cluster: "
		       "--kubernetes-token-file";
	if (status == 403)
		return "; the account needs a ClusterRole with 'create' on 'events' of the API "
		       "group events.k8s.io, and nothing else";
	if (status == 404)
		return "; is it the API server of this cluster, and Kubernetes 1.19 or later?";
	if (status >= 300 && status <= 399)
		return "; it points to elsewhere, which is not followed: see --kubernetes-api";
	return "";
}

void ctd_k8s_event_answer_read(const char *body, size_t bytes, struct ctd_push_answer *ret_answer)
{
	json_t *status = json_loadb(body, bytes, 0, NULL);
	const json_t *message = json_object_get(status, "message");

	if (json_is_string(message)) {
		body = json_string_value(message);
		bytes = json_string_length(message);
	}
	ctd_push_answer_read(body, bytes, false, false, ret_answer);
	json_decref(status);
}
