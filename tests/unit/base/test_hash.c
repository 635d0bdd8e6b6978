/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_hash.c - the hash is FNV-1a, by its published values. */
#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void texts_have_the_published_hashes(void **state)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} cases[] = {
		{"", UINT64_C(0xcbf29ce484222325)},
		{"a", UINT64_C(0xaf63dc4c8601ec8c)},
		{"foobar", UINT64_C(0x85944171f73967e8)},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		assert_true(ctd_hash(cases[i].text, strlen(cases[i].text)) == cases[i].hash);
}

static void every_byte_and_its_place_counts(void **state)
{
	(void)state;
	assert_true(ctd_hash("ab", 2) != ctd_hash("ba", 2));
	assert_true(ctd_hash("ab", 2) != ctd_hash("ab", 1));
	assert_true(ctd_hash("\xff", 1) != ctd_hash("\x7f", 1));
	/* NUL is a byte like any other. */
	assert_true(ctd_hash("a\0", 2) != ctd_hash("a", 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_have_the_published_hashes),
		cmocka_unit_test(every_byte_and_its_place_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
