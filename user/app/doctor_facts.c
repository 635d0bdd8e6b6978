/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* doctor_facts.c - looks at a machine, and tries its counters for a tenth of a second. */
#include "app/doctor.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include "app/cpus.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/root.h"

#define TRIAL_NS 100000000ull

static void look_at_kernel(struct ctd_doctor_facts *facts)
{
	char lockdown[128];
	struct utsname name;

	if (facts->recorded || uname(&name))
		return;
	snprintf(facts->host, sizeof(facts->host), "%s", name.nodename);
	snprintf(facts->kernel, sizeof(facts->kernel), "%s %s", name.sysname, name.release);
	if (ctd_root_read(lockdown, sizeof(lockdown), "/sys/kernel/security/lockdown") > 0)
		facts->lockdown = strstr(lockdown, "[confidentiality]") != NULL;
}

static bool is_effective(cap_t capabilities, cap_value_t capability)
{
	cap_flag_value_t value;

	return !cap_get_flag(capabilities, capability, CAP_EFFECTIVE, &value) && value == CAP_SET;
}

static void look_at_process(struct ctd_doctor_facts *facts)
{
	cap_t capabilities = cap_get_proc();

	if (!capabilities)
		return;
	facts->effective_root = is_effective(capabilities, CAP_SYS_ADMIN);
	facts->effective_bpf = is_effective(capabilities, CAP_BPF);
	facts->effective_perfmon = is_effective(capabilities, CAP_PERFMON);
	cap_free(capabilities);
}

static void look_at_cgroups(const struct ctd_options *options, struct ctd_doctor_facts *facts)
{
	struct ctd_identities *identities;

	facts->hierarchy_error = ctd_cgroup_hierarchy_find(options->hierarchy, &facts->hierarchy,
							   facts->hierarchy_why);
	if (facts->hierarchy_error)
		return;
	facts->hierarchy_writable = !access(facts->hierarchy.mount, W_OK);
	facts->cgroups = ctd_identities_new(&identities);
	if (facts->cgroups)
		return;
	facts->cgroups = ctd_cgroups_scan(&facts->hierarchy, identities);
	ctd_identities_free(identities);
}

/* @p sums: of slots and of level 1, over all CPUs. */
static void take_reading(const struct ctd_counter_plan *plan, const struct ctd_counters *counters,
			 int cpu, struct ctd_doctor_trial *trial, double sums[2])
{
	const struct ctd_cpu_model *model = plan->model;
	uint64_t count[CTD_COUNTERS_MAX], enabled_ns, running_ns;

	trial->cpus++;
	if (ctd_counters_read(counters, cpu, count, &enabled_ns, &running_ns)) {
		trial->pushed_off++;
		return;
	}
	if (!running_ns)
		trial->never++;
	else if (running_ns < enabled_ns)
		trial->part++;
	else
		trial->full++;
	/* We kept this CPU busy; the others may have been idle, and counted nothing. */
	if (running_ns && cpu == sched_getcpu())
		ctd_counters_judge(plan, count, running_ns, trial->lie);
	sums[0] += (double)count[0];
	for (int i = 0; i < 4; i++)
		sums[1] += model->l1_counters[i] < 0 ? NAN : (double)count[model->l1_counters[i]];
}

/* To a CPU that counts, unless we are on one: it is kept busy. */
static void go_to_one(const bool *countable, int cpus)
{
	int cpu = sched_getcpu();
	cpu_set_t one;

	if (cpu >= 0 && cpu < cpus && countable[cpu])
		return;
	for (cpu = 0; cpu < cpus - 1 && !countable[cpu];)
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

static void try_counters(const struct ctd_counter_plan *plan, const bool *countable, int cpus,
			 struct ctd_doctor_trial *trial)
{
	struct ctd_counters counters = {0};
	double sums[2] = {0};

	trial->done = true;
	trial->error = ctd_counters_open(plan, NULL, countable, cpus, &counters);
	if (!trial->error)
		trial->error = ctd_counters_enable(&counters);
	if (!trial->error) {
		cpu_set_t before;

		sched_getaffinity(0, sizeof(before), &before);
		go_to_one(countable, cpus);
		ctd_spin_ns(TRIAL_NS);
		for (int cpu = 0; cpu < cpus; cpu++)
			if (ctd_counters_has(&counters, cpu))
				take_reading(plan, &counters, cpu, trial, sums);
		sched_setaffinity(0, sizeof(before), &before);
	}
	trial->slots = sums[0] > 0;
	trial->l1_sum_over_slots = sums[0] > 0 ? sums[1] / sums[0] : NAN;
	ctd_counters_free(&counters);
}

static void fit_counters(struct ctd_counter_plan *plan, const bool *countable, int cpus)
{
	int cpu = 0;

	while (cpu < cpus && !countable[cpu])
		cpu++;
	if (cpu < cpus)
		ctd_counters_fit(plan, cpu);
}

/* One kind of cores after the other, on the CPUs that are of it. */
static void try_core(struct ctd_doctor_facts *facts, int core, const bool *online)
{
	bool alike = facts->machine.cores_count == 1;
	autofree bool *countable = calloc((size_t)facts->cpus, sizeof(*countable));
	struct ctd_counter_plan *plan = &facts->plans[core];

	if (!countable || !ctd_plan_counts(plan))
		return;
	for (int cpu = 0; cpu < facts->cpus; cpu++)
		countable[cpu] = online[cpu] && (alike || facts->machine.core_of[cpu] == core);
	fit_counters(plan, countable, facts->cpus);
	try_counters(plan, countable, facts->cpus, &facts->trials[core]);
}

static int look_at_cpus(struct ctd_doctor_facts *facts)
{
	autofree bool *online = NULL, *fenced = NULL, *countable = NULL;
	struct rlimit files = {0};
	int error = ctd_cpus_read(NULL, &facts->cpus, &online, &fenced, &countable);

	if (error)
		return error;
	for (int cpu = 0; cpu < facts->cpus; cpu++) {
		facts->cpus_online += online[cpu];
		facts->cpus_fenced += online[cpu] && fenced[cpu];
	}
	for (int cpu = 0; cpu < facts->cpus; cpu++) {
		if (online[cpu])
			facts->fds_wanted +=
				(uint64_t)facts->plans[facts->machine.core_of[cpu]].events_count;
	}
	getrlimit(RLIMIT_NOFILE, &files);
	facts->fds_most = files.rlim_max;
	for (int core = 0; !facts->recorded && core < facts->machine.cores_count; core++)
		try_core(facts, core, online);
	return 0;
}

/* --source auto never fails for want of a source: the plan is then for none. */
static int plan_cores(struct ctd_doctor_facts *facts)
{
	int error = ctd_machine_read(&facts->machine);

	for (int core = 0; !error && core < facts->machine.cores_count; core++)
		error = ctd_pmu_plan(&facts->machine.core[core], "auto", 0, false, true,
				     &facts->plans[core]);
	return error;
}

void ctd_doctor_look_at_core(struct ctd_doctor_facts *facts, int core)
{
	facts->pmu = facts->machine.core[core];
	facts->plan = facts->plans[core];
	facts->trial = facts->trials[core];
}

int ctd_doctor_examine(const struct ctd_options *options, struct ctd_doctor_facts *ret_facts)
{
	struct ctd_doctor_facts facts = {.recorded = options->root != NULL};
	int error = 0;

	if (!facts.recorded)
		error = ctd_caps_probe(&facts.caps);
	if (error)
		return ctd_log_error(error, "ask the kernel what it can do");
	look_at_kernel(&facts);
	look_at_process(&facts);
	look_at_cgroups(options, &facts);
	error = plan_cores(&facts);
	if (!error)
		error = look_at_cpus(&facts);
	if (!error) {
		ctd_doctor_look_at_core(&facts, 0);
		*ret_facts = facts;
	}
	return error;
}
