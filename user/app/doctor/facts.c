/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* facts.c - looks at a machine, and tries its counters for a tenth of a second. */
#include "app/doctor/doctor.h"

#include <cgtopdown/sampler.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "app/privileges.h"
#include "app/sandbox/sandbox.h"
#include "base/auto.h"
#include "base/log.h"
#include "base/root.h"
#include "pmu/holders.h"

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
	facts->opens_mapped =
		facts->effective_root || is_effective(capabilities, CAP_CHECKPOINT_RESTORE);
	cap_free(capabilities);
}

/* What profiles need besides. */
static void look_at_stacks(struct ctd_doctor_facts *facts)
{
	autofclose FILE *kallsyms = NULL;
	char line[256];

	if (facts->recorded)
		return;
	facts->unwinds = ctd_sampler_can_unwind();
	kallsyms = fopen("/proc/kallsyms", "re");
	/* Addresses are zeros for those that may not see them. */
	facts->names_kernel =
		kallsyms && fgets(line, sizeof(line), kallsyms) && strtoull(line, NULL, 16);
}

/* From here on files are read, and counters opened, with no more than that takes. */
static void confine(const struct ctd_options *options, struct ctd_doctor_facts *facts)
{
	facts->unconfined = options->no_sandbox;
	facts->filter = ctd_filter_is_there();
	facts->landlock = ctd_landlock_version();
	ctd_sandbox_confine(options, CTD_PRIVILEGES_TO_RUN);
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

/* By the same search as a measurement's: what counts here counts there. */
static int look_at_counters(struct ctd_doctor_facts *facts)
{
	static const struct ctd_source_wishes wishes = {.source = "auto", .pinned = true};
	struct ctd_source *source = facts->source;
	struct ctd_cpu_set cpus;
	struct rlimit files = {0};
	int error = ctd_source_plan(&wishes, NULL, source);

	if (!error)
		error = ctd_cpu_set_read(NULL, &cpus);
	if (error)
		return error;
	facts->cpus = cpus.count;
	for (int cpu = 0; cpu < cpus.count; cpu++) {
		facts->cpus_online += cpus.online[cpu];
		facts->cpus_fenced += cpus.online[cpu] && cpus.fenced[cpu];
		if (cpus.online[cpu])
			facts->fds_wanted +=
				(uint64_t)ctd_source_plan_of(source, cpu)->events_count;
	}
	getrlimit(RLIMIT_NOFILE, &files);
	facts->fds_most = files.rlim_max;
	if (!facts->recorded)
		error = ctd_source_open(source, &cpus, TRIAL_NS);
	ctd_cpu_set_free(&cpus);
	return error;
}

int ctd_doctor_attempts(const struct ctd_doctor_facts *facts, int core_type)
{
	int count = facts->source->choices[core_type].attempts_count;

	return count ? count : 1;
}

void ctd_doctor_look_at(struct ctd_doctor_facts *facts, int core_type, int attempt)
{
	const struct ctd_source *source = facts->source;
	const struct ctd_source_choice *choice = &source->choices[core_type];

	facts->pmu = source->machine.core_types[core_type];
	facts->plan = source->plans[core_type];
	facts->trial = (struct ctd_trial){0};
	if (attempt >= choice->attempts_count)
		return;
	facts->plan = choice->attempts[attempt].plan;
	facts->trial = choice->attempts[attempt].trial;
}

int ctd_doctor_examine(const struct ctd_options *options, struct ctd_doctor_facts *ret_facts)
{
	struct ctd_doctor_facts facts = {
		.recorded = options->root != NULL,
		.source = calloc(1, sizeof(*facts.source)),
	};
	int error = facts.source ? 0 : -ENOMEM;

	if (!error && !facts.recorded)
		error = ctd_caps_probe(&facts.caps);
	if (error) {
		ctd_doctor_facts_free(&facts);
		return ctd_log_error(error, "ask the kernel what it can do");
	}
	look_at_kernel(&facts);
	look_at_process(&facts);
	look_at_stacks(&facts);
	/* In the sandbox nobody sees what others have open. */
	if (!facts.recorded)
		ctd_holders_name(facts.holders, sizeof(facts.holders));
	confine(options, &facts);
	look_at_cgroups(options, &facts);
	error = look_at_counters(&facts);
	if (error)
		ctd_doctor_facts_free(&facts);
	else
		*ret_facts = facts;
	return error;
}

void ctd_doctor_facts_free(struct ctd_doctor_facts *facts)
{
	if (facts->source)
		ctd_source_free(facts->source);
	free(facts->source);
	facts->source = NULL;
}
