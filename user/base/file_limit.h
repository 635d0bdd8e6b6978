/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* file_limit.h - how many files may be open at once. */
#ifndef BASE_FILE_LIMIT_H
#define BASE_FILE_LIMIT_H

#include <sys/resource.h>

/* As many as may be allowed without rights; best effort: opening one more says EMFILE.
 * @p ret_before, or NULL: as it was, for children that expect that. */
void ctd_file_limit_raise(struct rlimit *ret_before);

#endif
