/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* parts.h - the sections of a program that are read, which together are bounded. */
#ifndef PROFILE_ELF_PARTS_H
#define PROFILE_ELF_PARTS_H

#include "profile/elf/file.h"

/*
 * A container may write sections of any size into a file that takes no room on disk. Held in memory
 * at once are .eh_frame and all names, of a file with its separate file of debugging information:
 * of a debug build of clang these are 286 MiB. With what is made of them and all else that a
 * service has it stays below the 512 MB that deployments give it.
 */
#define CTD_ELF_HELD_BYTES_MAX (288 << 20)
/* Symbols are read in pieces. */
#define CTD_ELF_SYMBOLS_BYTES_MAX (128 << 20)

struct ctd_elf_names {
	const struct ctd_elf *file; /* borrowed: where they are */
	/* count 0: there are none, or their names have no room */
	struct ctd_elf_section symbols, strings;
};

struct ctd_elf_parts {
	const struct ctd_elf *file; /* borrowed */
	struct ctd_elf_section frame; /* .eh_frame; count 0: likewise */
	struct ctd_elf_names exported; /* .dynsym */
	struct ctd_elf_names own; /* .symtab */
	struct ctd_elf_names debug; /* .symtab of the file of debugging information */
	size_t bytes; /* of all */
};

/* In that order, as long as there is room. @p debug: NULL if there is none. Borrowed. */
void ctd_elf_parts_find(const struct ctd_elf *file, const struct ctd_elf *debug,
			struct ctd_elf_parts *ret_parts);

#endif
