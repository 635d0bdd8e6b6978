/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* event.h - which event --event and --node have sampled, or why it cannot be. */
#ifndef APP_PROFILE_EVENT_H
#define APP_PROFILE_EVENT_H

#include <cgtopdown/counters.h>
#include <cgtopdown/stacks.h>

#include "app/options/options.h"

/* What a command that samples is to do. */
struct ctd_event_choice {
	struct ctd_options options; /* those that were given, and what goes with the event */
	struct ctd_sampled_event event; /* without a name: CPU time, in windows */
	char node[64]; /* of --node: what is sorted by instead; options.sort may point to it */
};

/*
 * Chooses as the options ask for; without --event and --node it is CPU time. Counts an event of
 * which nobody says how often it comes, which takes a moment. Stays where it is. Logs, also what is
 * sampled instead of what a --node would have. @return 0 or negative errno.
 */
int ctd_event_choose(const struct ctd_options *options, struct ctd_event_choice *ret_choice);

/* What there is to say of it in stacks; all 0 without an event. */
struct ctd_stacks_event ctd_event_of_stacks(const struct ctd_sampled_event *event);

/* The open function is the tests' own. */
typedef int ctd_event_try_fn(const struct ctd_pmu_facts *facts, int cpu,
			     struct ctd_sampled_core *core);
int ctd_event_choose_with(ctd_event_try_fn *try_core, const struct ctd_options *options,
			  struct ctd_event_choice *ret_choice);

#endif
