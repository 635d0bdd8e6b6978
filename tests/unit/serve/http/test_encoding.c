/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* test_encoding.c - who takes gzip. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "serve/http/encoding.h"

static void gzip_is_for_those_who_take_it_and_do_not_like_it_less(void **state)
{
	static const struct {
		int line;
		const char *header;
		int gzip;
	} cases[] = {
		{__LINE__, NULL, 0},
		{__LINE__, "", 0},
		{__LINE__, "gzip", 1},
		{__LINE__, "GZip", 1},
		{__LINE__, "x-gzip", 1},
		{__LINE__, "gzip, deflate, br, zstd", 1},
		{__LINE__, "deflate,gzip;q=1.0, *;q=0.5", 1},
		{__LINE__, "br ;q=1 , gzip ; q=0.5", 1},
		{__LINE__, "gzip;q=0", 0},
		{__LINE__, "gzip;q=0.000", 0},
		{__LINE__, "gzip; q=0.001", 1},
		{__LINE__, "*", 1},
		{__LINE__, "*;q=0", 0},
		{__LINE__, "gzip;q=0, *", 0},
		{__LINE__, "identity", 0},
		{__LINE__, "identity;q=1, gzip;q=0.5", 0},
		{__LINE__, "gzip;q=0.5, identity;q=0.25", 1},
		{__LINE__, "identity;q=0, *", 1},
		{__LINE__, "gzipped", 0},
		{__LINE__, "gz", 0},
		{__LINE__, " , ,gzip", 1},
		{__LINE__, ",,,", 0},
		{__LINE__, ";q=1", 0},
		{__LINE__, "gzip;q=", 1},
		{__LINE__, "gzip;q=0.9999999999", 1},
		{__LINE__, "gzip;q=0.0000000001", 0},
		{__LINE__, "\x80\xff;q=\x01", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (ctd_accepts_gzip(cases[i].header) != cases[i].gzip)
			fail_msg("line %d: not as wanted", cases[i].line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gzip_is_for_those_who_take_it_and_do_not_like_it_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
