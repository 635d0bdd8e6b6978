/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* plan_model.c - which events of a core design are opened: those that its counters have room for. */
#include "pmu/plan.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "pmu/sysfs.h"

bool ctd_pmu_is_of(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model)
{
	return (model->smt == CTD_SMT_ANY || (model->smt == CTD_SMT_ON) == facts->smt) &&
	       ctd_cpu_model_claims(model, facts->vendor, &facts->id);
}

const struct ctd_cpu_model *ctd_plan_find_model(const struct ctd_pmu_facts *facts,
						const char *source)
{
	for (const struct ctd_cpu_model *const *model = ctd_cpu_models; *model; model++) {
		if (strcmp((*model)->source, source) == 0 && ctd_pmu_is_of(facts, *model))
			return *model;
	}
	return NULL;
}

const char *ctd_plan_find_absent(const struct ctd_pmu_facts *facts,
				 const struct ctd_cpu_event *events)
{
	for (; strcmp(facts->vendor, "arm") == 0 && events->name; events++) {
		if (events->config < 64 && !ctd_sysfs_event_is_there(facts->pmu_name, events->name))
			return events->name;
	}
	return NULL;
}

/* Is the leader on a fixed counter, which leaves the general-purpose ones to the others? Slots are
 * where sysfs has them, else they are counted by code; cycles always are. */
static bool is_leader_fixed(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model)
{
	return model->leader_fixed || (model->leader_by_code.name && facts->slots);
}

/*
 * Is the counter gone that a leader needs? The watchdog counts cycles all the time: on the fixed
 * counter for them, so that a leader of cycles takes a general-purpose one, or on such a one where
 * there is no other, as on AMD. Slots have a fixed counter of their own.
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
	if (!model->general_purpose_counters)
		return CTD_COUNTERS_MAX;
	return model->general_purpose_counters + is_leader_fixed(facts, model) +
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

/* Groups that rotate are of one size: the smaller ones are filled up with what counts nothing. */
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
 * counters for. A group of which nothing is left has its leader still: it counts the slots of its
 * step.
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

int ctd_plan_perf_metrics(const struct ctd_pmu_facts *facts, int level, bool read_each,
			  struct ctd_counter_plan *plan)
{
	const struct ctd_cpu_model *model = ctd_plan_find_model(facts, "perf_metrics");
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

/* The deepest level asked for; if none was, the deepest that does not take more groups than level
 * 1, as those leave each metric a part of the time. */
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

int ctd_plan_general_purpose(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
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
			 " (level 2 takes %d general-purpose counters, the core has %d%s)",
			 ctd_cpu_model_counters(model, 0, 2) - is_leader_fixed(facts, model),
			 model->general_purpose_counters,
			 is_watchdog_in_the_way(facts, model) ? ", less the NMI watchdog's" : "");
	else if (wanted < level)
		snprintf(lack, sizeof(lack), " (there is no level 2 of this source)");
	else
		say_left_out(facts, model, wanted, lack, sizeof(lack));
	said = strlen(lack);
	if (plan->groups_count > 1)
		snprintf(lack + said, sizeof(lack) - said, " in %d groups that rotate",
			 plan->groups_count);
	snprintf(plan->why, sizeof(plan->why),
		 "general-purpose counters of %s, level %d%s, each read by itself", model->name,
		 taken, lack);
	return 0;
}
