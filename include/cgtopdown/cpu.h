/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cpu.h - core designs as data: events, top-down nodes, formulas, thresholds. Every file in
 * user/cpu/ is one. */
#ifndef CGTOPDOWN_CPU_H
#define CGTOPDOWN_CPU_H

#include <cgtopdown/abi.h>
#include <stdbool.h>
#include <stddef.h>

#define CTD_NODES_MAX 32

/* One box of the top-down tree. */
struct ctd_node {
	const char *name; /* perf's TMA name without "tma_" */
	const char *title; /* column head, at most 9 characters */
	int level; /* 1 or 2 (3 and deeper later) */
	int parent; /* index of the parent node, -1 on level 1; always smaller than the node's own
		       index */
	int counters; /* how many of the group's first counters the formula needs */
	double threshold_ratio; /* a larger ratio is worth a look, where the parent's is too */
	const char *formula; /* the C expression that is `ratio`, as written in the model file */
	/* @p count: the group's counts of one row. @return a ratio, perhaps not in 0..1, NaN where
	 * it divides by 0. */
	double (*ratio)(const double *count);
	const char *help; /* one or two sentences: what it means, what to look at next */
};

/* A processor as CPUID shows it; model_last = model for a single one. */
struct ctd_cpu_id {
	unsigned int family, model, model_last;
};

struct ctd_cpu_model {
	const char *name; /* "golden_cove" */
	const char *title; /* "Intel Golden Cove: Sapphire Rapids, ..." */
	const char *source; /* which source of counters it is for: "perf_metrics", "sim" */
	const char *publication; /* where formulas and thresholds are from */
	int slots_per_cycle;
	const char *const *events; /* sysfs event names, leader first, ended by NULL */
	const struct ctd_cpu_id *ids; /* ended by family 0; NULL: none */
	const struct ctd_node *nodes; /* parents before children */
	int nodes_count;
	int l1_counters[4]; /* indices in events of the level-1 counts whose sum should be slots;
			       -1: none */
};

/* All models, ended by NULL, generated from the file names in user/cpu/. */
extern const struct ctd_cpu_model *const ctd_cpu_models[];

/* @return the model called @p name, or NULL. */
const struct ctd_cpu_model *ctd_cpu_model_find(const char *name);

/* @return how many events @p model has. */
int ctd_cpu_model_events(const struct ctd_cpu_model *model);

#endif
