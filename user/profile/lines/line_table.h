/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* line_table.h - reads .debug_line: which line of which source file an instruction is of. */
#ifndef PROFILE_LINES_LINE_TABLE_H
#define PROFILE_LINES_LINE_TABLE_H

#include "profile/elf/bytes.h"

/*
 * Not by libdw, which puts the rows of all sequences together: of a function that the linker
 * dropped (--gc-sections) the rows stay, at addresses from 0 or from the end on, where in a library
 * there is code. A sequence that does not begin in the code is none.
 */

/* Where the code of a file is. */
struct ctd_code {
	uint64_t start, end;
};
/* Can code that was not dropped begin there? Linkers put what was dropped to 0, 1 or beyond. */
static inline bool ctd_code_begins(const struct ctd_code *code, uint64_t address)
{
	return address > 1 && address >= code->start && address < code->end;
}

/* Sections of a file; those that it lacks are empty. Borrowed. */
struct ctd_line_sections {
	struct ctd_bytes line, line_str, str;
};

/* The line of one instruction. */
struct ctd_line_row {
	uint64_t address;
	uint64_t sequence; /* where that began in which the line was found */
	uint64_t file; /* number in the table */
	uint32_t line; /* 0: not known */
};

/* The table of one unit. */
struct ctd_line_table {
	const struct ctd_line_sections *sections; /* borrowed */
	const char *unit_directory; /* borrowed; NULL: none */
	unsigned int version;
	unsigned int offset_bytes; /* of an offset in other sections */
	uint64_t instruction_bytes; /* at least so long */
	int line_base;
	unsigned int line_range, opcode_base;
	const uint8_t *opcode_lengths; /* borrowed; from opcode 1 on */
	struct ctd_line_name {
		struct ctd_bytes text;
		uint64_t directory;
	} * directories, *files; /* owned */
	size_t directories_count, files_count;
	struct ctd_bytes program;
};

/* The table at @p offset of .debug_line. @return 0, -ENOMEM, or -EBADMSG. */
int ctd_line_table_open(const struct ctd_line_sections *sections, uint64_t offset,
			const char *unit_directory, struct ctd_line_table *ret_table);
/* Finds the lines of @p rows, which are ordered by address; begin with zeros. */
void ctd_line_table_find(const struct ctd_line_table *table, const struct ctd_code *code,
			 struct ctd_line_row *rows, size_t rows_count);
/* The path of a file, cut at the end of @p ret_path. @return false: there is no such file. */
bool ctd_line_table_path(const struct ctd_line_table *table, uint64_t file, size_t bytes,
			 char *ret_path);
void ctd_line_table_close(struct ctd_line_table *table);
#define auto_ctd_line_table __attribute__((cleanup(ctd_line_table_close)))

#endif
