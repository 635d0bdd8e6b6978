/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* doctor.h - the examination of a machine: facts first, then what follows from them. */
#ifndef DOCTOR_DOCTOR_H
#define DOCTOR_DOCTOR_H

#include <cgtopdown/caps.h>
#include <cgtopdown/counters.h>
#include <cgtopdown/identity.h>

#include "app/options/options.h"
#include "collect/source.h"

struct ctd_doctor_facts {
	bool recorded; /* --root: the kernel that runs here is not asked */
	char host[65], kernel[131]; /* as of uname(2) */
	struct ctd_caps caps;
	bool effective_root, effective_bpf, effective_perfmon; /* capabilities of this process */
	bool unconfined; /* --no-sandbox */
	bool filter; /* this kernel can filter system calls */
	int landlock; /* its version; 0: this kernel has none */
	bool unwinds; /* user stacks by tables: see ctd_sampler_can_unwind() */
	bool names_kernel; /* addresses of the kernel's functions may be seen */
	bool opens_mapped; /* files may be opened by what maps them, also when they are deleted */
	bool lockdown; /* "confidentiality": kernel memory may not be read */
	struct ctd_source *source; /* owned; as --source auto finds it */
	/* Of the core type and the source that are being judged: see ctd_doctor_look_at(). */
	struct ctd_pmu_facts pmu;
	struct ctd_counter_plan plan;
	struct ctd_trial trial;
	char holders[160]; /* other processes with perf events; "": none is known */
	int cpus, cpus_online, cpus_fenced;
	uint64_t fds_wanted, fds_most; /* open files: needed, and the hard limit */
	int hierarchy_error;
	char hierarchy_why[160];
	struct ctd_cgroup_hierarchy hierarchy;
	bool hierarchy_writable;
	int cgroups; /* in it; negative errno if they cannot be walked */
};

/* facts.c: looks at everything. Logs. @return 0 or negative errno. */
int ctd_doctor_examine(const struct ctd_options *options, struct ctd_doctor_facts *ret_facts);
void ctd_doctor_facts_free(struct ctd_doctor_facts *facts);

/* How many sources were tried on a core type; at least 1, which is the one that was found where
 * none needed to be tried. */
int ctd_doctor_attempts(const struct ctd_doctor_facts *facts, int core_type);
/* What is judged from here on is of this core type, and of the source tried as number @p attempt. */
void ctd_doctor_look_at(struct ctd_doctor_facts *facts, int core_type, int attempt);

enum ctd_finding_mark {
	CTD_FINDING_NONE, /* the question does not arise */
	CTD_FINDING_OK,
	CTD_FINDING_UNKNOWN, /* may not be asked */
	CTD_FINDING_NOTE, /* works, but should be known */
	CTD_FINDING_SLOTS, /* slots cannot be counted, CPU time can */
	CTD_FINDING_MISSING, /* nothing works without */
};

struct ctd_finding {
	enum ctd_finding_mark mark;
	char what[320]; /* what was found, and what follows from it */
	char remedy[320]; /* what to do; "": nothing */
};

/* What a question is asked of, once for each. */
enum ctd_check_scope { CTD_CHECK_MACHINE, CTD_CHECK_CORE_TYPE, CTD_CHECK_ATTEMPT };

struct ctd_check {
	const char *section, *name;
	enum ctd_check_scope scope;
	void (*judge)(const struct ctd_doctor_facts *facts, struct ctd_finding *finding);
};
/* checks.c: ended by a NULL name. What the kernel answered (caps) comes before these. */
extern const struct ctd_check ctd_checks[];
void ctd_check_cap(const struct ctd_doctor_facts *facts, enum ctd_cap cap,
		   struct ctd_finding *ret_finding);

#endif
