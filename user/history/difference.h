/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* difference.h - what changed from one series to another, and whether it is more than chance. */
#ifndef HISTORY_DIFFERENCE_H
#define HISTORY_DIFFERENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "history/series.h"

/*
 * Of a figure that is a sum over a sum, as CPU time over time. Its standard error is that of a
 * ratio of sums over the points, by the jackknife (Efron and Tibshirani, An Introduction to the
 * Bootstrap, chapter 11): what becomes of the ratio without each point. Where one point has most of
 * the whole, there are in effect as few points as (sum of wholes)^2 / (sum of their squares).
 */
struct ctd_change {
	double before, after; /* NaN: not known */
	double error; /* standard error of after - before; NaN: a side has, in effect, no two points
		       */
	/* A change that is not larger is chance, more often than one time in twenty: so many
	 * standard errors that it is Student's t of the side with fewer points; NaN: not known. */
	double limit;
	int freedom; /* degrees of freedom of that t; 0: not known */
	bool is_noise; /* not larger than that, too small to be shown, or nothing is known */
};

struct ctd_difference_row {
	const char *kind, *name, *core; /* borrowed from the series */
	struct ctd_change cpu; /* CPU time over time: 1 is one CPU */
	struct ctd_change nodes[CTD_NODES_MAX]; /* of its slots; as the nodes of the difference */
	/* CPU time over time that goes elsewhere than before: the changes of what each node of
	 * level 1 has, without their signs. */
	double moved;
	/* All of it: no figure is larger than its chance is where so many are looked at
	 * (Bonferroni), so that of rows that did not change one in twenty seems to have, not of
	 * their figures. */
	bool is_noise;
	bool is_last; /* it does no work for anyone in particular: idle, kernel, other */
	double weight; /* of ctd_difference_sort(), as the next one */
	bool is_behind;
};

struct ctd_difference {
	const struct ctd_node *nodes[CTD_NODES_MAX]; /* of both, constants */
	int nodes_count;
	struct ctd_difference_row *rows; /* owned; of both */
	size_t rows_count;
};

/* @p before and @p after: compares, and outlive the difference. Rows have the order of those of @p
 * after, and then of those that are only in @p before. @return 0 or -ENOMEM. */
int ctd_difference_make(const struct ctd_series *before, const struct ctd_series *after,
			struct ctd_difference *ret_difference);
/*
 * By @p key: NULL is what moved most; "cpu", "name" or the name of a node: the largest change of
 * that. Rows that are noise come after others, and those that are last after these. @return 0, or
 * -EINVAL: there is no such node.
 */
int ctd_difference_sort(struct ctd_difference *difference, const char *key);
void ctd_difference_free(struct ctd_difference *difference);

#endif
