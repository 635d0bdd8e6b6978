/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* dwarf.h - finds lines and inlined functions of instructions in the debugging information of a
 * file. */
#ifndef PROFILE_LINES_DWARF_H
#define PROFILE_LINES_DWARF_H

#include "profile/lines/lines.h"

struct Elf;

/*
 * Of @p addresses, which are in order; the keys of the chains are their indices. libdw is not made
 * for files of an enemy: to be called where only the caller's own process is lost.
 * @return 0, -ENOMEM, -E2BIG, or -ENOEXEC: it is no such file.
 */
int ctd_dwarf_find(struct Elf *elf, const uint64_t *addresses, size_t count,
		   struct ctd_lines *lines);

#endif
