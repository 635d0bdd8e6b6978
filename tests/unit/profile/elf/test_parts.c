/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_parts.c - what is read of a file has a bound, whatever it says of its sections. */
#include "profile/elf/parts.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/auto.h"
#include "unit/profile/elf_image.h"

static void find_parts(struct elf_image *image, struct ctd_elf *file, struct ctd_elf_parts *parts)
{
	elf_image_end(image);
	assert_int_equal(ctd_elf_open(image->fd, file), 0);
	ctd_elf_parts_find(file, NULL, parts);
}

static void our_own_program_has_all_of_them(void **state)
{
	auto_ctd_elf struct ctd_elf file = {0};
	autoclose int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct ctd_elf_parts parts;

	(void)state;
	assert_int_equal(ctd_elf_open(fd, &file), 0);
	ctd_elf_parts_find(&file, &file, &parts);
	assert_true(parts.frame.count && parts.exported.symbols.count && parts.own.symbols.count);
	assert_int_equal(parts.debug.symbols.offset, parts.own.symbols.offset);
	assert_int_equal(parts.bytes,
			 parts.frame.count + parts.exported.symbols.count +
				 parts.exported.strings.count +
				 2 * (parts.own.symbols.count + parts.own.strings.count));
}

/* Half of what may be held is .eh_frame, and the names of both tables lie in one another, in a file
 * of few kB on disk. */
static void begin_large(struct elf_image *image, uint64_t names_bytes, uint64_t symbols_bytes)
{
	elf_image_begin(image);
	assert_int_equal(ftruncate(image->fd, CTD_ELF_HELD_BYTES_MAX), 0);
	elf_image_place(image, ".eh_frame", SHT_PROGBITS, 0, CTD_ELF_HELD_BYTES_MAX / 2);
	image->sections[elf_image_place(image, ".dynsym", SHT_DYNSYM, 0, symbols_bytes)].sh_link =
		3;
	elf_image_place(image, ".dynstr", SHT_STRTAB, 0, names_bytes);
	image->sections[elf_image_place(image, ".symtab", SHT_SYMTAB, 0, 24)].sh_link = 3;
}

static void what_has_no_room_is_missing(void **state)
{
	auto_elf_image struct elf_image image;
	auto_ctd_elf struct ctd_elf file = {0};
	struct ctd_elf_parts parts;

	(void)state;
	begin_large(&image, CTD_ELF_HELD_BYTES_MAX / 2, 48);
	find_parts(&image, &file, &parts);
	assert_int_equal(parts.frame.count, CTD_ELF_HELD_BYTES_MAX / 2);
	assert_int_equal(parts.exported.symbols.count, 48);
	assert_int_equal(parts.own.symbols.count, 0);
	assert_int_equal(parts.bytes, CTD_ELF_HELD_BYTES_MAX + 48);
}

static void symbols_whose_names_have_no_room_are_missing(void **state)
{
	auto_elf_image struct elf_image image;
	auto_ctd_elf struct ctd_elf file = {0};
	struct ctd_elf_parts parts;

	(void)state;
	begin_large(&image, CTD_ELF_HELD_BYTES_MAX / 2 + 1, 48);
	find_parts(&image, &file, &parts);
	assert_int_equal(parts.exported.symbols.count, 0);
	assert_int_equal(parts.own.symbols.count, 0);
	assert_int_equal(parts.bytes, CTD_ELF_HELD_BYTES_MAX / 2);
}

static void too_many_symbols_leave_their_room_to_others(void **state)
{
	auto_elf_image struct elf_image image;
	auto_ctd_elf struct ctd_elf file = {0};
	struct ctd_elf_parts parts;

	(void)state;
	begin_large(&image, CTD_ELF_HELD_BYTES_MAX / 2, CTD_ELF_SYMBOLS_BYTES_MAX + 1);
	find_parts(&image, &file, &parts);
	assert_int_equal(parts.exported.symbols.count, 0);
	assert_int_equal(parts.own.symbols.count, 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_program_has_all_of_them),
		cmocka_unit_test(what_has_no_room_is_missing),
		cmocka_unit_test(symbols_whose_names_have_no_room_are_missing),
		cmocka_unit_test(too_many_symbols_leave_their_room_to_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
