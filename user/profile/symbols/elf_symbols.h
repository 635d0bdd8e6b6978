/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* elf_symbols.h - the functions of an ELF file, also those without a name. */
#ifndef PROFILE_SYMBOLS_ELF_SYMBOLS_H
#define PROFILE_SYMBOLS_ELF_SYMBOLS_H

#include "profile/elf/parts.h"
#include "profile/symbols/symbols.h"

/* A function that has no symbol but an entry in .eh_frame is one without a name. @return 0 or
 * -ENOMEM. */
int ctd_elf_symbols_read(const struct ctd_elf_parts *parts, struct ctd_symbols *ret_symbols);

#endif
