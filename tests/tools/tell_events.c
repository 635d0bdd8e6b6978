/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tell_events.c - tells an API server of Kubernetes of made-up tags, and says how that went. */
#include <cgtopdown/metric.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* As cmocka has them. */
#define assert_int_equal(a, b) ((a) == (b) ? (void)0 : abort())
#define assert_true(what) ((what) ? (void)0 : abort())
#define assert_non_null(what) assert_true(what)

#include "../metrics.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/num.h"
#include "serve/events/events.h"
#include "unit/ledger/book.h"

#define PODS_MAX 100
#define SINCE_NS 1788091200250000000ull
/* A server on a busy machine. */
#define WAIT_MS 30000

struct settings {
	struct ctd_events_options events;
	long long victims;
	long long sent, failed, dropped; /* so many of them are waited for */
	const char *until; /* a file that something is written to before; NULL: none */
	bool end; /* all tags end before `dropped` is waited for, and `sent` once more */
};

static int usage(void)
{
	fputs("usage: tell_events URL [NAME=VALUE...]\n"
	      "  victims, sent, failed, dropped, until, end, timeout-ms, ca-file, token-file\n",
	      stderr);
	return 2;
}

static bool set(struct settings *settings, char *option)
{
	char *value = strchr(option, '=');
	long long number = 0;

	if (!value)
		return false;
	*value++ = '\0';
	ctd_parse_integer(value, 0, INT32_MAX, &number);
	if (strcmp(option, "victims") == 0 && number < PODS_MAX)
		settings->victims = number;
	else if (strcmp(option, "sent") == 0)
		settings->sent = number;
	else if (strcmp(option, "failed") == 0)
		settings->failed = number;
	else if (strcmp(option, "dropped") == 0)
		settings->dropped = number;
	else if (strcmp(option, "until") == 0)
		settings->until = value;
	else if (strcmp(option, "end") == 0)
		settings->end = number;
	else if (strcmp(option, "timeout-ms") == 0)
		settings->events.timeout_ms = (uint32_t)number;
	else if (strcmp(option, "ca-file") == 0)
		settings->events.ca_file = value;
	else if (strcmp(option, "token-file") == 0)
		settings->events.token_file = value;
	else
		return false;
	return true;
}

/* Pod 0 is the antagonist, the others are victims. */
static const struct ctd_ledger_view *make_view(struct book *book, size_t pods)
{
	struct ctd_identity *identities = calloc(pods, sizeof(*identities));
	const struct ctd_ledger_view *view;

	assert_non_null(identities);
	for (size_t i = 0; i < pods; i++) {
		struct ctd_identity *identity = &identities[i];
		struct book_line *line = book_row(book, CTD_ROLLUP_CONTAINER);

		*identity = (struct ctd_identity){
			.cgroup_id = i + 2,
			.path = (char *)"/kubepods.slice/kubepods-pod1.slice/cri-containerd-1.scope",
			.kind = CTD_IS_CONTAINER,
			.runtime = "containerd",
			.names = {.namespace_name = (char *)(i ? "shop" : "analytics"),
				  .container_name = (char *)"main",
				  .owner_kind = (char *)"Deployment",
				  .owner_name = (char *)(i ? "web" : "batch")},
			.names_settled = true,
		};
		snprintf(identity->container_id, sizeof(identity->container_id), "%064zx", i);
		snprintf(identity->pod_uid, sizeof(identity->pod_uid),
			 "11112222-3333-4444-5555-%012x", (unsigned int)i);
		assert_true(asprintf(&identity->names.pod_name, "%s-%zu", i ? "web" : "batch", i) >
			    0);
		line->row.identity = identity;
		line->row.cgroup_id = identity->cgroup_id;
		line->part.cpu_ns = 1000000;
	}
	book->rollup.realtime_ns = ctd_realtime_ns();
	assert_int_equal(ctd_ledger_add(book->ledger, book_rollup(book)), 0);
	book_clear(book);
	assert_int_equal(ctd_ledger_view(book->ledger, &view), 0);
	for (size_t i = 0; i < pods; i++)
		free(identities[i].names.pod_name);
	free(identities);
	return view;
}

/* Each victim waits behind pod 0. */
static struct ctd_neighbour_verdicts *make_verdicts(const struct ctd_ledger_view *view)
{
	static struct ctd_neighbour_names names[PODS_MAX];
	static struct ctd_neighbour_tag tags[PODS_MAX];
	struct ctd_neighbour_verdicts all = {.tags = tags};

	for (size_t i = 0; i < view->accounts_count; i++) {
		const struct ctd_account_who *who = view->accounts[i].who;

		names[i] = (struct ctd_neighbour_names){.key = who->key_text,
							.namespace_name = who->namespace_name,
							.pod = who->pod,
							.container = who->container};
		/* Sorted by namespace, it is the first. */
		if (i == 0)
			continue;
		tags[all.tags_count++] = (struct ctd_neighbour_tag){
			.victim = &names[i],
			.mechanism = CTD_MECHANISM_RUN_QUEUE,
			.blame = CTD_BLAME_NEIGHBOUR,
			.antagonists = {{&names[0], 0.9}},
			.antagonists_count = 1,
			.loss_cpus = 0.5,
			.since_ns = SINCE_NS,
		};
	}
	return ctd_neighbour_verdicts_copy(&all);
}

static double ms_since(uint64_t then_ns)
{
	return (double)(ctd_monotonic_ns() - then_ns) / 1e6;
}

static bool is_written(const char *path)
{
	struct stat status;

	return !path || (!stat(path, &status) && status.st_size > 0);
}

/* Returns as soon as all has come. */
static void wait_for(const struct ctd_events *events, const struct ctd_events_totals *wanted,
		     const char *until)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	uint64_t began_ns = ctd_monotonic_ns();
	struct ctd_events_totals totals;

	do {
		nanosleep(&pause, NULL);
		ctd_events_totals(events, &totals);
	} while ((totals.sent < wanted->sent || totals.failed < wanted->failed ||
		  totals.dropped < wanted->dropped || !is_written(until)) &&
		 ms_since(began_ns) < WAIT_MS);
}

static void judge(struct ctd_events *events, const struct settings *settings,
		  const struct ctd_ledger_view *view)
{
	static const struct ctd_neighbour_verdicts none;
	struct ctd_events_totals wanted = {.sent = (uint64_t)settings->sent,
					   .failed = (uint64_t)settings->failed};
	struct ctd_neighbour_verdicts *verdicts = make_verdicts(view);

	assert_non_null(verdicts);
	ctd_events_judge(events, verdicts, view);
	ctd_neighbour_verdicts_release(verdicts);
	wait_for(events, &wanted, settings->until);
	if (!settings->end)
		return;
	verdicts = ctd_neighbour_verdicts_copy(&none);
	assert_non_null(verdicts);
	ctd_events_judge(events, verdicts, view);
	ctd_neighbour_verdicts_release(verdicts);
	wanted.sent *= 2;
	wanted.dropped = (uint64_t)settings->dropped;
	wait_for(events, &wanted, NULL);
}

int main(int arguments_count, char **arguments)
{
	struct settings settings = {.victims = 1, .events = {.node = "node-1"}};
	const struct ctd_ledger_view *view;
	struct ctd_events_totals totals;
	struct ctd_events *events;
	struct book book;
	uint64_t before_ns;

	if (arguments_count < 2)
		return usage();
	settings.events.url = arguments[1];
	for (int i = 2; i < arguments_count; i++)
		if (!set(&settings, arguments[i]))
			return usage();
	ctd_log_set_level(CTD_LOG_INFO);
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 1000});
	view = make_view(&book, (size_t)settings.victims + 1);
	if (ctd_events_new(&settings.events, &events) < 0)
		return 1;
	judge(events, &settings, view);
	ctd_ledger_view_release(view);
	ctd_events_totals(events, &totals);
	before_ns = ctd_monotonic_ns();
	ctd_events_free(events);
	printf("{\"free_ms\": %.0f, \"sent\": %llu, \"failed\": %llu, \"dropped\": %llu}\n",
	       ms_since(before_ns), (unsigned long long)totals.sent,
	       (unsigned long long)totals.failed, (unsigned long long)totals.dropped);
	book_close(&book);
	return 0;
}
