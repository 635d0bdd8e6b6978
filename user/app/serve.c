/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* serve.c - cgtopdown serve: one interval after the other, until it is told to stop. */
#include "app/collector.h"
#include "app/config.h"
#include "app/notify.h"
#include "app/options.h"
#include "base/clock.h"
#include "base/log.h"

#define INTERVAL_DEFAULT_NS 1000000000ull

struct serve_run {
	struct ctd_collector collector;
	struct ctd_options live; /* owned once it has a configuration of its own: after a reload */
	uint64_t reloads, reload_errors;
	struct ctd_notify notify;
	struct ctd_snapshot before;
};

static int take_snapshot(struct ctd_snapshot *snapshot, void *context)
{
	struct serve_run *run = context;

	ctd_snapshot_free(&run->before);
	run->before = *snapshot;
	ctd_notify_alive(&run->notify, ctd_monotonic_ns());
	return 0;
}

/* What is in use meanwhile are the strings of the options before: they are freed when none is. */
static void reload(struct serve_run *run, const struct ctd_options *options)
{
	const struct ctd_options *now = run->reloads ? &run->live : options;
	struct ctd_options next, before = run->live;

	ctd_notify_reloading(&run->notify);
	if (ctd_config_reload(now, &next)) {
		run->reload_errors++;
		ctd_notify_status(&run->notify, "the configuration is bad, and stays as it was");
	} else {
		run->live = next;
		if (run->reloads++)
			ctd_options_free(&before);
		ctd_notify_status(&run->notify, "the configuration was read again");
	}
	ctd_notify_ready(&run->notify);
}

static int run_intervals(struct serve_run *run, const struct ctd_options *options)
{
	uint64_t interval_ns = options->interval_ns ? options->interval_ns : INTERVAL_DEFAULT_NS;
	uint64_t next_ns = ctd_monotonic_ns();
	int error = 0;

	while (!error && !ctd_stop_signal()) {
		/* On a fixed grid; a late one does not shorten the next. */
		next_ns += interval_ns;
		if (next_ns < ctd_monotonic_ns())
			next_ns = ctd_monotonic_ns() + interval_ns;
		error = ctd_collector_interval(&run->collector, next_ns, -1, true, take_snapshot,
					       run);
		if (ctd_reload_asked())
			reload(run, options);
	}
	return error;
}

int ctd_serve_main(const struct ctd_options *options)
{
	struct serve_run run = {};
	int error;

	ctd_stop_prepare();
	ctd_reload_prepare();
	error = ctd_notify_open(&run.notify);
	if (error)
		ctd_log_error(error, "reach the service manager at NOTIFY_SOCKET");
	error = ctd_collector_start(options, &run.collector);
	if (!error)
		error = ctd_collector_snapshot(&run.collector, &run.before);
	if (!error) {
		ctd_notify_expect(&run.notify, options->interval_ns ? options->interval_ns
								    : INTERVAL_DEFAULT_NS);
		ctd_notify_ready(&run.notify);
		ctd_notify_status(&run.notify, "counting by %s", run.collector.header.source);
		error = run_intervals(&run, options);
	}
	ctd_notify_stopping(&run.notify);
	ctd_snapshot_free(&run.before);
	ctd_collector_free(&run.collector);
	ctd_options_free(&run.live);
	ctd_notify_close(&run.notify);
	return error ? 1 : 0;
}
