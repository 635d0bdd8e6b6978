/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* row_key.h - a number by which a row is known from one interval to the next. */
#ifndef TOP_ROW_KEY_H
#define TOP_ROW_KEY_H

#include <cgtopdown/rollup.h>

/* Of a row of a rollup or report. It does not depend on ids that a remote view makes up: a cgroup
 * is known by its path, a container or pod by its own id, each on its node. @p identity may be NULL.
 */
uint64_t ctd_top_row_key(enum ctd_rollup_kind kind, const struct ctd_identity *identity,
			 uint64_t cgroup_id, uint32_t pid);

/* Of what a row does on one core type. */
static inline uint64_t ctd_top_part_key(uint64_t key, int core_type)
{
	return key + (uint64_t)core_type + 1;
}

/* How rows are grouped, as one number: what was made for one grouping is not of another. */
struct ctd_top_grouping {
	enum ctd_group_by by;
	bool tree;
};
int ctd_top_grouping_number(struct ctd_top_grouping grouping);

/* The keys of the rows that @p row is added to: one, and in a tree those above it. @return how many.
 */
#define CTD_TOP_KEYS_MAX 64
size_t ctd_top_row_keys(const struct ctd_identities *identities, const struct ctd_interval_row *row,
			struct ctd_top_grouping grouping, uint64_t ret_keys[CTD_TOP_KEYS_MAX]);

#endif
