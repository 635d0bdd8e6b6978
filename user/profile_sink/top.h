/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* top.h - the few functions that have most of all rows. Private to user/profile_sink/. */
#ifndef PROFILE_SINK_TOP_H
#define PROFILE_SINK_TOP_H

#include "base/json.h"
#include "profile_sink/weights.h"

/* Writes the member "top", which is exact: a function's own figures, without what it calls, of all
 * its stacks, however small. @p weights: all that the profile has. Failures are the buffer's. */
void ctd_profile_top_json(const struct ctd_profile *profile, const struct ctd_weight *weights,
			  int weights_count, struct ctd_json *json);

#endif
