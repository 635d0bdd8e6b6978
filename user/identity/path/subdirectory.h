/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* subdirectory.h - the directories in a directory. */
#ifndef IDENTITY_PATH_SUBDIRECTORY_H
#define IDENTITY_PATH_SUBDIRECTORY_H

#include <dirent.h>

/*
 * The name of the next directory in @p directory, without "." and "..", never a symbolic link.
 * @return NULL at the end; the name is borrowed until the next call.
 */
const char *ctd_subdirectory_next(DIR *directory);

#endif
