/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* push_views.c - pushes the ledger of a made-up node to a URL, and says how that went. */
#include <cgtopdown/metric.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* As cmocka has them. */
#define assert_int_equal(a, b) ((a) == (b) ? (void)0 : abort())
#define assert_true(what) ((what) ? (void)0 : abort())
#define assert_non_null(what) assert_true(what)

#include "../metrics.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/num.h"
#include "serve/push/push.h"
#include "unit/ledger/book.h"

#define HEADERS_MAX 8

extern const struct ctd_cpu_model ctd_cpu_sim;

struct settings {
	struct ctd_push_options push;
	const char *headers[HEADERS_MAX + 1];
	long long containers, views, every_ms;
	long long acknowledge; /* before the end so many views of them are waited for */
};

static int usage(void)
{
	fputs("usage: push_views URL [NAME=VALUE...]\n"
	      "  containers, views, every-ms, acknowledge, interval-ms, timeout-ms, queue,\n"
	      "  request-bytes, ca-file, proxy, header\n",
	      stderr);
	return 2;
}

static void know_self(struct ctd_self *ret_self, void *context)
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
	else if (strcmp(option, "acknowledge") == 0)
		settings->acknowledge = number;
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

/* All slots in four equal parts, and those in halves. */
static void count(struct book *book, struct book_line *line, uint64_t slots)
{
	const uint64_t counts[] = {slots,     slots / 4, slots / 4, slots / 4, slots / 4,
				   slots / 8, slots / 8, slots / 8, slots / 8};

	line->part.cpu_ns = slots / 24;
	line->part.slices = slots / 1000000;
	line->part.slots = slots;
	line->part.slots_known = true;
	ctd_metric_evaluate(metrics_of(&ctd_cpu_sim), counts, 9, 1, CTD_OK, line->values);
	book->rollup.totals[0].slots += slots;
}

/* In each interval container i has 8 million slots times i + 1, the kernel and idle CPUs have 80. */
static void add_rollup(struct book *book, const struct settings *settings,
		       struct ctd_identity *identities)
{
	size_t containers = (size_t)settings->containers;

	book->rollup.realtime_ns = ctd_realtime_ns();
	book->rollup.window_ns = (uint64_t)settings->every_ms * 1000000 + 1;
	book->rollup.totals[0].unattributed_slots = book->rollup.totals[0].slots = 24;
	for (size_t i = 0; i < containers + 2; i++) {
		struct book_line *line = book_row(book, i < containers	  ? CTD_ROLLUP_CONTAINER
							: i == containers ? CTD_ROLLUP_KERNEL
									  : CTD_ROLLUP_IDLE);

		line->row.identity = i < containers ? &identities[i] : NULL;
		line->row.cgroup_id = i < containers ? identities[i].cgroup_id : 0;
		count(book, line, i < containers ? 8000000 * (i + 1) : 80000000);
	}
	if (ctd_ledger_add(book->ledger, book_rollup(book)) < 0)
		abort();
	book_clear(book);
}

static struct ctd_identity *make_identities(size_t containers)
{
	struct ctd_identity *identities = calloc(containers + 1, sizeof(*identities));

	for (size_t i = 0; i < containers; i++) {
		struct ctd_identity *identity = &identities[i];

		*identity = (struct ctd_identity){
			.cgroup_id = i + 2,
			.path = (char *)"/kubepods.slice/kubepods-pod1.slice/cri-containerd-1.scope",
			.kind = CTD_IS_CONTAINER,
			.qos = CTD_QOS_BURSTABLE,
			.runtime = "containerd",
			.pod_uid = "11112222-3333-4444-5555-666677778888",
			.names = {.namespace_name = (char *)"shop",
				  .container_name = (char *)"web",
				  .image = (char *)"registry.example/web:1",
				  .owner_kind = (char *)"Deployment",
				  .owner_name = (char *)"cart"},
			.names_settled = true,
		};
		snprintf(identity->container_id, sizeof(identity->container_id), "%064zx", i);
		if (asprintf(&identity->names.pod_name, "cart-%zu", i) < 0)
			abort();
	}
	return identities;
}

static int compare_ms(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

/* Until the thread has the first view, which the second one would replace. */
static void wait_for_thread(const struct ctd_push *push)
{
	const struct timespec pause = {.tv_nsec = 1000000};
	uint64_t began_ns = ctd_monotonic_ns();
	struct ctd_push_totals totals;

	do {
		nanosleep(&pause, NULL);
		ctd_push_totals(push, &totals);
	} while (totals.queued + totals.sent + totals.failed + totals.dropped == 0 &&
		 ms_since(began_ns) < 30000);
}

/* @return how long one took, the median: a thread that loses its CPU has waited for nobody. */
static double publish_all(struct ctd_push *push, const struct settings *settings, struct book *book)
{
	struct timespec pause = {settings->every_ms / 1000, settings->every_ms % 1000 * 1000000};
	struct ctd_identity *identities = make_identities((size_t)settings->containers);
	double *took_ms = calloc((size_t)settings->views + 1, sizeof(*took_ms));
	const struct ctd_ledger_view *view;
	double median_ms;

	for (long long i = 0; i < settings->views; i++) {
		uint64_t before_ns;

		add_rollup(book, settings, identities);
		if (ctd_ledger_view(book->ledger, &view) < 0)
			abort();
		before_ns = ctd_monotonic_ns();
		ctd_mailbox_put(settings->push.mailbox, view);
		ctd_push_wake(push);
		took_ms[i] = ms_since(before_ns);
		ctd_ledger_view_release(view);
		if (i == 0)
			wait_for_thread(push);
		ctd_ledger_acknowledge(book->ledger, ctd_push_acknowledged(push));
		nanosleep(&pause, NULL);
	}
	for (long long i = 0; i < settings->containers; i++)
		free(identities[i].names.pod_name);
	free(identities);
	qsort(took_ms, (size_t)settings->views, sizeof(*took_ms), compare_ms);
	median_ms = took_ms[settings->views / 2];
	free(took_ms);
	return median_ms;
}

/* As long as a receiver may take on a busy machine. */
static void wait_for_receiver(const struct ctd_push *push, long long views)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	uint64_t began_ns = ctd_monotonic_ns();

	while (ctd_push_acknowledged(push) < (uint64_t)views && ms_since(began_ns) < 30000)
		nanosleep(&pause, NULL);
}

int main(int arguments_count, char **arguments)
{
	struct settings settings = {.containers = 3, .views = 1, .every_ms = 100};
	struct ctd_mailbox mailbox = CTD_MAILBOX_EMPTY;
	struct ctd_push_totals totals;
	struct ctd_push *push;
	struct book book;
	uint64_t acknowledged, before_ns;
	double publish_ms;

	if (arguments_count < 2)
		return usage();
	settings.push.url = arguments[1];
	settings.push.headers = settings.headers;
	settings.push.know_self = know_self;
	settings.push.mailbox = &mailbox;
	settings.push.resource =
		(struct ctd_otlp_resource){.host_name = "host-1", .node_name = "node-1"};
	if (arguments_count > 2 + HEADERS_MAX)
		return usage();
	for (int i = 2; i < arguments_count; i++)
		if (!set(&settings, arguments[i]))
			return usage();
	ctd_log_set_level(CTD_LOG_INFO);
	if (ctd_push_new(&settings.push, &push) < 0)
		return 1;
	book_open(&book, (struct ctd_ledger_options){.accounts_max = 20000});
	publish_ms = publish_all(push, &settings, &book);
	wait_for_receiver(push, settings.acknowledge);
	ctd_push_totals(push, &totals);
	acknowledged = ctd_push_acknowledged(push);
	book_close(&book);
	before_ns = ctd_monotonic_ns();
	ctd_push_free(push);
	ctd_mailbox_free(&mailbox);
	printf("{\"publish_ms\": %.3f, \"free_ms\": %.0f, \"acknowledged\": %llu, \"sent\": %llu, "
	       "\"failed\": %llu, \"dropped\": %llu, \"rejected_points\": %llu, \"queued\": %llu}\n",
	       publish_ms, ms_since(before_ns), (unsigned long long)acknowledged,
	       (unsigned long long)totals.sent, (unsigned long long)totals.failed,
	       (unsigned long long)totals.dropped, (unsigned long long)totals.rejected_points,
	       (unsigned long long)totals.queued);
	return 0;
}
