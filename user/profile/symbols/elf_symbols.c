/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* elf_symbols.c - the functions of an ELF file, also those without a name. */
#include "profile/symbols/elf_symbols.h"

#include <elf.h>
#include <errno.h>
#include <string.h>

#include "base/auto.h"
#include "profile/unwind/entry.h"

/* Read at once. */
#define PIECE_SYMBOLS 512

/* What the file exports is the name that people know. Otherwise as perf chooses among several: a
 * function before a label, global before local before weak, few '_' before many. */
static uint32_t rank_of(const Elf64_Sym *symbol, const char *name, uint32_t type)
{
	uint32_t rank = type == SHT_DYNSYM ? 1 << 7 : 0, underscores = 0;
	unsigned int bind = ELF64_ST_BIND(symbol->st_info);

	while (underscores < 7 && name[underscores] == '_')
		underscores++;
	if (ELF64_ST_TYPE(symbol->st_info) != STT_NOTYPE)
		rank |= 1 << 6;
	if (symbol->st_size)
		rank |= 1 << 5;
	if (bind == STB_GLOBAL)
		rank |= 2 << 3;
	else if (bind != STB_WEAK)
		rank |= 1 << 3;
	return rank | (7 - underscores);
}

static bool is_function(const struct ctd_elf *file, const Elf64_Sym *symbol)
{
	unsigned int type = ELF64_ST_TYPE(symbol->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) &&
	       symbol->st_shndx != SHN_UNDEF && symbol->st_value >= file->code_start &&
	       symbol->st_value < file->code_end;
}

/* "$x" and "$d", also with more behind a '.', mark code and data of arm64 (ELF for the Arm 64-bit
 * architecture, "Mapping symbols"): functions of Swift begin with "$s". ".L" is the compiler's. */
static bool is_mark(const Elf64_Sym *symbol, const char *name)
{
	if (name[0] == '.')
		return name[1] == 'L';
	return name[0] == '$' && ELF64_ST_TYPE(symbol->st_info) == STT_NOTYPE &&
	       (name[1] == 'x' || name[1] == 'd') && (!name[2] || name[2] == '.');
}

/* Without the version that .symtab adds: "getaddrinfo@@GLIBC_2.2.5". Looks no further than a name
 * may be long: millions of symbols may be parts of one text. */
static uint32_t name_bytes(const char *name)
{
	size_t bytes = strnlen(name, CTD_SYMBOL_NAME_MAX);
	const char *version = memchr(name, '@', bytes);

	return (uint32_t)(version && version != name ? (size_t)(version - name) : bytes);
}

/* Up to the last NUL: a name whose end is missing is none. */
static size_t bytes_of_names(const char *text, size_t bytes)
{
	const char *last = memrchr(text, '\0', bytes);

	return last ? (size_t)(last - text) + 1 : 0;
}

/* One of the tables of symbols. */
struct table {
	const struct ctd_elf *file; /* whose addresses count */
	const char *text; /* of all names */
	size_t text_bytes;
	uint32_t type; /* SHT_* */
};

static int add_symbol(struct ctd_symbols_reader *reader, const struct table *table,
		      const Elf64_Sym *symbol)
{
	const char *name;

	if (!is_function(table->file, symbol) || symbol->st_name >= table->text_bytes)
		return 0;
	name = table->text + symbol->st_name;
	if (!*name || is_mark(symbol, name))
		return 0;
	return ctd_symbols_reader_add(reader, (struct ctd_read_symbol){
						      .start = symbol->st_value,
						      .bytes = symbol->st_size < UINT32_MAX
								       ? (uint32_t)symbol->st_size
								       : UINT32_MAX,
						      .rank = rank_of(symbol, name, table->type),
						      .name = name,
						      .name_bytes = name_bytes(name),
					      });
}

/* @p file: whose addresses count. *ret_text is the caller's, and what names point to. What was cut
 * short since has none. @return 0 or -ENOMEM. */
static int add_symbols(struct ctd_symbols_reader *reader, const struct ctd_elf *file,
		       const struct ctd_elf_names *from, uint32_t type, char **ret_text)
{
	size_t count = from->symbols.count / sizeof(Elf64_Sym), some;
	struct table table = {.file = file, .type = type};
	Elf64_Sym piece[PIECE_SYMBOLS];
	void *text;
	int err;

	if (!count)
		return 0;
	err = ctd_elf_section_copy(from->file, &from->strings, &text);
	if (err)
		return err == -ENOMEM ? err : 0;
	table.text = *ret_text = text;
	table.text_bytes = bytes_of_names(text, from->strings.count);
	for (size_t at = 0; at < count && !reader->dropped; at += some) {
		some = count - at < PIECE_SYMBOLS ? count - at : PIECE_SYMBOLS;
		if (ctd_elf_section_read(from->file, &from->symbols, at * sizeof(*piece), piece,
					 some * sizeof(*piece)))
			return 0;
		for (size_t i = 0; i < some && !err && !reader->dropped; i++)
			err = add_symbol(reader, &table, &piece[i]);
		if (err)
			return err;
	}
	return 0;
}

static int add_nameless(struct ctd_symbols_reader *reader, const struct ctd_elf_parts *parts)
{
	const struct ctd_elf *file = parts->file;
	autofree void *bytes = NULL;
	struct ctd_eh_frame frame;
	struct ctd_bytes cursor;
	struct ctd_fde fde;
	int got, err;

	if (!parts->frame.count)
		return 0;
	err = ctd_elf_section_copy(file, &parts->frame, &bytes);
	if (err)
		return err == -ENOMEM ? err : 0;
	ctd_eh_frame_begin(&frame, bytes, parts->frame.count, parts->frame.address);
	cursor = frame.section;
	while (!err && !reader->dropped && (got = ctd_eh_frame_next(&frame, &cursor, &fde)))
		if (got > 0 && fde.start >= file->code_start && fde.end <= file->code_end)
			err = ctd_symbols_reader_add(
				reader,
				(struct ctd_read_symbol){.start = fde.start,
							 .bytes = (uint32_t)(fde.end - fde.start)});
	return err;
}

int ctd_elf_symbols_read(const struct ctd_elf_parts *parts, struct ctd_symbols *ret_symbols)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	autofree char *own = NULL, *exported = NULL, *debug = NULL;
	const struct ctd_elf *file = parts->file;
	int err;

	err = add_symbols(&reader, file, &parts->own, SHT_SYMTAB, &own);
	if (!err)
		err = add_symbols(&reader, file, &parts->exported, SHT_DYNSYM, &exported);
	if (!err)
		err = add_symbols(&reader, file, &parts->debug, SHT_SYMTAB, &debug);
	if (!err)
		err = add_nameless(&reader, parts);
	return err ? err : ctd_symbols_make(&reader, file->code_end, ret_symbols);
}
