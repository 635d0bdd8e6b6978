/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* throttling.c - adds up by row what limits of CPU time did to cgroups. */
#include "rollup/throttling.h"

#include <string.h>

/* What all entries have in common. */
struct place {
	const struct ctd_interval *interval;
	const struct ctd_rollup_options *options;
	const struct ctd_rollup_table *table;
	const struct ctd_identities *identities;
};

/* @return the row that the cgroup is part of; CTD_ROLLUP_NO_ROW: it has none, as it did nothing. */
static size_t row_of(const struct place *place, uint64_t cgroup_id)
{
	const struct ctd_identity *identity = ctd_identities_get(place->identities, cgroup_id);
	const struct ctd_interval_row row = {.kind = CTD_ROW_CGROUP, .cgroup_id = cgroup_id};
	struct ctd_rollup_key key;
	size_t at;

	if (!ctd_rollup_wants(place->options, place->identities, &row, identity))
		return CTD_ROLLUP_NO_ROW;
	key = ctd_rollup_key_make(&row, identity, place->identities, place->options->by);
	return ctd_rollup_table_find(place->table, &key, &at) ? at : CTD_ROLLUP_NO_ROW;
}

/* Has a cgroup above it, which is part of the same row, a limit of its own? */
static bool is_within(const struct place *place, uint64_t cgroup_id, size_t row)
{
	const struct ctd_identity *identity = ctd_identities_get(place->identities, cgroup_id);

	while (identity && identity->parent_id) {
		const struct ctd_identity *parent =
			ctd_identities_get(place->identities, identity->parent_id);
		const struct ctd_throttling *of_parent;

		/* Paths that get shorter are no ring. */
		if (!parent || strlen(parent->path) >= strlen(identity->path))
			return false;
		of_parent = ctd_throttlings_find(&place->interval->throttlings, parent->cgroup_id);
		if (of_parent && of_parent->limit_ns && row_of(place, parent->cgroup_id) == row)
			return true;
		identity = parent;
	}
	return false;
}

/* Limits within a limit are no further CPU time, and those of several pods are no limit. */
static void add(const struct place *place, const struct ctd_throttling *from, size_t row,
		struct ctd_rollup_row *to)
{
	struct ctd_throttling sum = to->throttling, part = *from;

	ctd_throttling_add(&to->throttling, from);
	if (to->kind == CTD_ROLLUP_NAMESPACE || to->kind == CTD_ROLLUP_OWNER ||
	    is_within(place, from->cgroup_id, row))
		part.limit_ns = part.request_ns = 0;
	to->throttling.limit_ns = sum.limit_ns + part.limit_ns;
	to->throttling.request_ns = sum.request_ns + part.request_ns;
	/* Several have no weight in common. */
	to->throttling.weight = to->cgroup_id == from->cgroup_id ? from->weight : sum.weight;
	to->throttling_known = true;
}

void ctd_rollup_add_throttlings(const struct ctd_interval *interval,
				const struct ctd_rollup_options *options,
				const struct ctd_rollup_table *table, struct ctd_rollup *rollup)
{
	const struct place place = {interval, options, table, rollup->identities};

	for (size_t i = 0; i < interval->throttlings.count; i++) {
		const struct ctd_throttling *from = &interval->throttlings.items[i];
		size_t row = row_of(&place, from->cgroup_id);

		if (row != CTD_ROLLUP_NO_ROW)
			add(&place, from, row, &rollup->rows[row]);
	}
}
