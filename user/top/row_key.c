/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* row_key.c - knows rows again in other intervals. */
#include "top/row_key.h"

#include <string.h>

#include "base/hash.h"
#include "rollup/key.h"

static uint64_t mix(uint64_t hash, const char *text)
{
	if (!text)
		text = "";
	return (hash ^ ctd_hash(text, strlen(text))) * UINT64_C(0x9e3779b97f4a7c15);
}

uint64_t ctd_top_row_key(enum ctd_rollup_kind kind, const struct ctd_identity *identity,
			 uint64_t cgroup_id, uint32_t pid)
{
	uint64_t key = ((uint64_t)kind << 32 | pid) + 1;

	switch (identity ? kind : CTD_ROLLUP_KINDS) {
	case CTD_ROLLUP_CONTAINER:
		key = mix(mix(mix(key, identity->container_id), identity->outer_id),
			  identity->node);
		break;
	case CTD_ROLLUP_POD:
		key = mix(mix(mix(key, identity->pod_uid),
			      identity->pod_in_outer ? identity->outer_id : NULL),
			  identity->node);
		break;
	case CTD_ROLLUP_NAMESPACE:
		key = mix(key, identity->names.namespace_name);
		break;
	case CTD_ROLLUP_OWNER:
		key = mix(mix(mix(key, identity->names.namespace_name), identity->names.owner_kind),
			  identity->names.owner_name);
		break;
	case CTD_ROLLUP_CGROUP:
	case CTD_ROLLUP_PROCESS:
	case CTD_ROLLUP_TASK:
		key = mix(mix(key, identity->path), identity->node);
		break;
	case CTD_ROLLUP_NODE:
		key = mix(key, identity->node);
		break;
	default:
		key = (key ^ cgroup_id) * UINT64_C(0x9e3779b97f4a7c15);
		break;
	}
	return key ^ key >> 32;
}

int ctd_top_grouping_number(struct ctd_top_grouping grouping)
{
	return (int)grouping.by * 2 + grouping.tree;
}

size_t ctd_top_row_keys(const struct ctd_identities *identities, const struct ctd_interval_row *row,
			struct ctd_top_grouping grouping, uint64_t ret_keys[CTD_TOP_KEYS_MAX])
{
	const struct ctd_identity *identity =
		row->kind == CTD_ROW_CGROUP ? ctd_identities_get(identities, row->cgroup_id) : NULL;
	struct ctd_rollup_key key = ctd_rollup_key_make(row, identity, identities, grouping.by);
	size_t count = 1;

	ret_keys[0] = ctd_top_row_key(key.kind, key.identity, key.cgroup_id, key.pid);
	while (grouping.tree && identity && identity->parent_id && count < CTD_TOP_KEYS_MAX) {
		const struct ctd_identity *parent =
			ctd_identities_get(identities, identity->parent_id);

		/* Its path is shorter, so that no chain of parents can be a ring. */
		if (!parent || strlen(parent->path) >= strlen(identity->path))
			break;
		identity = parent;
		ret_keys[count++] = ctd_top_row_key(CTD_ROLLUP_CGROUP, identity, 0, 0);
	}
	return count;
}
