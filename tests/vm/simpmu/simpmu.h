/* SPDX-License-Identifier: GPL-2.0-only */
/* simpmu.h - a simulated core PMU with topdown counters: what its parts know of each other. */
#ifndef SIMPMU_H
#define SIMPMU_H

#include <linux/hrtimer.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/types.h>

/*
 * What a CPU does while time goes by. Every event counts a sum of these. The eight that follow
 * SLOTS are in the order of the fields of PERF_METRICS. All but CYCLES are in slots.
 */
enum quantity {
	CYCLES,
	SLOTS,
	RETIRING,
	BAD_SPEC,
	FRONTEND,
	BACKEND,
	HEAVY_OPS,
	BR_MISPREDICT,
	FETCH_LAT,
	MEM_BOUND,
	SMT_CONTENTION, /* AMD's fifth part; out of BACKEND */
	QUANTITIES,
};
#define METRICS_MAX 8

/* Work is kept in 1/1024 of a count, and rates in counts per 1024 ns, so that work = ns * rate. */
#define WORK_BITS 10
#define WORK_ONE (1ull << WORK_BITS)

/* personality: which processor this is ----------------------------------------------------- */

/* numerator / denominator of a quantity; an event is a sum of up to three. Never negative in all. */
struct term {
	u8 quantity;
	s8 numerator;
	u8 denominator; /* 0: no term */
};

enum event_kind { PLAIN_EVENT, SLOTS_EVENT, METRIC_EVENT };

struct simpmu_event {
	const char *name; /* in sysfs; NULL: not there, only by its code */
	u64 config;
	enum event_kind kind;
	u8 metric; /* METRIC_EVENT: which field of PERF_METRICS */
	u64 counters; /* on which it can be, as bits; 0: any general one */
	u64 value; /* of the register that it shares with others; 0: it needs none */
	struct term terms[3];
	bool precise; /* samples can be precise (PEBS) */
};

/* Bits of struct simpmu_event.counters. */
#define GENERAL(n) (1ull << (n))
#define FIXED(n) (1ull << (16 + (n)))
#define ALL_GENERAL (FIXED(0) - 1)
#define METRIC(n) (1ull << (32 + (n)))
#define GENERAL_FIRST(n) (GENERAL(n) - 1) /* the first so many */

enum encoding { INTEL_ENCODING, AMD_ENCODING, ARM_ENCODING };

/* A core design, with the PMU that its CPUs have. */
struct simpmu_core {
	const char *pmu_name;
	const char *caps_name; /* caps/pmu_name; NULL: no such file */
	bool is_raw; /* its PMU's type is PERF_TYPE_RAW, else the kernel chooses */
	enum encoding encoding;
	unsigned int width; /* slots in a cycle */
	bool has_latency; /* precise samples tell how long it took to retire */
	u64 counters; /* all there are, as bits */
	const struct simpmu_event *events; /* ended by one without terms and kind */
};

struct personality {
	const char *name;
	const struct simpmu_core *cores[2]; /* the second one has the upper half of the CPUs */
};

#define CORES_MAX 2
extern const struct personality *const simpmu_personalities[];
extern const struct personality *simpmu_personality;
const struct personality *simpmu_personality_find(const char *name);
extern const struct personality simpmu_sapphire_rapids, simpmu_granite_rapids, simpmu_ice_lake,
	simpmu_alder_lake, simpmu_arrow_lake, simpmu_sierra_forest, simpmu_skylake,
	simpmu_broadwell, simpmu_zen4, simpmu_zen5, simpmu_neoverse_n1, simpmu_neoverse_v1,
	simpmu_neoverse_v2, simpmu_neoverse_n2, simpmu_neoverse_n2_r0p0, simpmu_neoverse_n3,
	simpmu_neoverse_v3;
/* Designs that hybrid processors share with others. */
extern const struct simpmu_core simpmu_gracemont, simpmu_skymont;

/* profile: what a task does, by its name --------------------------------------------------- */

#define PROFILES_MAX 64

/* Slots that a core has at full speed. */
u32 simpmu_profile_full_rate(unsigned int core);
/* Fills the rates of @p comm ("<idle>", "<kernel>", or the name of a task) on a core. */
void simpmu_profile_rates(const char *comm, unsigned int core, u32 *ret_rates);
/* "comm retiring bad frontend backend heavy mispredict fetch_lat mem smt speed", per mille.
 * @return 0, -EINVAL or -ENOSPC. */
int simpmu_profile_parse(char *line);
void simpmu_profiles_show(struct seq_file *file);

/* truth: what every task of every cgroup really did ---------------------------------------- */

struct truth {
	char comm[TASK_COMM_LEN];
	u64 cgroup_id; /* 0 with "<idle>" and "<kernel>" */
	u64 whole[QUANTITIES]; /* work since the last reset */
	u64 live[QUANTITIES]; /* the part of it while an event of the watched program counted */
	u64 switches; /* switches to it */
};

int simpmu_truth_start(void);
void simpmu_truth_stop(void);
/* Never NULL: what does not fit is booked under the name "<lost>". For the CPU's own table. */
struct truth *simpmu_truth_find(unsigned int cpu, const char *comm, u64 cgroup_id);
void simpmu_truth_reset(void);
void simpmu_truth_show(struct seq_file *file);

/* machine: a CPU, its clock and what runs on it ---------------------------------------------- */

/* The registers of PERF_METRICS and fixed counter 3, in work. */
struct topdown {
	u64 slots;
	u64 metric[METRICS_MAX];
};

/* Room for every counter there is. */
#define ACTIVE_MAX 24

/* Why a CPU's clock stands, besides what the simulator itself does. */
enum standing {
	FOR_PROBES = 1, /* from the first to the last of a tracepoint; a program run by bpf(2) */
	FOR_CHANGES = 2, /* perf has stopped the PMU, to put events on it or take them off */
	FOR_READING = 4, /* perf reads the events of a group */
	FOR_SAMPLES = 8, /* perf takes samples */
};

struct machine {
	raw_spinlock_t lock;
	unsigned int cpu;
	unsigned int core; /* index in personality->cores */
	u64 clock_ns; /* of the last simpmu_machine_advance() */
	u64 frozen_ns; /* the standing clock's time */
	u64 stood_ns; /* how long it stood in all */
	unsigned int frozen; /* depth: why the clock stands, how many reasons there are */
	enum standing held; /* those of them, as bits */
	unsigned int sampling; /* events that count to an overflow */
	struct hrtimer timer;
	unsigned int live; /* events that make what is done now part of `live` truth */
	bool disabled; /* perf has stopped the PMU */
	char comm[TASK_COMM_LEN];
	pid_t pid, tgid;
	u32 rates[QUANTITIES];
	u32 alone[QUANTITIES]; /* what these were, if no other CPU did anything */
	u32 full_rate; /* of slots, at full speed */
	bool idle;
	struct truth *truth;
	u64 work[QUANTITIES];
	struct topdown topdown;
	bool topdown_runs;
	struct counter *active[ACTIVE_MAX];
	unsigned int active_count;
	u64 updates, reads, switches, added, refused, samples;
	u64 updates_before; /* before the probes of a switch */
	u64 updates_most; /* in those of one switch, since the last reset of truth */
};

DECLARE_PER_CPU(struct machine, simpmu_machine);

int simpmu_machine_start(void);
void simpmu_machine_stop(void);
/*
 * Around all that the simulator does: with this CPU's machine locked, and its clock standing, so
 * that only what others do takes time.
 */
struct machine *simpmu_machine_enter(unsigned long *irq);
void simpmu_machine_leave(struct machine *machine, unsigned long irq);
/* Lets the clock stand until the release, unless it is to run. With the machine's lock. */
void simpmu_machine_hold(struct machine *machine, enum standing why);
void simpmu_machine_release(struct machine *machine, enum standing why);
/* Work since the last call, to the task that runs and the counters. With the machine's lock. */
void simpmu_machine_advance(struct machine *machine);
/* After a change of profiles: takes the new rates from now on, on every CPU. */
void simpmu_machine_refresh(void);

/* interference: tasks that slow each other down ------------------------------------------------ */

/* With the machine's lock: rates of what runs there, beside what runs on other CPUs. */
void simpmu_interference_apply(struct machine *machine);
/* What runs on a CPU is another task now. Without any machine's lock. */
void simpmu_interference_tell(unsigned int from_cpu);

/* counter: one perf event -------------------------------------------------------------------- */

struct counter {
	struct perf_event *event;
	const struct simpmu_event *kind;
	struct simpmu_event generic; /* `kind` of a code that the personality does not know */
	bool watched; /* opened by the watched program */
	bool was_read; /* has been read while it counted */
	bool live; /* what is done now is part of `live` truth */
	bool active; /* on the PMU and started */
	bool restarted; /* has been on the PMU before */
	bool has_latency; /* see struct simpmu_core */
	u64 samples;
	u64 before; /* PLAIN_EVENT: count at the last update */
	struct topdown saved; /* registers when the event last went off the PMU */
};

static inline bool is_topdown(const struct counter *counter)
{
	return counter->kind->kind != PLAIN_EVENT;
}

/* @return what the event would count, from the work done. */
u64 simpmu_counter_value(const struct simpmu_event *kind, const u64 *work);
/* Adds to the event's count what came since the last update. For PLAIN_EVENT. */
void simpmu_counter_update(struct machine *machine, struct counter *counter);
/* Can all of @p counters be on those of @p available at once, and have their registers? */
bool simpmu_counters_fit(const struct simpmu_core *core, const struct counter *const *counters,
			 unsigned int count, u64 available);

/* sampling: what happens at overflows
 * -------------------------------------------------------------- */

int simpmu_sampling_start(void);
void simpmu_sampling_stop(void);
/* With the machine's lock, on its CPU: sets the timer anew, if anything samples. */
void simpmu_sampling_arm(struct machine *machine);
/* Samples of what has overflowed on this CPU. Without the machine's lock, with interrupts off. */
void simpmu_sampling_deliver(struct pt_regs *registers);

/* topdown: the driver's handling of PERF_METRICS ----------------------------------------------- */

/* Brings all topdown events of the CPU up to date. @p counter: the one that is read or stopped. */
void simpmu_topdown_update(struct machine *machine, struct counter *counter);
void simpmu_topdown_start(struct machine *machine, struct counter *counter);

/* pmu, sysfs, proc: towards the kernel and the user ---------------------------------------------- */

int simpmu_pmu_register(void);
void simpmu_pmu_unregister(void);
/* Attribute groups of a core's PMU, allocated. */
const struct attribute_group **simpmu_sysfs_make(const struct simpmu_core *core,
						 const struct cpumask *cpus, bool hybrid);
void simpmu_sysfs_free(const struct attribute_group **groups);
int simpmu_proc_start(void);
void simpmu_proc_stop(void);

/* What is set in /proc/simpmu/control. */
enum quantise { EXACT, FLOOR, NEAREST };
#define LATENCIES_MAX 16
struct control {
	enum quantise quantise; /* of PERF_METRICS' fields, to 255ths of slots */
	bool clock_runs; /* where it would stand: see enum standing */
	bool switch_late; /* then: the leaving task works until the last probe, not until the first */
	bool count_while_disabled; /* counters go on while perf has the PMU stopped */
	unsigned int counter_bits; /* width of plain counters and slots; 48, or 32 for early wraps */
	u64 taken; /* counters that somebody else holds, as bits */
	u64 refused; /* an event that the kernel does not take; 0: none */
	int refusal; /* the error with which it refuses */
	bool never_runs; /* events open, and are never on the PMU */
	bool counts_nothing; /* events run, and stay 0 */
	bool bad_spec_is_slots; /* a hypervisor's PERF_METRICS */
	/* See interference.c; in per mille: of the slots of a CPU, and of what a thread has alone.
	 * 0: no interference. */
	unsigned int memory_capacity, smt_share;
	char watch[TASK_COMM_LEN]; /* the program whose events make `live` truth */
	bool live_since_read; /* it begins where these are first read */
	/* What precise samples of an event tell of it, in turns. */
	struct {
		u64 config;
		u16 values[2];
	} latencies[LATENCIES_MAX];
};
extern struct control simpmu_control;
/* @return the latency of sample @p number of an event; 0 if none was set. */
u16 simpmu_control_latency(u64 config, u64 number);

#endif
