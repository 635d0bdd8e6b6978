/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* nerdctl.c - containers of nerdctl, with systemd's units. */
#include <cgtopdown/runtime.h>

#include "identity/path/component.h"

static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	(void)parents;
	(void)parents_count;
	return ctd_component_unit_id(component, "nerdctl", ret_id);
}

const struct ctd_runtime ctd_runtime_nerdctl = {
	.name = "nerdctl",
	.help = "nerdctl-<id>.scope",
	.priority = 10,
	.match = match,
};
