/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* report.h - an interval made ready to be shown: grouped, filtered, sorted, named, evaluated. */
#ifndef CGTOPDOWN_REPORT_H
#define CGTOPDOWN_REPORT_H

#include <cgtopdown/cpu.h>
#include <cgtopdown/identity.h>
#include <cgtopdown/interval.h>
#include <cgtopdown/metric.h>
#include <cgtopdown/record.h>
#include <stdbool.h>
#include <stdint.h>

/* What a row of the report stands for: --by. */
enum ctd_group_by {
	CTD_GROUP_CGROUP,
	CTD_GROUP_CONTAINER, /* what is inside a container is added up; the rest stays cgroups */
	CTD_GROUP_POD,
	CTD_GROUP_NAMESPACE,
	CTD_GROUP_OWNER, /* the workload that made the pods: a Deployment, a Job; of a namespace */
	CTD_GROUP_PROCESS,
	CTD_GROUP_TASK,
};

/* What the user asked to see; all strings borrowed for the report's life. */
struct ctd_report_options {
	enum ctd_group_by by;
	const char *cgroup_glob; /* fnmatch(3) on the path; NULL: all. Rows without a path are
				    hidden by it */
	uint64_t cgroup_id_only; /* with `-- COMMAND`: this cgroup and those below it; 0: all */
	bool unsorted; /* rows come in any order, for who adds them up; without top and tree */
	const char *sort; /* "cpu" (default), "slots", "name", or a node's name; NULL: default */
	int top; /* at most so many cgroup rows; the rest are added up in one row "(N more)"; 0: all
		  */
	int level; /* nodes up to this level */
	bool tree; /* each row includes its children and rows are in tree order, parents first */
};

/* A name for a pid. Returns NULL if not known; borrowed until the next call. */
typedef const char *(*ctd_comm_lookup)(uint32_t pid, void *context);

/* Counts beside the tree, of the turns of their group alone: with counted_ns, for ratios. */
struct ctd_general_counts {
	int known; /* how many of the counts, from the first on; 0: none */
	uint64_t count[CTD_GENERAL_COUNTS]; /* enum ctd_general_count */
	uint64_t counted_ns; /* CPU time that they are of: where they are scaled up, with the time
				of its turns that others had the PMU */
};

struct ctd_report_row {
	const char *kind; /* "cgroup", "container", "pod", "namespace", "owner", "process", "task",
			     "kernel", "idle", "other" */
	char *name; /* owned; what the table shows: path, container, "(idle)", "(kernel)",
		       "(other)", "(12 more)" */
	const struct ctd_identity *identity; /* borrowed; NULL for rows without one */
	uint64_t cgroup_id; /* 0: none, or several */
	uint32_t pid; /* 0: none */
	char comm[CTD_COMM_BYTES]; /* "" if none */
	const char *core; /* borrowed: kind of cores that it is of; NULL where all are alike */
	/* The rows that follow, of the same but of one kind of cores each, added up: core is "all".
	 * Time and slots only; there is no ratio of slots of two kinds. */
	bool core_sum;
	int depth; /* in the tree; 0 otherwise */
	int parent; /* index of the parent row, -1 */
	double cpu_s; /* CPU seconds in the window */
	uint64_t slices, switches;
	bool slots_known;
	uint64_t slots; /* scaled; meaningless unless slots_known */
	enum ctd_quality quality;
	struct ctd_value values[CTD_NODES_MAX]; /* as in the model's nodes */
	/* Part of its CPU time in which each of the model's groups counted, 0..1: what the nodes of
	 * the group are from. */
	double coverage[CTD_GROUPS_MAX];
	struct ctd_general_counts general;
	uint32_t cool; /* bit of each node whose ratio is not above the row's own model's threshold */
	int dominant; /* node index, -1 */
	bool hidden_sum; /* a row that stands for rows cut off by --top */
};

/* A kind of cores: how its rows were counted, and its part of the totals. */
struct ctd_report_core {
	const char *name; /* borrowed; NULL where all are alike */
	const char *source; /* borrowed */
	const char *why; /* borrowed; not "": why these have no counters */
	const struct ctd_cpu_model *model; /* its own; NULL without counters */
	struct ctd_metric_set *metrics; /* owned; of the model */
	int column[CTD_NODES_MAX]; /* its nodes' places in the report's model */
	int counters_count, groups_count;
	bool general;
	int level;
	uint32_t cpus_online;
	uint64_t empty_ns; /* as in health */
	bool slots_known;
	uint64_t slots, idle_slots, unattributed_slots;
	int64_t residual_slots;
};

struct ctd_report {
	/* What and how. */
	const char *source; /* borrowed */
	bool simulated;
	const char *method; /* the source's name, or "none" */
	const char *scope; /* "thread"; "core": counts are also of the hyper-thread beside it */
	const char *hierarchy; /* borrowed; of the cgroups: "v2", "v1 memory"; "": not known */
	const struct ctd_cpu_model *model; /* NULL with source none; where cores differ it has the
					      nodes of all kinds */
	int cores_count; /* kinds of cores; at least 1 */
	struct ctd_report_core cores[CTD_CORES_MAX];
	int level;
	int counters_count; /* of each group of counters; 0: none */
	int groups_count; /* that took turns; at least 1 */
	bool general; /* the last of them is that of the general metrics */
	enum ctd_group_by by;
	/* The window. */
	uint64_t realtime_ns, window_ns, sequence;
	uint32_t cpus_online;
	/* totals.slots = sum over all rows' slots (hidden ones too) + unattributed + residual. */
	bool slots_known;
	uint64_t slots, idle_slots, unattributed_slots;
	int64_t residual_slots;
	/* CPU time of all rows + unattributed = that of the CPUs in the window. */
	double unattributed_cpu_s;
	struct ctd_interval_health health;
	struct ctd_report_row *rows; /* owned */
	size_t rows_count;
	bool tree;
	/* Some rows of the interval are not there: with --top they are in the one that is a
	 * hidden_sum, or in their parents; with --cgroup or a command the sum is short of them. */
	bool filtered;
};

/* Is there a figure of the model's node, or should there be: was it asked for, and planned? */
bool ctd_report_has(const struct ctd_report *report, int node);

/*
 * The nodes of all kinds of cores of @p header, each once: a model for reports, that opens nothing.
 * *ret_model: free(3). @return 0, -ENOMEM, or
 * -EINVAL: there is no model of this name, which @p ret_name has.
 */
int ctd_report_combine(const struct ctd_record_header *header, struct ctd_cpu_model **ret_model,
		       const char **ret_name);

/*
 * @p model NULL: no counters; where the header has more than one kind of cores, as combined of
 * these.
 * @p comm may be NULL. Identities must outlive the report.
 * Sorted, rows of the idle and kernel kinds come last, after the sum of hidden rows. @return 0,
 * -EINVAL (unknown sort key) or -ENOMEM.
 */
int ctd_report_make(const struct ctd_interval *interval, const struct ctd_record_header *header,
		    const struct ctd_cpu_model *model, const struct ctd_identities *identities,
		    ctd_comm_lookup comm, void *comm_context,
		    const struct ctd_report_options *options, struct ctd_report *ret_report);
void ctd_report_free(struct ctd_report *report);

#endif
