/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.h - what is known of each row's path down a vendor's tree. Private to user/vendor/. */
#ifndef VENDOR_DRILL_H
#define VENDOR_DRILL_H

#include <cgtopdown/drill.h>

#include "base/idmap.h"
#include "metric/expr.h"

/* A weighted mean that fades, of figures that each are of some CPU time. */
struct ctd_drill_mean {
	double weight; /* CPU time, in tenths of a second */
	double mean;
	double figures; /* so many; one of less than half a second is a part of one */
	/* Of the weights the squares, each by how much time says something of its own: CPUs
	 * at the same time may all do the same. */
	double doubt;
	double squares; /* of the differences to the mean, each by that time */
};

/* Of a metric, in one row. */
struct ctd_drill_node {
	struct ctd_drill_mean now;
	uint8_t streak; /* looks in a row that speak against `over` */
	bool fresh; /* counted in the last look */
	bool over; /* above its threshold: steady, though figures change */
};

struct ctd_drill_row {
	uint64_t key;
	struct ctd_drill_node *nodes; /* owned; of each metric */
	uint64_t *seen; /* owned; at the last look: counts of the groups, and their CPU time */
	uint64_t seen_cpu_ns, seen_running_ns;
	uint64_t interval; /* that these are of */
	double ran_s; /* when it last ran */
	double cpus; /* since the look before; 0: it did not run */
	int last[CTD_DRILL_LEVELS]; /* the path at the last look: the metric at each level, -1 */
	struct ctd_drill_path path;
};

/* What the rows of a batch did since the look before. */
struct ctd_drill_batch {
	uint64_t *counts, *count_ns; /* owned; as in struct ctd_vendor_counted_row */
	struct ctd_vendor_value *values; /* owned */
	struct ctd_vendor_counted_row counted[CTD_EXPR_LANES];
};

/* In the place of a parent. */
enum ctd_drill_top {
	CTD_DRILL_TOP = -1, /* it is the top of the tree */
	CTD_DRILL_NOT_OF_TREE = -2, /* it stands beside it, and is no bottleneck */
};

struct ctd_drill {
	const struct ctd_vendor_counting *counting; /* borrowed */
	double memory_s;
	/* Owned; of each metric the nearest above it that is counted, or one of enum ctd_drill_top.
	 */
	int *parents;
	bool *retires; /* owned; of each metric: its slots did useful work */
	bool *asks_parts; /* owned; of each metric: its threshold is also one of its parts' */
	struct ctd_drill_row *rows; /* owned */
	size_t rows_count, rows_room;
	struct ctd_idmap row_of; /* by key */
	uint64_t interval; /* that goes on: counted from 1 */
	uint64_t looked; /* the interval of the last look */
	uint64_t elapsed_ns; /* of the present interval, at the last look */
	double now_s; /* time that was looked at in all */
	double look_s; /* since the look before */
	struct ctd_drill_batch batch;
	double *values, *raised; /* owned; scratch, by metrics of the table */
	uint8_t weights[CTD_ROTATION_GROUPS_MAX];
};

/* What is nearer to a threshold than so many standard errors may be on either side. */
#define CTD_DRILL_ERRORS 3.0
/* CPU time, in tenths of a second, and figures without which a mean is none to rely on. Groups
 * count at random times: that all of so many figures are of the same one of two phases is chance.
 */
#define CTD_DRILL_LEAST 1.0
#define CTD_DRILL_LEAST_FIGURES 8.0
/* A row with fewer CPUs never comes to that in each group. */
#define CTD_DRILL_LEAST_CPUS 0.05

/* drill_mean.c: a mean of which that part is left. */
struct ctd_drill_mean ctd_drill_mean_fade(const struct ctd_drill_mean *mean, double fades);
/* A figure of @p look_s, of @p weight; of which @p certain says something of its own. */
void ctd_drill_mean_add(struct ctd_drill_mean *mean, double figure, double weight, double certain,
			double look_s);
/* How far figures of a tenth of a second lie from their mean; at least @p least, which is what is
 * expected. */
double ctd_drill_mean_spread(const struct ctd_drill_mean *mean, double least);
/* How far the mean may be off by chance, as one standard error, if its figures lie @p spread from
 * it; INFINITY: nothing was counted. */
double ctd_drill_mean_error(const struct ctd_drill_mean *mean, double spread);
/* Was it counted as much as it takes to rely on? */
bool ctd_drill_mean_suffices(const struct ctd_drill_mean *mean);

/* drill_path.c: which metrics of the row are above their thresholds, and the path down these. */
void ctd_drill_walk(struct ctd_drill *drill, struct ctd_drill_row *row);
/* Is it to be counted: the top of the tree, or a part of what is above its threshold? */
bool ctd_drill_wants(const struct ctd_drill *drill, const struct ctd_drill_row *row, size_t index);
/* Does the threshold of what has a small value depend on its parts, as that of Intel's retiring? */
bool ctd_drill_asks_parts(const struct ctd_drill *drill, size_t index);

/* drill_judge.c: sets the confidence of the row's path, and why it is low. */
void ctd_drill_judge(struct ctd_drill *drill, struct ctd_drill_row *row);

/* drill_threshold.c: by the threshold of this vendor's, or of the others. @return 1, 0; NAN: not
 * known, as where it asks for what is not counted. @p values: by metrics of the table. */
double ctd_drill_hot(const struct ctd_drill *drill, size_t index, const double *values);
/* What drill->parents and drill->retires have of the metric. */
int ctd_drill_parent(const struct ctd_vendor_counting *counting, size_t index);
bool ctd_drill_retires(const struct ctd_vendor_metric *metric);
/* Of the parts of a metric that with the largest is on the path. Retiring is only where nothing
 * else can be. @p value: before its scale. */
double ctd_drill_rank(const struct ctd_drill *drill, size_t index, double value);

/* drill_weights.c: shares the steps of a round among the groups, by what rows want. */
void ctd_drill_share(struct ctd_drill *drill);

#endif
