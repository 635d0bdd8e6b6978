/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* containerd.c - containers that Kubernetes has containerd make, with systemd's units. */
#include <cgtopdown/runtime.h>

#include "identity/component.h"

static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	(void)parents;
	(void)parents_count;
	return ctd_component_unit_id(component, "cri-containerd", ret_id);
}

const struct ctd_runtime ctd_runtime_containerd = {
	.name = "containerd",
	.help = "cri-containerd-<id>.scope, <slice>.slice:cri-containerd:<id>",
	.priority = 10,
	.match = match,
};
