/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* filter.c - which rows of an interval are asked for. */
#include "rollup/key.h"

#include <fnmatch.h>
#include <string.h>

/* Paths are shorter than that, so chains of parents are too. */
#define DEPTH_MAX (CTD_PATH_BYTES_MAX / 2)

static bool path_below(const char *path, const char *top)
{
	size_t bytes = strlen(top);

	if (bytes > 0 && top[bytes - 1] == '/')
		bytes--;
	return strncmp(path, top, bytes) == 0 && (path[bytes] == '/' || path[bytes] == '\0');
}

static bool is_below(const struct ctd_identities *identities, const struct ctd_identity *identity,
		     uint64_t top_id)
{
	const struct ctd_identity *top = ctd_identities_get(identities, top_id);
	const struct ctd_identity *at = identity;

	for (int i = 0; at && at->parent_id && i < DEPTH_MAX; i++) {
		if (at->parent_id == top_id)
			return true;
		at = ctd_identities_get(identities, at->parent_id);
	}
	/* The chain may be broken by a cgroup whose name was never learnt. */
	return top && path_below(identity->path, top->path);
}

bool ctd_rollup_wants(const struct ctd_rollup_options *options,
		      const struct ctd_identities *identities, const struct ctd_interval_row *row,
		      const struct ctd_identity *identity)
{
	uint64_t only = options->cgroup_id_only;

	/* Rows that are no cgroup have no id and no identity: neither filter lets them through. */
	if (only && row->cgroup_id != only && !(identity && is_below(identities, identity, only)))
		return false;
	if (options->cgroup_glob)
		return identity && fnmatch(options->cgroup_glob, identity->path, 0) == 0;
	return true;
}
