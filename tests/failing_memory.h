/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* failing_memory.h - lets one allocation of a test program fail; one file per folder includes it. */
#ifndef TESTS_FAILING_MEMORY_H
#define TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stdlib.h>

static long left = -1; /* allocations until one fails; -1: none does */

/* The allocation after the next @p count ones fails; with -1 none does. */
static inline void fail_allocation(long count)
{
	left = count;
}

/* @return whether the allocation that was to fail has done so. */
static inline bool allocation_failed(void)
{
	return left < 0;
}

/* With the sanitizer, which has the allocator, none ever does. */
#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
#define CAN_FAIL 1

/* glibc's own, beneath the names that a program may take for itself. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);

static bool fails(void)
{
	if (left < 0)
		return false;
	return left-- == 0;
}

void *malloc(size_t bytes)
{
	return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return fails() ? NULL : __libc_realloc(old, bytes);
}

#else
#define CAN_FAIL 0
#endif

#endif
