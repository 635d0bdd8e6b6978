/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* array.c - arrays that grow. */
#include "base/array.h"

#include <errno.h>
#include <stdlib.h>

#define ELEMENTS_LEAST 64

int ctd_array_reserve(void *array, size_t count, size_t more, size_t element_bytes)
{
	void **place = array, *larger;
	size_t capacity = ELEMENTS_LEAST;

	while (capacity < count)
		capacity *= 2;
	if (*place && count + more <= capacity)
		return 0;
	while (capacity < count + more)
		capacity *= 2;
	larger = reallocarray(*place, capacity, element_bytes);
	if (!larger)
		return -ENOMEM;
	*place = larger;
	return 0;
}
