/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cpu.h - core designs as data: events, top-down nodes, formulas, conditions. Every .c in user/cpu/
 * is one design. */
#ifndef CGTOPDOWN_CPU_H
#define CGTOPDOWN_CPU_H

#include <cgtopdown/abi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CTD_NODES_MAX 32
/* Level 1 has at most so many nodes, and they are the first of every model. */
#define CTD_LEVEL1_MAX 5
/* Core types of one machine: a processor has at most three; one more is for CPUs of no known type. */
#define CTD_CORE_TYPES_MAX 4
/* Groups of a design. */
#define CTD_GROUPS_MAX 5
/* Groups of one rotation: of a design, or of vendors' metrics. */
#define CTD_ROTATION_GROUPS_MAX 64
/* The last group is that of the IPC metrics; the groups before it belong to the tree. */
#define CTD_IPC_GROUP (CTD_GROUPS_MAX - 1)
/* Counts of all groups of a design together: those of group g begin at g times the size of the
 * largest. */
#define CTD_COUNTS_MAX (CTD_GROUPS_MAX * CTD_COUNTERS_MAX)

/* What one counter of a group counts. */
struct ctd_cpu_event {
	const char *name; /* the kernel's, or the vendor's in lower case: "uops_retired.slots" */
	uint64_t config; /* the code, where it is not always in sysfs; 0: sysfs has it under this
			    name */
};

/* A formula's operand behind the group's counts: the time, in nanoseconds, that they cover. */
#define CTD_COUNT_TIME_NS CTD_COUNTERS_MAX

/* The unit of a node's value. */
enum ctd_unit {
	CTD_UNIT_RATIO, /* 0..1, of slots or cycles; shown in per cent */
	CTD_UNIT_PER_CYCLE,
	CTD_UNIT_CYCLES, /* per instruction */
	CTD_UNIT_GHZ,
	CTD_UNIT_PER_THOUSAND, /* instructions */
};

/*
 * What a node means, independent of its name and index in the model. Code that treats a node
 * specially asks for its role, never for the name or the index.
 */
enum ctd_node_role {
	CTD_ROLE_NONE, /* no code treats it specially */
	CTD_ROLE_RETIRING,
	CTD_ROLE_BAD_SPECULATION,
	CTD_ROLE_FRONTEND_BOUND,
	CTD_ROLE_BACKEND_BOUND,
	CTD_ROLE_SMT_CONTENTION, /* slots that the core's other thread was given */
	CTD_ROLE_HEAVY_OPERATIONS,
	CTD_ROLE_LIGHT_OPERATIONS,
	CTD_ROLE_BRANCH_MISPREDICTS,
	CTD_ROLE_MACHINE_CLEARS,
	CTD_ROLE_FETCH_LATENCY,
	CTD_ROLE_FETCH_BANDWIDTH,
	CTD_ROLE_MEMORY_BOUND,
	CTD_ROLE_CORE_BOUND,
	CTD_ROLE_RESOURCE_BOUND,
	CTD_ROLE_FRONTEND_STALLS, /* of cycles, where slots are not known */
	CTD_ROLE_BACKEND_STALLS,
	CTD_ROLE_IPC,
	CTD_ROLE_CPI,
	CTD_ROLE_GHZ,
	CTD_ROLE_BRANCH_MPKI,
	CTD_ROLE_CACHE_MPKI, /* of the model's `cache` */
};

/* One box of the top-down tree, or an IPC metric beside it: no part of anything, and no more
 * worth a look the larger it is. */
struct ctd_node {
	const char *name; /* perf's TMA name without "tma_" */
	enum ctd_node_role role; /* at most one node of a model has it */
	const char *title; /* column head, at most 9 characters */
	int level; /* 1 or 2 (3 and deeper later); 0: an IPC metric */
	enum ctd_unit unit; /* in the tree always a ratio */
	int parent; /* index of the parent node, -1 where there is none; always smaller than the
		       node's own index */
	int group; /* which of the model's groups has the counts */
	int counters; /* how many of the group's first counters the formula needs */
	/* In the language of metric/expr.h: over the names of the group's events, and "time_ns".
	 * Its value is a ratio, perhaps not in 0..1, or what `unit` says. */
	const char *formula;
	/* When it is worth a look, in the same language over names of nodes; begins with its own
	 * name, '>' and a ratio. A node that the model lacks, or does not count, has an unknown
	 * value. NULL for an IPC metric. */
	const char *condition;
	const char *help; /* one or two sentences: what it means, what to look at next */
};

/* What the IPC group counts, in this order in every model. Its leader is either
 * the first of these, or counts slots and stands before them. */
enum ctd_ipc_count {
	CTD_IPC_CYCLES, /* in which the CPU was not halted */
	CTD_IPC_INSTRUCTIONS,
	CTD_IPC_BRANCH_MISSES,
	CTD_IPC_CACHE_MISSES, /* of the model's `cache` */
	CTD_IPC_COUNTS,
};

/* All core types of an Intel hybrid processor have one family and model: this tells them apart.
 * Arm's core types have ids of their own. */
enum ctd_core_type_id { CTD_CORE_TYPE_MAIN, CTD_CORE_TYPE_EFFICIENT, CTD_CORE_TYPE_LOW_POWER };

/*
 * A processor as CPUID shows it, or on Arm MIDR_EL1: implementer, part, and variant << 4 | revision
 * for the stepping. model_last = model for a single one; stepping_last 0: every stepping.
 */
struct ctd_cpu_id {
	unsigned int family, model, model_last;
	unsigned int stepping, stepping_last;
	enum ctd_core_type_id core; /* which of its cores */
};

/* Which state of its core's hyper-threading a model's events and formulas are for. */
enum ctd_smt { CTD_SMT_ANY, CTD_SMT_OFF, CTD_SMT_ON };

struct ctd_cpu_model {
	const char *name; /* "golden_cove" */
	const char *title; /* "Intel Golden Cove: Sapphire Rapids, ..." */
	const char *source; /* which source of counters it is for: "perf_metrics", "gp_slots" */
	const char *vendor; /* CPUID's "GenuineIntel", "AuthenticAMD"; "arm"; NULL with no ids */
	const char *publication; /* where formulas and thresholds are from */
	const char
		*caution; /* what a reader of its figures must know, one sentence; NULL: nothing */
	int slots_per_cycle; /* 0: not known */
	/* Slots that one count of the leader stands for: 1 where it counts slots, slots_per_cycle
	 * where it counts cycles, 0 where slots are not known at all. */
	int slots_per_count;
	enum ctd_smt smt;
	bool core_scope; /* counts are of the core, not of the thread that ran */
	int general_purpose_counters; /* how many the core has; 0: the group needs none */
	enum ctd_read read; /* LEADER: a read of the leader refreshes all; EACH: each counts by
			       itself, and is read so; SIM */
	const char *fixed_event; /* has a fixed counter beside the leader's; NULL: none */
	/* Each group is counted at once: the leader first, ended by a NULL name. Where level 2 does
	 * not fit beside level 1, several groups with the same leader rotate. The group at
	 * CTD_IPC_GROUP joins the rotation if IPC metrics are asked for. */
	const struct ctd_cpu_event *groups[CTD_GROUPS_MAX];
	/* Which counter of the group at CTD_IPC_GROUP has CTD_IPC_CYCLES, and the cache
	 * whose misses it counts: "llc", "l2". Where there is no such group: 0 and NULL. */
	int ipc_first;
	const char *cache;
	bool leader_fixed; /* the leader is on a fixed counter, and takes no general-purpose one */
	struct ctd_cpu_event leader_by_code; /* instead, where sysfs lacks the leader: on a
						general-purpose counter; NULL name: none */
	const struct ctd_cpu_id *ids; /* ended by family 0; NULL: none */
	const struct ctd_node *nodes; /* parents before children, IPC metrics last */
	int nodes_count;
	int l1_counters[4]; /* indices in the first group of the level-1 counts whose sum should be
			       slots; 0, which is the leader's: none */
};

/* All models, ended by NULL, generated from the file names in user/cpu/. */
extern const struct ctd_cpu_model *const ctd_cpu_models[];

/* Is it beside the tree? */
static inline bool ctd_node_is_ipc(const struct ctd_node *node)
{
	return node->level == 0;
}

/* "per cycle", "in GHz": what people are told of a value. */
const char *ctd_unit_text(enum ctd_unit unit);

/* "frontend_bound": what programs may treat in a way of its own, whatever a model calls it; NULL:
 * nothing. */
const char *ctd_node_role_name(enum ctd_node_role role);
/* CTD_ROLE_NONE: unknown; @p name may be NULL. */
enum ctd_node_role ctd_node_role_find(const char *name);
/* "ratio", "per_cycle". */
const char *ctd_unit_name(enum ctd_unit unit);
/* CTD_UNIT_RATIO: unknown; @p name may be NULL. */
enum ctd_unit ctd_unit_find(const char *name);

/* @return the model called @p name, or NULL. */
const struct ctd_cpu_model *ctd_cpu_model_find(const char *name);

/* Is there a model whose counters are of @p source? */
bool ctd_cpu_is_source(const char *source);

/* @return how many of the first events of @p group its nodes need, down to @p level; 0: none. */
int ctd_cpu_model_counters(const struct ctd_cpu_model *model, int group, int level);

/* @return how many groups the nodes of the tree down to @p level need. */
int ctd_cpu_model_groups(const struct ctd_cpu_model *model, int level);

/* @return the deepest level of which @p counters_count counters of the first group are enough. */
int ctd_cpu_model_level(const struct ctd_cpu_model *model, int counters_count);

/* Is this processor one of the design? @p vendor: as in the model. */
bool ctd_cpu_model_claims(const struct ctd_cpu_model *cpu_model, const char *vendor,
			  const struct ctd_cpu_id *id);

/* @return the index of the node that has @p role; -1: none. */
int ctd_cpu_model_node(const struct ctd_cpu_model *model, enum ctd_node_role role);

/* @return the index of the node called @p name; -1: none. */
int ctd_cpu_model_find_node(const struct ctd_cpu_model *model, const char *name);

/* Is a node of any model called @p name? */
bool ctd_cpu_is_node(const char *name);

/* The slots that so many counts of the leader stand for; 0 where the core has none. */
uint64_t ctd_cpu_model_slots(const struct ctd_cpu_model *model, uint64_t leader_count);

#endif
