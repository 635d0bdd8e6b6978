/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* key.h - which row of a rollup a row of an interval belongs to. Private to user/rollup/. */
#ifndef ROLLUP_KEY_H
#define ROLLUP_KEY_H

#include <cgtopdown/rollup.h>

/* What tells one row of a rollup from another. */
struct ctd_rollup_key {
	enum ctd_rollup_kind kind;
	uint32_t pid;
	uint64_t cgroup_id;
	/* Container id or pod uid, the container that holds it, which could call its cgroups like
	 * another's, and its node; namespace; node; or an owner's namespace, kind and name. ""
	 * where numbers decide. */
	const char *texts[3];
	const struct ctd_identity *identity; /* of the row, not of the key; may be NULL */
};

/* @p identity: of the row's cgroup; NULL: not known, or no cgroup. */
struct ctd_rollup_key ctd_rollup_key_make(const struct ctd_interval_row *row,
					  const struct ctd_identity *identity,
					  const struct ctd_identities *identities,
					  enum ctd_group_by by);
uint64_t ctd_rollup_key_hash(const struct ctd_rollup_key *key);
bool ctd_rollup_key_equal(const struct ctd_rollup_key *a, const struct ctd_rollup_key *b);

/* filter.c: is @p row asked for? @p identity may be NULL. */
bool ctd_rollup_wants(const struct ctd_rollup_options *options,
		      const struct ctd_identities *identities, const struct ctd_interval_row *row,
		      const struct ctd_identity *identity);

/* The rows of a rollup as they are found, by their keys. Start from a zeroed struct. */
struct ctd_rollup_table {
	struct ctd_rollup_row *rows; /* owned */
	struct ctd_rollup_key *keys; /* owned; of each row */
	uint64_t *hashes; /* owned; of each row */
	size_t rows_count, capacity;
	uint32_t *slots; /* owned; row index + 1 at its key's hash; 0: free */
	size_t slots_count; /* a power of two, at least twice the capacity */
};

/* Makes room for so many rows, at least one; more may follow. @return 0 or -ENOMEM. */
int ctd_rollup_table_reserve(struct ctd_rollup_table *table, size_t rows);
/* The row of @p key, which is added if there is none. @return 0 or -ENOMEM. */
int ctd_rollup_table_get(struct ctd_rollup_table *table, const struct ctd_rollup_key *key,
			 size_t *ret_row);
/* @return whether there is one. */
bool ctd_rollup_table_find(const struct ctd_rollup_table *table, const struct ctd_rollup_key *key,
			   size_t *ret_row);
void ctd_rollup_table_free(struct ctd_rollup_table *table);

#endif
