/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* crio.c - containers of CRI-O. */
#include <cgtopdown/runtime.h>

#include "identity/component.h"

/* The monitor's "crio-conmon-<id>" has no id right behind "crio-": it is not the container. */
static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	(void)parents;
	(void)parents_count;
	return ctd_component_unit_id(component, "crio", ret_id) ||
	       ctd_component_cut_id(component, "crio-", "", ret_id);
}

const struct ctd_runtime ctd_runtime_crio = {
	.name = "crio",
	.help = "crio-<id>.scope, crio-<id>; crio-conmon-<id> is not one",
	.priority = 10,
	.match = match,
};
