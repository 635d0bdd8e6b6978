/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_elf_symbols.c - functions of a file have their names, and none takes long to be read. */
#include "profile/symbols/elf_symbols.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "base/auto.h"
#include "unit/profile/elf_image.h"

static Elf64_Sym symbol_of(uint64_t offset, uint32_t name, unsigned char type)
{
	return (Elf64_Sym){.st_name = name,
			   .st_info = ELF64_ST_INFO(STB_GLOBAL, type),
			   .st_shndx = 1,
			   .st_value = ELF_IMAGE_CODE + offset,
			   .st_size = 1};
}

static void read_symbols(struct elf_image *image, struct ctd_symbols *ret_symbols)
{
	auto_ctd_elf struct ctd_elf file = {0};
	struct ctd_elf_parts parts;

	elf_image_end(image);
	assert_int_equal(ctd_elf_open(image->fd, &file), 0);
	ctd_elf_parts_find(&file, NULL, &parts);
	assert_int_equal(ctd_elf_symbols_read(&parts, ret_symbols), 0);
}

static const char *name_at(const struct ctd_symbols *symbols, uint64_t offset)
{
	static struct ctd_symbol_text text;
	const struct ctd_symbol *symbol = ctd_symbols_find(symbols, ELF_IMAGE_CODE + offset);

	return symbol ? ctd_symbols_name(symbols, symbol, &text) : "(none)";
}

static void names_end_with_their_version_or_with_nul(void **state)
{
	static const char names[] = "\0plain\0versioned@@GLIBC_2.2.5\0@strange\0endless@";
	auto_elf_image struct elf_image image;
	auto_ctd_symbols struct ctd_symbols symbols = {0};
	const Elf64_Sym list[] = {
		symbol_of(0, 1, STT_FUNC),
		symbol_of(1, 7, STT_FUNC),
		symbol_of(2, 30, STT_FUNC),
		symbol_of(3, 39, STT_FUNC),
	};

	(void)state;
	elf_image_begin(&image);
	/* The last NUL is not in the section. */
	elf_image_add_symbols(&image, SHT_SYMTAB, list, 4, names, sizeof(names) - 1);
	read_symbols(&image, &symbols);
	assert_string_equal(name_at(&symbols, 0), "plain");
	assert_string_equal(name_at(&symbols, 1), "versioned");
	assert_string_equal(name_at(&symbols, 2), "@strange");
	assert_string_equal(name_at(&symbols, 3), "(none)");
}

static void marks_of_arm64_are_no_functions_and_those_of_swift_are(void **state)
{
	static const char names[] = "\0$x\0$d.17\0$s4main3runyyF\0$x\0$dollar\0.Llabel";
	auto_elf_image struct elf_image image;
	auto_ctd_symbols struct ctd_symbols symbols = {0};
	const Elf64_Sym list[] = {
		symbol_of(0, 1, STT_NOTYPE),  symbol_of(1, 4, STT_NOTYPE),
		symbol_of(2, 10, STT_FUNC),   symbol_of(3, 25, STT_FUNC),
		symbol_of(4, 28, STT_NOTYPE), symbol_of(5, 36, STT_NOTYPE),
	};

	(void)state;
	elf_image_begin(&image);
	elf_image_add_symbols(&image, SHT_SYMTAB, list, 6, names, sizeof(names));
	read_symbols(&image, &symbols);
	assert_string_equal(name_at(&symbols, 0), "(none)");
	assert_string_equal(name_at(&symbols, 1), "(none)");
	assert_string_equal(name_at(&symbols, 2), "$s4main3runyyF");
	/* Somebody's function. */
	assert_string_equal(name_at(&symbols, 3), "$x");
	assert_string_equal(name_at(&symbols, 4), "$dollar");
	assert_string_equal(name_at(&symbols, 5), "(none)");
}

/* Each symbol's name is all that follows of one that has 4 MB: to look at all of it for each would
 * take minutes. */
static void long_names_of_many_symbols_are_read_in_a_moment(void **state)
{
	enum { COUNT = 200000, NAMES = 4 << 20 };
	auto_elf_image struct elf_image image;
	auto_ctd_symbols struct ctd_symbols symbols = {0};
	autofree Elf64_Sym *list = calloc(COUNT, sizeof(*list));
	autofree char *names = malloc(NAMES);
	clock_t before;

	(void)state;
	assert_true(list && names);
	memset(names, 'A', NAMES);
	names[NAMES - 1] = '\0';
	for (uint32_t i = 0; i < COUNT; i++)
		list[i] = symbol_of(i % 4096, i, STT_FUNC);
	elf_image_begin(&image);
	elf_image_add_symbols(&image, SHT_SYMTAB, list, COUNT, names, NAMES);
	before = clock();
	read_symbols(&image, &symbols);
	assert_in_range(clock() - before, 0, 10 * CLOCKS_PER_SEC);
	assert_int_equal(symbols.symbols_count, 4096);
	assert_int_equal(strlen(name_at(&symbols, 7)), CTD_SYMBOL_NAME_MAX);
}

static void nothing_is_read_once_there_is_no_room(void **state)
{
	enum { COUNT = CTD_SYMBOLS_MAX + 100 };
	auto_elf_image struct elf_image image;
	auto_ctd_symbols struct ctd_symbols symbols = {0};
	autofree Elf64_Sym *list = calloc(COUNT, sizeof(*list));

	(void)state;
	assert_non_null(list);
	for (uint32_t i = 0; i < COUNT; i++)
		list[i] = symbol_of(i % 4096, 1, STT_FUNC);
	elf_image_begin(&image);
	elf_image_add_symbols(&image, SHT_SYMTAB, list, COUNT, "\0name", 6);
	read_symbols(&image, &symbols);
	assert_string_equal(name_at(&symbols, 7), "name");
	assert_int_equal(symbols.dropped, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_end_with_their_version_or_with_nul),
		cmocka_unit_test(marks_of_arm64_are_no_functions_and_those_of_swift_are),
		cmocka_unit_test(long_names_of_many_symbols_are_read_in_a_moment),
		cmocka_unit_test(nothing_is_read_once_there_is_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
