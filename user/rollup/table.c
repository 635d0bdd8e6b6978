/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* table.c - finds the row of a key, or adds one: an open hash table. */
#include "rollup/key.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int grow_rows(struct ctd_rollup_table *table, size_t capacity)
{
	void *rows, *keys, *hashes;

	rows = reallocarray(table->rows, capacity, sizeof(*table->rows));
	if (rows)
		table->rows = rows;
	keys = reallocarray(table->keys, capacity, sizeof(*table->keys));
	if (keys)
		table->keys = keys;
	hashes = reallocarray(table->hashes, capacity, sizeof(*table->hashes));
	if (hashes)
		table->hashes = hashes;
	if (!rows || !keys || !hashes)
		return -ENOMEM;
	table->capacity = capacity;
	return 0;
}

/* The slot of a key, or the free one where it would go. There is a free one. */
static uint32_t *find(const struct ctd_rollup_table *table, const struct ctd_rollup_key *key,
		      uint64_t hash)
{
	size_t mask = table->slots_count - 1, at = hash & mask;

	for (;; at = (at + 1) & mask) {
		uint32_t row = table->slots[at];

		if (!row || (table->hashes[row - 1] == hash &&
			     ctd_rollup_key_equal(&table->keys[row - 1], key)))
			return &table->slots[at];
	}
}

/* At least twice as many slots as there may be rows until the next time. */
static int grow_slots(struct ctd_rollup_table *table)
{
	size_t count = 64, mask;
	uint32_t *slots;

	while (count < 2 * table->capacity)
		count *= 2;
	mask = count - 1;
	slots = calloc(count, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	for (size_t row = 0; row < table->rows_count; row++) {
		size_t at = table->hashes[row] & mask;

		while (slots[at])
			at = (at + 1) & mask;
		slots[at] = (uint32_t)row + 1;
	}
	free(table->slots);
	table->slots = slots;
	table->slots_count = count;
	return 0;
}

int ctd_rollup_table_reserve(struct ctd_rollup_table *table, size_t rows)
{
	return grow_rows(table, rows) || grow_slots(table) ? -ENOMEM : 0;
}

int ctd_rollup_table_get(struct ctd_rollup_table *table, const struct ctd_rollup_key *key,
			 size_t *ret_row)
{
	uint64_t hash = ctd_rollup_key_hash(key);
	uint32_t *slot;
	size_t row;

	if (table->rows_count == table->capacity &&
	    ctd_rollup_table_reserve(table, 2 * table->capacity))
		return -ENOMEM;
	slot = find(table, key, hash);
	if (*slot) {
		*ret_row = *slot - 1;
		return 0;
	}
	row = table->rows_count++;
	*slot = (uint32_t)row + 1;
	table->keys[row] = *key;
	table->hashes[row] = hash;
	table->rows[row] = (struct ctd_rollup_row){
		.kind = key->kind,
		.pid = key->pid,
		.cgroup_id = key->cgroup_id,
		.identity = key->identity,
		.parent = -1,
	};
	/* A container is known by its cgroup; a pod too, if what was found is the pod's own. */
	if (key->kind == CTD_ROLLUP_CONTAINER ||
	    (key->kind == CTD_ROLLUP_POD && !key->identity->container_id[0]))
		table->rows[row].cgroup_id = key->identity->cgroup_id;
	*ret_row = row;
	return 0;
}

bool ctd_rollup_table_find(const struct ctd_rollup_table *table, const struct ctd_rollup_key *key,
			   size_t *ret_row)
{
	const uint32_t *slot = find(table, key, ctd_rollup_key_hash(key));

	if (*slot)
		*ret_row = *slot - 1;
	return *slot;
}

void ctd_rollup_table_free(struct ctd_rollup_table *table)
{
	free(table->rows);
	free(table->keys);
	free(table->hashes);
	free(table->slots);
	*table = (struct ctd_rollup_table){0};
}
