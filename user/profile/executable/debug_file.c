/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* debug_file.c - separate files of debugging information, by build id. */
#include "profile/executable/debug_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "profile/process/open.h"

#define DEBUG_FILE_BYTES_MAX (UINT64_C(8) << 30)

int ctd_debug_file_open(int root, const struct ctd_build_id *build_id, int *ret_fd)
{
	char path[64 + 2 * CTD_BUILD_ID_BYTES_MAX];
	int at;

	if (root < 0 || build_id->count < 2)
		return -ENOENT;
	at = snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%02x/", build_id->bytes[0]);
	for (uint8_t i = 1; i < build_id->count; i++)
		at += snprintf(path + at, sizeof(path) - (size_t)at, "%02x", build_id->bytes[i]);
	snprintf(path + at, sizeof(path) - (size_t)at, ".debug");
	return ctd_open_within(root, path, DEBUG_FILE_BYTES_MAX, ret_fd);
}
