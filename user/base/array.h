/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* array.h - arrays that grow. */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

/*
 * Room for @p more elements behind the @p count that there are. How much room there is follows from
 * the count, so that nobody keeps it: as long as only this allocates the array, which begins as
 * NULL.
 * @p array: the address of its pointer. @return 0 or -ENOMEM.
 */
int ctd_array_reserve(void *array, size_t count, size_t more, size_t element_bytes);

#endif
