/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* debug_file.h - separate files of debugging information, by build id. */
#ifndef PROFILE_EXECUTABLE_DEBUG_FILE_H
#define PROFILE_EXECUTABLE_DEBUG_FILE_H

#include "profile/elf/file.h"

/* Looks in /usr/lib/debug/.build-id of the directory @p root. @return 0, -ENOENT or another
 * negative errno. */
int ctd_debug_file_open(int root, const struct ctd_build_id *build_id, int *ret_fd);

#endif
