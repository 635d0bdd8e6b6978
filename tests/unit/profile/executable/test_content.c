/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_content.c - all that is read of an executable makes its number another. */
#include "profile/executable/content.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/profile/elf_image.h"

static struct ctd_content_secret secret;

static int begin(void **state)
{
	(void)state;
	ctd_content_secret_make(&secret);
	return 0;
}

static void begin_whole(struct elf_image *image)
{
	static const Elf64_Sym symbol = {.st_value = ELF_IMAGE_CODE};

	elf_image_begin(image);
	elf_image_add(image, ".eh_frame", SHT_PROGBITS, "frames", 6);
	elf_image_add_symbols(image, SHT_SYMTAB, &symbol, 1, "\0table", 7);
	elf_image_add_symbols(image, SHT_DYNSYM, &symbol, 1, "\0exports", 9);
}

/* @p debug: NULL if there is none. */
static uint64_t number_with(struct elf_image *image, struct elf_image *debug)
{
	auto_ctd_elf struct ctd_elf file = {0}, debug_file = {0};
	struct ctd_elf_parts parts;
	uint64_t content;

	elf_image_end(image);
	assert_int_equal(ctd_elf_open(image->fd, &file), 0);
	if (debug) {
		elf_image_end(debug);
		assert_int_equal(ctd_elf_open(debug->fd, &debug_file), 0);
	}
	ctd_elf_parts_find(&file, debug ? &debug_file : NULL, &parts);
	assert_int_equal(ctd_content_of(&parts, &secret, &content), 0);
	return content;
}

static uint64_t number_of(struct elf_image *image)
{
	return number_with(image, NULL);
}

static void copies_have_one_number(void **state)
{
	auto_elf_image struct elf_image one, other;

	(void)state;
	begin_whole(&one);
	begin_whole(&other);
	assert_true(number_of(&one) == number_of(&other));
	/* Data is not read. */
	elf_image_add(&other, ".data", SHT_PROGBITS, "data", 4);
	assert_true(number_of(&one) == number_of(&other));
}

static void another_range_of_code_is_another_content(void **state)
{
	auto_elf_image struct elf_image image;
	uint64_t number, shorter, longer;

	(void)state;
	begin_whole(&image);
	number = number_of(&image);
	image.code.p_memsz -= 0x800;
	shorter = number_of(&image);
	image.code.p_memsz += 0x1000;
	longer = number_of(&image);
	assert_true(shorter != number && longer != number && shorter != longer);
}

static void each_byte_that_is_read_counts(void **state)
{
	auto_elf_image struct elf_image image;

	(void)state;
	begin_whole(&image);
	for (uint32_t i = 1; i < image.sections_count; i++) {
		uint64_t number = number_of(&image);

		elf_image_write(&image, "x", 1, image.sections[i].sh_offset);
		assert_true(number != number_of(&image));
	}
}

static void a_part_that_is_missing_is_not_one_that_is_elsewhere(void **state)
{
	static const Elf64_Sym symbol = {.st_value = ELF_IMAGE_CODE};
	auto_elf_image struct elf_image bare, table, exports;

	(void)state;
	elf_image_begin(&bare);
	elf_image_begin(&table);
	elf_image_add_symbols(&table, SHT_SYMTAB, &symbol, 1, "\0name", 6);
	elf_image_begin(&exports);
	elf_image_add_symbols(&exports, SHT_DYNSYM, &symbol, 1, "\0name", 6);
	assert_true(number_of(&table) != number_of(&exports));
	assert_true(number_of(&table) != number_with(&bare, &table));
	assert_true(number_of(&exports) != number_with(&bare, &table));
	assert_true(number_of(&bare) != number_with(&bare, &table));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_have_one_number),
		cmocka_unit_test(another_range_of_code_is_another_content),
		cmocka_unit_test(each_byte_that_is_read_counts),
		cmocka_unit_test(a_part_that_is_missing_is_not_one_that_is_elsewhere),
	};

	return cmocka_run_group_tests(tests, begin, NULL);
}
