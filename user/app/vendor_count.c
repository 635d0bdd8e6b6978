/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_count.c - from --metrics-dir to groups of events that this machine counts. */
#include "app/vendor_count.h"

#include <cgtopdown/counters.h>

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "app/explain/vendor.h"
#include "app/options/options.h"
#include "base/auto.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "collect/rotation.h"
#include "vendor/counting.h"
#include "vendor/recorded.h"
#include "vendor/table.h"

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

static int refuse(const struct ctd_options *options, int error, const char *why)
{
	ctd_log(CTD_LOG_ERROR, "--metrics-dir %s: %s", options->metrics_dir, why);
	return error;
}

/* Of which cores the metrics are to be. */
static int find_core(const struct ctd_options *options, struct ctd_machine *ret_machine)
{
	const struct ctd_pmu_facts *facts = &ret_machine->core_types[0];
	int r = ctd_machine_read(ret_machine);

	if (r)
		return ctd_log_error(r, "read what sysfs says of the PMU");
	if (ret_machine->core_types_count > 1)
		return refuse(
			options, -ENOTSUP,
			"its metrics cannot be counted yet on processors with several types of cores");
	if (!facts->id.family)
		return refuse(options, -ENODEV, "this machine does not say which processor it has");
	if (!facts->core_pmu && !is_stand_in(options))
		return refuse(
			options, -ENODEV,
			"there is no PMU to count with in /sys/bus/event_source/devices; see cgtopdown doctor");
	return 0;
}

/* All that the files have of this machine's cores, while groups are made of what is asked for. */
struct whole {
	struct ctd_vendor_view view; /* owned */
	struct ctd_vendor_machine machine;
	struct ctd_vendor_counting counting; /* owned */
};

static void free_whole(struct whole *whole)
{
	ctd_vendor_counting_free(&whole->counting);
	ctd_vendor_view_free(&whole->view);
}

static int make_counting(const struct ctd_options *options, uint32_t pmu_type, struct whole *whole)
{
	const struct ctd_vendor_wish wish = {
		.names = options->metrics,
		.level = level_of(options),
		.watchdog = whole->view.watchdog && !is_stand_in(options),
	};
	char why[CTD_VENDOR_WHY_BYTES] = "";
	struct ctd_vendor_rotation rotation;
	int r = ctd_vendor_rotation_make(&whole->view.table, &whole->view.cpu, whole->view.set,
					 &wish, &rotation, why);

	if (r)
		return refuse(options, r, *why ? why : strerror(-r));
	r = ctd_vendor_counting_make(&rotation, pmu_type, &whole->counting);
	if (r == -E2BIG)
		snprintf(
			why, sizeof(why),
			"what is asked for takes %zu groups of counters, and at most %d rotate: see list metrics --plan",
			rotation.pack.groups_count, CTD_ROTATION_GROUPS_MAX);
	else if (r == -ENOENT)
		snprintf(
			why, sizeof(why),
			"nothing that is asked for fits into the counters: see list metrics --plan");
	ctd_vendor_rotation_free(&rotation);
	return r ? refuse(options, r, *why ? why : strerror(-r)) : 0;
}

static void say_refused(const struct ctd_counter_plan *plan, int group, int error)
{
	const struct ctd_event *events = ctd_plan_events(plan, group);
	auto_ctd_strbuf struct ctd_strbuf text = {0};

	for (int i = 0; i < plan->events_count; i++)
		if (events[i].type == events[0].type)
			ctd_strbuf_addf(&text, "%s%s", i ? ", " : "", events[i].name);
	ctd_warn(
		"the kernel refuses to count these at once (%s), and their metrics are left out: %s",
		strerror(-error), text.failed ? "" : text.text);
}

/* What is there and refused would keep all others from being counted. What the kernel refuses of
 * any group, such as for want of rights, opening them says. */
static int leave_out_refused(const struct ctd_options *options, struct whole *whole)
{
	struct ctd_counter_plan plan;
	int cpu = sched_getcpu();

	ctd_pmu_plan_rotation(&whole->counting.rotation, is_stand_in(options), !options->no_pin,
			      &plan);
	for (int group = plan.groups_count - 1; cpu >= 0 && group >= 0; group--) {
		int error = ctd_counters_try(&plan, group, cpu);

		if (error != -EINVAL && error != -ENOENT && error != -EOPNOTSUPP)
			continue;
		say_refused(&plan, group, error);
		if (!ctd_vendor_counting_leave_out(&whole->counting, group,
						   "the kernel refuses the group of its events"))
			return refuse(options, error,
				      "the kernel refuses each group of its events");
	}
	return 0;
}

/* What to look at next, and which thresholds were left out, is for --drill: no recording has it.
 * @return 0 or -ENOMEM. */
static int keep_advice(const struct ctd_vendor_table *from, struct ctd_vendor_table *to)
{
	for (size_t i = 0; i < to->metrics_count; i++) {
		int at = ctd_vendor_find_metric(from, to->metrics[i].name);

		if (at < 0)
			continue;
		to->metrics[i].sample_with = ctd_vendor_keep(to, from->metrics[at].sample_with);
		to->metrics[i].next = ctd_vendor_keep(to, from->metrics[at].next);
		to->metrics[i].threshold_lacks =
			*from->metrics[at].threshold && !*to->metrics[i].threshold;
		if (!to->metrics[i].sample_with || !to->metrics[i].next)
			return -ENOMEM;
	}
	return 0;
}

/* What is counted, and nothing else of the files, as 'report' has it: figures are the same, and a
 * recording that could not be read again is none. */
static int keep(const struct ctd_options *options, struct whole *whole,
		struct ctd_vendor_count_run *run)
{
	const char *why = "";
	int r = ctd_vendor_recorded_add(&whole->counting, &whole->view.cpu, &whole->machine,
					&run->block);

	if (r == 0)
		r = ctd_vendor_recorded_new(run->block.text, run->block.bytes, &run->kept, &why);
	if (r == -EBADMSG) {
		ctd_log(CTD_LOG_ERROR,
			"--metrics-dir %s: there is more of these metrics than is kept of any (%s): leave out some by --level or --metrics",
			options->metrics_dir, why);
		return -E2BIG;
	}
	if (r)
		return refuse(options, r, strerror(-r));
	if (keep_advice(&whole->view.table, &run->kept->table))
		return refuse(options, -ENOMEM, strerror(ENOMEM));
	/* Events are for those who open them: no recording has them. */
	run->kept->counting.rotation.events = take_ptr(whole->counting.rotation.events);
	return 0;
}

static int begin(const struct ctd_options *options, struct whole *whole,
		 struct ctd_vendor_count_run *run)
{
	char why[CTD_VENDOR_WHY_BYTES];
	struct ctd_machine machine;
	int r = find_core(options, &machine);

	if (r)
		return r;
	ctd_vendor_cpu_of(&machine.core_types[0], &whole->view.cpu);
	ctd_vendor_machine_read(&machine.core_types[0], &whole->machine);
	whole->view.watchdog = machine.core_types[0].nmi_watchdog;
	r = ctd_vendor_view_read(options, &whole->machine, &whole->view, why);
	if (r)
		return refuse(options, r, why);
	r = make_counting(options, machine.core_types[0].type, whole);
	if (r == 0)
		r = leave_out_refused(options, whole);
	return r ? r : keep(options, whole, run);
}

int ctd_vendor_count_begin(const struct ctd_options *options, struct ctd_vendor_count_run *ret_run)
{
	struct ctd_vendor_count_run run = {0};
	struct whole whole = {0};
	int r = begin(options, &whole, &run);

	free_whole(&whole);
	/* Reading files took many times what is kept. */
	malloc_trim(0);
	if (r) {
		ctd_vendor_count_free(&run);
		return r;
	}
	run.counting = &run.kept->counting;
	run.rotations =
		(struct ctd_rotations){.core_types_count = 1, .of = {&run.counting->rotation}};
	*ret_run = run;
	return 0;
}

static int groups_count(const struct ctd_vendor_count_run *run)
{
	return run->counting ? run->counting->rotation.groups_count : 0;
}

void ctd_vendor_count_check_interval(const struct ctd_vendor_count_run *run, uint64_t interval_ns)
{
	int groups = groups_count(run);
	uint64_t least_ns = (uint64_t)groups * CTD_ROTATION_STEP_LEAST_NS;

	if (groups > 1 && interval_ns < least_ns)
		ctd_warn(
			"intervals of %g s are too short for %d groups of counters to rotate: each has the metrics of one group, and '-' for the others; with -i %g or longer each has all",
			(double)interval_ns / 1e9, groups, (double)least_ns / 1e9);
}

void ctd_vendor_count_check_command(const struct ctd_vendor_count_run *run, uint64_t ran_ns)
{
	int groups = groups_count(run);

	if (groups > 1 && ran_ns <= (uint64_t)(groups - 1) * CTD_ROTATION_STEP_NS)
		ctd_warn(
			"the command ended before each of %d groups of counters had counted for %g s: metrics of the others are '-'; fewer metrics take fewer groups",
			groups, (double)CTD_ROTATION_STEP_NS / 1e9);
}

void ctd_vendor_count_free(struct ctd_vendor_count_run *run)
{
	ctd_vendor_recorded_free(run->kept);
	ctd_strbuf_free(&run->block);
	*run = (struct ctd_vendor_count_run){0};
}
