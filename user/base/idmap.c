/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* idmap.c - a hash map from 64-bit ids, with linear probing. */
#include "base/idmap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

struct ctd_idmap_slot {
	uint64_t id;
	uintptr_t value;
	bool used;
};

/* Fibonacci hashing (Knuth, TAOCP 3, 6.4): spreads ids that only count up, as cgroup ids do. */
static size_t home_of(const struct ctd_idmap *map, uint64_t id)
{
	return (size_t)(id * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (map->capacity - 1);
}

/* The slot of @p id, or the free slot where it would go. The map has a free slot. */
static struct ctd_idmap_slot *find(const struct ctd_idmap *map, uint64_t id)
{
	size_t i = home_of(map, id);

	while (map->slots[i].used && map->slots[i].id != id)
		i = (i + 1) & (map->capacity - 1);
	return &map->slots[i];
}

static int grow(struct ctd_idmap *map)
{
	struct ctd_idmap grown = {.count = map->count,
				  .capacity = map->capacity ? 2 * map->capacity : 16};

	grown.slots = calloc(grown.capacity, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].used)
			*find(&grown, map->slots[i].id) = map->slots[i];
	free(map->slots);
	*map = grown;
	return 0;
}

int ctd_idmap_set(struct ctd_idmap *map, uint64_t id, uintptr_t value)
{
	struct ctd_idmap_slot *slot;
	uintptr_t before;
	int err;

	/* At most three quarters full: probes stay short, and find() ends. An id that is there
	 * needs no room. */
	if (map->count >= map->capacity / 4 * 3 && !ctd_idmap_get(map, id, &before)) {
		err = grow(map);
		if (err)
			return err;
	}
	slot = find(map, id);
	if (!slot->used)
		map->count++;
	*slot = (struct ctd_idmap_slot){.id = id, .value = value, .used = true};
	return 0;
}

int ctd_idmap_get(const struct ctd_idmap *map, uint64_t id, uintptr_t *ret_value)
{
	const struct ctd_idmap_slot *slot;

	if (!map->capacity)
		return 0;
	slot = find(map, id);
	if (!slot->used)
		return 0;
	*ret_value = slot->value;
	return 1;
}

void ctd_idmap_remove(struct ctd_idmap *map, uint64_t id)
{
	size_t mask = map->capacity - 1;
	size_t hole;

	if (!map->capacity || !find(map, id)->used)
		return;
	hole = (size_t)(find(map, id) - map->slots);
	map->count--;
	/* Close the gap: a later slot of the same run moves into the hole unless its home lies
	 * behind the hole, so that no probe ever meets a gap before its id. */
	for (size_t i = (hole + 1) & mask; map->slots[i].used; i = (i + 1) & mask) {
		size_t home = home_of(map, map->slots[i].id);

		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		map->slots[hole] = map->slots[i];
		hole = i;
	}
	map->slots[hole].used = false;
}

int ctd_idmap_next(const struct ctd_idmap *map, size_t *cursor, uint64_t *ret_id,
		   uintptr_t *ret_value)
{
	for (; *cursor < map->capacity; (*cursor)++) {
		const struct ctd_idmap_slot *slot = &map->slots[*cursor];

		if (!slot->used)
			continue;
		*ret_id = slot->id;
		*ret_value = slot->value;
		(*cursor)++;
		return 1;
	}
	return 0;
}

void ctd_idmap_free(struct ctd_idmap *map)
{
	if (!map)
		return;
	free(map->slots);
	*map = (struct ctd_idmap){0};
}
