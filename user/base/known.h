/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* known.h - texts of which an empty one says no more than none does. */
#ifndef BASE_KNOWN_H
#define BASE_KNOWN_H

#include <stddef.h>

/* @return @p text, or NULL where it is empty. */
static inline const char *ctd_known(const char *text)
{
	return text && *text ? text : NULL;
}

/* @return @p text, or "" where there is none. */
static inline const char *ctd_or_empty(const char *text)
{
	return text ? text : "";
}

#endif
