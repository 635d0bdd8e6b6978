/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* health.h - tells how well stacks were sampled. */
#ifndef APP_PROFILE_HEALTH_H
#define APP_PROFILE_HEALTH_H

#include "app/profile/profiler.h"

/* Logs it, and what a reader of the figures has to know: warnings. */
void ctd_profile_health_tell(const struct ctd_profiler *profiler, struct ctd_collector *collector);
/* The warnings. */
void ctd_profile_health_warn(const struct ctd_profile_health *health);

#endif
