/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* elf_symbols.c - the functions of an ELF file, also those without a name. */
#include "profile/symbols/elf_symbols.h"

#include <elf.h>
#include <string.h>

#include "profile/elf/limits.h"
#include "profile/unwind/entry.h"

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
static size_t bytes_of_names(const struct ctd_elf_section *strings)
{
	const char *last = memrchr(strings->bytes, '\0', strings->count);

	return last ? (size_t)(last - (const char *)strings->bytes) + 1 : 0;
}

/* @p file: whose addresses count; @p from: where the symbols are. */
static int add_symbols(struct ctd_symbols_reader *reader, const struct ctd_elf *file,
		       const struct ctd_elf *from, uint32_t type)
{
	struct ctd_elf_section symbols, strings;
	size_t names_bytes;
	int err = 0;

	if (ctd_elf_section_of_type(from, type, CTD_SYMBOLS_BYTES_MAX, &symbols) ||
	    ctd_elf_section_numbered(from, symbols.link, CTD_STRINGS_BYTES_MAX, &strings))
		return 0;
	names_bytes = bytes_of_names(&strings);
	for (size_t i = 0; !err && !reader->dropped && i < symbols.count / sizeof(Elf64_Sym); i++) {
		const char *name;
		Elf64_Sym symbol;

		memcpy(&symbol, (const char *)symbols.bytes + i * sizeof(symbol), sizeof(symbol));
		if (!is_function(file, &symbol) || symbol.st_name >= names_bytes)
			continue;
		name = (const char *)strings.bytes + symbol.st_name;
		if (!*name || is_mark(&symbol, name))
			continue;
		err = ctd_symbols_reader_add(reader,
					     (struct ctd_read_symbol){
						     .start = symbol.st_value,
						     .bytes = symbol.st_size < UINT32_MAX
								      ? (uint32_t)symbol.st_size
								      : UINT32_MAX,
						     .rank = rank_of(&symbol, name, type),
						     .name = name,
						     .name_bytes = name_bytes(name),
					     });
	}
	return err;
}

static int add_nameless(struct ctd_symbols_reader *reader, const struct ctd_elf *file)
{
	struct ctd_elf_section section;
	struct ctd_eh_frame frame;
	struct ctd_bytes cursor;
	struct ctd_fde fde;
	int got, err = 0;

	if (ctd_elf_section_named(file, ".eh_frame", CTD_EH_FRAME_BYTES_MAX, &section))
		return 0;
	ctd_eh_frame_begin(&frame, section.bytes, section.count, section.address);
	cursor = frame.section;
	while (!err && !reader->dropped && (got = ctd_eh_frame_next(&frame, &cursor, &fde)))
		if (got > 0 && fde.start >= file->code_start && fde.end <= file->code_end)
			err = ctd_symbols_reader_add(
				reader,
				(struct ctd_read_symbol){.start = fde.start,
							 .bytes = (uint32_t)(fde.end - fde.start)});
	return err;
}

int ctd_elf_symbols_read(const struct ctd_elf *file, const struct ctd_elf *debug,
			 struct ctd_symbols *ret_symbols)
{
	auto_ctd_symbols_reader struct ctd_symbols_reader reader = {0};
	int err;

	err = add_symbols(&reader, file, file, SHT_SYMTAB);
	if (!err)
		err = add_symbols(&reader, file, file, SHT_DYNSYM);
	if (!err && debug)
		err = add_symbols(&reader, file, debug, SHT_SYMTAB);
	if (!err)
		err = add_nameless(&reader, file);
	return err ? err : ctd_symbols_make(&reader, file->code_end, ret_symbols);
}
