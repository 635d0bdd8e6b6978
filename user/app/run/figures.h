/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* figures.h - what a command's run came to, and the words for it. */
#ifndef APP_RUN_FIGURES_H
#define APP_RUN_FIGURES_H

#include <cgtopdown/drill.h>
#include <cgtopdown/rollup.h>
#include <cgtopdown/sink.h>
#include <cgtopdown/vendor.h>

/* NaN: not known. */
struct ctd_run_figures {
	double elapsed_s;
	double user_s, system_s; /* as the kernel has it of the command and its ended children */
	double cpu_s; /* as counted, of all that ran in the cgroup */
	/* Of the core type on which it ran longest. */
	const struct ctd_cpu_model *model; /* NULL: no counters */
	int level; /* the deepest that was counted */
	double slots;
	double share[CTD_NODES_MAX]; /* of the nodes of the tree */
	int core_type; /* that one, by its index */
	/* Of vendors' metrics on that core type, which have no model; borrowed. NULL: there are
	 * none. */
	const struct ctd_vendor_counting *vendor;
	char core_name[24]; /* where core types differ: "P-core" */
	bool any_known;
	const struct ctd_vendor_metric *hot; /* the deepest above its threshold; NULL: none is */
	double hot_value; /* as its file scales it */
	const char *metrics_dir; /* where they are from */
	bool drilled; /* with --drill: */
	struct ctd_drill_path drill;
};

/* The intervals of a run, added up. Start from a zeroed struct, but for `vendor`. */
struct ctd_run_tally {
	struct ctd_run_tally_core_type {
		const struct ctd_cpu_model *model;
		int level;
		double cpu_ns, slots;
		bool slots_known;
		double weight[CTD_NODES_MAX], weighted[CTD_NODES_MAX];
		char name[24];
		/* Of the whole run, of each group of vendors' metrics. */
		uint64_t vendor_count[CTD_ROTATION_GROUPS_MAX * CTD_COUNTERS_MAX],
			vendor_count_ns[CTD_ROTATION_GROUPS_MAX];
	} core_types[CTD_CORE_TYPES_MAX];
	const struct ctd_vendor_countings *vendor; /* in the place of models; borrowed; NULL: none */
};

/* @p rollup has only rows of the command. */
void ctd_run_tally_add(struct ctd_run_tally *tally, const struct ctd_rollup *rollup);
/* Sets what was counted, and leaves the times of the kernel alone. @return 0 or -ENOMEM. */
int ctd_run_tally_take(const struct ctd_run_tally *tally, struct ctd_run_figures *figures);

/*
 * run/summary.c: of one run its times, of several the mean of each figure with its standard error;
 * and in a sentence what to look at. @p argv: of the command.
 * @return 0 or negative errno.
 */
int ctd_run_summary_write(const struct ctd_sink_options *options, char **argv,
			  const struct ctd_run_figures *runs, size_t runs_count);

#endif
