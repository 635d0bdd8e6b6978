/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* content.h - a number that stands for all that is read of an executable. */
#ifndef PROFILE_EXECUTABLE_CONTENT_H
#define PROFILE_EXECUTABLE_CONTENT_H

#include "profile/elf/parts.h"

/* A secret of this run. */
struct ctd_content_secret {
	uint64_t point;
};
void ctd_content_secret_make(struct ctd_content_secret *secret);

/*
 * Of build id, code range and segments of a file, and of all of its parts. A build id alone is not
 * trusted: every container can write one. Without the secret nobody makes two contents of one
 * number: the chance is one in 2^37 for files of 100 MB.
 * @return 0, or -ENODATA: it was cut short.
 */
int ctd_content_of(const struct ctd_elf_parts *parts, const struct ctd_content_secret *secret,
		   uint64_t *ret_content);

#endif
