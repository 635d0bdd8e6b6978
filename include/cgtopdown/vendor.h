/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor.h - events and metrics of one core, read from the files that vendors publish. */
#ifndef CGTOPDOWN_VENDOR_H
#define CGTOPDOWN_VENDOR_H

#include <cgtopdown/counters.h>
#include <cgtopdown/latency.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose files: the first of these that has metrics of a core is the one whose metrics are taken. */
enum ctd_vendor_format {
	CTD_VENDOR_ARM, /* Arm's telemetry-solution: data/pmu/cpu */
	CTD_VENDOR_PERF, /* Linux: tools/perf/pmu-events/arch */
	CTD_VENDOR_PERFMON, /* github.com/intel/perfmon */
	CTD_VENDOR_FORMATS, /* none of these, or any */
};

/* Which core: as perf's PERF_CPUID has it, "GenuineIntel-6-8F-4", "AuthenticAMD-25-11-1" or, on
 * Arm, MIDR_EL1: "0x00000000410fd4f1". */
struct ctd_vendor_cpu {
	char id[64];
	char pmu[24]; /* "cpu_core", "cpu_atom", "cpu_lowpower": of a hybrid processor; else "" */
};

/* What one counter of the core can count. */
struct ctd_vendor_event {
	const char *name; /* as the file has it */
	const char *description; /* "" where there is none */
	const char *pmu; /* "CHA", "L3PMC": it is of another PMU than the core's; NULL: the core's */
	const char *lack; /* why it has no encoding; NULL: it has */
	uint64_t config, config1, config2; /* of struct perf_event_attr */
	uint64_t counters; /* which general-purpose ones can count it, a bit each; 0: not said */
	int fixed_counter; /* -1: none */
	bool taken_alone; /* the file says: nothing else is to be counted meanwhile */
	bool offcore; /* takes one of the two registers of off-core responses */
	bool precise, deprecated;
	bool of_architecture; /* from the list of all Arm cores: this one may lack it */
	double latency; /* cycles until it retires, the vendor's mean; NAN: not said */
	uint64_t sample_after; /* how many are to come between two samples; 0: not said */
};

struct ctd_vendor_metric {
	const char *name, *description;
	/* In the language of metric/expr.h: over names of metrics and events as perf writes them,
	 * with modifiers of either vendor, and "#constants". */
	const char *expression;
	const char *threshold; /* the same over values of metrics: worth a look; "": never said */
	bool threshold_lacks; /* "" as what it asks for is not there, though it was said */
	double scale; /* times the value is what is shown, in `unit` */
	const char *unit; /* "%", "per_instr", "MB/s"; "" */
	const char *groups; /* names, ';' between them */
	const char *sample_with; /* names of events, ',' between them; "" */
	const char *next; /* groups to look at next, ';' between them; "" */
	const char *constraint; /* MetricConstraint: "NO_GROUP_EVENTS"; "" */
	const char *no_group; /* MetricgroupNoGroup */
	const char *show_events; /* DefaultShowEvents */
	const char *parent_name; /* "" */
	int parent; /* -1: none */
	int level; /* in the tree, from 1; 0: beside it, or not said */
	const char *file; /* where it is from */
};

/* What could not be read. */
struct ctd_vendor_note {
	const char *file, *entry; /* "" : of the whole file */
	const char *reason;
};

/* All strings are the table's. */
struct ctd_vendor_table {
	enum ctd_vendor_format format; /* of the metrics; CTD_VENDOR_FORMATS: there are none */
	const char *where; /* the folder or file of the metrics; "" */
	bool arm; /* events have a code and nothing else */
	int general_counters; /* 0: not said */
	double slots; /* a cycle; NAN: not said */
	struct ctd_vendor_event *events; /* owned */
	size_t events_count;
	struct ctd_vendor_metric *metrics; /* owned; names differ, whatever their case */
	size_t metrics_count;
	struct ctd_vendor_note *notes; /* owned */
	size_t notes_count, notes_lost; /* those for which there was no room */
	size_t files_count, bytes; /* that were read */
	struct ctd_vendor_store *store; /* owned: strings, and where to find names */
};

#define CTD_VENDOR_WHY_BYTES 512

/* Of this machine: the core of these facts. */
void ctd_vendor_cpu_of(const struct ctd_pmu_facts *facts, struct ctd_vendor_cpu *ret_cpu);

/*
 * Finds the core's files anywhere below @p directory by the vendors' maps, and reads them. @p
 * format: whose metrics, CTD_VENDOR_FORMATS for the first that there are; events are of all. What
 * is wrong with one entry or file costs only that, and leaves a note. Silent.
 * @return 0; -ENOENT: no file is of this core, -E2BIG: too much is there, or what opening the
 * directory met, all with a sentence in @p ret_why; -ENOMEM.
 */
int ctd_vendor_read(const char *directory, const struct ctd_vendor_cpu *cpu,
		    enum ctd_vendor_format format, struct ctd_vendor_table *ret_table,
		    char ret_why[CTD_VENDOR_WHY_BYTES]);
void ctd_vendor_table_free(struct ctd_vendor_table *table);

/* "Linux' perf", "intel/perfmon". */
const char *ctd_vendor_format_name(enum ctd_vendor_format format);

/* Is its value, times its scale, in per cent of something? */
bool ctd_vendor_is_percent(const struct ctd_vendor_metric *metric);

/* @return the event or metric of that name, whatever its case; NULL: there is none. */
const struct ctd_vendor_event *ctd_vendor_find_event(const struct ctd_vendor_table *table,
						     const char *name);
/* @return its index, or -1. */
int ctd_vendor_find_metric(const struct ctd_vendor_table *table, const char *name);

/* What formulas ask of a machine. NAN: not known. */
struct ctd_vendor_machine {
	double smt; /* 1: hyper-threading is on */
	double slots; /* a cycle */
	double tsc_hz;
	double cpus; /* that are online */
	double persistent_memory; /* 1: it has some */
};
/* Of the machine below --root, of which @p facts are. */
void ctd_vendor_machine_read(const struct ctd_pmu_facts *facts,
			     struct ctd_vendor_machine *ret_machine);
/* Of one that is not here. */
struct ctd_vendor_machine ctd_vendor_machine_unknown(void);

/* Something to be counted for formulas: an event in one of its forms. */
struct ctd_vendor_count {
	const char *name; /* as a formula has it; the set's */
	const struct ctd_vendor_event *event; /* NULL: it has a code and no name, or the kernel's */
	uint64_t config, config1, config2;
	bool user_only, kernel_only;
	bool latency; /* how long it takes to retire, and not how often it came: no counter has it */
};

/* A longer name cannot be. */
#define CTD_VENDOR_NAME_BYTES 128
/*
 * What counts an event, as formulas and "sample with" name it: with modifiers of either vendor, and
 * with the "_PS" that older files add for what is precise. @return 0; -ENOENT: it is none that the
 * core's PMU can count, with a sentence in @p ret_why. The count's name is not set.
 */
int ctd_vendor_find_count(const struct ctd_vendor_table *table, const struct ctd_vendor_cpu *cpu,
			  const struct ctd_vendor_machine *machine, const char *name,
			  struct ctd_vendor_count *ret_count, char ret_why[CTD_VENDOR_WHY_BYTES]);
/* @return the metric that is called so, or so behind "tma_", whatever the case; -1: none. */
int ctd_vendor_find_node(const struct ctd_vendor_table *table, const char *name);
/* Takes the next of the names in `sample_with`, which *at is in. @return false: there is none. */
bool ctd_vendor_next_sample(const char **at, char ret_name[CTD_VENDOR_NAME_BYTES]);

/* Why a metric cannot be computed here. */
enum ctd_vendor_lack {
	CTD_VENDOR_COMPUTED, /* it can */
	CTD_VENDOR_OTHER_PMU, /* it is not of the core: uncore, MSRs, sleep states, power */
	CTD_VENDOR_OF_SYSTEM, /* it is of the machine rather than of what ran */
	CTD_VENDOR_BOTH_THREADS, /* it needs both threads of a core */
	CTD_VENDOR_NO_LATENCY, /* nobody tells how long until an event retires */
	CTD_VENDOR_NO_EVENT, /* no file has the event */
	CTD_VENDOR_MALFORMED,
	CTD_VENDOR_CYCLE, /* metrics need each other */
};

struct ctd_vendor_set;

/*
 * Compiles all metrics; each that cannot be computed has a reason. @p table must outlive the set.
 * @return 0 or -ENOMEM.
 */
int ctd_vendor_set_new(const struct ctd_vendor_table *table, const struct ctd_vendor_cpu *cpu,
		       const struct ctd_vendor_machine *machine, struct ctd_vendor_set **ret_set);
void ctd_vendor_set_free(struct ctd_vendor_set *set);

/* @return why @p metric cannot be computed, and a sentence for people in @p ret_why, if not NULL. */
enum ctd_vendor_lack ctd_vendor_set_lack(const struct ctd_vendor_set *set, size_t metric,
					 const char **ret_why);
/* The same of its threshold: not "" and malformed. NULL: it is good. */
const char *ctd_vendor_set_threshold_lack(const struct ctd_vendor_set *set, size_t metric);

/* All that metrics count, and whose latencies they take. */
const struct ctd_vendor_count *ctd_vendor_set_counts(const struct ctd_vendor_set *set,
						     size_t *ret_count);
/* Do both count the same? */
bool ctd_vendor_same_count(const struct ctd_vendor_count *a, const struct ctd_vendor_count *b);
/* Sets ret_needed[i] of each count that @p metric needs, also for metrics that it names; leaves the
 * others, and latencies. */
void ctd_vendor_set_needs(const struct ctd_vendor_set *set, size_t metric, bool *ret_needed);
/* Is an event's mean latency one of its operands? */
bool ctd_vendor_set_needs_latency(const struct ctd_vendor_set *set, size_t metric);

/*
 * The value of each metric, before its scale: of counts in the order of ctd_vendor_set_counts(),
 * NAN: not counted, which took so many seconds. Latencies are the vendor's means. @p ret_values has
 * room for ctd_vendor_set_room(), and gets metrics_count of them.
 */
void ctd_vendor_evaluate(const struct ctd_vendor_set *set, const double *counts, double seconds,
			 double *ret_values);
size_t ctd_vendor_set_room(const struct ctd_vendor_set *set);
/* Is @p metric worth a look, with these values of all? @return 1, 0; NAN: not known. */
double ctd_vendor_hot(const struct ctd_vendor_set *set, size_t metric, const double *values);

/* A metric that was asked for. */
struct ctd_vendor_counted {
	size_t metric; /* of the table */
	int parent; /* index of the one that it is a part of, -1; parents come first */
	int depth; /* 0: it has none */
	int group; /* its counts are of; -1: it is not counted */
	char *why; /* owned; why it is not; else NULL */
	/* Bits: those of the counting's latencies that it rests on; the last one: such as are never
	 * measured. */
	uint64_t latencies;
};

/* A mean latency that metrics rest on. */
struct ctd_vendor_latency {
	uint32_t count; /* of the set */
	double assumed; /* the vendor's */
};

/* What of vendors' metrics is counted, in which groups, and what their counts come to. */
struct ctd_vendor_counting {
	const struct ctd_vendor_table *table; /* borrowed, and so is */
	const struct ctd_vendor_set *set;
	/* Owned; as a tree is written: the parts of each right behind it. */
	struct ctd_vendor_counted *metrics;
	size_t metrics_count;
	struct ctd_rotation rotation; /* owned */
	struct ctd_vendor_group *groups; /* owned; as many as rotation has */
	struct ctd_vendor_latency *latencies; /* owned; at most CTD_LATENCIES_MAX */
	size_t latencies_count;
	/* Owned; scratch, in which no count is known between two evaluations, and latencies are. */
	double *values;
};

struct ctd_vendor_value {
	double value; /* before its scale; NAN: not known */
	bool hot; /* by the vendor's threshold it is worth a look */
};

/* @return the index of a metric that is counted, by its name, or what is behind its "tma_"; or -1. */
int ctd_vendor_counting_find(const struct ctd_vendor_counting *counting, const char *name);
/* @return what formulas call the event of a group that is at a place of its counts; NULL: there is
 * none that any needs. Names differ within a group. */
const char *ctd_vendor_counting_event(const struct ctd_vendor_counting *counting, int group,
				      int index);
/* Which of the two is what a metric rests on. */
enum ctd_vendor_means {
	CTD_VENDOR_NO_MEANS, /* on no latency */
	CTD_VENDOR_ASSUMED, /* on the vendor's mean of one at least */
	CTD_VENDOR_MEASURED, /* on measured ones alone */
};
/* @p measured: NULL: nothing measures them. */
enum ctd_vendor_means ctd_vendor_counting_means(const struct ctd_vendor_counting *counting,
						size_t index, const struct ctd_latency *measured);
/* "assumed", "measured"; NULL: it rests on none. */
const char *ctd_vendor_means_name(enum ctd_vendor_means means);
/* From now on values are computed with what was measured, where that is enough, until others are
 * taken. At first they are the vendor's. */
void ctd_vendor_counting_take_latencies(const struct ctd_vendor_counting *counting,
					const struct ctd_latency *measured);
/* A group that the kernel refuses is left out, with its metrics. @return false: it was the last. */
bool ctd_vendor_counting_leave_out(struct ctd_vendor_counting *counting, int group,
				   const char *why);
/* What groups counted of a row. */
struct ctd_vendor_counted_row {
	int groups_count; /* 0: none did; then the others may be NULL */
	const uint64_t *count; /* of each group rotation.events_count, one after the other */
	const uint64_t *count_ns; /* of each group: of so much CPU time */
};

/*
 * The values of all metrics of some rows: each by the counts of its own group. A group whose leader
 * counted nothing has no values. @p ret_values: metrics_count of each row.
 */
void ctd_vendor_counting_evaluate(const struct ctd_vendor_counting *counting,
				  const struct ctd_vendor_counted_row *rows, size_t rows_count,
				  struct ctd_vendor_value *ret_values);
/* Gives each group room for so many events, as those of other core types have it. @return 0 or
 * -ENOMEM. */
int ctd_vendor_counting_widen(struct ctd_vendor_counting *counting, int events_count);
void ctd_vendor_counting_free(struct ctd_vendor_counting *counting);

/* A metric that was asked for of some core type: what it is on each, and its formula, is the core
 * type's own. */
struct ctd_vendor_column {
	const char *name; /* as the first of these core types has it */
	int index[CTD_CORE_TYPES_MAX]; /* of the core type's counting; -1: it has none of it */
};

/* What is counted on each core type of a plan, in its order. */
struct ctd_vendor_countings {
	int core_types_count; /* 1: all cores are alike */
	const struct ctd_vendor_counting *of[CTD_CORE_TYPES_MAX]; /* borrowed; NULL: nothing */
	/* Owned; each name once, the parts of a metric behind it; of one core type in the order of
	 * its counting. */
	struct ctd_vendor_column *columns;
	size_t columns_count;
};

/* Makes the columns, of what `of` has now. @return 0 or -ENOMEM. */
int ctd_vendor_countings_join(struct ctd_vendor_countings *countings);
/* Frees the columns. */
void ctd_vendor_countings_free(struct ctd_vendor_countings *countings);
/* Is it counted on any core type? */
bool ctd_vendor_column_is_counted(const struct ctd_vendor_countings *countings, size_t column);
/* @return the column of a metric that is counted, by its name as ctd_vendor_counting_find() takes
 * it; or -1. */
int ctd_vendor_countings_find(const struct ctd_vendor_countings *countings, const char *name);
/* The name of the column of metric @p index of a core type's counting. NULL: there is none. */
const char *ctd_vendor_column_name(const struct ctd_vendor_countings *countings, int core_type,
				   int index);
/* How many groups the core type with the most has. */
int ctd_vendor_countings_groups(const struct ctd_vendor_countings *countings);

#endif
