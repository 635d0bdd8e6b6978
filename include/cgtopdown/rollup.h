/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* rollup.h - an interval added up by what its rows belong to: the one aggregation, which reports
 * show and the ledger accumulates. Times and counts are integers; only formulas yield doubles. */
#ifndef CGTOPDOWN_ROLLUP_H
#define CGTOPDOWN_ROLLUP_H

#include <cgtopdown/cpu.h>
#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/metric.h>
#include <cgtopdown/record.h>
#include <cgtopdown/siblings.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a row stands for: --by. */
enum ctd_group_by {
	CTD_GROUP_CGROUP,
	CTD_GROUP_CONTAINER, /* what is inside a container is added up; the rest stays cgroups */
	CTD_GROUP_POD,
	CTD_GROUP_NAMESPACE,
	CTD_GROUP_OWNER, /* the workload that made the pods: a Deployment, a Job; of a namespace */
	CTD_GROUP_PROCESS,
	CTD_GROUP_TASK,
	CTD_GROUP_NODE, /* the machine, where rows are of several */
	/* What programs offer of themselves: no rollup has such rows. */
	CTD_GROUP_REGION,
};

/* One core type of a plan: how its rows were counted. */
struct ctd_core_type {
	char name[24]; /* "P-core"; "" where all CPUs are alike */
	char source[24]; /* "none": it has no counters */
	char why[160]; /* not "": why it has no counters */
	bool held; /* it has none because another program holds them */
	const struct ctd_cpu_model *model; /* its own; NULL without counters */
	struct ctd_metric_set *metrics; /* owned by the plan; of the model */
	int column[CTD_NODES_MAX]; /* the column of each of its model's nodes */
	int node[CTD_NODES_MAX]; /* the node in each column; -1: it has none of it */
	int counters_count,
		groups_count; /* of its own groups, of which all have so many counters */
	bool ipc; /* the last group is that of the IPC metrics */
	int level; /* the deepest that its counters tell */
};

/*
 * What a header says of how intervals were counted, with the models looked up. Made once for each
 * header; when the source, the level or the groups change, there is another header and another
 * plan. Const for everybody. Rollups point to it; the ledger copies what it keeps.
 */
struct ctd_rollup_plan {
	char source[24]; /* as in the header */
	char hierarchy[32]; /* of the cgroups: "v2", "v1 memory"; "": not known */
	bool simulated;
	const char *method; /* the source's name, or "none" */
	const char *scope; /* "thread"; "core": counts are also of the hyper-thread beside it */
	/* The columns: the core type's own model, or where types differ one with the nodes of all,
	 * each once. NULL: no counters. */
	const struct ctd_cpu_model *model;
	int counters_count, groups_count; /* as intervals have them: the most of any core type */
	bool ipc;
	int level; /* the deepest that some core type's counters tell */
	int core_types_count; /* at least 1 */
	struct ctd_core_type core_types[CTD_CORE_TYPES_MAX];
};

/* @return 0, -ENOMEM, or -EINVAL: there is no model of the name in @p ret_unknown, which the header
 * owns, or a formula of it is none. */
int ctd_rollup_plan_new(const struct ctd_record_header *header, struct ctd_rollup_plan **ret_plan,
			const char **ret_unknown);
/* The same, with models that are found by @p find and outlive the plan. */
typedef const struct ctd_cpu_model *ctd_model_find(const char *name, const void *context);
int ctd_rollup_plan_new_of(const struct ctd_record_header *header, ctd_model_find *find,
			   const void *context, struct ctd_rollup_plan **ret_plan,
			   const char **ret_unknown);
void ctd_rollup_plan_free(struct ctd_rollup_plan *plan);
/* Has the core type counters for a node of its model? */
bool ctd_core_type_counts(const struct ctd_core_type *type, const struct ctd_node *node);
/* Is the node of the plan's model counted on some core type? */
bool ctd_rollup_plan_counts(const struct ctd_rollup_plan *plan, int node);
/*
 * What @p count, laid out as the counts of an interval, comes to on a core type that has a model:
 * the values of the nodes of its tree. @return the slots of all groups.
 */
uint64_t ctd_rollup_plan_evaluate(const struct ctd_rollup_plan *plan, int core_type,
				  const uint64_t *count, enum ctd_quality quality,
				  struct ctd_value *ret_values);

struct ctd_rollup_part;
/* How far the counts of a part can be trusted, whatever a model makes of them. */
enum ctd_quality ctd_rollup_part_quality(const struct ctd_rollup_part *part);

enum ctd_rollup_kind {
	CTD_ROLLUP_CGROUP,
	CTD_ROLLUP_CONTAINER,
	CTD_ROLLUP_POD,
	CTD_ROLLUP_NAMESPACE,
	CTD_ROLLUP_OWNER,
	CTD_ROLLUP_PROCESS,
	CTD_ROLLUP_TASK,
	CTD_ROLLUP_NODE,
	CTD_ROLLUP_KERNEL,
	CTD_ROLLUP_IDLE,
	CTD_ROLLUP_OTHER, /* what found no row in the kernel; the sum of several rows */
	CTD_ROLLUP_KINDS,
};
/* "cgroup", "container", ... "other": the spelling of every sink. */
const char *ctd_rollup_kind_name(enum ctd_rollup_kind kind);
/* The kind that most rows of it are, or "region". */
static inline const char *ctd_group_by_name(enum ctd_group_by by)
{
	return by == CTD_GROUP_REGION ? "region" : ctd_rollup_kind_name((enum ctd_rollup_kind)by);
}
_Static_assert((int)CTD_GROUP_CGROUP == CTD_ROLLUP_CGROUP && (int)CTD_GROUP_NODE == CTD_ROLLUP_NODE,
	       "kinds of rows begin with what rows may stand for");

/* Counts beside the tree, of the steps of their group alone: with counted_ns, for ratios. */
struct ctd_ipc_counts {
	int known; /* how many of the counts, from the first on; 0: none */
	uint64_t count[CTD_IPC_COUNTS]; /* enum ctd_ipc_count */
	uint64_t counted_ns; /* CPU time that they are of: where they are scaled up, with the time
				of its steps that others had the PMU */
};

/* What a row did on one core type: sums of its members, and what they come to by the core type's
 * model. All 0 where it did not run there. */
struct ctd_rollup_part {
	uint64_t weight[CTD_UNSUPPORTED + 1]; /* CPU time by the quality of the members */
	uint64_t cpu_ns, slices, switches;
	/* Of members whose counts are known; laid out as the interval's. NULL: it did not run. */
	const uint64_t *count;
	const uint64_t *group_ns; /* of cpu_ns: in the rotation's steps of each group of counters */
	const uint64_t *count_ns; /* that its count is of */
	struct ctd_waits *waits; /* NULL: not counted */
	struct ctd_interval_sibling *siblings; /* NULL: not told apart; else CTD_SIBLINGS */
	uint64_t *cache_ns; /* of cpu_ns, by caches; NULL: not told apart; else cache_parts */
	uint32_t cache_parts;
	bool ran; /* it has members */
	/* From here on: evaluated. */
	enum ctd_quality quality;
	bool slots_known;
	int dominant; /* node of the model at the deepest level, -1; never of idle */
	uint64_t slots; /* scaled; 0 unless slots_known */
	uint64_t counted_ns; /* of cpu_ns: in which any group of counters counted */
	struct ctd_ipc_counts ipc;
	struct ctd_beside smt; /* what siblings come to; of idle not known */
	const struct ctd_value *values; /* by the model's nodes; NULL without a model */
	/* Slots by the model's nodes, in integers: where the ratios of parts are the whole, so are
	 * their slots. 0 unless the node's bit is set. */
	const uint64_t *node_slots;
	uint32_t node_slots_known; /* a bit for each node */
};

struct ctd_rollup_row {
	enum ctd_rollup_kind kind;
	uint32_t pid; /* 0: none */
	uint64_t cgroup_id; /* 0: none, or several */
	const struct ctd_identity *identity; /* borrowed; NULL: none */
	int parent; /* in a tree: the row that includes this one, -1 */
	uint32_t members; /* rows of the interval added up */
	/* Of all core types: plain sums. Slots of several are for totals, not for ratios, and known
	 * if those of all parts are. */
	uint64_t cpu_ns, slices, switches, slots;
	bool slots_known;
	enum ctd_quality quality;
	int core_types; /* on how many it ran */
	bool throttling_known;
	/* By limits of its own cgroups, added up; of no cgroup. In a tree only by its own. */
	struct ctd_throttling throttling;
	/* Its tasks waited for the limit of a cgroup above its own: that limit, in CPU time per
	 * second, and how much of the path is that cgroup's. 0: they did not, or by which is not
	 * known. Of rows that are one cgroup or container. */
	uint64_t above_limit_ns;
	size_t above_bytes;
	const struct ctd_rollup_part *parts; /* one for each core type of the plan */
};

/* Of one core type. slots = sum over rows' slots (filtered ones too) + unattributed + residual. */
struct ctd_rollup_totals {
	uint32_t cpus_online;
	bool slots_known;
	uint64_t empty_ns; /* as in health */
	uint64_t slots, idle_slots, unattributed_slots;
	int64_t residual_slots;
};

struct ctd_rollup_options {
	enum ctd_group_by by;
	const char *cgroup_glob; /* fnmatch(3) on the path; NULL: all. Rows without a path are
				    hidden by it */
	uint64_t cgroup_id_only; /* this cgroup and those below it; 0: all */
	/* Each cgroup includes those below it, and cgroups that did nothing themselves have rows
	 * where those below did. Only by CTD_GROUP_CGROUP. */
	bool tree;
};

#define CTD_ROLLUP_NO_ROW UINT32_MAX

struct ctd_rollup {
	const struct ctd_rollup_plan *plan; /* borrowed */
	const struct ctd_identities *identities; /* borrowed */
	enum ctd_group_by by;
	bool tree;
	bool filtered; /* rows of the interval were left out; totals have them */
	uint64_t realtime_ns, window_ns, sequence;
	uint32_t cpus_online;
	/* CPU time of all rows + unattributed = that of the CPUs in the window. */
	uint64_t unattributed_ns;
	struct ctd_interval_health health;
	struct ctd_rollup_totals totals[CTD_CORE_TYPES_MAX];
	/* In the order in which the interval first has one of their members: the same input, the
	 * same rollup. */
	struct ctd_rollup_row *rows; /* owned */
	size_t rows_count;
	/* Owned; of each row of the interval its row here; CTD_ROLLUP_NO_ROW: left out. */
	uint32_t *row_of;
	struct ctd_rollup_part *parts; /* owned */
	uint64_t *counts; /* owned; of parts that add several members up, and their times */
	struct ctd_value *values; /* owned */
	uint64_t *node_slots; /* owned */
	struct ctd_waits *waits; /* owned; of parts; NULL: not counted */
	struct ctd_interval_sibling *siblings; /* owned; of parts; NULL: not told apart */
	struct ctd_caches caches; /* the interval's */
	uint64_t *cache_ns; /* owned; of parts; NULL: not told apart */
	/* Owned; whose tasks waited behind whose: both ids are indices of rows. Without what kernel
	 * threads waited, and what rows waited for parts of themselves, which is in their waits as
	 * their own. */
	struct ctd_pairs pairs;
	/* Of no ids: the sum of pairs of cgroups for which the kernel side had no room. Rows that
	 * are in none of `pairs`, and kernel threads, may have a part of it. */
	struct ctd_pair evicted_pairs;
	/* Borrowed; of the same rows what groups of counters beside those of the plan counted: by
	 * another plan, which has no model. NULL: there are none, or they did not count. */
	const struct ctd_rollup *beside;
};

/* @p interval, its plan and the identities must outlive the rollup. @return 0, -ENOMEM, or
 * -EBADMSG: the interval has other counters than the plan. */
int ctd_rollup_make(const struct ctd_rollup_plan *plan, const struct ctd_interval *interval,
		    const struct ctd_identities *identities,
		    const struct ctd_rollup_options *options, struct ctd_rollup *ret_rollup);
void ctd_rollup_free(struct ctd_rollup *rollup);

/*
 * Groups beside those of the plan count the slots of its model, too, as their leaders are its
 * leader: in their steps the slots of rows are known, which are as much part of the balance as any.
 * What nodes have of them is by the ratios of the plan's own groups. @p beside: of the same rows;
 * @p interval: of which it is. Not after ctd_rollup_add_sum().
 */
void ctd_rollup_add_slots(struct ctd_rollup *rollup, const struct ctd_rollup *beside,
			  const struct ctd_interval *interval);

/*
 * Adds the row of kind other that is the sum of those whose entry in @p which is set; may be called
 * once. @return its index; there is memory for it.
 */
size_t ctd_rollup_add_sum(struct ctd_rollup *rollup, const bool *which);

/* The path of a row that is a cgroup; "cgroup:4711" in @p buffer, where no path is known. */
#define CTD_CGROUP_NAME_BYTES 32
const char *ctd_rollup_cgroup_name(const struct ctd_rollup_row *row,
				   char buffer[CTD_CGROUP_NAME_BYTES]);

#endif
