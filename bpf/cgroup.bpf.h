/* SPDX-License-Identifier: GPL-2.0-only */
/* cgroup.bpf.h - reports cgroups that come and go to the loader, with their paths. */
#ifndef CGROUP_BPF_H
#define CGROUP_BPF_H

#include "maps.bpf.h"

/* Reads by calls, here and below, as they are rare: for each pointer that is followed without one,
 * the verifier searches all types of the kernel, a millisecond (btf_nested_type_is_trusted(), 6.4).
 */
static __always_inline bool is_accounted(struct cgroup *cgroup)
{
	return BPF_CORE_READ(cgroup, root, hierarchy_id) == cfg_hierarchy;
}

static __always_inline int cgroup_changed(struct cgroup *cgroup, const char *path, __u32 change)
{
	struct ctd_cgroup_event *event;
	__u32 zero = 0;
	long bytes;

	if (!is_accounted(cgroup))
		return 0;
	event = bpf_map_lookup_elem(&cgtd_scratch, &zero);
	if (!event)
		return 0;
	bytes = bpf_probe_read_kernel_str(event->path, sizeof(event->path), path);
	if (bytes <= 0 || bytes > (long)sizeof(event->path))
		return 0;
	event->cgroup_id = BPF_CORE_READ(cgroup, kn, id);
	event->change = change;
	event->path_bytes = bytes;
	if (bpf_ringbuf_output(&cgtd_events, event,
			       __builtin_offsetof(struct ctd_cgroup_event, path) + bytes, 0))
		__sync_fetch_and_add(&lost_events, 1);
	return 0;
}

#endif
