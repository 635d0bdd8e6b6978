/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* recorded.h - vendors' metrics that were counted, as a recording has them: with their formulas. */
#ifndef VENDOR_RECORDED_H
#define VENDOR_RECORDED_H

#include <cgtopdown/vendor.h>

#include "base/strbuf.h"

/*
 * Adds the block of a recording: all that evaluating takes, so that no file of the vendor's is
 * needed later, and a newer one changes nothing. record.h has the format. Files may have what no
 * recording takes, such as a name of megabytes: whether ctd_vendor_recorded_new() reads it is to be
 * tried. @return 0 or -ENOMEM.
 */
int ctd_vendor_recorded_add(const struct ctd_vendor_counting *counting,
			    const struct ctd_vendor_cpu *cpu,
			    const struct ctd_vendor_machine *machine, struct ctd_strbuf *payload);

struct ctd_vendor_recorded {
	struct ctd_vendor_table table; /* owned; of what formulas name, and nothing else */
	struct ctd_vendor_set *set; /* owned */
	struct ctd_vendor_counting counting; /* owned; it has no events to be opened */
};

/* @p ret_recorded: ctd_vendor_recorded_free(). @return 0, -ENOMEM, or -EBADMSG with half a sentence
 * in @p ret_why. */
int ctd_vendor_recorded_new(const void *payload, size_t bytes,
			    struct ctd_vendor_recorded **ret_recorded, const char **ret_why);
void ctd_vendor_recorded_free(struct ctd_vendor_recorded *recorded);

#endif
