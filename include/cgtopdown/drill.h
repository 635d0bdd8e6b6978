/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* drill.h - where each row's time goes down a vendor's tree, and which groups find the next step. */
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

enum ctd_drill_confidence {
	CTD_DRILL_UNKNOWN, /* the top of the tree was not counted */
	CTD_DRILL_LOW, /* counted too little, or too near to a threshold or to another part */
	CTD_DRILL_HIGH, /* noise does not change it */
};
/* "unknown", "low", "high": the spelling of every sink. */
const char *ctd_drill_confidence_name(enum ctd_drill_confidence confidence);

struct ctd_drill_step {
	size_t index; /* of the counting's metrics */
	double value; /* before its scale; the mean of about the last ten seconds of counting */
};

struct ctd_drill_path {
	enum ctd_drill_confidence confidence;
	/* From the top of the tree down: at each level the largest of the parts that are above
	 * their vendor's thresholds. None: nothing is. */
	struct ctd_drill_step steps[CTD_DRILL_LEVELS];
	size_t steps_count;
	/* Other parts of the same metric as the last step, above their thresholds, too. */
	struct ctd_drill_step beside[CTD_DRILL_BESIDE];
	size_t beside_count;
	bool unfinished; /* parts of the last step are still to be counted */
};

/* What a row did in a time. */
struct ctd_drill_sample {
	uint64_t key; /* of the row, always the same */
	const struct ctd_vendor_value *values; /* of all metrics of the counting */
	const uint64_t *count_ns; /* CPU time that each group's counts are of */
	int groups_count; /* of them; metrics of further groups were not counted */
	uint64_t cpu_ns;
	bool sound; /* its counts can be relied on */
};

struct ctd_drill;

/* @p counting must outlive it. @return 0 or -ENOMEM. */
int ctd_drill_new(const struct ctd_vendor_counting *counting, struct ctd_drill **ret_drill);
void ctd_drill_free(struct ctd_drill *drill);

/*
 * Looks at all rows: begin, take each, end. An interval may be looked at several times while it
 * goes on: samples are always of all of it so far, @p elapsed_ns; and @p ends says of the last
 * look. Rows that are not taken do not run, and are forgotten in the end.
 */
void ctd_drill_begin(struct ctd_drill *drill, uint64_t elapsed_ns, bool ends);
/* @return 0 or -ENOMEM. */
int ctd_drill_take(struct ctd_drill *drill, const struct ctd_drill_sample *sample);
void ctd_drill_end(struct ctd_drill *drill);

/* @return false: there is no such row. */
bool ctd_drill_find(const struct ctd_drill *drill, uint64_t key, struct ctd_drill_path *ret_path);
/* Of the row that had most CPU time when rows were last looked at. @return false: there was none. */
bool ctd_drill_busiest(const struct ctd_drill *drill, struct ctd_drill_path *ret_path);
/* How many steps of a round each group of the counting is to have: small numbers, 0 where nothing
 * that it counts is wanted. */
const uint8_t *ctd_drill_weights(const struct ctd_drill *drill);

#endif
