/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* podman.c - containers of Podman. */
#include <cgtopdown/runtime.h>

#include "identity/component.h"

/* The monitor's "libpod-conmon-<id>" has no id right behind "libpod-": it is not the container.
 * "libpod-payload-<id>" is the container where a service's cgroup is split (podman run
 * --cgroups=split, which Quadlet uses). */
static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	(void)parents;
	(void)parents_count;
	return ctd_component_unit_id(component, "libpod", ret_id) ||
	       ctd_component_cut_id(component, "libpod-", "", ret_id) ||
	       ctd_component_cut_id(component, "libpod-payload-", "", ret_id);
}

const struct ctd_runtime ctd_runtime_podman = {
	.name = "podman",
	.help = "libpod-<id>.scope, libpod-<id>, libpod-payload-<id>; libpod-conmon-<id> is not one",
	.priority = 10,
	.match = match,
};
