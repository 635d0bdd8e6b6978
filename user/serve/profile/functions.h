/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* functions.h - a profile of some time, added up by functions. */
#ifndef SERVE_PROFILE_FUNCTIONS_H
#define SERVE_PROFILE_FUNCTIONS_H

#include <cgtopdown/functions.h>
#include <cgtopdown/rollup.h>

#include "serve/profile/sum.h"

/* Of all rows of @p sum, which has an interval. Names are text, and cut at some 200 bytes. Of less
 * than CTD_PROFILE_ELEMENTS_MAX functions of rows, and so at most some 3 MB. *ret_functions:
 * ctd_functions_free(). @return 0, -ENOMEM, or -EBADMSG: of other counters. */
int ctd_functions_make(const struct ctd_rollup_plan *plan, const struct ctd_identities *identities,
		       const struct ctd_profile_sum *sum, uint64_t period_ns,
		       struct ctd_functions **ret_functions);
/* One of a list, not those behind it. */
void ctd_functions_free(struct ctd_functions *functions);

#endif
