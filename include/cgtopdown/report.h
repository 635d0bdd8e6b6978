/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* report.h - a rollup made ready to be shown: sorted, cut, named, as a tree. */
#ifndef CGTOPDOWN_REPORT_H
#define CGTOPDOWN_REPORT_H

#include <cgtopdown/drill.h>
#include <cgtopdown/rollup.h>
#include <cgtopdown/vendor.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the user asked to see, beside the options of the rollup. */
struct ctd_report_options {
	/* "cpu" (default), "slots", "name", or the name of a node or vendor's metric; NULL: default
	 */
	const char *sort;
	int top; /* at most so many cgroup rows; the rest are added up in one row "(N more)"; 0: all
		  */
	int level; /* nodes down to this level; 0: the deepest there is */
	bool waits; /* waits for a CPU, too */
	const struct ctd_vendor_countings *vendor; /* borrowed; metrics that were counted; NULL */
	const struct ctd_drills *drills; /* borrowed; rows' paths down their tree; NULL */
};

/* Has @p drills look at the rows of a rollup whose vendor's metrics are counted, of an interval so
 * far. @return 0 or -ENOMEM: not all of them were seen. */
int ctd_report_drill(const struct ctd_rollup *rollup, const struct ctd_vendor_countings *vendor,
		     const struct ctd_drills *drills);

/* A name for a pid. Returns NULL if not known; borrowed until the next call. */
typedef const char *(*ctd_comm_lookup)(uint32_t pid, void *context);

struct ctd_report_row {
	enum ctd_rollup_kind kind;
	char *name; /* owned; what the table shows: path, container, "(idle)", "(kernel)",
		       "(other)", "(12 more)" */
	const struct ctd_identity *identity; /* borrowed; NULL for rows without one */
	uint64_t cgroup_id; /* 0: none, or several */
	uint32_t pid; /* 0: none */
	char comm[CTD_COMM_BYTES]; /* "" if none */
	int core_type; /* index; with core_sum: of none */
	/* The rows that follow, of the same but of one core type each, added up: time and slots
	 * only; there is no ratio of slots of two core types. */
	bool core_sum;
	int depth; /* in the tree; 0 otherwise */
	int parent; /* index of the parent row, -1 */
	uint64_t cpu_ns; /* CPU time in the window */
	uint64_t slices, switches;
	bool slots_known;
	uint64_t slots; /* scaled; meaningless unless slots_known */
	enum ctd_quality quality;
	struct ctd_value values[CTD_NODES_MAX]; /* as in the model's nodes */
	/* Part of its CPU time in which each of the model's groups counted, 0..1: what the nodes of
	 * the group are from. */
	double coverage[CTD_GROUPS_MAX];
	uint32_t cool; /* bit of each node whose ratio is not above the row's own model's threshold */
	int dominant; /* node index, -1 */
	bool waits_known;
	struct ctd_waits waits; /* meaningless unless waits_known */
	struct ctd_beside smt; /* what it did beside other hardware threads */
	bool throttling_known;
	struct ctd_throttling throttling; /* by its limits of CPU time; meaningless unless known */
	/* The mechanism by which others slow it down, static; "": none does; NULL: not known. */
	const char *noisy;
	bool hidden_sum; /* a row that stands for rows cut off by --top */
	size_t vendor_place; /* in the report's vendor_values and vendor_coverage of its core type */
};

/* A core type: how its rows were counted, and its part of the totals. */
struct ctd_report_core_type {
	const char *name; /* borrowed; "" where all CPUs are alike */
	const char *source; /* borrowed */
	const char *why; /* borrowed; not "": why it has no counters */
	struct ctd_rollup_totals totals;
};

/* Strings are borrowed from the plan. */
struct ctd_report {
	/* What and how. */
	const char *source;
	bool simulated;
	const char *method; /* the source's name, or "none" */
	const char *scope; /* "thread"; "core": counts are also of the hyper-thread beside it */
	const char *hierarchy; /* of the cgroups: "v2", "v1 memory"; "": not known */
	const struct ctd_cpu_model *model; /* NULL without counters; where core types differ it has
					      the nodes of all */
	int core_types_count; /* at least 1 */
	struct ctd_report_core_type core_types[CTD_CORE_TYPES_MAX];
	int level;
	int groups_count; /* of counters, that rotated; at least 1 */
	bool ipc; /* the last of them is that of the IPC metrics */
	enum ctd_group_by by;
	/* The window. */
	uint64_t realtime_ns, window_ns, sequence;
	/* Of all core types. totals.slots = sum over all rows' slots (hidden ones too) +
	 * unattributed + residual. */
	struct ctd_rollup_totals totals;
	/* CPU time of all rows + unattributed = that of the CPUs in the window. */
	uint64_t unattributed_ns;
	struct ctd_interval_health health;
	struct ctd_report_row *rows; /* owned */
	size_t rows_count;
	bool waits; /* they were asked for, and counted */
	/* Owned, with waits only: whose tasks waited behind whose. Both ids are indices of rows,
	 * where core types differ of those of all. Those of one victim stand together, the longest
	 * time first. */
	struct ctd_pairs pairs;
	bool noisy; /* there is a detector that says which rows others slow down */
	bool tree;
	/* Vendors' metrics that were counted, in the place of a model; borrowed; NULL: none. */
	const struct ctd_vendor_countings *vendor;
	/* Owned, of each core type that counts some; at each place as many as it counts. */
	struct ctd_vendor_value *vendor_values[CTD_CORE_TYPES_MAX];
	/* The same; at each place, of each group: the part of the CPU time in which it counted. */
	double *vendor_coverage[CTD_CORE_TYPES_MAX];
	const struct ctd_drills *drills; /* borrowed; NULL: not asked for */
	struct ctd_drill_path *drill_paths; /* owned; of each row; NULL: not asked for */
	/* Some rows of the interval are not there: with --top they are in the one that is a
	 * hidden_sum, or in their parents; with --cgroup or a command the sum is short of them. */
	bool filtered;
	/* Which cgroups are there, or come first, was asked for: by --top or by a metric. */
	bool chosen;
};

/* Can rows of the plan be sorted as @p options say? What ctd_report_make() would find, before
 * anything is counted. */
bool ctd_report_can_sort(const struct ctd_rollup_plan *plan,
			 const struct ctd_report_options *options);
/* Is there a figure of the model's node, or should there be: was it asked for, and planned? */
bool ctd_report_has(const struct ctd_report *report, int node);
/* Vendors' metrics that are counted on the row's core type. NULL: none are, or it is the sum of
 * several core types. */
const struct ctd_vendor_counting *ctd_report_vendor(const struct ctd_report *report,
						    const struct ctd_report_row *row);
/* The row's figures of these. NULL: there are none. */
const struct ctd_vendor_value *ctd_report_vendor_values(const struct ctd_report *report,
							const struct ctd_report_row *row);
/* Which of these the metric of a column is; -1: none. */
int ctd_report_vendor_index(const struct ctd_report *report, const struct ctd_report_row *row,
			    size_t column);
/* Why the metric of a column is not counted on a core type; NULL: it is. */
const char *ctd_report_vendor_lack(const struct ctd_report *report, size_t column, int core_type);
/* Of a row's CPU time, the part that metric @p index of these is from. */
double ctd_report_vendor_coverage(const struct ctd_report *report, const struct ctd_report_row *row,
				  size_t index);
/* Does a metric of a core type's counting rest on latencies that were measured? */
enum ctd_vendor_means ctd_report_vendor_means(const struct ctd_report *report, int core_type,
					      size_t index);
/* The row's path down the vendor's tree of its core type. NULL: not asked for, or not of this row. */
const struct ctd_drill_path *ctd_report_drill_path(const struct ctd_report *report,
						   const struct ctd_report_row *row);
/* "P-core"; "all" of a core_sum; "" where all CPUs are alike. */
const char *ctd_report_core_type_name(const struct ctd_report *report,
				      const struct ctd_report_row *row);

/* All rows that do work: those of idle are left aside, and in a tree those that others include. */
struct ctd_report_sum {
	size_t rows_count;
	uint64_t cpu_ns, idle_ns;
	bool known; /* any of the values */
	/* Of the slots of those rows of which it is known, by the model's nodes of the tree. Of
	 * several core types a mixture, which is no figure of any. The quality of those that are
	 * known is the worst that some of the slots have. */
	struct ctd_value values[CTD_NODES_MAX];
};
void ctd_report_add_up(const struct ctd_report *report, struct ctd_report_sum *ret_sum);

/* The name by which people know a row of a rollup, the caller's. @p comm: of its pid, or "".
 * @return NULL without memory. */
char *ctd_report_row_name(const struct ctd_rollup_row *row, const char *comm);

/*
 * @p rollup gets one more row where rows are cut off. Its plan and identities must outlive the
 * report. @p comm may be NULL. Rows of idle and kernel come last, after the sum of hidden rows.
 * @return 0, -EINVAL (unknown sort key) or -ENOMEM.
 */
int ctd_report_make(struct ctd_rollup *rollup, ctd_comm_lookup comm, void *comm_context,
		    const struct ctd_report_options *options, struct ctd_report *ret_report);
void ctd_report_free(struct ctd_report *report);

#endif
