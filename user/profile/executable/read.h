/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read.h - reads tables and functions of an executable. */
#ifndef PROFILE_EXECUTABLE_READ_H
#define PROFILE_EXECUTABLE_READ_H

#include "profile/executable/executables.h"

/* Reads what there is; a file without .eh_frame still has functions. @p debug: its separate file of
 * debugging information; NULL: none. @return 0 or -ENOMEM; then nothing was read. */
int ctd_executable_read(const struct ctd_elf *file, const struct ctd_elf *debug,
			struct ctd_unwind_rules *rules, struct ctd_executable *executable);
/* Memory that table and functions take. */
size_t ctd_executable_bytes(const struct ctd_executable *executable);
/* Gives up functions where it takes more: a table alone has at most 16 MB. */
void ctd_executable_shrink(struct ctd_executable *executable, size_t bytes_max);

#endif
