/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_file.c - sections, code and build id are found, and files that are none are refused. */
#include "profile/elf/file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/auto.h"
#include "base/root.h"

static char *image;
static size_t image_bytes;

static int begin(void **state)
{
	(void)state;
	return ctd_read_file("/proc/self/exe", 1 << 28, &image, &image_bytes);
}

static int end(void **state)
{
	(void)state;
	free(image);
	return 0;
}

static void our_own_program_has_code_sections_and_segments(void **state)
{
	auto_ctd_elf struct ctd_elf file = {0};
	autoclose int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct ctd_elf_section section;

	(void)state;
	assert_int_equal(ctd_elf_open(fd, &file), 0);
	assert_true(file.code_start < file.code_end);
	assert_true(file.segments.count >= 1);
	assert_int_equal(ctd_elf_section_named(&file, ".eh_frame", 1 << 28, &section), 0);
	assert_true(section.count > 100);
	assert_int_equal(ctd_elf_section_named(&file, ".eh_frame", 100, &section), -EFBIG);
	assert_int_equal(ctd_elf_section_named(&file, ".no_such", 100, &section), -ENODATA);
	/* It has no contents in the file. */
	assert_int_equal(ctd_elf_section_named(&file, ".bss", 1 << 28, &section), -ENODATA);
	assert_int_equal(ctd_elf_section_of_type(&file, SHT_SYMTAB, 1 << 28, &section), 0);
	assert_int_equal(ctd_elf_section_numbered(&file, section.link, 1 << 28, &section), 0);
	assert_int_equal(ctd_elf_section_numbered(&file, 100000, 1 << 28, &section), -ENODATA);
}

static void a_file_in_memory_is_the_same_file(void **state)
{
	auto_ctd_elf struct ctd_elf file = {0}, on_disk = {0};
	autoclose int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	(void)state;
	assert_int_equal(ctd_elf_open(fd, &on_disk), 0);
	assert_int_equal(ctd_elf_open_memory(image, image_bytes, &file), 0);
	assert_int_equal(file.code_start, on_disk.code_start);
	assert_int_equal(file.code_end, on_disk.code_end);
	assert_int_equal(file.machine, on_disk.machine);
	assert_memory_equal(&file.build_id, &on_disk.build_id, sizeof(file.build_id));
}

static void bytes_of_a_section_are_those_of_the_file(void **state)
{
	auto_ctd_elf struct ctd_elf file = {0}, in_memory = {0};
	autoclose int fd = memfd_create("copy", MFD_CLOEXEC);
	struct ctd_elf_section section;
	autofree void *bytes = NULL, *same = NULL;
	char piece[10];

	(void)state;
	assert_int_equal(write(fd, image, image_bytes), image_bytes);
	assert_int_equal(ctd_elf_open(fd, &file), 0);
	assert_int_equal(ctd_elf_open_memory(image, image_bytes, &in_memory), 0);
	assert_int_equal(ctd_elf_section_named(&file, ".text", 1 << 28, &section), 0);
	assert_int_equal(ctd_elf_section_copy(&file, &section, &bytes), 0);
	assert_int_equal(ctd_elf_section_copy(&in_memory, &section, &same), 0);
	assert_memory_equal(bytes, image + section.offset, section.count);
	assert_memory_equal(same, bytes, section.count);
	assert_int_equal(ctd_elf_section_read(&file, &section, 7, piece, sizeof(piece)), 0);
	assert_memory_equal(piece, (char *)bytes + 7, sizeof(piece));
	/* It was cut short since. */
	assert_int_equal(ftruncate(fd, (off_t)section.offset + 10), 0);
	assert_int_equal(ctd_elf_section_read(&file, &section, 7, piece, sizeof(piece)), -ENODATA);
}

static int open_changed(size_t at, uint8_t byte)
{
	auto_ctd_elf struct ctd_elf file = {0};
	char before = image[at];
	int err;

	image[at] = (char)byte;
	err = ctd_elf_open_memory(image, image_bytes, &file);
	image[at] = before;
	return err;
}

static void what_is_no_program_of_64_bits_is_refused(void **state)
{
	auto_ctd_elf struct ctd_elf file = {0};
	autoclose int fd = memfd_create("text", MFD_CLOEXEC);
	struct ctd_elf none;

	(void)state;
	assert_int_equal(open_changed(0, 0), -ENOEXEC);
	assert_int_equal(open_changed(EI_CLASS, ELFCLASS32), -ENOEXEC);
	assert_int_equal(open_changed(EI_DATA, ELFDATA2MSB), -ENOEXEC);
	assert_int_equal(open_changed(offsetof(Elf64_Ehdr, e_type), ET_CORE), -ENOEXEC);
	assert_int_equal(ctd_elf_open_memory(image, 10, &none), -ENOEXEC);
	assert_int_equal(ctd_elf_open(fd, &none), -ENOEXEC);
	assert_int_equal(ctd_elf_open_memory(image, image_bytes, &file), 0);
}

/* libelf would allocate for as many as the first section says. */
static void a_number_of_sections_beyond_the_header_is_refused(void **state)
{
	size_t at = offsetof(Elf64_Ehdr, e_shnum);
	char before[2];
	struct ctd_elf none;

	(void)state;
	memcpy(before, image + at, 2);
	memset(image + at, 0, 2);
	assert_int_equal(ctd_elf_open_memory(image, image_bytes, &none), -ENOEXEC);
	memcpy(image + at, before, 2);
}

static void a_file_cut_anywhere_is_read_or_refused(void **state)
{
	(void)state;
	for (size_t bytes = 0; bytes < image_bytes; bytes += 1 + bytes / 7) {
		char *cut = malloc(bytes);
		struct ctd_elf_section section;
		struct ctd_elf file;

		assert_true(cut || !bytes);
		memcpy(cut, image, bytes);
		if (!ctd_elf_open_memory(cut, bytes, &file)) {
			ctd_elf_section_named(&file, ".eh_frame", 1 << 28, &section);
			ctd_elf_close(&file);
		}
		free(cut);
	}
}

static void the_bias_leads_from_the_process_to_the_file(void **state)
{
	/* Code at 0x2040 in the file is at 0x3040 by its headers. */
	const struct ctd_elf_segments segments = {
		.count = 2,
		.segments = {{.address = 0x3040, .offset = 0x2040, .bytes = 0x1000},
			     {.address = 0x90000, .offset = 0x20000, .bytes = 0x500}}};
	uint64_t bias = 7;

	(void)state;
	assert_int_equal(ctd_elf_bias(&segments, 0x7f0000002000, 0x2000, &bias), 0);
	assert_int_equal(0x7f0000002040 - bias, 0x3040);
	/* A later part of the segment, as mprotect(2) leaves it. */
	assert_int_equal(ctd_elf_bias(&segments, 0x7f0000003000, 0x3000, &bias), 0);
	assert_int_equal(0x7f0000003000 - bias, 0x4000);
	assert_int_equal(ctd_elf_bias(&segments, 0x7f0000070000, 0x20000, &bias), 0);
	assert_int_equal(0x7f0000070000 - bias, 0x90000);
	assert_int_equal(ctd_elf_bias(&segments, 0x7f0000070000, 0x40000, &bias), -ENODATA);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(our_own_program_has_code_sections_and_segments),
		cmocka_unit_test(a_file_in_memory_is_the_same_file),
		cmocka_unit_test(bytes_of_a_section_are_those_of_the_file),
		cmocka_unit_test(what_is_no_program_of_64_bits_is_refused),
		cmocka_unit_test(a_number_of_sections_beyond_the_header_is_refused),
		cmocka_unit_test(a_file_cut_anywhere_is_read_or_refused),
		cmocka_unit_test(the_bias_leads_from_the_process_to_the_file),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
