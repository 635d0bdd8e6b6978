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
	struct ctd_vendor_counting *counting; /* of `kept`; NULL: nothing is counted */
	struct ctd_vendor_recorded *kept; /* owned; of the files what is counted, nothing else */
	struct ctd_rotations rotations; /* its groups */
	struct ctd_strbuf block; /* owned; of a recording: with it 'report' computes them */
};

/*
 * Reads the files, packs the metrics that are asked for into groups, and leaves out those groups
 * that the kernel refuses; nothing else of the files is kept. It must outlive what counts. Logs.
 * @return 0 or negative errno.
 */
int ctd_vendor_count_begin(const struct ctd_options *options, struct ctd_vendor_count_run *ret_run);
/* Warns where not each group of counters counts in each interval; and of the whole run of a
 * command, when it has ended, where not each did. */
void ctd_vendor_count_check_interval(const struct ctd_vendor_count_run *run, uint64_t interval_ns);
void ctd_vendor_count_check_command(const struct ctd_vendor_count_run *run, uint64_t ran_ns);
void ctd_vendor_count_free(struct ctd_vendor_count_run *run);

#endif
