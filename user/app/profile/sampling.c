/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* sampling.c - a thread that drains the sampler in each tick, and hands stacks to who asks. */
#include "app/profile/sampling.h"

#include <string.h>

#include "app/sandbox/sandbox.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"

#define NS_PER_S 1000000000ull
/* Processes that the unwinder asks for are read sooner than in a tick: some end. */
#define LOOK_NS 40000000ull
/* How long an interval that has ended waits for names: banks of samples last for two seconds. */
#define PATIENCE_NS 1000000000ull

int ctd_sampling_open(const char *host_root, struct ctd_sampling *ret_sampling)
{
	return ctd_profiler_open(NULL, host_root, &ret_sampling->profiler);
}

/* It was logged if that failed, and the next time has what this one would have had. @p ended: what
 * was sampled so far is of an interval that is over, also what has no names yet. */
static void sample(struct ctd_sampling *sampling, bool ended, struct ctd_stacks **stacks)
{
	const struct ctd_record_header *header = ctd_profiles_header(sampling->profiles);
	struct ctd_profile_health health;
	int error = ctd_profiler_take(&sampling->profiler, sampling->collector, header, stacks);

	if (!error && ended)
		ctd_profiler_finish(&sampling->profiler, sampling->collector, header, stacks,
				    PATIENCE_NS);
	if (*stacks)
		(*stacks)->elements_max = CTD_PROFILE_ELEMENTS_MAX;
	if (!ended)
		return;
	ctd_profiler_health(&sampling->profiler, sampling->collector, &health);
	ctd_profiles_tell(sampling->profiles, &health);
}

static void *run(void *context)
{
	struct ctd_sampling *sampling = context;
	struct ctd_profiles *profiles = sampling->profiles;
	struct ctd_stacks *stacks = NULL;
	uint64_t tick_ns = 0;

	/* It reads what containers wrote: files and BPF are what it needs, and no sockets. */
	ctd_sandbox_confine(&sampling->options, CTD_PRIVILEGES_TO_PROFILE);
	/* Of the time before the first interval. */
	ctd_profiler_take(&sampling->profiler, sampling->collector, NULL, NULL);
	while (ctd_profiles_wait(profiles, ctd_monotonic_ns() + LOOK_NS)) {
		uint64_t now_ns = ctd_monotonic_ns();
		size_t ended = ctd_profiles_ended(profiles);

		if (ended || now_ns >= tick_ns) {
			tick_ns = now_ns + CTD_PROFILER_TICK_NS;
			sample(sampling, ended, &stacks);
		} else {
			ctd_profiler_answer(&sampling->profiler, sampling->collector);
		}
		ctd_profiles_step(profiles, ended, &stacks, ctd_monotonic_ns());
	}
	ctd_stacks_free(stacks);
	return NULL;
}

int ctd_sampling_run(struct ctd_sampling *sampling, const struct ctd_options *options,
		     struct ctd_collector *collector, void (*end_interval)(void *context),
		     void *context)
{
	const struct ctd_profiles_options profiles = {
		.period_ns = NS_PER_S / options->serve.profile_frequency_hz,
		.interval_ns =
			options->interval_ns ? options->interval_ns : CTD_INTERVAL_DEFAULT_NS,
		.functions = options->serve.profile_top,
		.end_interval = end_interval,
		.context = context,
	};
	int error =
		ctd_profiles_new(&profiles, ctd_collector_header(collector), &sampling->profiles);

	if (error)
		return ctd_log_error(error, "prepare profiles");
	sampling->collector = collector;
	sampling->options = *options;
	sampling->options.command = CTD_COMMAND_PROFILE;
	error = ctd_thread_start(&sampling->thread, "ctd-sampling", run, sampling);
	if (error)
		return ctd_log_error(error, "start a thread that samples stacks");
	sampling->has_thread = true;
	return 0;
}

void ctd_sampling_free(struct ctd_sampling *sampling)
{
	if (sampling->has_thread) {
		ctd_profiles_stop(sampling->profiles);
		pthread_join(sampling->thread, NULL);
	}
	ctd_profiles_free(sampling->profiles);
	ctd_profiler_close(&sampling->profiler);
	*sampling = (struct ctd_sampling){};
}
