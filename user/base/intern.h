/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* intern.h - finds an equal element of a caller's array by its hash: equal elements get one index. */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Start from a zeroed struct. */
struct ctd_intern {
	uint64_t *hashes; /* owned; of each element */
	size_t count; /* of elements */
	uint32_t *slots; /* owned; index + 1 at the element's hash; 0: free */
	size_t slots_count; /* a power of two, more than twice the count; or 0 */
};

/* Is the element at @p index the one that is looked for? */
typedef bool ctd_intern_equal(size_t index, const void *wanted);

/* @return the index of the element, or the count where there is none. */
size_t ctd_intern_find(const struct ctd_intern *intern, uint64_t hash, ctd_intern_equal *equal,
		       const void *wanted);
/* Makes room for one more element. @return 0 or -ENOMEM. */
int ctd_intern_reserve(struct ctd_intern *intern);
/* Adds an element that was not found, after ctd_intern_reserve(). Its index is the old count. */
void ctd_intern_add(struct ctd_intern *intern, uint64_t hash);
void ctd_intern_free(struct ctd_intern *intern);

#endif
