/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* tenants.c - tells the programs whose rows to count, so that no tenant takes all of them. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>

#include "bpf/topdown.skel.h"
#include "kern/topdown/topdown.h"

static int tenant_map(const struct ctd_kern *kern)
{
	return bpf_map__fd(kern->skeleton->maps.cgtd_tenant_of);
}

/* Rows of one that has gone may live on: their number goes down to 0 before its place is taken. */
static uint32_t find_place(const struct ctd_kern *kern)
{
	uint32_t place = 0;

	while (place < kern->tenants_end &&
	       (kern->tenants[place].cgroup_id ||
		__atomic_load_n(&kern->tenants[place].rows, __ATOMIC_RELAXED)))
		place++;
	return place;
}

int ctd_kern_add_tenant(struct ctd_kern *kern, uint64_t cgroup_id)
{
	uint32_t place;

	if (!bpf_map_lookup_elem(tenant_map(kern), &cgroup_id, &place))
		return 0;
	place = find_place(kern);
	if (place == CTD_TENANTS_MAX)
		return -ENOSPC;
	if (bpf_map_update_elem(tenant_map(kern), &cgroup_id, &place, BPF_NOEXIST))
		return -errno;
	if (place == kern->tenants_end)
		kern->tenants_end++;
	kern->tenants[place].cgroup_id = cgroup_id;
	kern->tenants[place].refused = 0;
	kern->tenant_told[place] = false;
	return 0;
}

void ctd_kern_forget_tenant(struct ctd_kern *kern, uint64_t cgroup_id)
{
	uint32_t place;

	if (bpf_map_lookup_elem(tenant_map(kern), &cgroup_id, &place))
		return;
	bpf_map_delete_elem(tenant_map(kern), &cgroup_id);
	kern->tenants[place].cgroup_id = 0;
}

void ctd_kern_give_back(struct ctd_kern *kern, uint64_t tenant)
{
	__atomic_fetch_add(&kern->skeleton->bss->free_rows, 1, __ATOMIC_RELAXED);
	if (tenant)
		__atomic_fetch_sub(&kern->tenants[tenant - 1].rows, 1, __ATOMIC_RELAXED);
}

void ctd_kern_tell_of_tenants(struct ctd_kern *kern)
{
	for (uint32_t place = 0; place < kern->tenants_end; place++) {
		const struct ctd_row_tenant *tenant = &kern->tenants[place];

		if (kern->tenant_told[place] || !tenant->cgroup_id ||
		    !__atomic_load_n(&tenant->refused, __ATOMIC_RELAXED))
			continue;
		kern->tenant_told[place] = true;
		if (kern->options.tenant_notice)
			kern->options.tenant_notice(tenant->cgroup_id, tenant->rows,
						    kern->options.notice_context);
	}
}
