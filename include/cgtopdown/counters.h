/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* counters.h - opened counters: one group per CPU, all or nothing. From names (sysfs) to file
 * descriptors. */
#ifndef CGTOPDOWN_COUNTERS_H
#define CGTOPDOWN_COUNTERS_H

#include <cgtopdown/abi.h>
#include <cgtopdown/cpu.h>
#include <stdbool.h>
#include <stdint.h>

/* One event as perf_event_open(2) wants it. */
struct ctd_event {
	char name[64]; /* "slots", "topdown-retiring" */
	uint32_t type;
	uint64_t config, config1, config2;
	bool user_only, kernel_only;
};

/* Groups that are made at run time, of any events, and rotate on the PMU. */
struct ctd_rotation {
	int groups_count; /* at most CTD_ROTATION_GROUPS_MAX */
	int events_count; /* of each: one with fewer is filled up by those without a name */
	struct ctd_event *events; /* owned; group * events_count + i, the leaders first */
};

/* An event of which samples are to say how long it takes to retire. */
struct ctd_latency_event {
	struct ctd_event event;
	uint64_t period; /* events between two samples; 0: as is usual */
};

/* The same of each core type of a machine, in its order: each has groups of its own. */
struct ctd_rotations {
	int core_types_count; /* 1: the only groups are those of all CPUs */
	/* Borrowed; NULL: it counts nothing. All have the same events_count, as maps have one
	 * layout. */
	struct ctd_rotation *of[CTD_CORE_TYPES_MAX];
	const char *why[CTD_CORE_TYPES_MAX]; /* borrowed; why it counts nothing */
	/* Borrowed; those beside the groups, at most CTD_LATENCIES_MAX; NULL: none. */
	const struct ctd_latency_event *latencies[CTD_CORE_TYPES_MAX];
	uint32_t latencies_count[CTD_CORE_TYPES_MAX];
};

/* What is to be opened: made by ctd_pmu_plan(), plain data. */
struct ctd_counter_plan {
	const struct ctd_cpu_model *model; /* NULL: no counters */
	enum ctd_read read; /* of the groups of the tree */
	bool pinned; /* the leader; only it can be pinned */
	bool topdown_refresh; /* one read of the leader refreshes its siblings (PERF_METRICS) */
	int groups_count; /* at least 1; more rotate on the PMU */
	bool ipc; /* the last of its own is that of the IPC metrics */
	int events_count; /* of each group; 0 with CTD_READ_NONE; events[] unused with CTD_READ_SIM */
	int counters_count; /* of these, what the model counts; more fill up to other cores' number */
	struct ctd_event events[CTD_COUNTS_MAX]; /* group * events_count + i; of a model */
	const struct ctd_rotation *rotation; /* borrowed; these instead; NULL: none */
	/* So many of groups_count, the last ones, are those of the rotation; the ones before are in
	 * events[]. 0: all are in one of the two. */
	int beside_groups;
	/* Their leaders count what the model's does: its slots are known in their steps, too. */
	bool beside_slots;
	char source[24]; /* "perf_metrics", "gp_slots", "sim", "none" */
	char why[256]; /* one line for people: why this source */
	bool simulated;
};

/* An event of a group, of events_count. */
const struct ctd_event *ctd_plan_event(const struct ctd_counter_plan *plan, int group, int index);
/* Groups that are not beside others. */
static inline int ctd_plan_own_groups(const struct ctd_counter_plan *plan)
{
	return plan->groups_count - plan->beside_groups;
}
/* Is it the group of the IPC metrics? */
static inline bool ctd_plan_is_ipc(const struct ctd_counter_plan *plan, int group)
{
	return plan->ipc && group == ctd_plan_own_groups(plan) - 1;
}

/* Does a PMU count? Not with none and sim. */
static inline bool ctd_plan_counts(const struct ctd_counter_plan *plan)
{
	return plan->read == CTD_READ_LEADER || plan->read == CTD_READ_EACH;
}

/* Open groups. fd[(cpu * groups_count + group) * events_count + i], -1 where closed. */
struct ctd_counters {
	int cpus; /* possible CPUs */
	int groups_count; /* of the core type that has most */
	int events_count; /* of each group, on all core types */
	int step; /* of the rotation: see ctd_counters_group_of() */
	const uint8_t *core_type_of; /* borrowed, cpus entries; NULL: all CPUs are of the first core
					type */
	int core_type_groups[CTD_CORE_TYPES_MAX];
	int *fd; /* owned */
};

/* The group of a CPU that counts in @p step: core types with fewer groups repeat theirs. */
static inline int ctd_counters_group_of(const struct ctd_counters *counters, int cpu, int step)
{
	return step %
	       counters->core_type_groups[counters->core_type_of ? counters->core_type_of[cpu] : 0];
}

/* The descriptors of one CPU's group, events_count of them; -1 where it has none. */
static inline int *ctd_counters_group(const struct ctd_counters *counters, int cpu, int group)
{
	return counters->fd + ((size_t)cpu * (size_t)counters->groups_count + (size_t)group) *
				      (size_t)counters->events_count;
}

/*
 * Opens the groups of each CPU in @p online (@p cpus entries), disabled: those of the plan of its
 * kind, plans[core_type_of[cpu]] of CTD_CORE_TYPES_MAX, all of as many events. @p core_type_of
 * NULL: there is one plan. A CPU that perf has not (-ENODEV: it goes, or comes) is left without, as
 * long as others have theirs: see ctd_counters_has(). Logs what failed: the event, the CPU, errno
 * and what to do. On any failure nothing stays open.
 * @return 0 or negative errno.
 */
int ctd_counters_open(const struct ctd_counter_plan *plans, const uint8_t *core_type_of,
		      const bool *online, int cpus, struct ctd_counters *ret_counters);
/* Opens or reopens (after a CPU came back) the groups of one CPU, by the plan of its core type.
 * Logs, but for -ENODEV. @return 0 or negative errno. */
int ctd_counters_open_cpu(const struct ctd_counter_plan *plan, struct ctd_counters *counters,
			  int cpu);
/*
 * Takes the plan down to level 1, or to fewer groups, and says so in its `why`, if the kernel
 * refuses a group on @p cpu: a hypervisor may have given fewer counters than the core has. Silent.
 */
void ctd_counters_fit(struct ctd_counter_plan *plan, int cpu);
/* Does the kernel take a group of the plan on @p cpu? Silent. @return 0 or negative errno. */
int ctd_counters_try(const struct ctd_counter_plan *plan, int group, int cpu);
/* Has the CPU its groups? */
bool ctd_counters_has(const struct ctd_counters *counters, int cpu);
/* Closes the group of one CPU (it went offline). */
void ctd_counters_close_cpu(struct ctd_counters *counters, int cpu);
/* Starts on every CPU the group of the current step. Logs. @return 0 or negative errno. */
int ctd_counters_enable(const struct ctd_counters *counters);
/* Stops it again: the PMU is free for others. Best effort. */
void ctd_counters_disable(const struct ctd_counters *counters);
void ctd_counters_disable_cpu(const struct ctd_counters *counters, int cpu);
/* Stops the group of the current step on one CPU, and starts that of @p step. The caller sets
 * `step` when it was done on all. @return 0 or negative errno. Silent. */
int ctd_counters_rotate(const struct ctd_counters *counters, int cpu, int step);
/*
 * Reads the group of one CPU: ret_count[events_count], and the time it was enabled and running.
 * @return 0, -ENODATA where a pinned group is not on the PMU, or other negative errno. Silent.
 */
int ctd_counters_read(const struct ctd_counters *counters, int cpu, uint64_t *ret_count,
		      uint64_t *ret_enabled_ns, uint64_t *ret_running_ns);
/*
 * Are these the counts of real counters, of a CPU that was busy all the while? Virtual machines
 * have PMUs that open, run, and count nothing, or the same in every counter.
 * @return 0, or -ENODATA with a sentence in @p ret_why.
 */
int ctd_counters_judge(const struct ctd_counter_plan *plan, const uint64_t *count,
		       uint64_t running_ns, char ret_why[160]);
/* Accepts NULL and half-built objects. */
void ctd_counters_free(struct ctd_counters *counters);

/* Why a source's counters, once they were tried, cannot be used. */
enum ctd_source_lack {
	CTD_LACK_NOTHING, /* or not known yet */
	CTD_LACK_TRUST, /* they count, and what they count cannot be true */
	CTD_LACK_OPENING, /* the kernel does not open them */
	CTD_LACK_FREE_COUNTERS, /* another program holds them: that may change */
};

/* What sysfs and procfs below --root tell of one core type: of its PMU and its processor. */
struct ctd_pmu_facts {
	char core_name[24]; /* as people call them, "P-core"; "" where all cores are alike */
	char unclaimed[160]; /* not "": why no core PMU is known to count on these CPUs */
	bool core_pmu; /* a core PMU ("cpu" or "cpu_core") is in sysfs */
	char pmu_name[64]; /* its directory name */
	char caps_name[64]; /* caps/pmu_name, "" if none */
	uint32_t type;
	bool slots, level1, level2; /* event names present */
	int slots_per_cycle; /* caps/slots, on arm64; 0: it does not tell */
	bool nmi_watchdog; /* /proc/sys/kernel/nmi_watchdog is 1 and so a counter is taken */
	int perf_event_paranoid; /* -2: unknown */
	bool hypervisor; /* CPUID says so */
	char vendor[16]; /* as CPUID has it; "arm"; "" if none can be told */
	struct ctd_cpu_id id; /* of the PMU's first CPU; model_last and stepping_last are not set */
	bool smt; /* its hyper-threading is on */
	char cpu_title[80];
	enum ctd_source_lack perf_metrics_lack,
		general_purpose_lack; /* found out by trying: see ctd_pmu_pass_over() */
};

/*
 * The core types of a machine, each with a PMU of its own: P-cores and E-cores, or Arm's
 * clusters. CPUs of no core type, as of an id that their PMU's other CPUs have not, are one
 * more, called "other".
 */
struct ctd_machine {
	int core_types_count; /* 1: all cores are alike, as far as can be told */
	struct ctd_pmu_facts core_types[CTD_CORE_TYPES_MAX];
	uint8_t core_type_of[CTD_CPUS_MAX]; /* of each CPU: its core type */
};
/* Reads sysfs and procfs below the root directory (user/base/root.h). Logs. @return 0 or -errno. */
int ctd_machine_read(struct ctd_machine *ret_machine);
/* A CPU came, which may not have told its core type before: looks again, and sets
 * core_type_of[cpu]. Logs. */
int ctd_machine_find_cpu(struct ctd_machine *machine, int cpu);
/* The facts of the first core type. */
int ctd_pmu_facts_read(struct ctd_pmu_facts *ret_facts);

/*
 * Chooses the source. @p source: "auto", the source of a model ("perf_metrics", "gp_slots", ...),
 * "none", or "sim" (then @p plan holds what sim needs).
 * @p level: 1 or 2, 0 for the deepest that takes no more groups than level 1. @p read_each: true
 * for --read=each. Logs why a named source cannot be had. @return 0, -EINVAL for an unknown name,
 * -ENODEV if it cannot be had here.
 */
int ctd_pmu_plan(const struct ctd_pmu_facts *facts, const char *source, int level, bool read_each,
		 bool pinned, struct ctd_counter_plan *ret_plan);

/*
 * The same for each core type: a source of counters by name is for those that have it, and the
 * others go without, which their plans say. Where all go without, and with sources that are no
 * cores', there is one plan for all. Logs. @return as ctd_pmu_plan(); -ENODEV if no core type has
 * it.
 */
int ctd_machine_plan(const struct ctd_machine *machine, const char *source, int level,
		     bool read_each, bool pinned,
		     struct ctd_counter_plan ret_plans[CTD_CORE_TYPES_MAX],
		     int *ret_core_types_count);
/* How many plans there have to be: one, if no core type counts. */
int ctd_plans_core_types(const struct ctd_counter_plan *plans, int core_types_count);
/* Gives all plans that count the same number of events: after ctd_counters_fit(), before opening. */
void ctd_plans_pad(struct ctd_counter_plan *plans, int core_types_count);

/*
 * Adds the IPC group to a plan, as the last one: one more step. No leader
 * refreshes what is in it, so that it is read each also where `read` is CTD_READ_LEADER.
 * @return 0, or -ENODEV with half a sentence in @p ret_why.
 */
int ctd_pmu_plan_ipc(const struct ctd_pmu_facts *facts, struct ctd_counter_plan *plan,
		     char ret_why[160]);

/*
 * Plans the test source "software[:N][:leader|:rotate]": N software events in a group, so that
 * opening, reading and accounting run as with a PMU where there is none. There is no model, so
 * there are no nodes. "leader" reads the siblings from memory; with "rotate" there are three
 * groups, alike, that rotate. @return 0, or -EINVAL if @p source is not that.
 */
int ctd_pmu_plan_software(const char *source, struct ctd_counter_plan *plan);
/*
 * Plans groups of any events, which are read each by itself. @p stand_in: a clock takes the place
 * of each event, so that all runs as with a PMU where there is none. @p rotation is borrowed, and
 * its groups are filled up. There is no model, so there are no nodes.
 */
void ctd_pmu_plan_rotation(struct ctd_rotation *rotation, bool stand_in, bool pinned,
			   struct ctd_counter_plan *ret_plan);
/* The same for each core type of @p machine; one that counts nothing has a plan that says why.
 * @return how many plans there are. */
int ctd_machine_plan_rotations(const struct ctd_machine *machine,
			       const struct ctd_rotations *rotations, bool stand_in, bool pinned,
			       struct ctd_counter_plan ret_plans[CTD_CORE_TYPES_MAX]);
/*
 * Adds the groups of @p rotation behind those of a plan that counts, to rotate with them: each read
 * by itself. All groups are filled up to the number of events of the widest; counters_count stays.
 * There is room for all. @p rotation and @p stand_in: as above.
 */
void ctd_pmu_plan_beside(struct ctd_rotation *rotation, bool stand_in,
			 struct ctd_counter_plan *plan);
/* Is it a model of this processor, in the state that its hyper-threading is in? */
bool ctd_pmu_is_of(const struct ctd_pmu_facts *facts, const struct ctd_cpu_model *model);

/* How far behind the instruction that an event is of its sample may be: precise_ip of
 * perf_event_open(2), and what needs none. */
enum ctd_precision {
	CTD_PRECISION_SKID, /* some instructions */
	CTD_PRECISION_CONSTANT_SKID,
	CTD_PRECISION_EXACT_ASKED, /* none, but for hardware's exceptions */
	CTD_PRECISION_EXACT,
	CTD_PRECISION_SOFTWARE, /* the kernel counts it where it happens */
	CTD_PRECISIONS,
};

/* An event that is sampled where it overflows. */
struct ctd_sampled_event {
	char name[128]; /* as it was asked for; "": none is */
	uint64_t period; /* so many come between two samples, at least */
	struct ctd_sampled_core {
		struct ctd_event event;
		enum ctd_precision precision; /* that the kernel takes */
		bool can_be_precise; /* the vendor says so, or it is one of those that all are */
		bool there; /* the core type's PMU counts it */
	} core_types[CTD_CORE_TYPES_MAX];
	uint8_t core_type_of[CTD_CPUS_MAX]; /* of each CPU: index of these */
};

struct perf_event_attr;
/* What perf_event_open(2) takes, of a core type. */
void ctd_sampled_attr(const struct ctd_sampled_core *core, uint64_t period,
		      struct perf_event_attr *ret_attr);
/*
 * An event by one of the kernel's names, with "u" or "k" behind a colon for what user space or the
 * kernel does: of software, of the files of the PMU in sysfs, or of all hardware. Silent, but where
 * sysfs has the name and cannot be read. Of @p ret_core sets the event, and whether it can be
 * precise. @p ret_period: one that suits it; 0: unknown.
 * @return 0, -ENOENT: there is no such name, or other negative errno.
 */
int ctd_sampled_find(const struct ctd_pmu_facts *facts, const char *name,
		     struct ctd_sampled_core *ret_core, uint64_t *ret_period);
/* Does the kernel take it on @p cpu, -1: none is online? As precise as it does. Silent. @return 0
 * or negative errno. */
int ctd_sampled_try(const struct ctd_pmu_facts *facts, int cpu, struct ctd_sampled_core *core);
/* Why it does not, and what can be done. */
const char *ctd_sampled_why(const struct ctd_pmu_facts *facts, int error);
/* Counts it on all CPUs of @p online for so long. Silent. @return of the CPU that had most of them,
 * how many; 0 also if it cannot be counted. */
uint64_t ctd_sampled_count(const struct ctd_sampled_event *event, const bool *online, int cpus,
			   uint64_t ns);

/* The facts of this machine's core type that the model is of, or NULL. */
const struct ctd_pmu_facts *ctd_machine_find_model(const struct ctd_machine *machine,
						   const struct ctd_cpu_model *model);

/* From now on --source auto does without @p source, whose counters were tried. */
void ctd_pmu_pass_over(struct ctd_pmu_facts *facts, const char *source, enum ctd_source_lack lack);

/* True if it is, and is written as it should. */
bool ctd_pmu_is_software(const char *source);

/* One line of a sim profile file. */
struct ctd_sim_entry {
	char comm[CTD_COMM_BYTES]; /* "<idle>" and "<other>" are special */
	struct ctd_sim_profile profile; /* counters in the order of the sim model's events */
};
struct ctd_sim_profiles {
	struct ctd_sim_entry *entries; /* owned */
	size_t count;
};
/*
 * Parses a profile file's text (not NUL-terminated): lines "comm retiring bad_spec frontend backend
 * [/ heavy_ops br_mispredict fetch_lat mem_bound]" in per cent of slots, '#' comments. The four
 * must add up to 100, each second-level part must not exceed its parent. On error @p ret_line is
 * the line (from 1) and @p ret_why a sentence.
 * @return 0, -EINVAL or -ENOMEM.
 */
int ctd_sim_profiles_parse(const char *text, size_t bytes, struct ctd_sim_profiles *ret_profiles,
			   int *ret_line, char ret_why[128]);
/* The built-in table, used by --source=sim without a file. Always succeeds. */
const char *ctd_sim_default_text(void);
void ctd_sim_profiles_free(struct ctd_sim_profiles *profiles);

#endif
