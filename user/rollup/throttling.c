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

/* Goes up from @p *identity to the next cgroup that has a limit. @return its; NULL: none has. */
static const struct ctd_throttling *climb(const struct place *place,
					  const struct ctd_identity **identity)
{
	while (*identity && (*identity)->parent_id) {
		const struct ctd_identity *parent =
			ctd_identities_get(place->identities, (*identity)->parent_id);
		const struct ctd_throttling *of_parent;

		/* Paths that get shorter are no ring. */
		if (!parent || strlen(parent->path) >= strlen((*identity)->path))
			return NULL;
		*identity = parent;
		of_parent = ctd_throttlings_find(&place->interval->throttlings, parent->cgroup_id);
		if (of_parent && of_parent->limit_ns)
			return of_parent;
	}
	return NULL;
}

/* Has a cgroup above it, which is part of the same row, a limit of its own? */
static bool is_within(const struct place *place, uint64_t cgroup_id, size_t row)
{
	const struct ctd_identity *identity = ctd_identities_get(place->identities, cgroup_id);

	while (climb(place, &identity))
		if (row_of(place, identity->cgroup_id) == row)
			return true;
	return false;
}

static uint64_t throttled_wait_ns(const struct ctd_rollup_row *row, int core_types)
{
	uint64_t sum_ns = 0;

	for (int i = 0; i < core_types; i++)
		sum_ns += row->parts[i].waits ? row->parts[i].waits->ns[CTD_WAIT_THROTTLED] : 0;
	return sum_ns;
}

/* Its tasks waited for a limit: of those above it, for the next one that stopped anything. */
static void find_above(const struct place *place, struct ctd_rollup_row *row)
{
	const struct ctd_identity *identity = row->identity;
	const struct ctd_throttling *above;

	do
		above = climb(place, &identity);
	while (above && !above->throttled);
	if (!above)
		return;
	row->above_limit_ns = above->limit_ns;
	row->above_bytes = strlen(identity->path);
}

/* Limits within a limit are no further CPU time, and those of several pods are no limit. */
static void add(const struct place *place, const struct ctd_throttling *from, size_t row,
		struct ctd_rollup_row *to)
{
	struct ctd_throttling sum = to->throttling, part = *from;

	ctd_throttling_add(&to->throttling, from);
	if (to->kind == CTD_ROLLUP_NAMESPACE || to->kind == CTD_ROLLUP_OWNER ||
	    to->kind == CTD_ROLLUP_NODE || is_within(place, from->cgroup_id, row))
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
	for (size_t i = 0; i < rollup->rows_count; i++) {
		struct ctd_rollup_row *row = &rollup->rows[i];

		if ((row->kind == CTD_ROLLUP_CONTAINER || row->kind == CTD_ROLLUP_CGROUP) &&
		    !rollup->tree && throttled_wait_ns(row, rollup->plan->core_types_count))
			find_above(&place, row);
	}
}
