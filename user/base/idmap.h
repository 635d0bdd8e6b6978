/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* idmap.h - a map from a 64-bit id to a number or pointer; open addressing; id 0 is allowed. */
#ifndef BASE_IDMAP_H
#define BASE_IDMAP_H

#include <stddef.h>
#include <stdint.h>

struct ctd_idmap {
	struct ctd_idmap_slot *slots; /* owned */
	size_t capacity; /* 0 or a power of two */
	size_t count;
};

/* Start from a zeroed struct. @return 0 or -ENOMEM; an existing id gets the new value,
 * which never fails. */
int ctd_idmap_set(struct ctd_idmap *map, uint64_t id, uintptr_t value);
/* @return 1 and the value, or 0. */
int ctd_idmap_get(const struct ctd_idmap *map, uint64_t id, uintptr_t *ret_value);
void ctd_idmap_remove(struct ctd_idmap *map, uint64_t id);
/* Walks the map: start with *cursor = 0; @return 0 at the end. The map must not change meanwhile. */
int ctd_idmap_next(const struct ctd_idmap *map, size_t *cursor, uint64_t *ret_id,
		   uintptr_t *ret_value);
void ctd_idmap_free(struct ctd_idmap *map);

#endif
