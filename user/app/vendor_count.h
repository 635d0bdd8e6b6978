/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_count.h - what --metrics-dir has stat, record and serve count. */
#ifndef APP_VENDOR_COUNT_H
#define APP_VENDOR_COUNT_H

#include <cgtopdown/counters.h>
#include <cgtopdown/vendor.h>

#include "base/strbuf.h"
#include "vendor/recorded.h"

struct ctd_collector;
struct ctd_options;

struct ctd_vendor_count_run {
	struct ctd_vendor_count_core_type {
		/* Owned; of the files what is counted, nothing else; NULL: nothing is. */
		struct ctd_vendor_recorded *kept;
		struct ctd_strbuf block; /* owned; of a recording: with it 'report' computes them */
		struct ctd_latency_event *latencies; /* owned; as many as `kept` has latencies */
		char why[CTD_VENDOR_WHY_BYTES]; /* nothing is counted */
	} core_types[CTD_CORE_TYPES_MAX];
	struct ctd_vendor_countings countings; /* owned; of `kept`; none without --metrics-dir */
	struct ctd_rotations rotations; /* their groups */
};

/*
 * Reads the files, packs the metrics that are asked for into groups of each core type, and leaves
 * out those groups that the kernel refuses; nothing else of the files is kept. It must outlive what
 * counts, and stay where it is. Logs. @return 0 or negative errno.
 */
int ctd_vendor_count_begin(const struct ctd_options *options, struct ctd_vendor_count_run *ret_run);
/* What is counted where all cores are alike. NULL: nothing is, or they are not alike. */
const struct ctd_vendor_counting *ctd_vendor_count_one(const struct ctd_vendor_count_run *run);
/* Warns where not each group of counters counts in each interval, with @p others steps in a round
 * beside theirs; and of the whole run of a command, when it has ended, where not each did. */
void ctd_vendor_count_check_interval(const struct ctd_vendor_count_run *run, int others,
				     uint64_t interval_ns);
/* Warns of more series than a metrics system takes from one machine, for so many rows. */
void ctd_vendor_count_check_series(const struct ctd_vendor_count_run *run, uint64_t rows);
void ctd_vendor_count_check_command(const struct ctd_vendor_count_run *run, uint64_t ran_ns);
/*
 * Beside @p others groups of a tree: these have half of the time, so that the usual figures stay
 * good, however many groups of a vendor's share the other half. @return the steps of each in a
 * round.
 */
int ctd_vendor_count_tree_steps(const struct ctd_vendor_count_run *run, int others);
/* Has groups of the collector count so, if it counts these. */
void ctd_vendor_count_weigh(const struct ctd_vendor_count_run *run,
			    struct ctd_collector *collector);
void ctd_vendor_count_free(struct ctd_vendor_count_run *run);

#endif
