/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* encode.h - from the parts of an event to what perf_event_open(2) takes. */
#ifndef VENDOR_ENCODE_H
#define VENDOR_ENCODE_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "vendor/table.h"

struct ctd_vendor_code {
	uint64_t config, config1, config2;
};

/*
 * Sets a part of an event of the core's PMU: "event", "umask", "cmask", "edge", "inv", "any",
 * "ldlat", "offcore_rsp", "frontend", "config1" ..., as in the files below sysfs' format. What is
 * no part of what is counted, such as "period", is passed over.
 * @return 0, -ENOENT: there is no such part, -ERANGE: the number is too large for it.
 */
int ctd_vendor_encode(struct ctd_vendor_code *code, bool arm, const char *part, size_t bytes,
		      uint64_t number);

/*
 * Sets the encoding, the counters and what else goes with it of an event of perf's or perfmon's
 * file, whose name is set; or why it has none. @return 0 or -ENOMEM.
 */
int ctd_vendor_encode_entry(struct ctd_vendor_table *table, const json_t *entry,
			    struct ctd_vendor_event *event);

/* x86's events that the kernel knows by name, "topdown-retiring", "cycles": in no file.
 * @return 0 or -ENOENT. */
int ctd_vendor_encode_kernel(const char *name, bool amd, struct ctd_vendor_code *ret_code);

#endif
