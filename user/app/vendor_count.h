/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_count.h - what --metrics-dir has stat and record count. */
#ifndef APP_VENDOR_COUNT_H
#define APP_VENDOR_COUNT_H

#include <cgtopdown/counters.h>
#include <cgtopdown/vendor.h>

#include "base/strbuf.h"
#include "vendor/recorded.h"

struct ctd_options;

struct ctd_vendor_count_run {
	struct ctd_vendor_count_core_type {
		/* Owned; of the files what is counted, nothing else; NULL: nothing is. */
		struct ctd_vendor_recorded *kept;
		struct ctd_strbuf block; /* owned; of a recording: with it 'report' computes them */
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
/* Warns where not each group of counters counts in each interval; and of the whole run of a
 * command, when it has ended, where not each did. */
void ctd_vendor_count_check_interval(const struct ctd_vendor_count_run *run, uint64_t interval_ns);
void ctd_vendor_count_check_command(const struct ctd_vendor_count_run *run, uint64_t ran_ns);
void ctd_vendor_count_free(struct ctd_vendor_count_run *run);

#endif
