/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* content.h - a number that stands for all that is read of an executable. */
#ifndef PROFILE_EXECUTABLE_CONTENT_H
#define PROFILE_EXECUTABLE_CONTENT_H

#include "profile/elf/file.h"

/* A secret of this run. */
struct ctd_content_secret {
	uint64_t point;
};
void ctd_content_secret_make(struct ctd_content_secret *secret);

/*
 * Of build id, code range, segments, .eh_frame and symbols of @p file, and of the symbols of its
 * separate file of debugging information (NULL: none). A build id alone is not trusted: every
 * container can write one. Without the secret nobody makes two contents of one number: the chance
 * is one in 2^37 for files of 100 MB.
 */
uint64_t ctd_content_of(const struct ctd_elf *file, const struct ctd_elf *debug,
			const struct ctd_content_secret *secret);

#endif
