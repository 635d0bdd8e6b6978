/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* machine.c - keeps the two newest views of a machine that belong together. */
#include "remote/machine.h"

#include <inttypes.h>
#include <stdio.h>

#include "remote/plan.h"

/* One that answers is not told late before. */
#define LATE_NS 2000000000ull

static bool goes_on(const struct ctd_remote_view *view, const struct ctd_remote_view *before)
{
	return before->sequence && ctd_remote_view_is_of_run(view, before) &&
	       ctd_remote_view_is_of_plan(view, before) && view->elapsed_ns >= before->elapsed_ns;
}

void ctd_remote_machine_take(struct ctd_remote_machine *machine, struct ctd_remote_view *view,
			     uint64_t now_ns)
{
	if (ctd_remote_view_lacks_shares(view)) {
		ctd_remote_view_free(view);
		ctd_remote_machine_fail(
			machine,
			"its processor's shares are of cycles, which serve does not add up");
		return;
	}
	machine->why[0] = '\0';
	if (goes_on(view, &machine->after) && view->elapsed_ns == machine->after.elapsed_ns) {
		ctd_remote_view_free(view);
		return;
	}
	ctd_remote_view_free(&machine->before);
	machine->is_new = goes_on(view, &machine->after);
	if (machine->is_new)
		machine->before = machine->after;
	else
		ctd_remote_view_free(&machine->after);
	machine->after = *view;
	machine->came_ns = now_ns;
	*view = (struct ctd_remote_view){0};
}

void ctd_remote_machine_fail(struct ctd_remote_machine *machine, const char *why)
{
	snprintf(machine->why, sizeof(machine->why), "%s", why);
}

/* Where serve makes no views when asked, they come with its intervals. */
static uint64_t limit_ns(const struct ctd_remote_machine *machine, uint64_t interval_ns)
{
	const struct ctd_remote_view *view = &machine->after;
	bool looks = view->look_ns && !ctd_budget_gave_up(&view->budget, CTD_BUDGET_INTERVAL);
	uint64_t its_ns = looks ? 0 : ctd_budget_stretch(&view->budget, view->interval_ns);

	return 2 * (its_ns > interval_ns ? its_ns : interval_ns) + LATE_NS;
}

bool ctd_remote_machine_is_fresh(const struct ctd_remote_machine *machine, uint64_t interval_ns,
				 uint64_t now_ns, char ret_why[CTD_REMOTE_WHY_BYTES])
{
	uint64_t age_ns = now_ns - machine->came_ns;

	if (*machine->why)
		snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "%s", machine->why);
	else if (!machine->after.sequence)
		snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "it has not answered yet");
	else if (age_ns > limit_ns(machine, interval_ns))
		snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "no new figures for %" PRIu64 " s",
			 age_ns / 1000000000);
	else if (!machine->before.sequence)
		snprintf(ret_why, CTD_REMOTE_WHY_BYTES, "its first interval has not ended");
	else
		return true;
	return false;
}

void ctd_remote_machine_free(struct ctd_remote_machine *machine)
{
	ctd_remote_view_free(&machine->before);
	ctd_remote_view_free(&machine->after);
	*machine = (struct ctd_remote_machine){0};
}
