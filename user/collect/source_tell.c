/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* source_tell.c - says in the log which sources were chosen and refused, and why. */
#include "collect/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "pmu/holders.h"

static void tell_attempt(const struct ctd_source_attempt *attempt, const char *label)
{
	const struct ctd_counter_plan *plan = &attempt->plan;
	const struct ctd_trial *trial = &attempt->trial;

	ctd_log(attempt->cut ? CTD_LOG_WARNING : CTD_LOG_INFO, "%ssource %s: %s", label,
		plan->source, plan->why);
	/* Figures that are not of the row alone must not be read without knowing it. */
	if (plan->model && plan->model->core_scope)
		ctd_warn("%ssource %s: %s", label, plan->source, plan->model->caution);
	if (*attempt->ipc_lack)
		ctd_warn("%sno IPC group: %s", label, attempt->ipc_lack);
	if (*trial->lie || attempt->refused)
		ctd_warn("%ssource %s: %s", label, plan->source,
			 *trial->lie ? trial->lie : "the counters do not open");
}

/* A user who left the choice to us and gets no slots should know why, and one who gets them on some
 * core types only. */
static void tell_none(const struct ctd_source *source, const struct ctd_counter_plan *plan,
		      const char *label)
{
	bool wanted =
		plan->read == CTD_READ_NONE && (ctd_source_is_automatic(&source->wishes) || *label);

	ctd_log(wanted ? CTD_LOG_WARNING : CTD_LOG_INFO, "%ssource %s: %s", label, plan->source,
		plan->why);
	if (source->wishes.ipc)
		ctd_warn("%sno IPC group: source %s has no instructions and cycles", label,
			 plan->source);
}

static bool is_held(const struct ctd_trial *trial)
{
	return trial->error == -EBUSY || trial->pushed_off || trial->never;
}

/* Where counters were held when they were tried: by whom, perhaps. */
static void tell_holders(const struct ctd_source *source)
{
	char names[160] = "";
	bool held = false;

	for (int type = 0; type < source->core_types_planned; type++)
		for (int i = 0; i < source->choices[type].attempts_count; i++)
			held |= is_held(&source->choices[type].attempts[i].trial);
	if (held)
		ctd_holders_name(names, sizeof(names));
	if (*names)
		ctd_warn("perf events are open in %s: one of these may hold the counters", names);
}

void ctd_source_tell(const struct ctd_source *source)
{
	for (int type = 0; type < source->core_types_planned; type++) {
		const struct ctd_source_choice *choice = &source->choices[type];
		char label[32] = "";

		if (source->core_types_planned > 1)
			snprintf(label, sizeof(label),
				 "%s: ", source->machine.core_types[type].core_name);
		for (int i = 0; i < choice->attempts_count; i++)
			tell_attempt(&choice->attempts[i], label);
		if (!ctd_plan_counts(&source->plans[type]))
			tell_none(source, &source->plans[type], label);
	}
	tell_holders(source);
}
