/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* metric.h - evaluates a model's nodes over the counts of a row. */
#ifndef CGTOPDOWN_METRIC_H
#define CGTOPDOWN_METRIC_H

#include <cgtopdown/cpu.h>
#include <cgtopdown/value.h>
#include <stdbool.h>
#include <stdint.h>

/* Below this many slots, about 50 us of one CPU, a breakdown says little. */
#define CTD_SLOTS_CONFIDENT 1000000

/* The sum of the level-1 counts may differ from slots by this ratio. A larger difference means that
 * counters are wrong or, if it is below CTD_SLOTS_CONFIDENT, that they were read some microseconds
 * apart. */
#define CTD_L1_TOLERANCE_RATIO 0.1

/* A model's formulas and conditions, compiled once and then const for everybody. */
struct ctd_metric_set;

/* @p model must outlive the set. @return 0, -ENOMEM, or -EINVAL: a formula is malformed. */
int ctd_metric_set_new(const struct ctd_cpu_model *model, struct ctd_metric_set **ret_set);
void ctd_metric_set_free(struct ctd_metric_set *set);

/*
 * What the formula gives. @p count: the counts of the node's group, the time at CTD_COUNT_TIME_NS.
 * @return NaN where it divides by 0.
 */
double ctd_metric_value(const struct ctd_metric_set *set, int node, const double *count);

/*
 * Evaluates every node of the model over the counts of its group, of which there are @p
 * groups_count of the tree with @p counters_count each, one after the other:
 * ret_values[nodes_count]. Ratios are clamped to 0..1 after evaluation. IPC metrics, and a node
 * that needs more counters: UNSUPPORTED. No count of the leader, or counts of level 1 that are not
 * its slots: NO_DATA. @p quality is the row's and is handed on; fewer than CTD_SLOTS_CONFIDENT
 * slots (cycles, where there are none) make it at best LOW_CONFIDENCE.
 */
void ctd_metric_evaluate(const struct ctd_metric_set *set, const uint64_t *count,
			 int counters_count, int groups_count, enum ctd_quality quality,
			 struct ctd_value *ret_values);

/* The same of one node of the tree, over the counts of its group alone. */
struct ctd_value ctd_metric_evaluate_node(const struct ctd_metric_set *set, int node,
					  const uint64_t *count, int counters_count,
					  enum ctd_quality quality);

/*
 * Evaluates the IPC metrics, and no other node, over the counts of their group, which are of
 * @p time_ns. They are not clamped above. A CPU that ran and retired nothing, or had no cycles, has
 * counters that do not count: NO_DATA.
 */
void ctd_metric_evaluate_ipc(const struct ctd_metric_set *set, const uint64_t *count,
			     int counters_count, uint64_t time_ns, enum ctd_quality quality,
			     struct ctd_value *ret_values);

/* The ratio that the node's condition compares its own with; 0: it has none. */
double ctd_metric_threshold(const struct ctd_node *node);

/* True if the node's value is known, and its condition holds. Never of an IPC metric. */
bool ctd_metric_hot(const struct ctd_metric_set *set, const struct ctd_value *values, int node);

/*
 * The bottleneck to show for a row: among level-1 nodes other than retiring the largest that is
 * hot, then its largest hot child, down to @p level; -1 if none is hot or nothing is known.
 */
int ctd_metric_dominant(const struct ctd_metric_set *set, const struct ctd_value *values,
			int level);

#endif
