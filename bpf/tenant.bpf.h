/* SPDX-License-Identifier: GPL-2.0-only */
/* tenant.bpf.h - who may take how many rows: asked when a cgroup first runs on a CPU. */
#ifndef TENANT_BPF_H
#define TENANT_BPF_H

#include "maps.bpf.h"
#include <bpf/bpf_core_read.h>

/* Before "cgroup: Replace cgroup->ancestor_ids[] with ->ancestors[]" (7f203bc89eb6, 6.1). */
struct cgroup___ids {
	__u64 ancestor_ids[0];
} __attribute__((preserve_access_index));

/* The id of the ancestor on a level, from the root's 0 to its own. */
static __always_inline __u64 ancestor_id(const struct cgroup *cgroup, int level)
{
	const struct cgroup___ids *old = (void *)cgroup;
	const struct cgroup *ancestor = NULL;
	__u64 id = 0;

	if (bpf_core_field_exists(cgroup->ancestors)) {
		bpf_probe_read_kernel(&ancestor, sizeof(ancestor),
				      (const void *)cgroup +
					      bpf_core_field_offset(cgroup->ancestors) +
					      level * sizeof(ancestor));
		return BPF_CORE_READ(ancestor, kn, id);
	}
	bpf_probe_read_kernel(&id, sizeof(id),
			      (const void *)cgroup + bpf_core_field_offset(old->ancestor_ids) +
				      level * sizeof(id));
	return id;
}

/*
 * The tenant in whose cgroups this one lies: from the root down, as how deep a tenant's own cgroups
 * lie is the tenant's choice. @return 1 + its index, 0: there is none, or the cgroup has gone, and
 * its address is another one's. A global function, which is verified by itself and once, as the
 * others that are: static ones are followed anew from each state in which they are called.
 */
__noinline int tenant_of(__u64 address, __u64 cgroup_id)
{
	const struct cgroup *cgroup = (void *)address;
	int own_level = BPF_CORE_READ(cgroup, level);

	if (BPF_CORE_READ(cgroup, kn, id) != cgroup_id)
		return 0;
	for (int level = 1; level < CTD_TENANT_LEVELS; level++) {
		__u64 id;
		__u32 *index;

		if (level > own_level)
			break;
		id = ancestor_id(cgroup, level);
		index = bpf_map_lookup_elem(&cgtd_tenant_of, &id);
		if (index)
			return *index + 1;
	}
	return 0;
}

/* @p place: as tenant_of() gives it. */
static __always_inline struct ctd_row_tenant *tenant_at(__u32 place)
{
	__u32 index = place - 1;

	return place ? bpf_map_lookup_elem(&cgtd_tenants, &index) : NULL;
}

static __always_inline bool tenant_has_its_share(struct ctd_row_tenant *tenant)
{
	if (tenant->rows < free_rows)
		return false;
	__sync_fetch_and_add(&tenant->refused, 1);
	return true;
}

#endif
