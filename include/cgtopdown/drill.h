/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.h - each row's path down a vendor's tree, and which groups of counters to read next. */
#ifndef CGTOPDOWN_DRILL_H
#define CGTOPDOWN_DRILL_H

#include <cgtopdown/vendor.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Vendors' trees have six levels. */
#define CTD_DRILL_LEVELS 8
/* Parts of one metric that are shown beside the largest. */
#define CTD_DRILL_BESIDE 3
/* Means fade by this time constant: a load that changes has another path after some seconds. */
#define CTD_DRILL_MEMORY_S 10.0

enum ctd_drill_confidence {
	CTD_DRILL_UNKNOWN, /* the top of the tree was not counted */
	CTD_DRILL_LOW, /* counted too little, or too near to a threshold or to another part */
	CTD_DRILL_HIGH, /* noise would not change it */
};
/* "unknown", "low", "high": the spelling of every sink. */
const char *ctd_drill_confidence_name(enum ctd_drill_confidence confidence);

struct ctd_drill_step {
	size_t index; /* of the counting's metrics */
	double value; /* before its scale; the mean of the drill's memory */
};

struct ctd_drill_path {
	enum ctd_drill_confidence confidence;
	/* From the top of the tree down: at each level the largest of the parts above their
	 * thresholds. None: nothing is. */
	struct ctd_drill_step steps[CTD_DRILL_LEVELS];
	size_t steps_count;
	/* Other parts above their thresholds, of the same metric as the last step. */
	struct ctd_drill_step beside[CTD_DRILL_BESIDE];
	size_t beside_count;
	bool unfinished; /* metrics on, beside or below it are counted too little */
	bool scarce; /* the row has so little CPU time that they may stay so */
	bool blind; /* a metric beside or below it cannot be counted here: it might be larger */
	size_t blind_index; /* of the counting's metrics */
};

/* What a row did in an interval so far. */
struct ctd_drill_sample {
	uint64_t key; /* of the row, always the same */
	struct ctd_vendor_counted_row counted;
	uint64_t cpu_ns;
	uint64_t running_ns; /* of cpu_ns: counters of some group counted */
};

struct ctd_drill;

/* @p counting must outlive it. @p memory_s: of means; INFINITY: they do not fade.
 * @return 0, -ENOMEM, or -ENOENT: no metric that is counted is of a tree. */
int ctd_drill_new(const struct ctd_vendor_counting *counting, double memory_s,
		  struct ctd_drill **ret_drill);
void ctd_drill_free(struct ctd_drill *drill);

/* An interval begins: samples are of it. Rows that have not run for long are forgotten. */
void ctd_drill_begin(struct ctd_drill *drill);
/*
 * Looks at what rows did since the last look. An interval may be looked at several times while it
 * goes on: samples are of all of it so far, @p elapsed_ns.
 * @return 0 or -ENOMEM: not all were seen.
 */
int ctd_drill_look(struct ctd_drill *drill, const struct ctd_drill_sample *samples, size_t count,
		   uint64_t elapsed_ns);

/* @return false: nothing is kept of the row, which has too little CPU time. */
bool ctd_drill_find(const struct ctd_drill *drill, uint64_t key, struct ctd_drill_path *ret_path);
/* Of the row that had most CPU time in the interval that was looked at. @return false: there was
 * none. */
bool ctd_drill_busiest(const struct ctd_drill *drill, struct ctd_drill_path *ret_path);
/* How many steps of a round each group of the counting is to have: small numbers, 0 where nothing
 * that it counts is wanted. */
const uint8_t *ctd_drill_weights(const struct ctd_drill *drill);

/* One of each core type: what a row does on P-cores tells nothing of what it does on E-cores. */
struct ctd_drills {
	struct ctd_drill *of[CTD_CORE_TYPES_MAX]; /* owned; NULL: nothing of a tree is counted */
};

/* @p countings, and what they have, must outlive them. @return 0, -ENOMEM, or -ENOENT: no core
 * type counts a metric of a tree. */
int ctd_drills_new(const struct ctd_vendor_countings *countings, double memory_s,
		   struct ctd_drills *ret_drills);
void ctd_drills_free(struct ctd_drills *drills);
/* ctd_drill_begin() of each. */
void ctd_drills_begin(const struct ctd_drills *drills);
/*
 * Weights of steps that give each core type what its own drill wants, or where it has none, all of
 * its groups alike. In a step each core type counts one of its groups, and those with fewer groups
 * repeat them. @p groups: of each core type, how many rotate. @return how many steps there are: the
 * most of these. Not all weights are 0.
 */
int ctd_drills_weigh(const struct ctd_drills *drills, const struct ctd_vendor_countings *countings,
		     const int groups[CTD_CORE_TYPES_MAX],
		     uint8_t ret_weights[CTD_ROTATION_GROUPS_MAX]);

#endif
