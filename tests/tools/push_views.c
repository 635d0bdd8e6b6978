/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* push_views.c - pushes made-up views to a URL, and says how that went. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/num.h"
#include "otlp/view.h"
#include "push/push.h"

#define HEADERS_MAX 8

struct settings {
	struct ctd_push_options push;
	const char *headers[HEADERS_MAX + 1];
	long long containers, views, every_ms;
};

static int usage(void)
{
	fputs("usage: push_views URL [NAME=VALUE...]\n"
	      "  containers, views, every-ms, interval-ms, timeout-ms, queue, request-bytes,\n"
	      "  ca-file, proxy, header\n",
	      stderr);
	return 2;
}

static void gather(void *context, struct ctd_self *ret_self)
{
	(void)context;
	ret_self->version = "test";
	ret_self->started_ns = ctd_realtime_ns();
}

static bool set(struct settings *settings, char *option)
{
	struct ctd_push_options *push = &settings->push;
	char *value = strchr(option, '=');
	long long number = 0;
	size_t header = 0;

	if (!value)
		return false;
	*value++ = '\0';
	ctd_parse_integer(value, 0, INT32_MAX, &number);
	if (strcmp(option, "containers") == 0)
		settings->containers = number;
	else if (strcmp(option, "views") == 0)
		settings->views = number;
	else if (strcmp(option, "every-ms") == 0)
		settings->every_ms = number;
	else if (strcmp(option, "interval-ms") == 0)
		push->interval_ns = (uint64_t)number * 1000000;
	else if (strcmp(option, "timeout-ms") == 0)
		push->timeout_ns = (uint64_t)number * 1000000;
	else if (strcmp(option, "queue") == 0)
		push->queue_requests = (size_t)number;
	else if (strcmp(option, "request-bytes") == 0)
		push->request_bytes = (size_t)number;
	else if (strcmp(option, "ca-file") == 0)
		push->ca_file = value;
	else if (strcmp(option, "proxy") == 0)
		push->proxy = value;
	else if (strcmp(option, "header") == 0) {
		while (settings->headers[header])
			header++;
		settings->headers[header] = value;
	} else
		return false;
	return true;
}

static double ms_since(uint64_t then_ns)
{
	return (double)(ctd_monotonic_ns() - then_ns) / 1e6;
}

/* @return the longest that one took, in milliseconds. */
static double publish_all(struct ctd_push *push, const struct settings *settings)
{
	struct timespec pause = {settings->every_ms / 1000, settings->every_ms % 1000 * 1000000};
	uint64_t begun_ns = ctd_realtime_ns();
	double longest_ms = 0;

	for (long long i = 1; i <= settings->views; i++) {
		struct made_view *made = make_node_view((uint64_t)i, (size_t)settings->containers);
		uint64_t before_ns;

		made->view.realtime_ns = ctd_realtime_ns();
		made->view.begun_ns = begun_ns;
		for (size_t at = 0; at < made->view.accounts_count; at++)
			made->accounts[at].begun_ns = begun_ns;
		before_ns = ctd_monotonic_ns();
		ctd_push_publish(push, &made->view);
		if (ms_since(before_ns) > longest_ms)
			longest_ms = ms_since(before_ns);
		ctd_ledger_view_release(&made->view);
		nanosleep(&pause, NULL);
	}
	return longest_ms;
}

int main(int count, char **arguments)
{
	struct settings settings = {.containers = 3, .views = 1, .every_ms = 100};
	struct ctd_push_totals totals;
	struct ctd_push *push;
	uint64_t acknowledged, before_ns;
	double longest_ms;

	if (count < 2)
		return usage();
	settings.push.url = arguments[1];
	settings.push.headers = settings.headers;
	settings.push.gather = gather;
	settings.push.resource =
		(struct ctd_otlp_resource){.host_name = "host-1", .node_name = "node-1"};
	if (count > 2 + HEADERS_MAX)
		return usage();
	for (int i = 2; i < count; i++)
		if (!set(&settings, arguments[i]))
			return usage();
	ctd_log_set_level(CTD_LOG_INFO);
	if (ctd_push_new(&settings.push, &push) < 0)
		return 1;
	longest_ms = publish_all(push, &settings);
	ctd_push_totals(push, &totals);
	acknowledged = ctd_push_acknowledged(push);
	before_ns = ctd_monotonic_ns();
	ctd_push_free(push);
	printf("{\"publish_ms\": %.3f, \"free_ms\": %.0f, \"acknowledged\": %llu, \"sent\": %llu, "
	       "\"failed\": %llu, \"dropped\": %llu, \"rejected_points\": %llu, \"queued\": %llu}\n",
	       longest_ms, ms_since(before_ns), (unsigned long long)acknowledged,
	       (unsigned long long)totals.sent, (unsigned long long)totals.failed,
	       (unsigned long long)totals.dropped, (unsigned long long)totals.rejected_points,
	       (unsigned long long)totals.queued);
	return 0;
}
