/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* checks.c - what follows from the facts: a rule for each, and what to do. */
#include "app/doctor/doctor.h"

#include <cgtopdown/sampler.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/log.h"

/* The sum of level 1 over slots is 1 but for the rounding of 8-bit fractions. */
#define L1_SUM_TOLERANCE 0.02

static void __attribute__((format(printf, 3, 4)))
say(struct ctd_finding *finding, enum ctd_finding_mark mark, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(finding->what, sizeof(finding->what), format, arguments);
	va_end(arguments);
	finding->mark = mark;
	finding->remedy[0] = '\0';
}

static void __attribute__((format(printf, 2, 3)))
advise(struct ctd_finding *finding, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(finding->remedy, sizeof(finding->remedy), format, arguments);
	va_end(arguments);
}

void ctd_check_cap(const struct ctd_doctor_facts *facts, enum ctd_cap cap,
		   struct ctd_finding *ret_finding)
{
	const struct ctd_cap_text *text = &ctd_cap_texts[cap];
	const struct ctd_cap_answer *answer = &facts->caps.answer[cap];
	bool privilege = cap == CTD_CAP_BPF || cap == CTD_CAP_PERFMON;

	if (answer->present) {
		say(ret_finding, CTD_FINDING_OK, "%s", text->purpose);
	} else if (answer->error == -EPERM && !privilege) {
		say(ret_finding, CTD_FINDING_UNKNOWN, "%s", text->purpose);
	} else {
		say(ret_finding, text->required ? CTD_FINDING_MISSING : CTD_FINDING_NOTE, "%s: %s",
		    text->purpose, ctd_log_reason(answer->error));
		if (privilege)
			advise(ret_finding, "%s", text->remedy);
		else
			advise(ret_finding, "%s; kernel commit %s", text->remedy, text->since);
	}
}

static void judge_process(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (facts->recorded)
		return;
	if (facts->effective_root)
		say(finding, CTD_FINDING_OK,
		    "this process has CAP_SYS_ADMIN, which is more than it needs");
	else if (facts->effective_bpf && facts->effective_perfmon)
		say(finding, CTD_FINDING_OK, "this process has CAP_BPF and CAP_PERFMON");
	else
		say(finding, CTD_FINDING_MISSING, "this process lacks %s%s%s",
		    facts->effective_bpf ? "" : "CAP_BPF",
		    facts->effective_bpf || facts->effective_perfmon ? "" : " and ",
		    facts->effective_perfmon ? "" : "CAP_PERFMON");
	if (finding->mark == CTD_FINDING_MISSING)
		advise(finding,
		       "run as root, or: setcap cap_bpf,cap_perfmon+ep on a copy of the program");
}

static void judge_lockdown(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (!facts->lockdown)
		return;
	say(finding, CTD_FINDING_MISSING,
	    "the kernel is locked down to confidentiality: programs may not read its memory");
	advise(finding, "boot with lockdown=integrity, or with none");
}

static void judge_sandbox(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (facts->recorded)
		return;
	if (facts->unconfined)
		say(finding, CTD_FINDING_NOTE, "off, as --no-sandbox asks for");
	else if (!facts->filter)
		say(finding, CTD_FINDING_NOTE, "this kernel filters no system calls");
	else if (facts->landlock)
		say(finding, CTD_FINDING_OK,
		    "system calls are filtered, and files by Landlock version %d", facts->landlock);
	else
		say(finding, CTD_FINDING_OK,
		    "system calls are filtered; this kernel has no Landlock, which limits files");
}

static void judge_cpu(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	const struct ctd_pmu_facts *pmu = &facts->pmu;

	if (!*pmu->cpu_title && !pmu->id.family)
		return;
	say(finding, CTD_FINDING_OK, "%s, family %u model 0x%02x stepping %u%s",
	    *pmu->cpu_title ? pmu->cpu_title : "unnamed", pmu->id.family, pmu->id.model,
	    pmu->id.stepping, pmu->hypervisor ? ", in a virtual machine" : "");
}

/* Where there is no way to slots, what to do. */
static void advise_on_cpu(const struct ctd_pmu_facts *pmu, struct ctd_finding *finding)
{
	if (strcmp(pmu->vendor, "GenuineIntel") != 0)
		advise(finding,
		       "this version counts slots on the processors of 'cgtopdown list cpus' only");
	else if (pmu->hypervisor)
		advise(finding,
		       "measure on the host of this virtual machine: KVM (as of Linux 7.3) does not pass PERF_METRICS through");
	else if (!pmu->core_pmu)
		advise(finding, "look for 'Performance Events' in the kernel's log");
	else
		advise(finding,
		       "take a CPU with PERF_METRICS (Ice Lake or later), and a kernel that knows it");
}

static void judge_pmu(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	const struct ctd_pmu_facts *pmu = &facts->pmu;

	if (pmu->core_pmu) {
		say(finding, CTD_FINDING_OK, "'%s'%s%s in /sys/bus/event_source/devices",
		    pmu->pmu_name, *pmu->caps_name ? ", design " : "", pmu->caps_name);
		return;
	}
	if (*pmu->unclaimed)
		say(finding, CTD_FINDING_SLOTS, "%s", pmu->unclaimed);
	else
		say(finding, CTD_FINDING_SLOTS, "none in /sys/bus/event_source/devices");
	advise_on_cpu(pmu, finding);
}

static void judge_events(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	const struct ctd_pmu_facts *pmu = &facts->pmu;

	if (!pmu->core_pmu)
		return;
	if (pmu->slots && pmu->level1 && pmu->level2) {
		say(finding, CTD_FINDING_OK, "slots and topdown-* of levels 1 and 2");
	} else if (pmu->slots && pmu->level1) {
		say(finding, CTD_FINDING_NOTE, "slots and topdown-* of level 1; none of level 2");
	} else if (facts->plan.read != CTD_READ_NONE) {
		say(finding, CTD_FINDING_NOTE,
		    "the PMU has no %s, but events whose codes are known",
		    pmu->slots ? "topdown-retiring and the like" : "slots");
	} else {
		say(finding, CTD_FINDING_SLOTS, "the PMU has no %s",
		    pmu->slots ? "topdown-retiring and the like" : "slots");
		advise_on_cpu(pmu, finding);
	}
}

static void judge_source(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	/* The reason for none is said above already. */
	if (facts->plan.read == CTD_READ_NONE)
		return;
	say(finding, CTD_FINDING_OK, "%s: %s", facts->plan.source, facts->plan.why);
}

static void judge_trial(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	const struct ctd_trial *trial = &facts->trial;

	if (!trial->done)
		return;
	if (trial->error) {
		say(finding, CTD_FINDING_SLOTS, "the group of %d counters cannot be opened: %s",
		    facts->plan.events_count, ctd_log_reason(trial->error));
		advise(finding, "see the line on stderr for which counter on which CPU");
	} else if (trial->pushed_off || trial->never) {
		say(finding, CTD_FINDING_SLOTS,
		    "opened on %d CPUs, but found no counters on %d of them: another program holds them%s%s",
		    trial->cpus, trial->pushed_off + trial->never,
		    *facts->holders ? "; perf events are open in " : "", facts->holders);
		advise(finding,
		       "stop other profilers; set kernel.nmi_watchdog to 0; or share with --no-pin");
	} else if (!trial->slots) {
		say(finding, CTD_FINDING_SLOTS, "opened on %d CPUs, but counted no slots",
		    trial->cpus);
		advise(finding,
		       "a virtual machine may show counters that do not count: measure on its host");
	} else if (*trial->lie) {
		say(finding, CTD_FINDING_SLOTS, "%s", trial->lie);
		advise(finding,
		       "a virtual machine may show counters that do not count: measure on its host");
	} else if (isnan(trial->level1_sum_over_slots)) {
		say(finding, trial->part ? CTD_FINDING_NOTE : CTD_FINDING_OK,
		    "ran on %d CPUs for 0.1 s, on %d of them all the time", trial->cpus,
		    trial->full);
	} else if (fabs(trial->level1_sum_over_slots - 1) > L1_SUM_TOLERANCE) {
		say(finding, CTD_FINDING_NOTE,
		    "ran on %d CPUs, but level 1 adds up to %.3f of slots and not to 1: take figures with care",
		    trial->cpus, trial->level1_sum_over_slots);
	} else {
		say(finding, trial->part ? CTD_FINDING_NOTE : CTD_FINDING_OK,
		    "ran on %d CPUs for 0.1 s, on %d of them all the time; level 1 adds up to %.3f of slots",
		    trial->cpus, trial->full, trial->level1_sum_over_slots);
	}
}

static void judge_watchdog(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (!facts->pmu.core_pmu || !facts->pmu.nmi_watchdog)
		return;
	say(finding, CTD_FINDING_NOTE, "the NMI watchdog holds a counter of each CPU%s",
	    facts->plan.topdown_refresh ? "; slots and topdown-* do not need it" : "");
	advise(finding, "if counters are short: sysctl kernel.nmi_watchdog=0");
}

static void judge_paranoid(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	int level = facts->pmu.perf_event_paranoid;
	bool privileged = facts->effective_root || facts->effective_perfmon;

	/* Without a PMU nothing is opened that it guards. */
	if (level == -2 || !facts->pmu.core_pmu)
		return;
	if (level <= 0 || privileged || facts->recorded) {
		say(finding, CTD_FINDING_OK, "%d%s", level,
		    level <= 0 ? "" : ", which does not bind root");
		return;
	}
	say(finding, CTD_FINDING_SLOTS, "%d: counters of whole CPUs are refused to this process",
	    level);
	advise(finding, "run with CAP_PERFMON, or: sysctl kernel.perf_event_paranoid=0");
}

static void judge_files(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (facts->recorded || !facts->fds_wanted)
		return;
	if (facts->fds_wanted < facts->fds_most) {
		say(finding, CTD_FINDING_OK, "%" PRIu64 " for the counters, within the limit",
		    facts->fds_wanted);
		return;
	}
	say(finding, CTD_FINDING_SLOTS,
	    "the counters take %" PRIu64 ", and %" PRIu64 " may be open at most", facts->fds_wanted,
	    facts->fds_most);
	advise(finding, "raise the hard limit: ulimit -Hn, or LimitNOFILE= of the service");
}

static void judge_hierarchy(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	const struct ctd_cgroup_hierarchy *hierarchy = &facts->hierarchy;

	if (facts->hierarchy_error) {
		/* Recordings may be of the PMU alone. */
		say(finding, facts->recorded ? CTD_FINDING_NOTE : CTD_FINDING_MISSING, "%s",
		    facts->hierarchy_why);
		if (!facts->recorded)
			advise(finding,
			       "mount -t cgroup2 none /sys/fs/cgroup, or name another with --hierarchy");
		return;
	}
	say(finding, CTD_FINDING_OK, "%s%s at %s", hierarchy->v2 ? "v2" : "v1 ",
	    hierarchy->controller, hierarchy->mount);
}

static void judge_cgroups(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (facts->hierarchy_error)
		return;
	if (facts->cgroups < 0)
		say(finding, CTD_FINDING_NOTE, "cannot be walked: %s",
		    ctd_log_reason(facts->cgroups));
	else if (facts->cgroups == 1)
		say(finding, CTD_FINDING_NOTE, "only the root: all figures come in one row");
	else
		say(finding, CTD_FINDING_OK, "%d", facts->cgroups);
	if (facts->cgroups == 1)
		advise(finding,
		       "name a hierarchy with cgroups: --hierarchy v2, or --hierarchy CONTROLLER");
}

static void judge_writable(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (facts->hierarchy_error || facts->recorded)
		return;
	if (facts->hierarchy_writable) {
		say(finding, CTD_FINDING_OK, "a COMMAND can get a cgroup of its own");
		return;
	}
	say(finding, CTD_FINDING_NOTE,
	    "no cgroup can be made: 'stat -- COMMAND' does not work, all else does");
	advise(finding, "run as root, with the hierarchy mounted for writing");
}

static void judge_cpus(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (!facts->cpus_online)
		return;
	if (!facts->cpus_fenced) {
		say(finding, CTD_FINDING_OK, "%d online, none isolated", facts->cpus_online);
		return;
	}
	say(finding, CTD_FINDING_NOTE,
	    "%d online, %d of them isolated or nohz_full: these are measured but not interrupted, so their last slice comes late",
	    facts->cpus_online, facts->cpus_fenced);
	advise(finding, "if they may be interrupted, name all CPUs with --cpus");
}

/* What `profile` and serve --profile can tell here. */
static void judge_stacks(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (facts->recorded)
		return;
	if (!facts->unwinds) {
		say(finding, CTD_FINDING_NOTE,
		    "stacks of users by frame pointers only: without them most callers are missing");
		advise(finding,
		       "Linux 5.17 or later, for tables of .eh_frame: bpf_loop(), kernel commit e6f2dd0f8067");
	} else if (!facts->names_kernel) {
		say(finding, CTD_FINDING_NOTE,
		    "stacks of users by tables of .eh_frame; functions of the kernel have no names");
		advise(finding, "run with CAP_SYSLOG, or: sysctl kernel.kptr_restrict=1");
	} else if (!facts->opens_mapped) {
		say(finding, CTD_FINDING_NOTE,
		    "stacks of users by tables of .eh_frame; files that were replaced under a program have no names");
		advise(finding, "run with CAP_CHECKPOINT_RESTORE");
	} else {
		say(finding, CTD_FINDING_OK, "stacks of users by tables of .eh_frame, with names");
	}
}

static void judge_windows(const struct ctd_doctor_facts *facts, struct ctd_finding *finding)
{
	if (facts->recorded)
		return;
	if (facts->plan.read == CTD_READ_NONE)
		say(finding, CTD_FINDING_NOTE,
		    "CPU time only: without slots no window says where they are lost");
	else
		say(finding, CTD_FINDING_OK,
		    "windows of %d us at %d Hz; 'profile' tells how many can be used",
		    CTD_SAMPLER_WINDOW_NS / 1000, CTD_SAMPLER_FREQUENCY_HZ);
}

const struct ctd_check ctd_checks[] = {
	{"Kernel", "lockdown", CTD_CHECK_MACHINE, judge_lockdown},
	{"Kernel", "privileges", CTD_CHECK_MACHINE, judge_process},
	{"Kernel", "sandbox", CTD_CHECK_MACHINE, judge_sandbox},
	{"Counters", "CPU", CTD_CHECK_CORE_TYPE, judge_cpu},
	{"Counters", "core PMU", CTD_CHECK_CORE_TYPE, judge_pmu},
	{"Counters", "events", CTD_CHECK_CORE_TYPE, judge_events},
	{"Counters", "source", CTD_CHECK_ATTEMPT, judge_source},
	{"Counters", "trial", CTD_CHECK_ATTEMPT, judge_trial},
	{"Counters", "watchdog", CTD_CHECK_MACHINE, judge_watchdog},
	{"Counters", "perf paranoid", CTD_CHECK_MACHINE, judge_paranoid},
	{"Counters", "open files", CTD_CHECK_MACHINE, judge_files},
	{"Profiles", "stacks", CTD_CHECK_MACHINE, judge_stacks},
	{"Profiles", "windows", CTD_CHECK_MACHINE, judge_windows},
	{"Cgroups", "hierarchy", CTD_CHECK_MACHINE, judge_hierarchy},
	{"Cgroups", "cgroups", CTD_CHECK_MACHINE, judge_cgroups},
	{"Cgroups", "commands", CTD_CHECK_MACHINE, judge_writable},
	{"Cgroups", "CPUs", CTD_CHECK_MACHINE, judge_cpus},
	{NULL, NULL, CTD_CHECK_MACHINE, NULL},
};
