/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* event.c - finds the event that is to be sampled, on each core type, and has the kernel try it. */
#include "app/profile/event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cgtopdown/vendor.h>

#include "base/auto.h"
#include "base/log.h"
#include "collect/cpu_set.h"

/* What is taken where nobody says how often an event comes, and it did not come just now. */
#define PERIOD_UNKNOWN 100003
#define COUNTING_NS 200000000ull
#define SAMPLES_WANTED_PER_S 200

/* What is known of the core types while one event is chosen. */
struct choosing {
	const struct ctd_options *options;
	ctd_event_try_fn *try_core;
	struct ctd_machine machine;
	bool may_disturb[CTD_CPUS_MAX]; /* each CPU that is online, and not fenced */
	struct ctd_vendor_table tables[CTD_CORE_TYPES_MAX]; /* owned */
	bool has_table[CTD_CORE_TYPES_MAX];
	struct ctd_vendor_cpu cpus[CTD_CORE_TYPES_MAX];
	struct ctd_sampled_event *event;
	bool found; /* some core type has the last event, whether the kernel takes it or not */
	char why[CTD_VENDOR_WHY_BYTES]; /* of the last core type that has not the last event */
	char lack[2 * CTD_VENDOR_WHY_BYTES]; /* the same as a sentence, where others have it */
};

static void choosing_free(struct choosing *choosing)
{
	for (int type = 0; type < choosing->machine.core_types_count; type++)
		if (choosing->has_table[type])
			ctd_vendor_table_free(&choosing->tables[type]);
}

static bool is_wanted(const struct choosing *choosing, int type)
{
	const char *core = choosing->options->core;

	return !core || strcmp(core, choosing->machine.core_types[type].pmu_name) == 0;
}

/* The files of core types that have some. @return 0, or negative errno: none has any. */
static int read_tables(struct choosing *choosing)
{
	const char *directory = choosing->options->metrics_dir;
	int count = choosing->machine.core_types_count, found = 0, error = 0;

	for (int type = 0; directory && type < count; type++) {
		const struct ctd_pmu_facts *facts = &choosing->machine.core_types[type];

		if (!is_wanted(choosing, type))
			continue;
		ctd_vendor_cpu_of(facts, &choosing->cpus[type]);
		error = ctd_vendor_read(directory, &choosing->cpus[type], CTD_VENDOR_FORMATS,
					&choosing->tables[type], choosing->why);
		choosing->has_table[type] = !error;
		found += !error;
	}
	if (!directory || found)
		return 0;
	ctd_log(CTD_LOG_ERROR, "--metrics-dir %s: %s", directory,
		*choosing->why ? choosing->why
			       : (error ? strerror(-error) : "there is no such core type"));
	return error ? error : -ENODEV;
}

static int read_cpus(struct choosing *choosing)
{
	__attribute__((cleanup(ctd_cpu_set_free))) struct ctd_cpu_set set = {0};
	int error = ctd_cpu_set_read(choosing->options->cpus, &set);

	for (int cpu = 0; !error && cpu < set.count; cpu++)
		choosing->may_disturb[cpu] = set.online[cpu] && !set.fenced[cpu];
	return error;
}

static int prepare(struct choosing *choosing)
{
	int error = ctd_machine_read(&choosing->machine);

	for (int type = 0; !error && type < choosing->machine.core_types_count; type++)
		if (is_wanted(choosing, type))
			goto found;
	if (!error)
		ctd_log(CTD_LOG_ERROR, "--core %s: this machine has no such PMU",
			choosing->options->core);
	return error ? error : -ENODEV;
found:
	error = read_cpus(choosing);
	if (error)
		return error;
	memcpy(choosing->event->core_type_of, choosing->machine.core_type_of,
	       sizeof(choosing->event->core_type_of));
	return read_tables(choosing);
}

/* By the vendor's files, else by the kernel's names. *@p ret_period: 0: not known. @return 0, or
 * negative errno with the reason in `why`. */
static int find(struct choosing *choosing, const char *name, int type,
		struct ctd_sampled_core *core, uint64_t *ret_period)
{
	const struct ctd_pmu_facts *facts = &choosing->machine.core_types[type];
	struct ctd_vendor_machine machine;
	struct ctd_vendor_count count;
	int error = -ENOENT;

	snprintf(
		choosing->why, sizeof(choosing->why), "%s",
		choosing->options->metrics_dir
			? "the files have no such event"
			: "the kernel has no such event; those of the vendor are in its files: see --metrics-dir");
	if (choosing->has_table[type]) {
		ctd_vendor_machine_read(facts, &machine);
		error = ctd_vendor_find_count(&choosing->tables[type], &choosing->cpus[type],
					      &machine, name, &count, choosing->why);
	}
	if (error) {
		error = ctd_sampled_find(facts, name, core, ret_period);
		if (error && error != -ENOENT)
			snprintf(choosing->why, sizeof(choosing->why), "%s", strerror(-error));
		return error;
	}
	core->event = (struct ctd_event){.type = facts->type,
					 .config = count.config,
					 .config1 = count.config1,
					 .config2 = count.config2,
					 .user_only = count.user_only,
					 .kernel_only = count.kernel_only};
	core->can_be_precise = count.event && count.event->precise;
	snprintf(core->event.name, sizeof(core->event.name), "%s", name);
	*ret_period = count.event ? count.event->sample_after : 0;
	return 0;
}

/* A CPU of the core type that may be disturbed, or -1. */
static int find_cpu(const struct choosing *choosing, int type)
{
	for (int cpu = 0; cpu < CTD_CPUS_MAX; cpu++)
		if (choosing->may_disturb[cpu] && choosing->machine.core_type_of[cpu] == type)
			return cpu;
	return -1;
}

static int try_on(struct choosing *choosing, const char *name, int type)
{
	const struct ctd_pmu_facts *facts = &choosing->machine.core_types[type];
	struct ctd_sampled_core *core = &choosing->event->core_types[type];
	uint64_t period = 0;
	int error;

	*core = (struct ctd_sampled_core){0};
	error = find(choosing, name, type, core, &period);
	if (error)
		return error;
	choosing->found = true;
	error = choosing->try_core(facts, find_cpu(choosing, type), core);
	if (error) {
		snprintf(choosing->why, sizeof(choosing->why), "%s%s - %s",
			 error == -EBUSY ? "its counters are taken: " : "perf_event_open: ",
			 strerror(-error), ctd_sampled_why(facts, error));
		return error;
	}
	core->there = true;
	if (period > choosing->event->period)
		choosing->event->period = period;
	return 0;
}

/* On all core types that have it. @return 0, or negative errno of one, with the reason in `why`. */
static int try_event(struct choosing *choosing, const char *name)
{
	int count = choosing->machine.core_types_count, found = 0, error = 0;

	choosing->event->period = 0;
	choosing->found = false;
	*choosing->lack = '\0';
	for (int type = 0; type < count; type++) {
		const char *core = choosing->machine.core_types[type].core_name;
		int lack;

		if (!is_wanted(choosing, type))
			continue;
		lack = try_on(choosing, name, type);
		found += !lack;
		if (lack && count > 1)
			snprintf(choosing->lack, sizeof(choosing->lack),
				 "%s is not sampled on %s: %s", name, core, choosing->why);
		error = lack ? lack : error;
	}
	if (!found)
		return error;
	snprintf(choosing->event->name, sizeof(choosing->event->name), "%s", name);
	if (*choosing->lack)
		ctd_warn("%s: what runs there is in no figure", choosing->lack);
	return 0;
}

/* Where neither files nor user say. One that is odd is no multiple of what loops do. */
static void choose_period(const struct choosing *choosing)
{
	struct ctd_sampled_event *event = choosing->event;
	uint64_t most;

	if (choosing->options->profile.period)
		event->period = choosing->options->profile.period;
	if (event->period)
		return;
	most = ctd_sampled_count(event, choosing->may_disturb, CTD_CPUS_MAX, COUNTING_NS);
	event->period = most * (1000000000 / COUNTING_NS) / SAMPLES_WANTED_PER_S | 1;
	if (!most)
		event->period = PERIOD_UNKNOWN;
	ctd_info("%s came %llu times in %llu ms on one CPU: one of %llu is sampled", event->name,
		 (unsigned long long)most, COUNTING_NS / 1000000,
		 (unsigned long long)event->period);
}

/* The metric of --node in the files of the first core type that has it. @return NULL: none has. */
static const struct ctd_vendor_metric *find_node(const struct choosing *choosing,
						 const struct ctd_vendor_table **ret_table)
{
	const char *node = choosing->options->profile.node;

	for (int type = 0; type < choosing->machine.core_types_count; type++) {
		int metric = choosing->has_table[type]
				     ? ctd_vendor_find_node(&choosing->tables[type], node)
				     : -1;

		if (metric < 0)
			continue;
		*ret_table = &choosing->tables[type];
		return &choosing->tables[type].metrics[metric];
	}
	return NULL;
}

/* Tries those that the vendor names, in their order. @return 0, or negative errno with the reason
 * in `why` of the first that there is, which is @p ret_would; "": there is none. */
static int try_samples(struct choosing *choosing, const struct ctd_vendor_metric *metric,
		       char ret_would[CTD_VENDOR_NAME_BYTES])
{
	char name[CTD_VENDOR_NAME_BYTES], why[sizeof(choosing->why)] = "";
	const char *at = metric->sample_with;
	bool found = false;
	int error = -ENOENT;

	while (error && ctd_vendor_next_sample(&at, name)) {
		/* So perfmon's files say that there is none. */
		if (*name == '#')
			continue;
		error = try_event(choosing, name);
		if (!error || found || (*why && !choosing->found))
			continue;
		found = choosing->found;
		snprintf(ret_would, CTD_VENDOR_NAME_BYTES, "%s", name);
		memcpy(why, choosing->why, sizeof(why));
	}
	memcpy(choosing->why, why, sizeof(why));
	return error;
}

/* The node of the built-in tree that is called so, or that of which this one is a part. */
static const struct ctd_node *built_in(const struct choosing *choosing,
				       const struct ctd_vendor_table *table,
				       const struct ctd_vendor_metric *metric)
{
	const char *name = metric ? metric->name : choosing->options->profile.node;

	for (;;) {
		const char *plain = strncasecmp(name, "tma_", 4) == 0 ? name + 4 : name;

		for (size_t i = 0; ctd_cpu_models[i]; i++)
			for (int k = 0; k < ctd_cpu_models[i]->nodes_count; k++)
				if (strcasecmp(ctd_cpu_models[i]->nodes[k].name, plain) == 0)
					return &ctd_cpu_models[i]->nodes[k];
		if (!metric || metric->parent < 0)
			return NULL;
		metric = &table->metrics[metric->parent];
		name = metric->name;
	}
}

/* What a profile of windows has of the node is sorted by it. */
static int go_by_windows(const struct choosing *choosing, const struct ctd_node *node,
			 const char *would, struct ctd_event_choice *choice)
{
	const char *given = choosing->options->profile.node;

	if (!node) {
		ctd_log(CTD_LOG_ERROR,
			"--node %s: %s%s%s, and the built-in tree has no such node either", given,
			would, *would ? ": " : "", choosing->why);
		return -ENODEV;
	}
	snprintf(choice->node, sizeof(choice->node), "%s", node->name);
	choice->options.sort = choice->node;
	if (node->level > 1 && !choice->options.level)
		choice->options.level = node->level;
	if (*would)
		ctd_warn("--node %s: %s is not sampled: %s; CPU time is, in windows, sorted by %s",
			 given, would, choosing->why, node->name);
	else
		ctd_warn("--node %s: %s; CPU time is sampled, in windows, sorted by %s", given,
			 choosing->why, node->name);
	return 0;
}

static int choose_of_node(struct choosing *choosing, struct ctd_event_choice *choice)
{
	const struct ctd_vendor_table *table = NULL;
	const struct ctd_vendor_metric *metric = find_node(choosing, &table);
	char would[CTD_VENDOR_NAME_BYTES] = "";

	if (metric && !try_samples(choosing, metric, would)) {
		ctd_info("--node %s: %s is sampled for %s", choosing->options->profile.node,
			 choosing->event->name, metric->name);
		return 0;
	}
	if (!choosing->options->metrics_dir)
		snprintf(
			choosing->why, sizeof(choosing->why),
			"which event to sample for it is in the vendor's files: see --metrics-dir");
	else if (!metric)
		snprintf(choosing->why, sizeof(choosing->why), "the files have no such metric");
	else if (!*would)
		snprintf(choosing->why, sizeof(choosing->why),
			 "the vendor names no event to sample for %s", metric->name);
	return go_by_windows(choosing, built_in(choosing, table, metric), would, choice);
}

static int choose_named(struct choosing *choosing)
{
	const char *name = choosing->options->profile.event;
	int error = try_event(choosing, name);

	if (error)
		ctd_log(CTD_LOG_ERROR, "--event %s: %s", name, choosing->why);
	return error;
}

static bool is_of_software(const struct ctd_sampled_event *event)
{
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++)
		if (event->core_types[type].there)
			return event->core_types[type].precision == CTD_PRECISION_SOFTWARE;
	return false;
}

int ctd_event_choose_with(ctd_event_try_fn *try_core, const struct ctd_options *options,
			  struct ctd_event_choice *ret_choice)
{
	__attribute__((cleanup(choosing_free))) struct choosing choosing = {
		.options = options, .try_core = try_core, .event = &ret_choice->event};
	int error;

	*ret_choice = (struct ctd_event_choice){.options = *options};
	if (!options->profile.event && !options->profile.node)
		return 0;
	error = prepare(&choosing);
	if (!error)
		error = options->profile.node ? choose_of_node(&choosing, ret_choice)
					      : choose_named(&choosing);
	/* From here on they are of the event alone. */
	ret_choice->options.metrics_dir = NULL;
	if (error || !*ret_choice->event.name)
		return error;
	choose_period(&choosing);
	/* Groups of slots take nearly all counters of many cores. */
	if (!is_of_software(&ret_choice->event) && strcmp(options->source, "auto") == 0)
		ret_choice->options.source = "none";
	return 0;
}

int ctd_event_choose(const struct ctd_options *options, struct ctd_event_choice *ret_choice)
{
	return ctd_event_choose_with(ctd_sampled_try, options, ret_choice);
}

/* From Ice Lake on the kernel lets any event be precise; of one that cannot, the record is of a
 * later instruction (intel_pebs_constraints(), PMU_FL_PEBS_ALL). */
static enum ctd_precision precision_of(const struct ctd_sampled_core *core)
{
	return core->precision == CTD_PRECISION_SOFTWARE || core->can_be_precise
		       ? core->precision
		       : CTD_PRECISION_SKID;
}

struct ctd_stacks_event ctd_event_of_stacks(const struct ctd_sampled_event *event)
{
	struct ctd_stacks_event of = {.period = event->period, .precision = CTD_PRECISIONS};

	snprintf(of.name, sizeof(of.name), "%s", event->name);
	for (int type = 0; type < CTD_CORE_TYPES_MAX; type++) {
		const struct ctd_sampled_core *core = &event->core_types[type];

		if (!core->there)
			continue;
		of.core_types |= UINT32_C(1) << type;
		if (precision_of(core) < of.precision)
			of.precision = precision_of(core);
	}
	if (of.precision == CTD_PRECISIONS)
		of.precision = CTD_PRECISION_SKID;
	return of;
}
