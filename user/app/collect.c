/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* collect.c - a measurement as the command line asks for it. */
#include "app/collect.h"

#include "app/stop.h"
#include "base/exit_watchdog.h"

/* A source that comes back, as when another profiler ends, is taken within this time. A profile is
 * of one source. */
#define SEEK_NS 30000000000ull

/* Threads keep what was given up after they began: these read files of others. */
static void confine(void *context)
{
	const struct ctd_confinement *confinement = context;

	ctd_privileges_drop(confinement->privileges);
	ctd_sandbox_enter(&confinement->sandbox);
}

void ctd_collect_confine(struct ctd_confinement *confinement)
{
	confine(confinement);
}

static struct ctd_name_options names_of(const struct ctd_options *options,
					struct ctd_confinement *confinement)
{
	const struct ctd_serve_options *serve = &options->serve;

	return (struct ctd_name_options){
		.host_root = options->host_root,
		.kubelet = serve->kubelet,
		.kubelet_ca = serve->kubelet_ca,
		.kubelet_token_file = serve->kubelet_token_file,
		.kubelet_insecure = serve->kubelet_insecure,
		.pod_labels = serve->pod_labels.text,
		.pod_labels_count = serve->pod_labels.count,
		.begin_thread = confine,
		.begin_context = confinement,
	};
}

static enum ctd_by rows_by(enum ctd_group_by by)
{
	return by == CTD_GROUP_PROCESS ? CTD_BY_PROCESS
	       : by == CTD_GROUP_TASK  ? CTD_BY_TASK
				       : CTD_BY_CGROUP;
}

/* With --metrics-dir it is that of the vendor's tree. */
static int level_of(const struct ctd_options *options)
{
	return options->metrics_dir ? 0 : options->level;
}

/* What was asked for by an option, and is no default. */
static uint64_t asked_for(const struct ctd_options *options)
{
	const bool asked[CTD_BUDGET_PARTS] = {
		[CTD_BUDGET_WAITS] = options->waits,
		[CTD_BUDGET_FREQUENCY] = options->profile.frequency_hz,
		[CTD_BUDGET_GENERAL] = options->ipc,
		[CTD_BUDGET_LEVEL] = options->level,
		[CTD_BUDGET_INTERVAL] = options->interval_ns,
	};
	uint64_t bits = 0;

	for (int part = 0; part < CTD_BUDGET_PARTS; part++)
		bits |= (uint64_t)asked[part] << part;
	return bits;
}

static struct ctd_budget_options budget_of(const struct ctd_options *options,
					   const struct ctd_sampler_options *sampler)
{
	uint64_t interval_ns = options->interval_ns;

	/* With a COMMAND stat takes its whole run as one. */
	if (!interval_ns && !(options->program && options->command == CTD_COMMAND_STAT))
		interval_ns = CTD_INTERVAL_DEFAULT_NS;
	return (struct ctd_budget_options){
		.limit_ppm = options->budget_ppm,
		.window_ns = options->budget_window_ns,
		.interval_ns = interval_ns,
		/* A recorded profile is of one source. */
		.keeps_plan = sampler && options->command != CTD_COMMAND_SERVE,
		.asked_for = asked_for(options),
		.beside_pid = options->shown_by,
	};
}

int ctd_collect_start(const struct ctd_options *options, const struct ctd_sampler_options *sampler,
		      const struct ctd_rotations *rotations,
		      struct ctd_confinement *ret_confinement, struct ctd_collector **ret_collector)
{
	const struct ctd_collect_options collect = {
		.wishes =
			{
				.source = options->source,
				.profile_file = options->profile_file,
				.level = level_of(options),
				.ipc = options->ipc,
				.read_each = options->read_each,
				.pinned = !options->no_pin,
				.rotations = rotations,
				.beside = rotations && options->command == CTD_COMMAND_SERVE,
			},
		.names = names_of(options, ret_confinement),
		.hierarchy = options->hierarchy,
		.by = rows_by(options->by),
		.waits = options->waits ||
			 (options->command == CTD_COMMAND_SERVE && !options->no_waits) ||
			 options->command == CTD_COMMAND_NEIGHBOURS,
		.waits_asked = options->waits,
		.cpus = options->cpus,
		.max_slice_ns = options->max_slice_ns,
		.rows_max = options->rows_max,
		.seek_ns = sampler && options->command != CTD_COMMAND_SERVE ? 0 : SEEK_NS,
		.makes_room = options->command == CTD_COMMAND_SERVE,
		.is_stopped = ctd_stop_came,
		.sampler = sampler,
		.budget = budget_of(options, sampler),
	};
	int error;

	ret_confinement->privileges =
		options->program ? CTD_PRIVILEGES_TO_END_COMMAND : CTD_PRIVILEGES_TO_RUN;
	ctd_sandbox_make(options, ret_confinement->privileges, &ret_confinement->sandbox);
	error = ctd_collector_new(&collect, ret_collector);
	return error ? error : ctd_collector_start(*ret_collector);
}

void ctd_collect_end(struct ctd_collector *collector, struct ctd_confinement *confinement,
		     int status)
{
	struct ctd_exit_watchdog watchdog;

	ctd_collector_detach(collector);
	ctd_exit_watchdog_start(status, CTD_EXIT_LIMIT_S, CTD_EXIT_SENTENCE, &watchdog);
	ctd_collector_free(collector);
	ctd_sandbox_free(&confinement->sandbox);
	ctd_exit_watchdog_stop(&watchdog);
}
