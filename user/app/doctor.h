/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* doctor.h - the examination of a machine: facts first, then what follows from them. */
#ifndef APP_DOCTOR_H
#define APP_DOCTOR_H

#include <cgtopdown/caps.h>
#include <cgtopdown/counters.h>
#include <cgtopdown/identity.h>

#include "app/options.h"

/* What counters did in a tenth of a second. */
struct ctd_doctor_trial {
	bool done; /* there was a group to try */
	int error; /* of opening or starting it; 0: it opened on every CPU */
	int cpus; /* tried */
	int full; /* CPUs on which the group ran all the time, */
	int part; /* part of the time, */
	int never; /* not at all although it was opened, */
	int pushed_off; /* or was pinned and found no counters */
	bool slots; /* some were counted */
	char lie[160]; /* what is wrong with the counts of the CPU we were on; "": nothing */
	double l1_sum_over_slots; /* NaN: the source cannot know it */
};

struct ctd_doctor_facts {
	bool recorded; /* --root: the kernel that runs here is not asked */
	char host[65], kernel[131]; /* as of uname(2) */
	struct ctd_caps caps;
	bool effective_root, effective_bpf, effective_perfmon; /* capabilities of this process */
	bool lockdown; /* "confidentiality": kernel memory may not be read */
	struct ctd_machine machine;
	struct ctd_counter_plan plans[CTD_CORES_MAX]; /* of --source auto, for each kind of cores */
	struct ctd_doctor_trial trials[CTD_CORES_MAX];
	/* Those of the kind of cores that is being judged: see ctd_doctor_look_at_core(). */
	struct ctd_pmu_facts pmu;
	struct ctd_counter_plan plan;
	struct ctd_doctor_trial trial;
	int cpus, cpus_online, cpus_fenced;
	uint64_t fds_wanted, fds_most; /* open files: needed, and the hard limit */
	int hierarchy_error;
	char hierarchy_why[160];
	struct ctd_cgroup_hierarchy hierarchy;
	bool hierarchy_writable;
	int cgroups; /* in it; negative errno if they cannot be walked */
};

/* doctor_facts.c: looks at everything. Logs. @return 0 or negative errno. */
int ctd_doctor_examine(const struct ctd_options *options, struct ctd_doctor_facts *ret_facts);

/* doctor_facts.c: what is judged from here on is of this kind of cores. */
void ctd_doctor_look_at_core(struct ctd_doctor_facts *facts, int core);

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

struct ctd_check {
	const char *section, *name;
	bool is_of_cores; /* asked of each kind of cores */
	void (*judge)(const struct ctd_doctor_facts *facts, struct ctd_finding *finding);
};
/* doctor_checks.c: ended by a NULL name. What the kernel answered (caps) comes before these. */
extern const struct ctd_check ctd_checks[];
void ctd_check_cap(const struct ctd_doctor_facts *facts, enum ctd_cap cap,
		   struct ctd_finding *ret_finding);

#endif
