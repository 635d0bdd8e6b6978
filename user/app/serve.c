/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* serve.c - cgtopdown serve: interval after interval into a ledger, and its views to whoever asks. */
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "app/books.h"
#include "app/collector.h"
#include "app/ending.h"
#include "app/notify.h"
#include "app/options.h"
#include "app/privileges.h"
#include "app/reading.h"
#include "app/ways.h"
#include "base/clock.h"
#include "base/log.h"
#include "identity/resolve.h"

#define INTERVAL_DEFAULT_NS 1000000000ull
/* What an interval needs is taken and given back once a second: it stays with the process, as fresh
 * pages take longer than what is written to them. Not where it is large, as texts are, and all of
 * ten thousand containers: that would be twice the memory. */
#define LARGE_BYTES (1 << 20)
#define KEPT_BYTES (8 << 20)
/* A container is shown under its id if its name has not been found by then. */
#define SETTLE_NS 5000000000ull

struct serve_run {
	const struct ctd_options *options; /* those that now hold */
	struct ctd_options live; /* owned once it has a configuration of its own: after a reload */
	uint64_t interval_ns;
	struct ctd_collector collector;
	struct ctd_books books;
	struct ctd_ways ways;
	struct ctd_notify notify;
	struct ctd_reading reading; /* of another configuration */
	int wake_fd; /* ends an interval before its time */
};

static void tell_of_names(struct serve_run *run)
{
	struct ctd_resolver_counts counts = {};
	struct ctd_kubelet_counts kubelet = {};
	bool asks;

	if (run->collector.resolver)
		ctd_resolver_counts(run->collector.resolver, &counts);
	asks = run->collector.kubelets && ctd_kubelets_counts(run->collector.kubelets, &kubelet);
	pthread_mutex_lock(&run->ways.lock);
	run->ways.self.names_waiting = counts.waiting;
	run->ways.self.names_found = counts.found;
	run->ways.self.names_missing = counts.missing;
	run->ways.self.kubelet = asks;
	run->ways.self.kubelet_up = kubelet.up;
	run->ways.self.kubelet_requests = kubelet.requests;
	run->ways.self.kubelet_errors = kubelet.errors;
	pthread_mutex_unlock(&run->ways.lock);
}

static int take_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct serve_run *run = context;
	uint64_t acknowledged = ctd_ways_acknowledged(&run->ways);
	const struct ctd_ledger_view *view;

	if (acknowledged)
		ctd_ledger_acknowledge(run->books.ledger, acknowledged);
	view = ctd_books_enter(&run->books, snapshot);
	if (view) {
		tell_of_names(run);
		ctd_ways_publish(&run->ways, view);
	} else {
		/* Of whoever is gone the figures and the name are not in the ledger yet. */
		ctd_kern_keep(run->collector.kern);
	}
	ctd_ledger_view_release(view);
	ctd_notify_alive(&run->notify, ctd_monotonic_ns());
	return 0;
}

/* What is in use meanwhile are the strings of the options before: they are freed when none is. */
static int follow_options(struct serve_run *run)
{
	struct ctd_options before = run->live;
	bool had_own = run->options == &run->live;
	int error;

	if (!run->reading.has_next)
		return run->reading.error;
	ctd_ways_follow(&run->ways, &run->reading.ways_next);
	error = ctd_collector_follow_names(&run->collector, had_own ? &before : run->options,
					   &run->reading.next);
	run->live = run->reading.next;
	run->options = &run->live;
	if (had_own)
		ctd_options_free(&before);
	return error ? error : run->reading.error;
}

static void end_reload(struct serve_run *run, int error)
{
	pthread_mutex_lock(&run->ways.lock);
	if (error)
		run->ways.self.config_errors++;
	else
		run->ways.self.config_reloads++;
	pthread_mutex_unlock(&run->ways.lock);
	if (error)
		ctd_warn("not all was reloaded: the rest stays as it was");
	else
		ctd_info("reloaded");
	ctd_notify_status(&run->notify,
			  error ? "not all of the configuration was reloaded: see the log"
				: "the configuration was read again");
	ctd_notify_ready(&run->notify);
}

/* Who asks while it is being read is served after that: it may have been read before a change. */
static void reload(struct serve_run *run)
{
	int error;

	if (ctd_reading_is_over(&run->reading))
		end_reload(run, follow_options(run));
	if (run->reading.now || !ctd_reload_asked())
		return;
	ctd_notify_reloading(&run->notify);
	error = ctd_reading_begin(&run->reading, run->options, &run->ways, run->wake_fd);
	if (error)
		end_reload(run, error);
}

static int run_intervals(struct serve_run *run)
{
	uint64_t next_ns = ctd_monotonic_ns(), now_ns;
	eventfd_t count;
	int error = 0;

	while (!error && !ctd_stop_signal()) {
		/* On a fixed grid; a late one does not shorten the next. One that ended when a
		 * scrape came moves the grid, so that who scrapes once per interval gets one each. */
		now_ns = ctd_monotonic_ns();
		if (now_ns < next_ns || now_ns >= next_ns + run->interval_ns)
			next_ns = now_ns;
		next_ns += run->interval_ns;
		error = ctd_collector_interval(&run->collector, next_ns, run->wake_fd, true,
					       take_snapshot, run);
		/* It was said; the next snapshot has what this one would have had. */
		if (ctd_may_pass(error))
			error = 0;
		eventfd_read(run->wake_fd, &count);
		reload(run);
	}
	return error;
}

static int open_books(struct serve_run *run)
{
	const struct ctd_ledger_options options = {
		.accounts_max = run->options->serve.accounts_max,
		.settle_ns = SETTLE_NS,
		.linger_ns = run->options->serve.linger_ns,
	};
	struct ctd_snapshot first;
	int error = ctd_collector_snapshot(&run->collector, &first);

	if (error)
		return error;
	return ctd_books_open(&options, &run->collector.header, run->collector.identities, &first,
			      &run->books);
}

/* What may be refused comes first, and what needs privileges before these are given up. */
static int start(struct serve_run *run)
{
	const struct ctd_record_header *header = &run->collector.header;
	int error = ctd_ways_open(run->options, run->interval_ns, run->wake_fd, &run->ways);

	if (error)
		return error;
	ctd_privileges_drop(CTD_PRIVILEGES_TO_START);
	error = ctd_collector_start(run->options, &run->collector);
	if (!error)
		error = open_books(run);
	if (error)
		return error;
	ctd_privileges_drop(CTD_PRIVILEGES_TO_RUN);
	/* Where counters take turns, an interval that ends early has not had all of them. */
	error = ctd_ways_run(&run->ways, run->options, header->groups_count > 1);
	if (error)
		return error;
	if (run->ways.http)
		ctd_info("%sserving %s/metrics", header->simulated ? "SIMULATED, " : "",
			 ctd_http_url(run->ways.http));
	ctd_notify_expect(&run->notify, run->interval_ns);
	ctd_notify_ready(&run->notify);
	ctd_notify_status(&run->notify, "counting by %s", header->source);
	return 0;
}

int ctd_serve_main(const struct ctd_options *options)
{
	struct serve_run run = {
		.options = options,
		.interval_ns = options->interval_ns ? options->interval_ns : INTERVAL_DEFAULT_NS,
		.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
	};
	struct ctd_ending ending;
	int error;

	if (run.wake_fd < 0) {
		ctd_log_error(-errno, "make an eventfd");
		return 1;
	}
	/* A service says what it does, a line for each event. */
	if (ctd_log_level() < CTD_LOG_INFO)
		ctd_log_set_level(CTD_LOG_INFO);
	/* Nobody who ought to read them stops the accounting. */
	ctd_log_never_wait();
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
	mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
	ctd_stop_prepare();
	ctd_reload_prepare(run.wake_fd);
	error = ctd_notify_open(&run.notify);
	if (error)
		ctd_log_error(error, "reach the service manager at NOTIFY_SOCKET");
	error = start(&run);
	if (!error)
		error = run_intervals(&run);
	if (!error)
		ctd_info("%s: ending", strsignal(ctd_stop_signal()));
	ctd_notify_stopping(&run.notify);
	/* First what would be there after us, whoever does not end. */
	ctd_collector_detach(&run.collector);
	ctd_ending_begin(error ? 1 : 0, &ending);
	ctd_reading_end(&run.reading);
	ctd_ways_free(&run.ways);
	ctd_books_close(&run.books);
	ctd_collector_free(&run.collector);
	ctd_ending_over(&ending);
	ctd_reload_prepare(-1);
	ctd_options_free(&run.live);
	ctd_notify_close(&run.notify);
	close(run.wake_fd);
	return error ? 1 : 0;
}
