/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* wanted.c - leaves out rows that nobody asked for. */
#include <cgtopdown/profile_sink.h>

#include <fnmatch.h>

#include "format/format.h"

static bool matches(const char *glob, const char *name, const char *id)
{
	return !glob || (name && fnmatch(glob, name, 0) == 0) || (id && fnmatch(glob, id, 0) == 0);
}

bool ctd_profile_is_wanted(const struct ctd_profile_wanted *wanted, enum ctd_rollup_kind kind,
			   const struct ctd_identity *identity)
{
	struct ctd_row_facts facts;

	ctd_row_facts(kind, identity, &facts);
	return matches(wanted->container, facts.container, facts.container_id) &&
	       matches(wanted->pod, facts.pod, facts.pod_uid) &&
	       matches(wanted->namespace_name, facts.namespace_name, NULL);
}

void ctd_profile_keep_wanted(const struct ctd_profile_wanted *wanted, struct ctd_profile *profile)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->rows_count; i++)
		if (ctd_profile_is_wanted(wanted, profile->rows[i].row->kind,
					  profile->rows[i].row->identity))
			profile->rows[kept++] = profile->rows[i];
	profile->rows_count = kept;
}
