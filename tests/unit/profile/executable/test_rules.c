/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_rules.c - files of one cgroup do not take the unwind rules of all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "profile/executable/executables.h"
#include "unit/profile/elf_image.h"
#include "unit/profile/executable/begin.h"
#include "unit/profile/unwind/eh_frame.h"

/* A file of so many rules, from that offset on, is read. */
static const struct ctd_unwind_table *make(uint32_t count, uint32_t offset, uint64_t cgroup_id)
{
	auto_elf_image struct elf_image image;
	struct section section = {0};
	uint32_t number;

	add_functions(&section, ELF_IMAGE_CODE, count, offset);
	elf_image_begin(&image);
	image.code.p_memsz = image.code.p_filesz = 0x100000;
	number = elf_image_add(&image, ".eh_frame", SHT_PROGBITS, section.bytes, section.count);
	image.sections[number].sh_addr = SECTION_ADDRESS;
	elf_image_end(&image);
	assert_int_equal(
		ctd_executables_add(executables, image.fd, "/file", -1, cgroup_id, &number), 1);
	assert_int_equal(ctd_executables_make(executables), 1);
	return &ctd_executables_get(executables, number)->table;
}

static void files_of_one_cgroup_do_not_take_the_rules_of_all(void **state)
{
	size_t added = 0;

	(void)state;
	for (uint32_t i = 0; i < 12; i++) {
		const struct ctd_unwind_table *table = make(2000, 0x2000 + 2000 * i, 7);

		added += table->rules_added;
		assert_int_equal(table->unsupported_rows, 2000 - table->rules_added);
	}
	assert_int_equal(added, CTD_RULES_OF_OWNER_MAX);
	/* What is there already may be had. */
	assert_int_equal(make(1000, 0x2000, 7)->unsupported_rows, 0);
	assert_int_equal(make(2000, 0x20000, 8)->unsupported_rows, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_of_one_cgroup_do_not_take_the_rules_of_all),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
