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
	char text[CTD_BUILD_ID_TEXT_BYTES], path[64 + sizeof(text)];

	if (root < 0 || build_id->count < 2)
		return -ENOENT;
	ctd_build_id_write(build_id, text);
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", text, text + 2);
	return ctd_open_within(root, path, DEBUG_FILE_BYTES_MAX, ret_fd);
}
