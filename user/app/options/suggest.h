/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* suggest.h - the name that was probably meant. */
#ifndef OPTIONS_SUGGEST_H
#define OPTIONS_SUGGEST_H

#include <stddef.h>

/* The nearest of the names it has been shown. */
struct ctd_suggestion {
	const char *given; /* what somebody typed */
	const char *nearest; /* NULL: none is near */
	size_t distance;
};

/* Shows it a name, which must outlive it. */
void ctd_suggestion_try(struct ctd_suggestion *suggestion, const char *name);

#endif
