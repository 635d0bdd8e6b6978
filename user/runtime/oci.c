/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* oci.c - containers outside pods that are known by their id alone. */
#include <cgtopdown/runtime.h>

#include "identity/path/component.h"

/*
 * 64 hex digits name a container wherever they stand: containerd's namespaces ("/default/<id>" of
 * nerdctl), docker --cgroup-parent. A container of another name ("/default/c1" of ctr) looks like
 * any cgroup, until containerd's files tell. Podman names a pod, too, by a bare id: that holds
 * containers and a monitor.
 */
static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	if (parents_count && ctd_component_is(parents[parents_count - 1], "libpod_parent"))
		return false;
	return ctd_component_cut_id(component, "", "", ret_id);
}

const struct ctd_runtime ctd_runtime_oci = {
	.name = "oci",
	.help = "<id> of 64 hex anywhere else",
	.is_any = true,
	.priority = 100,
	.match = match,
};
