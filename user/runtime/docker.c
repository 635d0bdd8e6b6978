/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* docker.c - containers of Docker. */
#include <cgtopdown/runtime.h>

#include "identity/component.h"

static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	if (parents_count && ctd_component_is(parents[parents_count - 1], "docker"))
		return ctd_component_cut_id(component, "", "", ret_id);
	return ctd_component_unit_id(component, "docker", ret_id);
}

const struct ctd_runtime ctd_runtime_docker = {
	.name = "docker",
	.help = "docker-<id>.scope, docker/<id>",
	.priority = 10,
	.match = match,
};
