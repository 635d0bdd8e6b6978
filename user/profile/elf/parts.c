/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* parts.c - the sections of a program that are read, which together are bounded. */
#include "profile/elf/parts.h"

#include <elf.h>

/* @p left: of what may be held. */
static void find_names(const struct ctd_elf *file, uint32_t type, size_t *left,
		       struct ctd_elf_parts *parts, struct ctd_elf_names *ret_names)
{
	struct ctd_elf_names names = {.file = file};

	if (ctd_elf_section_of_type(file, type, CTD_ELF_SYMBOLS_BYTES_MAX, &names.symbols) ||
	    ctd_elf_section_numbered(file, names.symbols.link, *left, &names.strings))
		return;
	*left -= names.strings.count;
	parts->bytes += names.symbols.count + names.strings.count;
	*ret_names = names;
}

void ctd_elf_parts_find(const struct ctd_elf *file, const struct ctd_elf *debug,
			struct ctd_elf_parts *ret_parts)
{
	struct ctd_elf_parts parts = {.file = file};
	size_t left = CTD_ELF_HELD_BYTES_MAX;

	if (!ctd_elf_section_named(file, ".eh_frame", left, &parts.frame))
		left -= parts.bytes = parts.frame.count;
	find_names(file, SHT_DYNSYM, &left, &parts, &parts.exported);
	find_names(file, SHT_SYMTAB, &left, &parts, &parts.own);
	if (debug)
		find_names(debug, SHT_SYMTAB, &left, &parts, &parts.debug);
	*ret_parts = parts;
}
