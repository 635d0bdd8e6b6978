/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_core.c - from the vendor's files of one core type to groups of events that it counts. */
#include "app/vendor_core.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/options/options.h"
#include "base/auto.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "collect/cpu_set.h"
#include "vendor/counting.h"

/* Of the tree, where nothing else was asked for. */
#define LEVEL_DEFAULT 2

static int level_of(const struct ctd_options *options)
{
	if (options->level || (options->metrics && !options->drill))
		return options->level;
	return options->drill ? CTD_VENDOR_LEVELS : LEVEL_DEFAULT;
}

static bool is_stand_in(const struct ctd_options *options)
{
	return strcmp(options->source, "software") == 0;
}

static int lack(int error, const char *reason, char ret_why[CTD_VENDOR_WHY_BYTES])
{
	snprintf(ret_why, CTD_VENDOR_WHY_BYTES, "%s", reason);
	return error;
}

/* Can anything be counted on such cores? */
static int check_core(const struct ctd_options *options, const struct ctd_pmu_facts *facts,
		      char ret_why[CTD_VENDOR_WHY_BYTES])
{
	if (*facts->unclaimed)
		return lack(-ENODEV, facts->unclaimed, ret_why);
	if (!facts->id.family)
		return lack(-ENODEV, "this machine does not say which processor it has", ret_why);
	if (!facts->core_pmu && !is_stand_in(options))
		return lack(
			-ENODEV,
			"there is no PMU to count with in /sys/bus/event_source/devices; see cgtopdown doctor",
			ret_why);
	return 0;
}

/* Those of serve rotate with the tree's. */
static int groups_most(const struct ctd_options *options)
{
	return options->command == CTD_COMMAND_SERVE ? CTD_ROTATION_GROUPS_MAX - CTD_GROUPS_MAX
						     : CTD_ROTATION_GROUPS_MAX;
}

static int make_counting(const struct ctd_options *options, const struct ctd_machine *machine,
			 int core_type, struct ctd_vendor_core *core,
			 char ret_why[CTD_VENDOR_WHY_BYTES])
{
	const struct ctd_vendor_wish wish = {
		.names = options->metrics,
		.level = level_of(options),
		.watchdog = core->view.watchdog && !is_stand_in(options),
		.partly = machine->core_types_count > 1,
	};
	struct ctd_vendor_rotation rotation;
	int r = ctd_vendor_rotation_make(&core->view.table, &core->view.cpu, core->view.set, &wish,
					 &rotation, ret_why);

	if (r)
		return r;
	r = (int)rotation.pack.groups_count > groups_most(options)
		    ? -E2BIG
		    : ctd_vendor_counting_make(&rotation, machine->core_types[core_type].type,
					       &core->counting);
	if (r == -E2BIG)
		snprintf(
			ret_why, CTD_VENDOR_WHY_BYTES,
			"what is asked for takes %zu groups of counters, and at most %d rotate: see list metrics --plan",
			rotation.pack.groups_count, groups_most(options));
	else if (r == -ENOENT)
		lack(r, "nothing that is asked for fits into the counters: see list metrics --plan",
		     ret_why);
	ctd_vendor_rotation_free(&rotation);
	return r;
}

/* A CPU of the core type that is online, or -1. */
static int find_cpu(const struct ctd_machine *machine, int core_type)
{
	autofree bool *online = calloc(CTD_CPUS_MAX, sizeof(*online));
	int here = sched_getcpu();

	if (machine->core_types_count == 1 ||
	    (here >= 0 && here < CTD_CPUS_MAX && machine->core_type_of[here] == core_type))
		return here;
	if (!online || ctd_cpu_set_read_online(online, CTD_CPUS_MAX))
		return -1;
	for (int cpu = 0; cpu < CTD_CPUS_MAX; cpu++)
		if (online[cpu] && machine->core_type_of[cpu] == core_type)
			return cpu;
	return -1;
}

static void say_refused(const struct ctd_counter_plan *plan, int group, const char *core_name,
			int error)
{
	const struct ctd_event *leader = ctd_plan_event(plan, group, 0);
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	for (int i = 0; i < plan->events_count; i++)
		if (ctd_plan_event(plan, group, i)->type == leader->type)
			ctd_strbuf_addf(&text, "%s%s", i ? ", " : "",
					ctd_plan_event(plan, group, i)->name);
	ctd_warn(
		"%s%sthe kernel refuses to count these at once (%s), and their metrics are left out: %s",
		core_name, *core_name ? ": " : "", strerror(-error), text.failed ? "" : text.text);
}

/* What is there and refused would keep all others from being counted. What the kernel refuses of
 * any group, such as for want of rights, opening them says. */
static int leave_out_refused(const struct ctd_options *options, const struct ctd_machine *machine,
			     int core_type, struct ctd_vendor_core *core,
			     char ret_why[CTD_VENDOR_WHY_BYTES])
{
	struct ctd_counter_plan plan;
	int cpu = find_cpu(machine, core_type);

	ctd_pmu_plan_rotation(&core->counting.rotation, is_stand_in(options), !options->no_pin,
			      &plan);
	for (int group = plan.groups_count - 1; cpu >= 0 && group >= 0; group--) {
		int error = ctd_counters_try(&plan, group, cpu);

		if (error != -EINVAL && error != -ENOENT && error != -EOPNOTSUPP)
			continue;
		say_refused(&plan, group, machine->core_types[core_type].core_name, error);
		if (!ctd_vendor_counting_leave_out(&core->counting, group,
						   "the kernel refuses the group of its events"))
			return lack(-ENODEV, "the kernel refuses each group of its events",
				    ret_why);
	}
	return 0;
}

int ctd_vendor_core_begin(const struct ctd_options *options, const struct ctd_machine *machine,
			  int core_type, struct ctd_vendor_core *core,
			  char ret_why[CTD_VENDOR_WHY_BYTES])
{
	const struct ctd_pmu_facts *facts = &machine->core_types[core_type];
	int r;

	*ret_why = 0;
	r = check_core(options, facts, ret_why);
	if (r)
		return r;
	ctd_vendor_cpu_of(facts, &core->view.cpu);
	ctd_vendor_machine_read(facts, &core->machine);
	core->view.watchdog = facts->nmi_watchdog;
	r = ctd_vendor_view_read(options, &core->machine, &core->view, ret_why);
	if (r == 0)
		r = make_counting(options, machine, core_type, core, ret_why);
	if (r == 0)
		r = leave_out_refused(options, machine, core_type, core, ret_why);
	if (r && !*ret_why)
		lack(r, strerror(-r), ret_why);
	return r;
}

void ctd_vendor_core_free(struct ctd_vendor_core *core)
{
	ctd_vendor_counting_free(&core->counting);
	ctd_vendor_view_free(&core->view);
}
