/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* vendor_core.h - what --metrics-dir has one core type count. */
#ifndef APP_VENDOR_CORE_H
#define APP_VENDOR_CORE_H

#include <cgtopdown/counters.h>
#include <cgtopdown/vendor.h>

#include "app/explain/vendor.h"

struct ctd_options;

/* All that the files have of the cores, while groups are made of what is asked for. */
struct ctd_vendor_core {
	struct ctd_vendor_view view; /* owned */
	struct ctd_vendor_machine machine;
	struct ctd_vendor_counting counting; /* owned; no groups: it counts nothing */
};

/*
 * Reads the files of a core type, packs the metrics that are asked for into groups, and leaves out
 * those groups that the kernel refuses, which is said. Of several core types one may lack what was
 * asked for by name. Silent otherwise. @return 0, or negative errno with a sentence in @p ret_why;
 * -ENOENT and -ENODEV: nothing of it can be counted, but others may. ctd_vendor_core_free() is due
 * in any case.
 */
int ctd_vendor_core_begin(const struct ctd_options *options, const struct ctd_machine *machine,
			  int core_type, struct ctd_vendor_core *core,
			  char ret_why[CTD_VENDOR_WHY_BYTES]);
void ctd_vendor_core_free(struct ctd_vendor_core *core);

#endif
