/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_count.c - from --metrics-dir to groups of events that this machine's core types count. */
#include "app/vendor_count.h"

#include <cgtopdown/collect.h>

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/options/options.h"
#include "app/vendor_core.h"
#include "base/auto.h"
#include "base/log.h"
#include "collect/rotation.h"
#include "vendor/counting.h"
#include "vendor/table.h"

/* A text of these is some 25 MB. */
#define SERIES_MANY 200000

/* While groups are made. */
struct making {
	const struct ctd_options *options;
	struct ctd_machine machine;
	struct ctd_vendor_core cores[CTD_CORE_TYPES_MAX]; /* owned */
	struct ctd_vendor_count_run run; /* owned */
};

/* @p core_type: of which there are several; -1: of all. */
static int refuse(const struct making *making, int core_type, int error, const char *why)
{
	bool named = core_type >= 0 && making->machine.core_types_count > 1;

	ctd_log(CTD_LOG_ERROR, "--metrics-dir %s: %s%s%s", making->options->metrics_dir,
		named ? making->machine.core_types[core_type].core_name : "", named ? ": " : "",
		why);
	return error;
}

static bool counts(const struct making *making, int core_type)
{
	return making->cores[core_type].counting.rotation.groups_count > 0;
}

/* What one core type lacks another may have. */
static bool is_known(const struct making *making, const char *name)
{
	for (int type = 0; type < making->machine.core_types_count; type++)
		if (making->cores[type].view.set &&
		    ctd_vendor_knows(&making->cores[type].view.table, name))
			return true;
	return false;
}

static int check_names(const struct making *making)
{
	autofree char *names = strdup(making->options->metrics ? making->options->metrics : "");
	char *rest = NULL;

	if (!names)
		return refuse(making, -1, -ENOMEM, strerror(ENOMEM));
	for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest)) {
		char why[CTD_VENDOR_WHY_BYTES];

		if (is_known(making, name))
			continue;
		snprintf(why, sizeof(why), "there is no metric or group '%.100s'", name);
		return refuse(making, -1, -ENOENT, why);
	}
	return 0;
}

/* Nothing counts: why is told of each core type. */
static int refuse_all(const struct making *making, const int *errors)
{
	for (int type = 0; type < making->machine.core_types_count; type++)
		refuse(making, type, errors[type], making->run.core_types[type].why);
	return errors[0];
}

/* Of several core types some may go without. */
static int begin_cores(struct making *making)
{
	int errors[CTD_CORE_TYPES_MAX] = {0}, counting = 0, r = 0;
	bool any_read = false;

	for (int type = 0; type < making->machine.core_types_count; type++) {
		char *why = making->run.core_types[type].why;

		errors[type] = ctd_vendor_core_begin(making->options, &making->machine, type,
						     &making->cores[type], why);
		if (errors[type] && errors[type] != -ENOENT && errors[type] != -ENODEV)
			return refuse(making, type, errors[type], why);
		any_read |= making->cores[type].view.set != NULL;
		counting += counts(making, type);
	}
	/* Of names nothing is known where no file could be read. */
	if (making->machine.core_types_count > 1 && any_read)
		r = check_names(making);
	if (r)
		return r;
	return counting ? 0 : refuse_all(making, errors);
}

/* Counts of all core types have one layout. */
static int widen(struct making *making)
{
	int width = 0, r = 0;

	for (int type = 0; type < making->machine.core_types_count; type++)
		if (making->cores[type].counting.rotation.events_count > width)
			width = making->cores[type].counting.rotation.events_count;
	for (int type = 0; r == 0 && type < making->machine.core_types_count; type++)
		if (counts(making, type))
			r = ctd_vendor_counting_widen(&making->cores[type].counting, width);
	return r ? refuse(making, -1, r, strerror(-r)) : 0;
}

/* What to look at next, and which thresholds were left out, is for --drill, descriptions are for
 * the page of serve: no recording has these. @return 0 or -ENOMEM. */
static int keep_advice(const struct ctd_vendor_table *from, struct ctd_vendor_table *to)
{
	for (size_t i = 0; i < to->metrics_count; i++) {
		int at = ctd_vendor_find_metric(from, to->metrics[i].name);

		if (at < 0)
			continue;
		to->metrics[i].sample_with = ctd_vendor_keep(to, from->metrics[at].sample_with);
		to->metrics[i].next = ctd_vendor_keep(to, from->metrics[at].next);
		to->metrics[i].description = ctd_vendor_keep(to, from->metrics[at].description);
		to->metrics[i].threshold_lacks =
			*from->metrics[at].threshold && !*to->metrics[i].threshold;
		if (!to->metrics[i].sample_with || !to->metrics[i].next ||
		    !to->metrics[i].description)
			return -ENOMEM;
	}
	return 0;
}

/* How often to sample is in the files only. @return 0 or -ENOMEM. */
static int keep_latencies(const struct making *making, int core_type,
			  struct ctd_vendor_count_core_type *to)
{
	const struct ctd_vendor_counting *counting = &to->kept->counting;
	const struct ctd_vendor_table *files = &making->cores[core_type].view.table;
	const struct ctd_vendor_count *counts = ctd_vendor_set_counts(counting->set, &(size_t){0});

	to->latencies = calloc(counting->latencies_count + 1, sizeof(*to->latencies));
	for (size_t i = 0; to->latencies && i < counting->latencies_count; i++) {
		const struct ctd_vendor_count *count = &counts[counting->latencies[i].count];
		const struct ctd_vendor_event *event =
			ctd_vendor_find_event(files, count->event->name);

		ctd_vendor_event_of(count, making->machine.core_types[core_type].type,
				    &to->latencies[i].event);
		to->latencies[i].period = event ? event->sample_after : 0;
	}
	return to->latencies ? 0 : -ENOMEM;
}

/* What is counted, and nothing else of the files, as 'report' has it: figures are the same, and a
 * recording that could not be read again is none. */
static int keep(struct making *making, int core_type)
{
	struct ctd_vendor_count_core_type *to = &making->run.core_types[core_type];
	struct ctd_vendor_core *core = &making->cores[core_type];
	const char *why = "";
	int r = ctd_vendor_recorded_add(&core->counting, &core->view.cpu, &core->machine,
					&to->block);

	if (r == 0)
		r = ctd_vendor_recorded_new(to->block.text, to->block.bytes, &to->kept, &why);
	if (r == -EBADMSG) {
		ctd_log(CTD_LOG_ERROR,
			"--metrics-dir %s: there is more of these metrics than is kept of any (%s): leave out some by --level or --metrics",
			making->options->metrics_dir, why);
		return -E2BIG;
	}
	if (r == 0)
		r = keep_advice(&core->view.table, &to->kept->table);
	if (r == 0)
		r = keep_latencies(making, core_type, to);
	if (r)
		return refuse(making, core_type, r, strerror(-r));
	/* Events are for those who open them: no recording has them. */
	to->kept->counting.rotation.events = take_ptr(core->counting.rotation.events);
	return 0;
}

static int begin(struct making *making)
{
	int r = ctd_machine_read(&making->machine);

	if (r)
		return ctd_log_error(r, "read what sysfs says of the PMU");
	/* Accounts and groups beside those of the tree are of one core type. */
	if (making->options->command == CTD_COMMAND_SERVE && making->machine.core_types_count > 1)
		return refuse(
			making, -1, -ENOTSUP,
			"serve cannot count its metrics yet on processors with several types of cores; stat and record can");
	r = begin_cores(making);
	if (r == 0)
		r = widen(making);
	for (int type = 0; r == 0 && type < making->machine.core_types_count; type++)
		if (counts(making, type))
			r = keep(making, type);
	return r;
}

/* Points to what is kept, in its place. */
static int join(const struct ctd_options *options, int core_types_count,
		struct ctd_vendor_count_run *run)
{
	/* Where groups are not pinned, samples would take turns with them. */
	bool samples = !options->no_pin && strcmp(options->source, "software") != 0;

	run->countings.core_types_count = run->rotations.core_types_count = core_types_count;
	for (int type = 0; type < core_types_count; type++) {
		struct ctd_vendor_recorded *kept = run->core_types[type].kept;

		run->countings.of[type] = kept ? &kept->counting : NULL;
		run->rotations.of[type] = kept ? &kept->counting.rotation : NULL;
		run->rotations.why[type] = run->core_types[type].why;
		if (!kept || !samples)
			continue;
		run->rotations.latencies[type] = run->core_types[type].latencies;
		run->rotations.latencies_count[type] = (uint32_t)kept->counting.latencies_count;
	}
	return ctd_vendor_countings_join(&run->countings);
}

int ctd_vendor_count_begin(const struct ctd_options *options, struct ctd_vendor_count_run *ret_run)
{
	struct making *making = calloc(1, sizeof(*making));
	int r, core_types_count;

	if (!making)
		return ctd_log_error(-ENOMEM, "read '%s'", options->metrics_dir);
	making->options = options;
	r = begin(making);
	core_types_count = making->machine.core_types_count;
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		ctd_vendor_core_free(&making->cores[type]);
	if (r)
		ctd_vendor_count_free(&making->run);
	else
		*ret_run = making->run;
	free(making);
	/* Reading files took many times what is kept. */
	malloc_trim(0);
	if (r)
		return r;
	r = join(options, core_types_count, ret_run);
	if (r)
		ctd_vendor_count_free(ret_run);
	return r ? ctd_log_error(r, "count the metrics of '%s'", options->metrics_dir) : 0;
}

const struct ctd_vendor_counting *ctd_vendor_count_one(const struct ctd_vendor_count_run *run)
{
	return run->countings.core_types_count == 1 ? run->countings.of[0] : NULL;
}

void ctd_vendor_count_check_interval(const struct ctd_vendor_count_run *run, int others,
				     uint64_t interval_ns)
{
	int own = ctd_vendor_countings_groups(&run->countings);
	int groups = own ? own + others : 0;
	uint64_t least_ns = (uint64_t)groups * CTD_ROTATION_STEP_LEAST_NS;

	if (groups > 1 && interval_ns < least_ns && others)
		ctd_warn(
			"intervals of %g s are too short for the %d steps in which groups of counters rotate: not each has all of the vendor's metrics; with -i %g or longer each has all",
			(double)interval_ns / 1e9, groups, (double)least_ns / 1e9);
	else if (groups > 1 && interval_ns < least_ns)
		ctd_warn(
			"intervals of %g s are too short for %d groups of counters to rotate: each has the metrics of one group, and '-' for the others; with -i %g or longer each has all",
			(double)interval_ns / 1e9, groups, (double)least_ns / 1e9);
}

void ctd_vendor_count_check_series(const struct ctd_vendor_count_run *run, uint64_t rows)
{
	const struct ctd_vendor_counting *counting = ctd_vendor_count_one(run);
	uint64_t each;

	if (!counting)
		return;
	each = (uint64_t)counting->rotation.groups_count;
	for (size_t i = 0; i < counting->metrics_count; i++)
		each += counting->metrics[i].group >= 0;
	for (int group = 0; group < counting->rotation.groups_count; group++)
		for (int i = 0; i < counting->rotation.events_count; i++)
			each += ctd_vendor_counting_event(counting, group, i) != NULL;
	if (each * rows > SERIES_MANY)
		ctd_warn(
			"--metrics-dir: %" PRIu64 " series of each row are up to %" PRIu64
			" with --accounts-max %" PRIu64
			", some 130 bytes each in every scrape: leave out metrics by --metrics or --level, or take a lower --accounts-max",
			each, each * rows, rows);
}

void ctd_vendor_count_check_command(const struct ctd_vendor_count_run *run, uint64_t ran_ns)
{
	int groups = ctd_vendor_countings_groups(&run->countings);

	if (groups > 1 && ran_ns <= (uint64_t)(groups - 1) * CTD_ROTATION_STEP_NS)
		ctd_warn(
			"the command ended before each of %d groups of counters had counted for %g s: metrics of the others are '-'; fewer metrics take fewer groups",
			groups, (double)CTD_ROTATION_STEP_NS / 1e9);
}

int ctd_vendor_count_tree_steps(const struct ctd_vendor_count_run *run, int others)
{
	int steps = (ctd_vendor_countings_groups(&run->countings) + others - 1) / others;

	return steps ? steps : 1;
}

void ctd_vendor_count_weigh(const struct ctd_vendor_count_run *run, struct ctd_collector *collector)
{
	uint8_t weights[CTD_ROTATION_GROUPS_MAX];
	struct ctd_collect_groups groups = ctd_collector_groups(collector);
	uint32_t own = groups.all - groups.beside;

	if (!groups.beside)
		return;
	memset(weights, 1, sizeof(weights));
	memset(weights, ctd_vendor_count_tree_steps(run, (int)own), own);
	ctd_collector_weigh(collector, weights, (int)groups.all);
}

void ctd_vendor_count_free(struct ctd_vendor_count_run *run)
{
	ctd_vendor_countings_free(&run->countings);
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		ctd_vendor_recorded_free(run->core_types[type].kept);
		ctd_strbuf_free(&run->core_types[type].block);
		free(run->core_types[type].latencies);
	}
	*run = (struct ctd_vendor_count_run){0};
}
