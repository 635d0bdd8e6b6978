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

/* The model whose counters are ordinary ones, which every PMU of its processors has; or NULL. Their
 * codes are of one design, so that the processor must be known. */
static const struct ctd_cpu_model *find_general_purpose(const struct ctd_pmu_facts *facts)
{
	for (const struct ctd_cpu_model *const *model = ctd_cpu_models; *model; model++) {
		if ((*model)->read == CTD_READ_EACH && ctd_pmu_is_of(facts, *model))
			return *model;
	}
	return NULL;
}

/* Older arm64 kernels have no names for events of slots: where the PMU tells how many slots it has,
 * these are there. Where what the PMU says of itself is not what the processor's model has, the PMU
 * is believed.
 * @return is it so? Then @p ret_text says what, without a full stop. */
static bool is_contradicted(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model,
			    char *ret_text, size_t bytes)
{
	const char *lacking =
		facts->slots_per_cycle ? NULL : ctd_plan_find_absent(facts, model->groups[0]);

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
	else if (facts->slots_per_cycle && model->slots_per_cycle &&
		 facts->slots_per_cycle != model->slots_per_cycle)
		snprintf(ret_text, bytes,
			 "the core PMU '%s' has %d slots a cycle (caps/slots), and not %d as %s",
			 facts->pmu_name, facts->slots_per_cycle, model->slots_per_cycle,
			 model->name);
	else
		return false;
	return true;
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
		facts->core_pmu ? ctd_plan_find_model(facts, wish->source) : NULL;
	char lack[160];

	if (*facts->unclaimed) {
		snprintf(ret_lack, CTD_LACK_BYTES, "%s", facts->unclaimed);
	} else if (strcmp(wish->source, "perf_metrics") == 0) {
		if (has_perf_metrics(facts))
			return ctd_plan_perf_metrics(facts, wish->level, wish->read_each, plan);
		say_lack(facts, lack, sizeof(lack));
		snprintf(ret_lack, CTD_LACK_BYTES, "%s; see cgtopdown doctor", lack);
	} else if (!model) {
		say_no_model(facts, ret_lack);
	} else if (is_contradicted(facts, model, lack, sizeof(lack))) {
		snprintf(ret_lack, CTD_LACK_BYTES, "%s; see cgtopdown list cpus", lack);
	} else {
		return ctd_plan_general_purpose(facts, model, wish->level, plan);
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

/* What was found of sources that are there; of two reasons the one that may pass. */
static enum ctd_source_lack worst_lack(const struct ctd_pmu_facts *facts)
{
	return facts->perf_metrics_lack > facts->general_purpose_lack ? facts->perf_metrics_lack
								      : facts->general_purpose_lack;
}

/* Without a full stop. */
static void say_tried(const struct ctd_pmu_facts *facts, char *ret_text, size_t bytes)
{
	static const char *const texts[] = {
		[CTD_LACK_TRUST] = "what this machine's PMU counts is not to be trusted",
		[CTD_LACK_OPENING] = "the kernel does not open this machine's counters",
		[CTD_LACK_FREE_COUNTERS] = "another program holds this machine's counters",
	};

	snprintf(ret_text, bytes, "%s", texts[worst_lack(facts)]);
}

/* What the user can do, where nothing counts; @p ret_text has what always helps. */
static void say_remedy(const struct ctd_pmu_facts *facts, const struct ctd_plan_wish *wish,
		       char *ret_text, size_t bytes)
{
	if (worst_lack(facts) == CTD_LACK_FREE_COUNTERS)
		snprintf(ret_text, bytes, "end other profilers%s%s",
			 facts->nmi_watchdog ? ", set kernel.nmi_watchdog to 0" : "",
			 wish->pinned ? ", or share with --no-pin" : "");
	else if (facts->core_pmu && !is_known(facts))
		say_unknown(facts, ret_text, bytes);
}

/* PERF_METRICS where it is, then what there are codes for, then nothing. */
static int plan_best(const struct ctd_pmu_facts *facts, const struct ctd_plan_wish *wish,
		     struct ctd_counter_plan *plan)
{
	bool ordinary = facts->core_pmu && !facts->general_purpose_lack;
	const struct ctd_cpu_model *model = ordinary ? find_general_purpose(facts) : NULL;
	char lack[160], remedy[160] = "--source sim shows simulated slots", why[sizeof(plan->why)];

	if (*facts->unclaimed) {
		plan_none(facts->unclaimed, plan);
		return 0;
	}
	if (has_perf_metrics(facts) && !facts->perf_metrics_lack)
		return ctd_plan_perf_metrics(facts, wish->level, wish->read_each, plan);
	if (worst_lack(facts))
		say_tried(facts, lack, sizeof(lack));
	else
		say_lack(facts, lack, sizeof(lack));
	if (model && !is_contradicted(facts, model, lack, sizeof(lack)))
		return ctd_plan_general_purpose(facts, model, wish->level, plan);
	say_remedy(facts, wish, remedy, sizeof(remedy));
	snprintf(why, sizeof(why), "%s: CPU time only; %s", lack, remedy);
	plan_none(why, plan);
	return 0;
}

void ctd_pmu_pass_over(struct ctd_pmu_facts *facts, const char *source, enum ctd_source_lack lack)
{
	if (strcmp(source, "perf_metrics") == 0)
		facts->perf_metrics_lack = lack;
	else
		facts->general_purpose_lack = lack;
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
			"--source '%s' is none of auto, none, sim, and those of 'cgtopdown list cpus'; for tests also software[:1-%d][:leader|:rotate]",
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
