/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill_weights.c - shares the steps of a round among groups of counters, by what rows need. */
#include "vendor/drill.h"

#include <string.h>

/* Steps of a round, unless more groups are wanted. */
#define ROUND 16
/* What is counted too little is wanted so many times as much as what is only to be kept current. */
#define URGENCY 4.0
/* A group is known well once all that it counts suffices, and has so many times the CPU time. */
#define WELL 4

static bool is_urgent(const struct ctd_drill_row *row, size_t index)
{
	const struct ctd_drill_mean *now = &row->nodes[index].now;

	/* A row with little CPU time never has enough: it would take the steps for ever. */
	return row->cpus >= CTD_DRILL_LEAST_CPUS &&
	       (!ctd_drill_mean_suffices(now) || now->weight < WELL * CTD_DRILL_LEAST);
}

/* Adds what a row wants, each group once. */
static void add_wishes(const struct ctd_drill *drill, const struct ctd_drill_row *row, double share,
		       double *need)
{
	const struct ctd_vendor_counting *counting = drill->counting;
	double wish[CTD_ROTATION_GROUPS_MAX] = {0};

	for (size_t i = 0; i < counting->metrics_count; i++) {
		int group = counting->metrics[i].group;
		double urgency = row && is_urgent(row, i) ? URGENCY : 1;

		if (group >= 0 && urgency > wish[group] && ctd_drill_wants(drill, row, i))
			wish[group] = urgency;
	}
	for (int group = 0; group < counting->rotation.groups_count; group++)
		need[group] += share * wish[group];
}

/* The same for each row, but less for those that hardly run, however many they are. */
static double weight_of(const struct ctd_drill_row *row)
{
	return row->cpus < CTD_DRILL_LEAST_CPUS ? row->cpus / CTD_DRILL_LEAST_CPUS : 1;
}

/* Half by CPU time, half the same for each: small rows have bottlenecks, too. */
static void add_rows(const struct ctd_drill *drill, double *need)
{
	double cpus = 0, rows = 0;

	for (size_t i = 0; i < drill->rows_count; i++) {
		cpus += drill->rows[i].cpus;
		rows += weight_of(&drill->rows[i]);
	}
	for (size_t i = 0; i < drill->rows_count; i++) {
		const struct ctd_drill_row *row = &drill->rows[i];

		if (row->cpus > 0)
			add_wishes(drill, row, row->cpus / cpus / 2 + weight_of(row) / rows / 2,
				   need);
	}
}

/* Each group that is wanted has a step; each further one goes to the group with the fewest for its
 * need. */
void ctd_drill_share(struct ctd_drill *drill)
{
	int groups = drill->counting->rotation.groups_count, given = 0;
	double need[CTD_ROTATION_GROUPS_MAX] = {0};

	add_wishes(drill, NULL, 1e-3, need);
	add_rows(drill, need);
	memset(drill->weights, 0, sizeof(drill->weights));
	for (int i = 0; i < groups; i++) {
		drill->weights[i] = need[i] > 0;
		given += need[i] > 0;
	}
	for (; given && given < ROUND; given++) {
		int neediest = 0;

		for (int i = 1; i < groups; i++)
			if (need[i] / (1 + drill->weights[i]) >
			    need[neediest] / (1 + drill->weights[neediest]))
				neediest = i;
		drill->weights[neediest]++;
	}
}
