/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* cri.c - containers of a pod whose runtime leaves no mark: any that makes directories itself. */
#include <cgtopdown/runtime.h>

#include "identity/path/component.h"
#include "identity/path/pod.h"

static bool match(struct ctd_component component, const struct ctd_component *parents,
		  size_t parents_count, struct ctd_component *ret_id)
{
	const struct ctd_component *pod = parents_count ? &parents[parents_count - 1] : NULL;
	struct ctd_pod ignored;

	return pod && ctd_pod_parse(*pod, NULL, &ignored) &&
	       ctd_component_cut_id(component, "", "", ret_id);
}

const struct ctd_runtime ctd_runtime_cri = {
	.name = "cri",
	.help = "pod<uid>/<id>: any runtime of a kubelet with cgroupfs",
	.is_any = true,
	.priority = 90,
	.match = match,
};
