/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* core_types.c - which core types a machine has, and which CPU is of which. */
#include <cgtopdown/counters.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/log.h"
#include "base/num.h"
#include "base/root.h"
#include "pmu/arm.h"
#include "pmu/pmu_facts.h"

#define DEVICES "/sys/bus/event_source/devices"
#define SYSTEM "/sys/devices/system/cpu"
#define LIST_BYTES 16384
#define OTHER_NAME "other"
/* More than there are core types for: the first by name are taken. */
#define ARM_PMUS_MAX 16
/* CPUs of which no core type is known yet. */
#define NO_CORE UINT8_MAX

/* "cpu" is x86 with one core type; the others are those of Intel's hybrid processors
 * (arch/x86/events/intel/core.c: intel_hybrid_pmu_type_map). */
static const struct {
	const char *pmu, *core_name;
	enum ctd_core_type_id core;
} x86_pmus[] = {
	{"cpu", "cpu", CTD_CORE_TYPE_MAIN},
	{"cpu_core", "P-core", CTD_CORE_TYPE_MAIN},
	{"cpu_atom", "E-core", CTD_CORE_TYPE_EFFICIENT},
	{"cpu_lowpower", "LP E-core", CTD_CORE_TYPE_LOW_POWER},
};

/* What is looked at, and found out. */
struct look {
	struct ctd_machine machine;
	struct ctd_cpu_id id[CTD_CPUS_MAX]; /* family 0: not known */
	struct ctd_pmu_facts common; /* of the first processor, and of the system */
	bool set[CTD_CPUS_MAX]; /* room for a list of CPUs */
};

/* @return 1 and look->set, 0 if there is no such list, or negative errno, logged. */
static int read_list(struct look *look, const char *path)
{
	char text[LIST_BYTES];
	ssize_t bytes = ctd_root_read(text, sizeof(text), "%s", path);

	if (bytes == -ENOENT || bytes == -ENOTDIR)
		return 0;
	if (bytes < 0)
		return ctd_log_error((int)bytes, "read '%s%s'", ctd_root(), path);
	/* What makes no sense counts as not there. */
	return ctd_parse_cpu_list(text, (size_t)bytes, look->set, CTD_CPUS_MAX) == 0;
}

/* The CPUs of the PMU; without a list of its own, it is of all. */
static int take_cpus(struct look *look, int type)
{
	struct ctd_machine *machine = &look->machine;
	char path[256];
	int there;

	snprintf(path, sizeof(path), DEVICES "/%s/cpus", machine->core_types[type].pmu_name);
	there = read_list(look, path);
	for (int cpu = 0; there >= 0 && cpu < CTD_CPUS_MAX; cpu++) {
		if (!there || look->set[cpu])
			machine->core_type_of[cpu] = (uint8_t)type;
	}
	return there < 0 ? there : 0;
}

/* @return the place of a new core type, or NULL if there are too many. */
static struct ctd_pmu_facts *add_core(struct look *look)
{
	struct ctd_machine *machine = &look->machine;
	struct ctd_pmu_facts *facts;

	/* The last place is for CPUs of no core type. */
	if (machine->core_types_count == CTD_CORE_TYPES_MAX - 1)
		return NULL;
	facts = &machine->core_types[machine->core_types_count];
	*facts = look->common;
	return facts;
}

/* The PMU called @p pmu, if it is there, as a core type. */
static int take_pmu(struct look *look, const char *pmu, const char *core_name,
		    enum ctd_core_type_id core)
{
	struct ctd_pmu_facts *facts = add_core(look);
	int err;

	if (!facts)
		return 0;
	err = ctd_facts_read_pmu(facts, pmu);
	if (err || !facts->core_pmu)
		return err;
	snprintf(facts->core_name, sizeof(facts->core_name), "%s", core_name);
	facts->id.core = core;
	/* Hyper-threads are of P-cores only. */
	facts->smt = facts->smt && core == CTD_CORE_TYPE_MAIN;
	return take_cpus(look, look->machine.core_types_count++);
}

static int take_x86_pmus(struct look *look)
{
	int err = 0;

	for (size_t i = 0; i < sizeof(x86_pmus) / sizeof(*x86_pmus) && !err; i++)
		err = take_pmu(look, x86_pmus[i].pmu, x86_pmus[i].core_name, x86_pmus[i].core);
	return err;
}

static int first_cpu(const struct ctd_machine *machine, int type)
{
	for (int cpu = 0; cpu < CTD_CPUS_MAX; cpu++) {
		if (machine->core_type_of[cpu] == type)
			return cpu;
	}
	return 0;
}

static int take_arm_pmus(struct look *look)
{
	char names[ARM_PMUS_MAX][CTD_PMU_NAME_BYTES];
	int count = ctd_arm_core_pmus_find(names, ARM_PMUS_MAX), err = 0;

	for (int i = 0; i < count && !err; i++) {
		char core_name[sizeof(look->common.core_name)];

		ctd_arm_core_name(names[i], core_name, sizeof(core_name));
		err = take_pmu(look, names[i], core_name, CTD_CORE_TYPE_MAIN);
	}
	for (int type = 0; type < look->machine.core_types_count; type++)
		ctd_arm_slots_read(&look->machine.core_types[type]);
	return count < 0 ? count : err;
}

/* Their ids, each from its own register: clusters differ, and so may revisions. */
static int read_arm_ids(struct look *look)
{
	int err = read_list(look, SYSTEM "/possible");
	/* A recorded machine may not have the list, but the files. */
	int last = err == 1 ? CTD_CPUS_MAX : 256;

	for (int cpu = 0; err >= 0 && cpu < last; cpu++) {
		if (last < CTD_CPUS_MAX || look->set[cpu])
			err = ctd_arm_id_read(cpu, &look->id[cpu]);
		if (err == 1)
			snprintf(look->common.vendor, sizeof(look->common.vendor), "arm");
	}
	return err < 0 ? err : 0;
}

/* Do the same models claim both, if any claims one? */
static bool is_alike(const char *vendor, const struct ctd_cpu_id *a, const struct ctd_cpu_id *b)
{
	bool claimed = false;

	for (size_t i = 0; ctd_cpu_models[i]; i++) {
		bool claims_a = ctd_cpu_model_claims(ctd_cpu_models[i], vendor, a);

		if (claims_a != ctd_cpu_model_claims(ctd_cpu_models[i], vendor, b))
			return false;
		claimed |= claims_a;
	}
	return claimed || (a->family == b->family && a->model == b->model);
}

static void say_unclaimed(const char *why, const bool *cpus, char *ret_text, size_t bytes)
{
	size_t said = (size_t)snprintf(ret_text, bytes, "%s: cpu", why);

	for (int cpu = 0; cpu < CTD_CPUS_MAX && said < bytes; cpu++) {
		if (cpus[cpu])
			said += (size_t)snprintf(ret_text + said, bytes - said, " %d", cpu);
	}
}

/* CPUs of no core type are a core type without counters. @p cpus: CTD_CPUS_MAX entries. */
static void take_others(struct look *look, const bool *cpus, int example, const char *why)
{
	struct ctd_machine *machine = &look->machine;
	int type = machine->core_types_count;
	struct ctd_pmu_facts *facts = &machine->core_types[type];

	/* There are no others: what all have in common is of the first processor. */
	*facts = look->common;
	facts->id = look->id[example];
	snprintf(facts->core_name, sizeof(facts->core_name), OTHER_NAME);
	say_unclaimed(why, cpus, facts->unclaimed, sizeof(facts->unclaimed));
	for (int cpu = 0; cpu < CTD_CPUS_MAX; cpu++) {
		if (cpus[cpu])
			machine->core_type_of[cpu] = (uint8_t)type;
	}
	machine->core_types_count++;
}

/*
 * The PMU's first CPU says whose codes are taken; another CPU of it with an id of which that cannot
 * be said has none. Ids that are not known are no contradiction: the CPU is offline.
 */
static void separate_unknown_ids(struct look *look)
{
	struct ctd_machine *machine = &look->machine;
	bool unknown[CTD_CPUS_MAX] = {false};
	int example = -1;

	for (int cpu = 0; cpu < CTD_CPUS_MAX; cpu++) {
		const struct ctd_pmu_facts *facts;
		struct ctd_cpu_id id = look->id[cpu];

		if (machine->core_type_of[cpu] == NO_CORE || !id.family)
			continue;
		facts = &machine->core_types[machine->core_type_of[cpu]];
		id.core = facts->id.core;
		if (!facts->core_pmu || memcmp(&id, &facts->id, sizeof(id)) == 0 ||
		    is_alike(facts->vendor, &id, &facts->id))
			continue;
		unknown[cpu] = true;
		example = example < 0 ? cpu : example;
	}
	if (example >= 0)
		take_others(look, unknown, example,
			    "their PMU is of CPUs with another processor id");
}

/*
 * CPUs that are in no PMU's list. Where all CPUs seem to be of one PMU, those that are offline will
 * be of it, too: it lists a CPU when that comes (drivers/perf/arm_pmu_acpi.c).
 */
static int separate_without_pmu(struct look *look)
{
	struct ctd_machine *machine = &look->machine;
	bool hybrid = machine->core_types_count > 1, without[CTD_CPUS_MAX] = {false};
	int there = machine->core_types[0].core_pmu
			    ? read_list(look, hybrid ? SYSTEM "/possible" : SYSTEM "/online")
			    : 0;
	int example = -1;

	for (int cpu = 0; there == 1 && cpu < CTD_CPUS_MAX; cpu++) {
		without[cpu] = look->set[cpu] && machine->core_type_of[cpu] == NO_CORE;
		if (without[cpu] && example < 0)
			example = cpu;
	}
	/* There is one such core type only, and unknown ids are told of first. */
	if (example >= 0 && !machine->core_types[machine->core_types_count - 1].unclaimed[0])
		take_others(look, without, example, "no core PMU has them");
	for (int cpu = 0; cpu < CTD_CPUS_MAX; cpu++) {
		if (machine->core_type_of[cpu] == NO_CORE)
			machine->core_type_of[cpu] =
				(uint8_t)(without[cpu] ? machine->core_types_count - 1 : 0);
	}
	return there < 0 ? there : 0;
}

static int look_at_pmus(struct look *look)
{
	struct ctd_machine *machine = &look->machine;
	int err = take_x86_pmus(look);

	if (!err && !machine->core_types_count)
		err = take_arm_pmus(look);
	if (err)
		return err;
	if (!machine->core_types_count) {
		machine->core_types[machine->core_types_count++] = look->common;
		machine->core_types[0].id = look->id[0].family ? look->id[0] : look->common.id;
	}
	for (int type = 0; type < machine->core_types_count; type++) {
		enum ctd_core_type_id which = machine->core_types[type].id.core;
		int cpu = first_cpu(machine, type);

		if (look->id[cpu].family)
			machine->core_types[type].id = look->id[cpu];
		machine->core_types[type].id.core = which;
	}
	separate_unknown_ids(look);
	err = separate_without_pmu(look);
	/* Names tell core types apart. */
	if (machine->core_types_count == 1)
		machine->core_types[0].core_name[0] = '\0';
	return err;
}

int ctd_machine_read(struct ctd_machine *ret_machine)
{
	autofree struct look *look = calloc(1, sizeof(*look));
	int err;

	if (!look)
		return ctd_log_error(-ENOMEM, "look at the machine's cores");
	memset(look->machine.core_type_of, NO_CORE, sizeof(look->machine.core_type_of));
	err = ctd_facts_read_system(&look->common);
	if (!err)
		err = ctd_cpuinfo_read(&look->common, look->id);
	if (!err && !*look->common.vendor)
		err = read_arm_ids(look);
	if (!err)
		err = look_at_pmus(look);
	if (!err)
		*ret_machine = look->machine;
	return err;
}

int ctd_machine_find_cpu(struct ctd_machine *machine, int cpu)
{
	autofree struct ctd_machine *now = NULL;
	int err;

	if (machine->core_types_count == 1)
		return 0;
	now = malloc(sizeof(*now));
	if (!now)
		return ctd_log_error(-ENOMEM, "look at the core of cpu %d", cpu);
	err = ctd_machine_read(now);
	for (int type = 0; !err && type < machine->core_types_count; type++) {
		if (strcmp(machine->core_types[type].core_name,
			   now->core_types[now->core_type_of[cpu]].core_name) == 0)
			machine->core_type_of[cpu] = (uint8_t)type;
	}
	return err;
}

int ctd_pmu_facts_read(struct ctd_pmu_facts *ret_facts)
{
	autofree struct ctd_machine *machine = malloc(sizeof(*machine));
	int err = machine ? ctd_machine_read(machine) : -ENOMEM;

	if (!err)
		*ret_facts = machine->core_types[0];
	return err;
}
