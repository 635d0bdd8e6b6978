/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* serve.c - cgtopdown serve: adds intervals up in a ledger, whose views are fetched and sent. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "app/collect.h"
#include "app/neighbours/judging.h"
#include "app/options/config.h"
#include "app/options/options.h"
#include "app/privileges.h"
#include "app/profile/sampling.h"
#include "app/stop.h"
#include "app/vendor_count.h"
#include "base/clock.h"
#include "base/exit_watchdog.h"
#include "base/log.h"
#include "serve/feed.h"
#include "serve/history/history.h"
#include "serve/memory.h"
#include "serve/notify.h"
#include "serve/outputs.h"
#include "serve/watch.h"

/* A container is shown under its id if its name has not been found by then. */
#define SETTLE_NS 5000000000ull
#define NS_PER_US 1000
#define BYTES_PER_MB 1000000ull
/* A disk may be slow, and what waits for it is an orderly end's. */
#define HISTORY_LIMIT_S 60
/* What is written to wake_fd for a view in between: far more than all others write at once. */
#define LOOK_COUNT (1ull << 32)

struct serve_run {
	const struct ctd_options *options;
	uint64_t interval_ns;
	char local[sizeof("unix:") + CTD_HOST_BYTES]; /* the local socket */
	struct ctd_collector *collector; /* owned */
	struct ctd_confinement confinement;
	struct ctd_feed feed;
	struct ctd_judging judging; /* with --neighbours */
	struct ctd_outputs outputs;
	struct ctd_sampler_options sampler;
	struct ctd_sampling sampling; /* with --profile */
	struct ctd_vendor_count_run vendor; /* owned; with --metrics-dir */
	struct ctd_history *history; /* owned; NULL: none is kept */
	struct ctd_recall *recall; /* owned; reads it; NULL: none is kept */
	struct ctd_watch *watch; /* owned */
	struct ctd_notify notify;
	struct ctd_memory memory;
	uint32_t plan; /* of counters: that of the last snapshot */
	uint64_t next_ns; /* monotonic; when the interval ends */
	int wake_fd; /* ends an interval before its time */
	bool looked; /* it ended for a view in between, and goes on for all that count intervals */
};

static void tell_outputs(struct serve_run *run)
{
	struct ctd_name_counts names;
	struct ctd_self self = {.config_errors = ctd_watch_errors(run->watch),
				.no_created = run->options->serve.no_created,
				.wait_histogram = run->options->serve.wait_histogram,
				.sample_period_ns = run->options->serve.neighbours
							    ? run->options->sample_period_ns
							    : 0};

	ctd_collector_count_names(run->collector, &names);
	self.names_waiting = names.waiting;
	self.names_found = names.found;
	self.names_missing = names.missing;
	self.names_refused = names.refused;
	self.kubelet = names.kubelet;
	self.kubelet_up = names.kubelet_up;
	self.kubelet_requests = names.kubelet_requests;
	self.kubelet_errors = names.kubelet_errors;
	if (run->history)
		ctd_history_tell(run->history, &self);
	ctd_outputs_tell(&run->outputs, &self);
}

/* Other counters count from this snapshot on; what was counted before is in the ledger. */
static int follow_plan(struct serve_run *run, const struct ctd_snapshot *snapshot)
{
	const struct ctd_record_header *header = ctd_collector_header(run->collector);
	int error = ctd_feed_replan(&run->feed, header, ctd_collector_groups(run->collector));

	if (error)
		return error;
	/* Without memory, profiles go on with the next plan. */
	if (run->sampling.profiles && ctd_profiles_replan(run->sampling.profiles, header))
		ctd_log_error(-ENOMEM, "follow the counters in profiles");
	if (run->history)
		ctd_history_replan(run->history, header, ctd_collector_identities(run->collector));
	run->plan = snapshot->plan;
	ctd_vendor_count_weigh(&run->vendor, run->collector);
	ctd_outputs_set_as_it_is(&run->outputs, ctd_collector_groups(run->collector).all > 1);
	ctd_notify_status(&run->notify, "counting by %s", header->source);
	return 0;
}

/* Did it end for local commands that want a younger view, and for nothing else? */
static bool was_looked_at(const struct serve_run *run)
{
	eventfd_t count = 0;

	eventfd_read(run->wake_fd, &count);
	return count >= LOOK_COUNT && count % LOOK_COUNT == 0 && ctd_monotonic_ns() < run->next_ns;
}

static int take_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct serve_run *run = context;
	uint64_t acknowledged = ctd_outputs_acknowledged(&run->outputs);
	const struct ctd_neighbour_verdicts *verdicts = NULL;
	const struct ctd_ledger_view *view;

	if (!snapshot->in_between)
		run->looked = was_looked_at(run);
	/* Without memory it is tried again with the next one. */
	if (snapshot->plan != run->plan && follow_plan(run, snapshot)) {
		ctd_snapshot_free(snapshot);
		return 0;
	}
	if (acknowledged)
		ctd_ledger_acknowledge(run->feed.ledger, acknowledged);
	if (run->sampling.profiles)
		ctd_feed_add_functions(&run->feed,
				       ctd_profiles_take_functions(run->sampling.profiles));
	view = ctd_feed_enter(&run->feed, snapshot);
	if (view) {
		tell_outputs(run);
		/* Views that clients ask for in between do not make samples shorter. */
		if (run->looked)
			ctd_judging_look(&run->judging, view);
		else
			verdicts = ctd_judging_take(&run->judging, view, run->collector);
		if (verdicts)
			ctd_outputs_judge(&run->outputs, verdicts, view);
		ctd_outputs_publish(&run->outputs, view);
	} else {
		/* Figures and names of cgroups that are gone are not in the ledger yet. */
		ctd_collector_keep(run->collector);
	}
	ctd_ledger_view_release(view);
	ctd_notify_alive(&run->notify, ctd_monotonic_ns());
	return 0;
}

static int look_at_config(bool asked, void *options)
{
	return asked ? ctd_config_look(options) : 0;
}

/* It reads its token for each request. */
static int look_at_kubelet(bool asked, void *collector)
{
	if (asked)
		ctd_collector_ask_kubelet(collector);
	return 0;
}

static int start_watch(struct serve_run *run)
{
	struct ctd_watched watched[5];
	size_t count = 0;
	int error;

	/* The client of the kubelet reads files on its own thread; the others may wait for them. */
	if (run->options->serve.kubelet)
		watched[count++] = (struct ctd_watched){look_at_kubelet, run->collector};
	if (run->outputs.http)
		watched[count++] = (struct ctd_watched){ctd_http_look, run->outputs.http};
	if (run->outputs.local)
		watched[count++] = (struct ctd_watched){ctd_http_look, run->outputs.local};
	if (run->outputs.push)
		watched[count++] = (struct ctd_watched){ctd_push_look, run->outputs.push};
	watched[count++] = (struct ctd_watched){look_at_config, (void *)run->options};
	error = ctd_watch_new(watched, count, &run->watch);
	return error ? ctd_log_error(error, "start a thread that looks at files") : 0;
}

/* A scrape that ends an interval moves the grid, so that a scraper that comes once per interval
 * gets one each. */
static void begin_interval(struct serve_run *run)
{
	uint64_t now_ns = ctd_monotonic_ns();
	uint64_t last_ns = now_ns < run->next_ns ? now_ns : run->next_ns;

	run->next_ns = ctd_clock_next_ns(
		last_ns, ctd_collector_stretch(run->collector, run->interval_ns), now_ns);
}

static int run_intervals(struct serve_run *run)
{
	eventfd_t count;
	int error = 0;

	run->next_ns = ctd_monotonic_ns();
	while (!error && !ctd_stop_came()) {
		if (!run->looked)
			begin_interval(run);
		run->looked = false;
		error = ctd_collector_interval(run->collector, run->next_ns, run->wake_fd, true,
					       take_snapshot, run);
		/* It was logged; the next snapshot has what this one would have had. */
		if (ctd_may_pass(error))
			error = 0;
		eventfd_read(run->wake_fd, &count);
		ctd_memory_give_back(&run->memory, ctd_monotonic_ns());
		if (ctd_hangup_came()) {
			ctd_info("SIGHUP: looking for changed certificates, secrets and options");
			ctd_watch_ask(run->watch);
		}
	}
	return error;
}

static void tell_of_quota(const struct ctd_account_who *who, size_t most)
{
	ctd_warn(
		"'%s': its container, user or namespace has %zu series of its own, as many as it may of --accounts-max; all others are in (other)",
		who->path, most);
}

static int open_feed(struct serve_run *run)
{
	const struct ctd_ledger_options options = {
		.accounts_max = run->options->serve.accounts_max,
		.refused = tell_of_quota,
		.pairs_max = run->options->serve.pairs_max,
		.functions_max = run->options->serve.profile_top,
		.vendor = ctd_vendor_count_one(&run->vendor),
		.settle_ns = SETTLE_NS,
		.linger_ns = run->options->serve.linger_ns,
	};
	struct ctd_snapshot first;
	int error = ctd_collector_snapshot(run->collector, &first);

	if (error)
		return error;
	return ctd_feed_open(&options, ctd_collector_header(run->collector),
			     ctd_collector_groups(run->collector),
			     ctd_collector_identities(run->collector), &first, &run->feed);
}

static void end_interval(void *context)
{
	const struct serve_run *run = context;

	eventfd_write(run->wake_fd, 1);
}

static void hand_on(const struct ctd_interval *interval, void *context)
{
	struct serve_run *run = context;
	const struct ctd_identities *identities = ctd_collector_identities(run->collector);

	if (run->sampling.profiles)
		ctd_profiles_enter(run->sampling.profiles, interval, identities,
				   ctd_monotonic_ns());
	if (run->history)
		ctd_history_enter(run->history, interval, run->looked, identities);
}

static int start_history(struct serve_run *run)
{
	const struct ctd_serve_options *serve = &run->options->serve;
	const struct ctd_history_options options = {
		.directory = serve->history,
		.bytes_max = serve->history_mb * BYTES_PER_MB,
		.interval_ns = run->interval_ns,
	};
	int error = ctd_history_new(&options, &run->history);

	if (error)
		return error;
	ctd_history_replan(run->history, ctd_collector_header(run->collector), NULL);
	return ctd_recall_new(serve->history, &run->recall);
}

/* Kubernetes tells a pod by its environment. NULL: not known. */
static const char *node_name(const struct ctd_serve_options *serve)
{
	return serve->node_name ? serve->node_name : getenv("NODE_NAME");
}

static int open_outputs(struct serve_run *run)
{
	const struct ctd_serve_options *serve = &run->options->serve;
	const char *path = run->options->local_socket;
	const struct ctd_outputs_options options = {
		.listen = strcmp(serve->listen, "off") == 0 ? NULL : serve->listen,
		.access = {.mode = serve->socket_mode, .group = serve->socket_group},
		.hosts = serve->allow_hosts.text,
		.local = path && strcmp(path, "none") == 0 ? NULL : run->local,
		.local_needed = path,
		.files =
			{
				.certificate = serve->tls_cert,
				.key = serve->tls_key,
				.token = serve->bearer_token_file,
				.users = serve->basic_auth_file,
			},
		.push =
			{
				.url = serve->otlp,
				.headers = serve->otlp_headers.text,
				.header_file = serve->otlp_header_file,
				.ca_file = serve->otlp_ca,
				.resource = {.cluster_name = serve->cluster_name},
				.interval_ns = serve->otlp_interval_ns,
			},
		.tell_kubernetes = serve->kubernetes_events,
		.events =
			{
				.url = serve->kubernetes_api,
				.ca_file = serve->kubernetes_ca,
				.token_file = serve->kubernetes_token_file,
			},
		.node_name = node_name(serve),
		.interval_ns = run->interval_ns,
		.linger_ns = serve->linger_ns,
		.wake_fd = run->wake_fd,
		.look_count = LOOK_COUNT,
	};

	snprintf(run->local, sizeof(run->local), "unix:%s", path ? path : CTD_LOCAL_SOCKET);
	return ctd_outputs_open(&options, &run->outputs);
}

static void check_vendor(const struct serve_run *run)
{
	struct ctd_collect_groups groups = ctd_collector_groups(run->collector);
	int own = (int)(groups.all - groups.beside);

	if (ctd_vendor_count_one(&run->vendor) && !groups.beside)
		ctd_warn(
			"--metrics-dir: its metrics are not counted: that takes a source whose counters count (this is %s), and no CPU that must not be disturbed",
			ctd_collector_header(run->collector)->source);
	if (ctd_vendor_count_one(&run->vendor) && run->options->serve.history)
		ctd_log_line(
			"cgtopdown: the history keeps the built-in tree, and no metrics of --metrics-dir");
	ctd_vendor_count_check_series(&run->vendor, run->options->serve.accounts_max);
	if (groups.beside)
		ctd_vendor_count_check_interval(
			&run->vendor, own * ctd_vendor_count_tree_steps(&run->vendor, own),
			run->interval_ns);
}

/* What may be refused comes first, and what needs privileges before these are given up. */
static int start(struct serve_run *run)
{
	const struct ctd_record_header *header;
	bool profile = run->options->with_profile;
	int error = open_outputs(run);

	if (!error && run->options->metrics_dir)
		error = ctd_vendor_count_begin(run->options, &run->vendor);
	if (!error && run->options->serve.neighbours)
		error = ctd_judging_open(run->options, &run->judging);
	if (!error && profile)
		error = ctd_sampling_open(run->options->host_root, &run->sampling);
	if (error)
		return error;
	if (run->options->serve.history)
		ctd_history_prepare(run->options->serve.history);
	ctd_privileges_drop(profile ? CTD_PRIVILEGES_TO_START_PROFILE : CTD_PRIVILEGES_TO_START);
	error = ctd_collect_start(run->options, profile ? &run->sampler : NULL,
				  run->options->metrics_dir ? &run->vendor.rotations : NULL,
				  &run->confinement, &run->collector);
	if (!error)
		error = open_feed(run);
	if (!error && profile)
		error = ctd_sampling_run(&run->sampling, run->options, run->collector, end_interval,
					 run);
	if (error)
		return error;
	run->feed.entered = hand_on;
	run->feed.context = run;
	ctd_collect_confine(&run->confinement);
	if (run->options->serve.history)
		error = start_history(run);
	if (error)
		return error;
	header = ctd_collector_header(run->collector);
	check_vendor(run);
	ctd_vendor_count_weigh(&run->vendor, run->collector);
	/* With rotation an interval that ends early has not had all groups of counters. */
	error = ctd_outputs_run(&run->outputs, ctd_collector_groups(run->collector).all > 1,
				run->sampling.profiles, run->recall);
	if (!error)
		error = start_watch(run);
	if (error)
		return error;
	if (run->outputs.local && *ctd_http_url(run->outputs.local))
		ctd_info("local commands ask at %s", ctd_http_url(run->outputs.local));
	if (run->outputs.http)
		ctd_info("%sserving %s/metrics", header->simulated ? "SIMULATED, " : "",
			 ctd_http_url(run->outputs.http));
	ctd_notify_expect(&run->notify, run->interval_ns);
	ctd_notify_ready(&run->notify);
	ctd_notify_status(&run->notify, "counting by %s", header->source);
	return 0;
}

/* Before any other thread is waited for, as what it has yet to write would be lost with these. */
static void end_history(struct serve_run *run, int status)
{
	struct ctd_exit_watchdog watchdog;

	ctd_exit_watchdog_start(
		status, HISTORY_LIMIT_S,
		"history: the disk takes nothing: exited without the intervals that wait for it, which are lost",
		&watchdog);
	ctd_history_free(run->history,
			 run->collector ? ctd_collector_identities(run->collector) : NULL);
	ctd_exit_watchdog_stop(&watchdog);
}

int ctd_serve_main(const struct ctd_options *options)
{
	struct serve_run run = {
		.options = options,
		.interval_ns =
			options->interval_ns ? options->interval_ns : CTD_INTERVAL_DEFAULT_NS,
		.confinement.sandbox.ruleset_fd = -1,
		.judging = CTD_JUDGING_NONE,
		.sampler = {.frequency_hz = options->serve.profile_frequency_hz,
			    .window_ns = options->serve.profile_window_us * NS_PER_US},
		.wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC),
	};
	struct ctd_exit_watchdog watchdog;
	int error;

	if (run.wake_fd < 0) {
		ctd_log_error(-errno, "make an eventfd");
		return 1;
	}
	/* A service says what it does, a line for each event. */
	if (ctd_log_level() < CTD_LOG_INFO)
		ctd_log_set_level(CTD_LOG_INFO);
	/* A reader of the log that hangs does not stop the accounting. */
	ctd_log_never_wait();
	ctd_memory_prepare();
	ctd_stop_prepare();
	ctd_hangup_prepare(run.wake_fd);
	error = ctd_notify_open(&run.notify);
	if (error)
		ctd_log_error(error, "reach the service manager at NOTIFY_SOCKET");
	error = start(&run);
	if (!error)
		error = run_intervals(&run);
	if (!error)
		ctd_info("%s: ending", strsignal(ctd_stop_signal()));
	ctd_notify_stopping(&run.notify);
	if (run.sampling.profiles)
		ctd_profiles_stop(run.sampling.profiles);
	/* Detach BPF first: a thread may hang and delay the exit. */
	ctd_collector_detach(run.collector);
	end_history(&run, error ? 1 : 0);
	ctd_exit_watchdog_start(error ? 1 : 0, CTD_EXIT_LIMIT_S, CTD_EXIT_SENTENCE, &watchdog);
	ctd_watch_free(run.watch);
	ctd_outputs_free(&run.outputs);
	ctd_sampling_free(&run.sampling);
	ctd_recall_free(run.recall);
	ctd_judging_close(&run.judging);
	ctd_feed_close(&run.feed);
	ctd_collector_free(run.collector);
	ctd_vendor_count_free(&run.vendor);
	ctd_sandbox_free(&run.confinement.sandbox);
	ctd_exit_watchdog_stop(&watchdog);
	ctd_hangup_prepare(-1);
	ctd_notify_close(&run.notify);
	close(run.wake_fd);
	return error ? 1 : 0;
}
