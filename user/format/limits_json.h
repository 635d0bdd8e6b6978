/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* limits_json.h - the CPU limits of a cgroup, as programs read them. */
#ifndef FORMAT_LIMITS_JSON_H
#define FORMAT_LIMITS_JSON_H

#include <cgtopdown/throttling.h>

#include "base/json.h"

/* Adds members to the open object: "limit_cpus", "request_cpus" and "weight". What is not known, or
 * no limit, is left out. */
void ctd_limits_add_json(struct ctd_json *json, const struct ctd_throttling *throttling);

#endif
