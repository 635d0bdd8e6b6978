/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* limits_json.c - writes the CPU limits of a cgroup as members of a JSON object. */
#include "format/limits_json.h"

void ctd_limits_add_json(struct ctd_json *json, const struct ctd_throttling *throttling)
{
	if (throttling->limit_ns)
		ctd_json_real(json, "limit_cpus", (double)throttling->limit_ns / 1e9, 1e6);
	if (throttling->request_ns)
		ctd_json_real(json, "request_cpus", (double)throttling->request_ns / 1e9, 1e6);
	if (throttling->weight)
		ctd_json_integer(json, "weight", throttling->weight);
}
