/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* read.h - reads tables and functions of an executable. */
#ifndef PROFILE_EXECUTABLE_READ_H
#define PROFILE_EXECUTABLE_READ_H

#include "profile/elf/parts.h"
#include "profile/executable/executables.h"

/* Of the parts that are there: a file without .eh_frame still has functions. @p rules_of_owner: that
 * its owner's other files have added to @p rules. @return 0 or -ENOMEM; then nothing was read. */
int ctd_executable_read(const struct ctd_elf_parts *parts, size_t rules_of_owner,
			struct ctd_unwind_rules *rules, struct ctd_executable *executable);
/* Frees table and functions, and releases the rules. */
void ctd_executable_drop(struct ctd_executable *executable, struct ctd_unwind_rules *rules);
/* Memory that table and functions take. */
size_t ctd_executable_bytes(const struct ctd_executable *executable);
/* Gives up functions where it takes more: a table alone has at most 16 MB. */
void ctd_executable_shrink(struct ctd_executable *executable, size_t bytes_max);

#endif
