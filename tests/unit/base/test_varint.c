/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_varint.c - numbers come back as they were, and what is none is refused. */
#include "base/varint.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void numbers_come_back(void **state)
{
	static const struct {
		uint64_t value;
		size_t bytes;
	} cases[] = {
		{0, 1},		 {127, 1},	  {128, 2},	    {300, 2},
		{UINT32_MAX, 5}, {1ULL << 62, 9}, {1ULL << 63, 10}, {UINT64_MAX, 10},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		auto_ctd_strbuf struct ctd_strbuf buffer = {0};
		const unsigned char *at, *end;
		uint64_t value;

		ctd_varint_add(&buffer, cases[i].value);
		assert_int_equal(buffer.bytes, cases[i].bytes);
		at = (unsigned char *)buffer.text;
		end = at + buffer.bytes;
		/* Cut off, it is none, and nothing is taken. */
		assert_int_equal(ctd_varint_take(&at, end - 1, &value), -EBADMSG);
		assert_ptr_equal(at, buffer.text);
		assert_int_equal(ctd_varint_take(&at, end, &value), 0);
		assert_ptr_equal(at, end);
		assert_true(value == cases[i].value);
	}
}

static void more_than_sixty_four_bits_are_refused(void **state)
{
	static const unsigned char large[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
				   endless[] = "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01";
	const unsigned char *at = large;
	uint64_t value;

	(void)state;
	assert_int_equal(ctd_varint_take(&at, large + 10, &value), -EBADMSG);
	at = endless;
	assert_int_equal(ctd_varint_take(&at, endless + 12, &value), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_come_back),
		cmocka_unit_test(more_than_sixty_four_bits_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
