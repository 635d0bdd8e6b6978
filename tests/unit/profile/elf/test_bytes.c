/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_bytes.c - numbers are read as DWARF encodes them, and nothing beyond the end. */
#include "profile/elf/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES(...) bytes_of((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static struct ctd_bytes bytes_of(const uint8_t *at, size_t count)
{
	return (struct ctd_bytes){.at = at, .end = at + count, .address = 0x1000};
}

static void numbers_are_little_endian(void **state)
{
	struct ctd_bytes bytes = BYTES(1, 2, 3, 4, 5, 6, 7, 8, 9);

	(void)state;
	assert_int_equal(ctd_bytes_number(&bytes, 1), 1);
	assert_int_equal(ctd_bytes_number(&bytes, 8), 0x0908070605040302);
	assert_int_equal(ctd_bytes_left(&bytes), 0);
	assert_int_equal(bytes.address, 0x1009);
	assert_false(bytes.failed);
	assert_int_equal(ctd_bytes_number(&bytes, 1), 0);
	assert_true(bytes.failed);
}

static void leb128_is_that_of_the_standard(void **state)
{
	/* DWARF 5, tables C.1 and C.2. */
	struct ctd_bytes bytes =
		BYTES(2, 127, 0x80, 1, 0x81, 1, 0xb9, 0x64, 2, 0x7e, 0xff, 0, 0x81, 0x7f, 0x80, 1);

	(void)state;
	assert_int_equal(ctd_bytes_uleb(&bytes), 2);
	assert_int_equal(ctd_bytes_uleb(&bytes), 127);
	assert_int_equal(ctd_bytes_uleb(&bytes), 128);
	assert_int_equal(ctd_bytes_uleb(&bytes), 129);
	assert_int_equal(ctd_bytes_uleb(&bytes), 12857);
	assert_int_equal(ctd_bytes_sleb(&bytes), 2);
	assert_int_equal(ctd_bytes_sleb(&bytes), -2);
	assert_int_equal(ctd_bytes_sleb(&bytes), 127);
	assert_int_equal(ctd_bytes_sleb(&bytes), -127);
	assert_int_equal(ctd_bytes_sleb(&bytes), 128);
	assert_false(bytes.failed);
}

static void leb128_of_any_length_ends(void **state)
{
	struct ctd_bytes bytes = BYTES(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
				       0xff, 0xff, 0x7f, 0x80, 0x80);

	(void)state;
	assert_int_equal(ctd_bytes_sleb(&bytes), -1);
	assert_false(bytes.failed);
	assert_int_equal(ctd_bytes_uleb(&bytes), 0);
	assert_true(bytes.failed);
}

static void a_part_ends_where_it_was_said(void **state)
{
	struct ctd_bytes bytes = BYTES(1, 2, 3, 4);
	struct ctd_bytes part = ctd_bytes_take(&bytes, 2);

	(void)state;
	assert_int_equal(ctd_bytes_left(&part), 2);
	assert_int_equal(ctd_bytes_number(&bytes, 1), 3);
	part = ctd_bytes_take(&bytes, UINT64_MAX);
	assert_true(part.failed);
	assert_true(bytes.failed);
	assert_int_equal(ctd_bytes_left(&part), 0);
}

static void pointers_are_absolute_or_relative_to_themselves(void **state)
{
	struct ctd_bytes bytes = BYTES(0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 0, 5, 6);

	(void)state;
	assert_int_equal(ctd_bytes_pointer(&bytes, CTD_POINTER_RELATIVE | CTD_POINTER_S32), 0xffe);
	assert_int_equal(ctd_bytes_pointer(&bytes, CTD_POINTER_ABSOLUTE), 1);
	assert_false(bytes.failed);
	/* To the text or the data segment, which nobody knows here. */
	assert_int_equal(ctd_bytes_pointer(&bytes, 0x30 | CTD_POINTER_U16), 0);
	assert_true(bytes.failed);
	bytes = BYTES(1, 2, 3, 4, 5, 6, 7, 8);
	assert_int_equal(ctd_bytes_pointer(&bytes, CTD_POINTER_OMITTED), 0);
	assert_true(bytes.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_little_endian),
		cmocka_unit_test(leb128_is_that_of_the_standard),
		cmocka_unit_test(leb128_of_any_length_ends),
		cmocka_unit_test(a_part_ends_where_it_was_said),
		cmocka_unit_test(pointers_are_absolute_or_relative_to_themselves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
