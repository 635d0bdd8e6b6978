/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.h - what is known of each row on its way down a vendor's tree. Private to user/vendor/. */
#ifndef VENDOR_DRILL_H
#define VENDOR_DRILL_H

#include <cgtopdown/drill.h>

#include "base/idmap.h"

/* A weighted mean that fades, of figures that each are of some CPU time. */
struct ctd_drill_mean {
	double weight; /* CPU time, in tenths of a second */
	double mean;
	double squares; /* weighted, of the differences to the mean */
	double figures; /* so many */
};

/* Of a metric, in one row. */
struct ctd_drill_node {
	struct ctd_drill_mean before; /* up to where the present interval began */
	struct ctd_drill_mean now;
	uint64_t count_ns; /* of the present interval, at the last look */
	uint8_t streak; /* looks in a row that speak against `over` */
	bool fresh; /* counted since then */
	bool over; /* above its threshold: steady, though figures change */
};

struct ctd_drill_row {
	uint64_t key;
	struct ctd_drill_node *nodes; /* owned; of each metric */
	uint64_t cpu_ns; /* in the present interval */
	uint8_t missed; /* intervals in a row in which it did not run */
	bool taken, sound;
	int next[CTD_DRILL_LEVELS]; /* the way that was taken last: the metric at each level, -1 */
	struct ctd_drill_path path;
};

struct ctd_drill {
	const struct ctd_vendor_counting *counting; /* borrowed */
	int *parents; /* owned; of each metric the nearest that is counted, -1 */
	bool *asks_parts; /* owned; of each metric: its threshold is also one of its parts' */
	struct ctd_drill_row *rows; /* owned */
	size_t rows_count, rows_room;
	struct ctd_idmap row_of; /* by key */
	double fades; /* what was known when the interval began counts so much by now */
	bool ends;
	double *values, *raised; /* owned; scratch, by metrics of the table */
	uint8_t weights[CTD_ROTATION_GROUPS_MAX];
};

/* What is nearer to a threshold than so many standard errors may be on either side. */
#define CTD_DRILL_ERRORS 3.0
/* CPU time, in tenths of a second, without which a figure is none to rely on. */
#define CTD_DRILL_LEAST 1.0

/* drill_mean.c: a mean of which that part is left. */
struct ctd_drill_mean ctd_drill_mean_fade(const struct ctd_drill_mean *mean, double fades);
void ctd_drill_mean_add(struct ctd_drill_mean *mean, double figure, double weight);
/* How far it may be off by chance, as one standard error; INFINITY: nothing was counted. */
double ctd_drill_mean_error(const struct ctd_drill_mean *mean);

/* drill_path.c: which metrics of the row are above their thresholds, and the way down these. */
void ctd_drill_walk(struct ctd_drill *drill, struct ctd_drill_row *row);
/* The top of the tree, or a part of what is above its threshold: it is to be counted. */
bool ctd_drill_wants(const struct ctd_drill *drill, const struct ctd_drill_row *row, size_t index);

/* Does the threshold of what has a small value depend on its parts, as that of Intel's retiring? */
bool ctd_drill_asks_parts(const struct ctd_drill *drill, size_t index);

/* drill_weights.c: shares the steps of a round among the groups, by what rows want. */
void ctd_drill_share(struct ctd_drill *drill);

#endif
