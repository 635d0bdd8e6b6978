/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan.c - decides which source of counters is used, and says why. */
#include "pmu/plan.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "pmu/sysfs.h"

static bool has_perf_metrics(const struct ctd_pmu_facts *facts)
{
	return facts->core_pmu && facts->slots && facts->level1;
}

/* Why there is no perf_metrics here, without a full stop. */
static void say_lack(const struct ctd_pmu_facts *facts, char *ret_text, size_t bytes)
{
	if (!facts->core_pmu)
		snprintf(ret_text, bytes, "no core PMU in /sys/bus/event_source/devices");
	else
		snprintf(ret_text, bytes, "the core PMU '%s' has no slots and topdown-* events%s",
			 facts->pmu_name, facts->hypervisor ? " in this virtual machine" : "");
}

bool ctd_pmu_is_of(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model)
{
	return (model->smt == CTD_SMT_ANY || (model->smt == CTD_SMT_ON) == facts->smt) &&
	       ctd_cpu_model_claims(model, facts->vendor, &facts->id);
}

/* The design of this processor, as @p source counts it, or NULL. */
static const struct ctd_cpu_model *find_model(const char *source, const struct ctd_pmu_facts *facts)
{
	for (const struct ctd_cpu_model *const *model = ctd_cpu_models; *model; model++) {
		if (strcmp((*model)->source, source) == 0 && ctd_pmu_is_of(facts, *model))
			return *model;
	}
	return NULL;
}

/* The model whose counters are ordinary ones, which every PMU of its processors has; or NULL. Their
 * codes are of one design, so that the processor must be known. */
static const struct ctd_cpu_model *find_ordinary(const struct ctd_pmu_facts *facts)
{
	for (const struct ctd_cpu_model *const *model = ctd_cpu_models; *model; model++) {
		if ((*model)->read == CTD_READ_EACH && ctd_pmu_is_of(facts, *model))
			return *model;
	}
	return NULL;
}

/*
 * Which of the model's events an arm64 PMU lacks, or NULL. Of the first 64 codes the PMU says which
 * it has (PMCEID0_EL0, PMCEID1_EL0), and the kernel shows the names of no others; so do hypervisors
 * hide what they do not pass on. Older kernels have no names for events of slots: where the PMU
 * tells how many slots it has, these are there.
 */
static const char *find_lacking(const struct ctd_pmu_facts *facts,
				const struct ctd_cpu_model *model)
{
	if (strcmp(facts->vendor, "arm") != 0 || facts->slots_per_cycle)
		return NULL;
	for (const struct ctd_cpu_event *event = model->groups[0]; event->name; event++) {
		if (event->config < 64 && !ctd_sysfs_event_is_there(facts->pmu_name, event->name))
			return event->name;
	}
	return NULL;
}

/* Where what the PMU says of itself is not what the processor's model has, the PMU is believed.
 * @return is it so? Then @p ret_text says what, without a full stop. */
static bool is_contradicted(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
			    char *ret_text, size_t bytes)
{
	const char *lacking = find_lacking(facts, model);

	/* intel_pmu_init() names it so where it has no table for the processor (Linux:
	 * x86/events/intel); some hypervisors bring it about. Which counters an event may be on is
	 * then not known to it. */
	if (strncmp(facts->caps_name, "generic_arch", strlen("generic_arch")) == 0)
		snprintf(
			ret_text, bytes,
			"this kernel does not know the events of the processor (its %.31s is %.31s)",
			facts->pmu_name, facts->caps_name);
	else if (lacking)
		snprintf(ret_text, bytes, "the core PMU '%s' does not offer %s, which %s takes",
			 facts->pmu_name, lacking, model->name);
	else if (facts->slots_per_cycle && model->slots_per_count &&
		 facts->slots_per_cycle != model->slots_per_cycle)
		snprintf(ret_text, bytes,
			 "the core PMU '%s' has %d slots a cycle (caps/slots), and not %d as %s",
			 facts->pmu_name, facts->slots_per_cycle, model->slots_per_cycle,
			 model->name);
	else
		return false;
	return true;
}

/* Is the leader on a fixed counter, which leaves the general ones to the others? Slots are where
 * sysfs has them, else they are counted by code; cycles always are. */
static bool is_leader_fixed(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model)
{
	return model->leader_fixed || (model->leader_by_code.name && facts->slots);
}

/*
 * Is the counter gone that a leader needs? The watchdog counts cycles all the time: on the fixed
 * counter for them, so that a leader of cycles takes a general one, or on a general one where there
 * is no other, as on AMD. Slots have a fixed counter of their own.
 */
static bool is_watchdog_in_the_way(const struct ctd_pmu_facts *facts,
				   const struct ctd_cpu_model *model)
{
	return facts->nmi_watchdog && model->slots_per_count != 1;
}

static bool has_fixed_event(const struct ctd_cpu_model *model, int group)
{
	if (!model->fixed_event)
		return false;
	for (const struct ctd_cpu_event *event = model->groups[group]; event->name; event++) {
		if (strcmp(event->name, model->fixed_event) == 0)
			return true;
	}
	return false;
}

/* How many events of a group there are counters for. */
static int events_most(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
		       int group)
{
	if (!model->general_counters)
		return CTD_COUNTERS_MAX;
	return model->general_counters + is_leader_fixed(facts, model) +
	       has_fixed_event(model, group) - is_watchdog_in_the_way(facts, model);
}

/* Is it a node that is wanted, but not had with so many events in a group? */
static bool is_left_out(const struct ctd_node *node, int level, int events_count)
{
	return node->level <= level && node->counters > events_count;
}

/* How many events of a group the nodes need for which @p most are enough. */
static int events_of_nodes(const struct ctd_cpu_model *model, int group, int level, int most)
{
	int count = 0;

	for (int i = 0; i < model->nodes_count; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (node->group == group && node->level <= level && node->counters > count &&
		    node->counters <= most)
			count = node->counters;
	}
	return count;
}

static int plan_event(const struct ctd_pmu_facts *facts, const struct ctd_cpu_event *event,
		      struct ctd_event *ret_event)
{
	if (!event->config)
		return ctd_sysfs_event_read(facts->pmu_name, facts->type, event->name, ret_event);
	snprintf(ret_event->name, sizeof(ret_event->name), "%s", event->name);
	ret_event->type = facts->type;
	ret_event->config = event->config;
	return 0;
}

/* Groups that take turns are of one size: the smaller ones are filled up with what counts nothing. */
static int plan_group(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
		      int group, int needed, struct ctd_counter_plan *plan)
{
	bool by_code = model->leader_by_code.name && !is_leader_fixed(facts, model);
	struct ctd_event *events = &plan->events[(size_t)group * (size_t)plan->events_count];

	for (int i = 0; i < plan->events_count; i++) {
		const struct ctd_cpu_event *event =
			i == 0 && by_code ? &model->leader_by_code : &model->groups[group][i];
		int err = 0;

		if (i < needed)
			err = plan_event(facts, event, &events[i]);
		else
			events[i] = ctd_event_dummy();
		if (err)
			return err;
	}
	return 0;
}

/*
 * Plans the events that the model's nodes need down to @p level, but for those that a group has no
 * counters for. A group of which nothing is left has its leader still: it is its turn's slots.
 * @return 0 or negative errno.
 */
static int plan_events(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
		       int level, struct ctd_counter_plan *plan)
{
	int needed[CTD_GROUPS_MAX] = {0}, err = 0;

	plan->model = model;
	plan->read = model->read;
	plan->topdown_refresh = model->read == CTD_READ_LEADER;
	snprintf(plan->source, sizeof(plan->source), "%s", model->source);
	for (int group = 0; group < ctd_cpu_model_groups(model, level); group++) {
		needed[group] =
			events_of_nodes(model, group, level, events_most(facts, model, group));
		/* Not even a part of level 1: the kernel may know of more counters. */
		if (!needed[group] && group == 0)
			needed[group] = ctd_cpu_model_counters(model, group, 1);
		if (needed[group])
			plan->groups_count = group + 1;
		else
			needed[group] = 1;
		if (needed[group] > plan->events_count)
			plan->events_count = needed[group];
	}
	for (int group = 0; group < plan->groups_count && !err; group++)
		err = plan_group(facts, model, group, needed[group], plan);
	return err;
}

static int plan_perf_metrics(const struct ctd_pmu_facts *facts, int level, bool read_each,
			     struct ctd_counter_plan *plan)
{
	const struct ctd_cpu_model *model = find_model("perf_metrics", facts);
	bool known = model != NULL;
	bool level2;
	int err;

	if (!known)
		model = ctd_cpu_model_find(facts->level2 ? "golden_cove" : "sunny_cove");
	assert(model);
	level2 = level != 1 && facts->level2 && ctd_cpu_model_level(model, CTD_COUNTERS_MAX) >= 2;

	err = plan_events(facts, model, level2 ? 2 : 1, plan);
	if (err)
		return err;
	if (read_each)
		plan->read = CTD_READ_EACH;
	if (known)
		snprintf(plan->why, sizeof(plan->why), "PERF_METRICS of %s, level %d%s",
			 model->title, level2 ? 2 : 1,
			 level == 2 && !level2 ? " (level 2 is not in sysfs)" : "");
	else
		snprintf(
			plan->why, sizeof(plan->why),
			"PERF_METRICS, level %d%s: CPU family %u model %u is unknown, its capabilities decided, and it is read as %s",
			level2 ? 2 : 1, level == 2 && !level2 ? " (level 2 is not in sysfs)" : "",
			facts->id.family, facts->id.model, model->name);
	return 0;
}

static void say_no_model(const struct ctd_pmu_facts *facts, char ret_text[CTD_LACK_BYTES])
{
	if (!facts->core_pmu)
		snprintf(ret_text, CTD_LACK_BYTES,
			 "no core PMU in /sys/bus/event_source/devices; see cgtopdown doctor");
	else
		snprintf(
			ret_text, CTD_LACK_BYTES,
			"it is not for this CPU (%s family 0x%x model 0x%x%s); see cgtopdown list cpus",
			*facts->vendor ? facts->vendor : "no vendor", facts->id.family,
			facts->id.model, facts->smt ? ", hyper-threading on" : "");
}

/* The deepest level asked for; if none was, the deepest that does not take more turns than level 1,
 * as those leave each metric a part of the time. */
static int choose_level(const struct ctd_cpu_model *model, int level)
{
	int deepest = 1;

	for (int i = 0; i < model->nodes_count; i++) {
		if (model->nodes[i].level > deepest)
			deepest = model->nodes[i].level;
	}
	if (level)
		return level < deepest ? level : deepest;
	return ctd_cpu_model_groups(model, deepest) > ctd_cpu_model_groups(model, 1) ? 1 : deepest;
}

/* What is wanted and not had, and why; nothing if all is. */
static void say_left_out(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
			 int level, char *ret_text, size_t bytes)
{
	bool watchdog = is_watchdog_in_the_way(facts, model);
	size_t said = 0;

	*ret_text = '\0';
	for (int i = 0; i < model->nodes_count && said < bytes; i++) {
		const struct ctd_node *node = &model->nodes[i];

		if (is_left_out(node, level, events_most(facts, model, node->group)))
			said += (size_t)snprintf(ret_text + said, bytes - said, "%s%s",
						 said ? ", " : " without ", node->name);
	}
	if (said && said < bytes)
		snprintf(ret_text + said, bytes - said,
			 watchdog ? " (the NMI watchdog holds one of the counters)"
				  : " (there are too few counters)");
}

/* Ordinary counters: what is not for a fixed counter must fit the general ones. What does not is
 * left out, the last events of a group first. */
static int plan_ordinary(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
			 int level, struct ctd_counter_plan *plan)
{
	int wanted = choose_level(model, level), taken;
	char lack[160] = "";
	size_t said;
	int err = plan_events(facts, model, wanted, plan);

	if (err)
		return err;
	taken = plan->groups_count > 1 ? wanted : ctd_cpu_model_level(model, plan->events_count);
	if (taken < wanted)
		snprintf(lack, sizeof(lack),
			 " (level 2 takes %d general counters, the core has %d%s)",
			 ctd_cpu_model_counters(model, 0, 2) - is_leader_fixed(facts, model),
			 model->general_counters,
			 is_watchdog_in_the_way(facts, model) ? ", less the NMI watchdog's" : "");
	else if (wanted < level)
		snprintf(lack, sizeof(lack), " (there is no level 2 of this source)");
	else
		say_left_out(facts, model, wanted, lack, sizeof(lack));
	said = strlen(lack);
	if (plan->groups_count > 1)
		snprintf(lack + said, sizeof(lack) - said, " in %d turns", plan->groups_count);
	snprintf(plan->why, sizeof(plan->why),
		 "ordinary counters of %s, level %d%s, each read by itself", model->name, taken,
		 lack);
	return 0;
}

static void plan_sim(int level, struct ctd_counter_plan *plan)
{
	plan->model = ctd_cpu_model_find("sim");
	assert(plan->model);
	plan->read = plan->model->read;
	plan->events_count = ctd_cpu_model_counters(plan->model, 0, level == 1 ? 1 : 2);
	plan->simulated = true;
	plan->pinned = false;
	snprintf(plan->source, sizeof(plan->source), "sim");
	snprintf(plan->why, sizeof(plan->why),
		 "simulated: slots from CPU time and a profile per command name, nothing measured");
}

static void plan_none(const char *why, struct ctd_counter_plan *plan)
{
	plan->pinned = false;
	snprintf(plan->source, sizeof(plan->source), "none");
	snprintf(plan->why, sizeof(plan->why), "%s", why);
}

/* A source that was asked for by name. @return 0, -ENODEV with the reason, or negative errno,
 * logged. */
static int plan_source(const struct ctd_pmu_facts *facts, const struct ctd_plan_wish *wish,
		       struct ctd_counter_plan *plan, char ret_lack[CTD_LACK_BYTES])
{
	const struct ctd_cpu_model *model =
		facts->core_pmu ? find_model(wish->source, facts) : NULL;
	char lack[160];

	if (*facts->stranger) {
		snprintf(ret_lack, CTD_LACK_BYTES, "%s", facts->stranger);
	} else if (strcmp(wish->source, "perf_metrics") == 0) {
		if (has_perf_metrics(facts))
			return plan_perf_metrics(facts, wish->level, wish->read_each, plan);
		say_lack(facts, lack, sizeof(lack));
		snprintf(ret_lack, CTD_LACK_BYTES, "%s; see cgtopdown doctor", lack);
	} else if (!model) {
		say_no_model(facts, ret_lack);
	} else if (is_contradicted(facts, model, lack, sizeof(lack))) {
		snprintf(ret_lack, CTD_LACK_BYTES, "%s; see cgtopdown list cpus", lack);
	} else {
		return plan_ordinary(facts, model, wish->level, plan);
	}
	return -ENODEV;
}

/* What a processor that no model claims would need. */
static void say_unknown(const struct ctd_pmu_facts *facts, char *ret_text, size_t bytes)
{
	static const char need[] =
		"a model is one file (CONTRIBUTING.md); deploy/capture-machine copies what it takes";

	if (strcmp(facts->vendor, "arm") == 0)
		snprintf(ret_text, bytes, "no model knows implementer 0x%02x part 0x%03x: %s",
			 facts->id.family, facts->id.model, need);
	else
		snprintf(ret_text, bytes,
			 "no model knows %s family %u model 0x%02x stepping %u: %s",
			 *facts->vendor ? facts->vendor : "a CPU of", facts->id.family,
			 facts->id.model, facts->id.stepping, need);
}

static bool is_known(const struct ctd_pmu_facts *facts)
{
	for (const struct ctd_cpu_model *const *model = ctd_cpu_models; *model; model++) {
		if (ctd_cpu_model_claims(*model, facts->vendor, &facts->id))
			return true;
	}
	return false;
}

/* PERF_METRICS where it is, then what there are codes for, then nothing. */
static int plan_best(const struct ctd_pmu_facts *facts, const struct ctd_plan_wish *wish,
		     struct ctd_counter_plan *plan)
{
	bool ordinary = facts->core_pmu && !facts->lies_ordinary;
	const struct ctd_cpu_model *model = ordinary ? find_ordinary(facts) : NULL;
	char lack[160], what[160] = "--source sim shows simulated slots", why[sizeof(plan->why)];

	if (*facts->stranger) {
		plan_none(facts->stranger, plan);
		return 0;
	}
	if (has_perf_metrics(facts) && !facts->lies_perf_metrics)
		return plan_perf_metrics(facts, wish->level, wish->read_each, plan);
	if (facts->lies_perf_metrics || facts->lies_ordinary)
		snprintf(lack, sizeof(lack), "what this machine's PMU counts is not to be trusted");
	else
		say_lack(facts, lack, sizeof(lack));
	if (model && !is_contradicted(facts, model, lack, sizeof(lack)))
		return plan_ordinary(facts, model, wish->level, plan);
	if (facts->core_pmu && !is_known(facts))
		say_unknown(facts, what, sizeof(what));
	snprintf(why, sizeof(why), "%s: CPU time only; %s", lack, what);
	plan_none(why, plan);
	return 0;
}

void ctd_pmu_distrust(struct ctd_pmu_facts *facts, const char *source)
{
	if (strcmp(source, "perf_metrics") == 0)
		facts->lies_perf_metrics = true;
	else
		facts->lies_ordinary = true;
}

int ctd_plan_core(const struct ctd_pmu_facts *facts, const struct ctd_plan_wish *wish,
		  struct ctd_counter_plan *ret_plan, char ret_lack[CTD_LACK_BYTES])
{
	struct ctd_counter_plan plan = {
		.read = CTD_READ_NONE, .pinned = wish->pinned, .groups_count = 1};
	const char *source = wish->source;
	int err = 0;

	assert(wish->level >= 0 && wish->level <= 2);
	if (strcmp(source, "none") == 0)
		plan_none("no counters were asked for: CPU time only", &plan);
	else if (strcmp(source, "sim") == 0)
		plan_sim(wish->level, &plan);
	else if (strcmp(source, "auto") == 0)
		err = plan_best(facts, wish, &plan);
	else if (ctd_cpu_is_source(source))
		err = plan_source(facts, wish, &plan, ret_lack);
	else if (ctd_pmu_is_software(source))
		err = ctd_pmu_plan_software(source, &plan);
	else
		err = -EINVAL;
	if (err == -EINVAL && !ctd_cpu_is_source(source))
		ctd_log(CTD_LOG_ERROR,
			"--source '%s' is none of auto, none, sim, and those of 'cgtopdown list cpus'; for tests also software[:1-%d][:leader|:turns]",
			source, CTD_COUNTERS_MAX);
	if (!err) {
		plan.counters_count = plan.events_count;
		*ret_plan = plan;
	}
	return err;
}

int ctd_pmu_plan(const struct ctd_pmu_facts *facts, const char *source, int level, bool read_each,
		 bool pinned, struct ctd_counter_plan *ret_plan)
{
	struct ctd_plan_wish wish = {source, level, read_each, pinned};
	char lack[CTD_LACK_BYTES];
	int err = ctd_plan_core(facts, &wish, ret_plan, lack);

	if (err == -ENODEV)
		ctd_log(CTD_LOG_ERROR, "--source %s: %s", source, lack);
	return err;
}
