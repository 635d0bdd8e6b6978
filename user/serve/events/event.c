/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* event.c - writes an event of events.k8s.io/v1 as JSON. */
#include "serve/events/event.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/json.h"

#define NS_PER_S 1000000000ull
#define CONTROLLER "cgtopdown"
/* What names and uids are of. */
#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-"
#define NAMESPACE_BYTES_MAX 63
#define POD_BYTES_MAX 253
#define UID_BYTES_MAX 36
/* Of a pod's name, in that of an event. */
#define PREFIX_BYTES_MAX 200

static bool has_only(const char *text, const char *allowed, size_t bytes_max)
{
	size_t bytes = text ? strspn(text, allowed) : 0;

	return bytes && bytes <= bytes_max && !text[bytes];
}

bool ctd_k8s_pod_is_valid(const struct ctd_k8s_pod *pod)
{
	return has_only(pod->namespace_name, LETTERS, NAMESPACE_BYTES_MAX) &&
	       has_only(pod->name, LETTERS ".", POD_BYTES_MAX) && *pod->name != '.' &&
	       has_only(pod->uid, LETTERS, UID_BYTES_MAX);
}

void ctd_k8s_event_set_name(struct ctd_k8s_event *event, uint64_t hash)
{
	size_t bytes = strnlen(event->regarding.name, PREFIX_BYTES_MAX);

	/* A part of a DNS subdomain ends with a letter or a digit. */
	while (bytes && strchr("-.", event->regarding.name[bytes - 1]))
		bytes--;
	snprintf(event->name, sizeof(event->name), "%.*s.%016" PRIx64, (int)bytes,
		 event->regarding.name, hash);
}

/* "2026-08-30T12:00:01.250000Z": of microseconds it wants all six digits. */
static void add_time(struct ctd_json *json, const char *key, uint64_t time_ns)
{
	time_t seconds = (time_t)(time_ns / NS_PER_S);
	char whole[32], text[64];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(whole, sizeof(whole), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text, sizeof(text), "%s.%06uZ", whole, (unsigned int)(time_ns % NS_PER_S / 1000));
	ctd_json_string(json, key, text);
}

static void add_pod(struct ctd_json *json, const char *key, const struct ctd_k8s_pod *pod)
{
	ctd_json_begin_object(json, key);
	ctd_json_string(json, "apiVersion", "v1");
	ctd_json_string(json, "kind", "Pod");
	ctd_json_string(json, "namespace", pod->namespace_name);
	ctd_json_string(json, "name", pod->name);
	ctd_json_string(json, "uid", pod->uid);
	ctd_json_end_object(json);
}

void ctd_k8s_event_add_json(struct ctd_strbuf *out, const struct ctd_k8s_event *event)
{
	struct ctd_json json = {.out = out};
	char node[CTD_K8S_EVENT_REPORTER_BYTES + 1];

	snprintf(node, sizeof(node), "%s", event->node);
	ctd_json_begin_object(&json, NULL);
	ctd_json_string(&json, "apiVersion", "events.k8s.io/v1");
	ctd_json_string(&json, "kind", "Event");
	ctd_json_begin_object(&json, "metadata");
	ctd_json_string(&json, "name", event->name);
	ctd_json_string(&json, "namespace", event->regarding.namespace_name);
	ctd_json_end_object(&json);
	add_time(&json, "eventTime", event->time_ns);
	ctd_json_string(&json, "type", event->warning ? "Warning" : "Normal");
	ctd_json_string(&json, "reason", event->reason);
	ctd_json_string(&json, "action", event->action);
	ctd_json_string(&json, "reportingController", CONTROLLER);
	ctd_json_string(&json, "reportingInstance", node);
	add_pod(&json, "regarding", &event->regarding);
	if (event->related.name)
		add_pod(&json, "related", &event->related);
	ctd_json_string(&json, "note", event->note);
	ctd_json_end_object(&json);
}
